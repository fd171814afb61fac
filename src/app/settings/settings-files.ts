import { lstatSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../../core/json.js";
import { readPlain } from "../read-plain.js";
import { type Environment, homeFolder } from "../store-place.js";

/** What a settings file says, before anybody has looked whether it may. */
export type FileValues = Readonly<Record<string, unknown>>;

/** The person's own file. */
export function settingsPath(environment: Environment): string {
  return join(homeFolder(environment), "config.json");
}

/** Undefined for a file that cannot be understood; one that is not there is empty. */
export function readSettingsFile(environment: Environment): FileValues | undefined {
  try {
    const path = settingsPath(environment);
    // Most people have none, and hooks ask at each event: an error about it costs more than the look.
    if (!lstatSync(path, { throwIfNoEntry: false })) return {};
    return parseValues(readPlain(path));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? {} : undefined;
  }
}

/** Undefined for what is no JSON object. */
export function parseValues(text: string): FileValues | undefined {
  try {
    // Editors on Windows begin a file with a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ""));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
