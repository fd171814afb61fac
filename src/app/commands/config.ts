import { dirname } from "node:path";
import { type Failure, fail, ok } from "../../core/result.js";
import { nearest } from "../../core/text/nearest.js";
import { makeFolder } from "../../store/make-folder.js";
import { defineCommand } from "../command-definition.js";
import { text } from "../fields.js";
import { agentShell } from "../plans/agent-shell.js";
import { writeFileWhole } from "../safe-files.js";
import {
  AGENT_DECIDES,
  DEFAULT_SETTINGS,
  readSettings,
  readSettingsFile,
  SETTINGS,
  type SettingEntry,
  settingsPath,
} from "../settings.js";
import type { Environment } from "../store-place.js";
import { shellWord } from "../terminal/next-step.js";

export const config = defineCommand({
  details: `Without arguments: all settings, with their values and where each comes from. NAME shows one setting, NAME
VALUE sets it. An environment variable overrides the settings file.`,
  examples: [
    "milepost config reminders off",
    "milepost config reminders.stale 20",
    "milepost config reminders.stale default",
  ],
  words: ["name", "value"],
  input: {
    name: text("SETTING", "name of a setting"),
    value: text("VALUE", "new value, or default to reset it"),
  },
  async run({ environment }, { name, value }) {
    const entries = name === undefined ? SETTINGS : SETTINGS.filter((entry) => entry.name === name);
    const [entry] = entries;
    if (!entry) return fail("unknown-setting", unknownText(name ?? "", value));
    const refused = value === undefined ? undefined : refuseAgent(environment, entry);
    if (refused) return fail(refused);
    const changed = value === undefined ? ok(undefined) : await change(environment, entry, value);
    if (!changed.ok) return changed;
    return ok({ file: settingsPath(environment), settings: entries.map((one) => described(environment, one)) });
  },
  show: ({ settings }) => `${settings.map(row).join("\n")}\n`,
});

/** An agent that may switch this on decides on its own plans. */
function refuseAgent(environment: Environment, { name }: SettingEntry): Failure | undefined {
  const agent = name === AGENT_DECIDES ? agentShell(environment) : undefined;
  if (agent === undefined) return undefined;
  const message = `This is the shell of ${agent}, and ${name} is a person's to set, in a terminal of their own.`;
  return { code: "agent-shell", message };
}

function unknownText(name: string, value: string | undefined): string {
  // `reminders=off` is what other programs take.
  const [typed = "", given] = name.split("=");
  const meant = nearest(
    typed,
    SETTINGS.map((setting) => setting.name),
  );
  const next = [meant, given ?? value].filter((word) => word !== undefined).map(shellWord);
  const hint =
    meant === undefined ? "All settings: milepost config" : `Did you mean: milepost config ${next.join(" ")}`;
  return `There is no setting ${JSON.stringify(name)}. ${hint}`;
}

async function change(environment: Environment, { name, takes, read, write }: SettingEntry, value: string) {
  const path = settingsPath(environment);
  const file = readSettingsFile(environment);
  if (!file) return fail("bad-config", `${path} is not a JSON object. Fix it, or delete it.`);
  const { [name]: _, ...others } = file;
  const changed = value === "default" ? DEFAULT_SETTINGS : write(DEFAULT_SETTINGS, value);
  if (!changed)
    return fail(
      "bad-setting",
      `${name} cannot be ${JSON.stringify(value)}: ${takes}. To reset it: milepost config ${name} default`,
    );
  const settings = value === "default" ? others : { ...others, [name]: read(changed) };
  makeFolder(dirname(path));
  return writeFileWhole(path, true, [`${JSON.stringify(settings, null, 2)}\n`]);
}

function described(environment: Environment, { name, variable, summary, read, write }: SettingEntry) {
  const value = read(readSettings(environment));
  const named = variable === undefined ? undefined : environment[variable];
  const isVariable = named && write(DEFAULT_SETTINGS, named) !== undefined;
  const from = isVariable ? variable : Object.hasOwn(readSettingsFile(environment) ?? {}, name) ? "file" : "default";
  return { name, value, from, summary };
}

const NAME_WIDTH = Math.max(...SETTINGS.map(({ name }) => name.length));

function row({ name, value, from, summary }: ReturnType<typeof described>): string {
  const shown = typeof value === "boolean" ? (value ? "on" : "off") : String(value);
  return `${name.padEnd(NAME_WIDTH)}  ${shown.padEnd(7)} ${`(${from})`.padEnd(10)} ${summary}`;
}
