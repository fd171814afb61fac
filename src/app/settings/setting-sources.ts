import type { Settings } from "../settings.js";
import type { Environment } from "../store-place.js";
import { readProjectFile } from "./project-file.js";
import { isTighter, type SettingEntry } from "./setting-entry.js";
import { type FileValues, readSettingsFile } from "./settings-files.js";

/** What each source says, and what comes of it: variable before project before person before default. */
export interface Sources {
  readonly environment: Environment;
  readonly user: FileValues;
  readonly project: FileValues;
}

/** `folder`: of the session, whose project may tighten some settings. */
export function readSources(environment: Environment, folder: string | undefined): Sources {
  return {
    environment,
    user: readSettingsFile(environment) ?? {},
    project: readProjectFile(environment, folder).values,
  };
}

export type Source = "environment" | "project" | "user" | "default";

export interface Settled {
  readonly settings: Settings;
  readonly from: Source;
}

/** One setting, by all sources. What cannot be read is passed over: a hook must not fail over a typo. */
export function settle(entry: SettingEntry, settings: Settings, sources: Sources): Settled {
  const { name, variable, write } = entry;
  const user = Object.hasOwn(sources.user, name) ? write(settings, sources.user[name]) : undefined;
  const known: Settled = user ? { settings: user, from: "user" } : { settings, from: "default" };
  const value = variable === undefined ? undefined : sources.environment[variable];
  const said = value === undefined || value === "" ? undefined : write(known.settings, value);
  if (said) return { settings: said, from: "environment" };
  const project = Object.hasOwn(sources.project, name) ? write(known.settings, sources.project[name]) : undefined;
  return project && mayTighten(entry, known.settings, project) ? { settings: project, from: "project" } : known;
}

/** The one rule that keeps a cloned repository from loosening anything. */
function mayTighten({ tighter, read }: SettingEntry, now: Settings, next: Settings): boolean {
  return tighter !== undefined && isTighter(tighter, read(now), read(next));
}
