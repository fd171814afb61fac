import { DEFAULT_SETTINGS, readSettingsFile, SETTINGS, type SettingEntry, settingsPath } from "./settings.js";
import type { Environment } from "./store-place.js";

export interface SettingsCheck {
  readonly file: string;
  /** Names of settings that the file or a variable sets. */
  readonly set: readonly string[];
  readonly findings: readonly SettingFinding[];
}

interface SettingFinding {
  readonly code: string;
  readonly level: "warning";
  /** A sentence, with what to do. */
  readonly message: string;
}

/** What `readSettings` passes over in silence, because a hook must not fail over a typo. */
export function checkSettings(environment: Environment): SettingsCheck {
  const file = settingsPath(environment);
  const values = readSettingsFile(environment);
  if (!values) {
    const message = `${file} is not a JSON object: all settings in it are ignored. Fix it, or delete it.`;
    return { file, set: [], findings: [warning("bad-config", message)] };
  }
  const unknown = Object.keys(values).filter((name) => !SETTINGS.some((entry) => entry.name === name));
  const set = SETTINGS.filter((entry) => Object.hasOwn(values, entry.name) || environment[entry.variable ?? ""]);
  return {
    file,
    set: set.map(({ name }) => name),
    findings: [
      ...unknown.map((name) => warning("unknown-setting", `There is no setting ${name}: it is ignored in ${file}.`)),
      ...set.flatMap((entry) => badValues(entry, values, environment)),
    ],
  };
}

function badValues(
  { name, variable, takes, write }: SettingEntry,
  values: Readonly<Record<string, unknown>>,
  environment: Environment,
): readonly SettingFinding[] {
  const isBad = (value: unknown) => write(DEFAULT_SETTINGS, value) === undefined;
  const named = environment[variable ?? ""];
  return [
    ...(Object.hasOwn(values, name) && isBad(values[name])
      ? [`${name} cannot be ${JSON.stringify(values[name])}: ${takes}. To reset it: milepost config ${name} default`]
      : []),
    ...(named && isBad(named) ? [`${variable} cannot be ${named}: ${takes}. It is ignored.`] : []),
  ].map((message) => warning("bad-setting", message));
}

function warning(code: string, message: string): SettingFinding {
  return { code, level: "warning", message };
}
