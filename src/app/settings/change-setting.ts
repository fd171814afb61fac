import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeeperThan } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { DEEPEST_VALUE } from "../../core/value-limits.js";
import { makeFolder } from "../../store/make-folder.js";
import { writeFileWhole } from "../safe-files.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { type Environment, homeFolder } from "../store-place.js";
import { shellWord } from "../terminal/next-step.js";
import { projectPath, readProjectFile } from "./project-file.js";
import { LISTS_OFF } from "./setting-entries.js";
import { isLoosest, type SettingEntry } from "./setting-entry.js";
import { type FileValues, readSettingsFile, settingsPath } from "./settings-files.js";

/** A value for one setting, as a person has typed it; `default` takes it out of the file. */
export interface NewValue {
  readonly entry: SettingEntry;
  readonly value: string;
}

/** Into the person's own file. */
export async function changeOwn(environment: Environment, { entry, value }: NewValue): Promise<Result<undefined>> {
  const path = settingsPath(environment);
  const changed = withValue(readSettingsFile(environment), path, { entry, value });
  if (!changed.ok) return changed;
  makeFolder(dirname(path));
  const written = await writeFileWhole(path, true, [changed.value]);
  if (written.ok && entry.name === LISTS_OFF) forgetGreetings(environment);
  return written;
}

/** Into the project's file. */
export async function changeProject(
  environment: Environment,
  folder: string,
  { entry, value }: NewValue,
): Promise<Result<undefined>> {
  const { name, tighter } = entry;
  if (!tighter)
    return fail(
      "not-for-projects",
      `A project may not set ${name}. For yourself: milepost config ${name} ${shellWord(value)}`,
    );
  const next = entry.write(DEFAULT_SETTINGS, value);
  if (next && value !== "default" && isLoosest(tighter, entry.read(next)))
    return fail("not-for-projects", `A project may only tighten ${name}, and ${value} is the loosest it can be.`);
  const path = projectPath(environment, folder);
  if (path === undefined)
    return fail("no-project", `${folder} is no project: it is your own folder, one above it, or Milepost's.`);
  const { trouble, values } = readProjectFile(environment, folder);
  if (trouble !== undefined) return fail("bad-config", `${path} ${trouble}. Fix it, or delete it.`);
  const changed = withValue(values, path, { entry, value });
  if (!changed.ok) return changed;
  // It is checked in with the project: for everybody to read, as the other files there.
  if (!existsSync(dirname(path))) mkdirSync(dirname(path));
  return writeFileWhole(path, true, [changed.value]);
}

/** The text of the file. Names that are no settings stay: a newer version may know them. */
function withValue(values: FileValues | undefined, path: string, { entry, value }: NewValue): Result<string> {
  if (!values || isDeeperThan(values, DEEPEST_VALUE))
    return fail("bad-config", `${path} is not a JSON object of settings. Fix it, or delete it.`);
  const { name, takes, read, write } = entry;
  const { [name]: _, ...others } = values;
  const changed = value === "default" ? DEFAULT_SETTINGS : write(DEFAULT_SETTINGS, value);
  if (!changed)
    return fail(
      "bad-setting",
      `${name} cannot be ${JSON.stringify(value)}: ${takes}. To reset it: milepost config ${name} default`,
    );
  const settings = value === "default" ? others : { ...others, [name]: read(changed) };
  return ok(`${JSON.stringify(settings, null, 2)}\n`);
}

/** The first answers of our server name its tools, and a shell repeats them: the next start has to ask again. */
function forgetGreetings(environment: Environment): void {
  const folder = join(homeFolder(environment), "cache");
  try {
    const kept = readdirSync(folder).filter((name) => name.startsWith("greeting-"));
    for (const name of kept) rmSync(join(folder, name), { force: true });
  } catch {
    // There are none.
  }
}
