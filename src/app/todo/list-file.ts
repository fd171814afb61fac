import { constants, lstat, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewPhase } from "../../core/todo/command.js";
import type { TodoList } from "../../core/todo/list.js";
import { fromMarkdown, toMarkdown } from "../../dialects/oh-my-pi/markdown.js";
import { newPhases, phasesOf } from "../../dialects/oh-my-pi/pi-phases.js";
import { shownList } from "./shown-list.js";

/** A list as a file of markdown. What goes wrong with a file is thrown, with words that a person can read. */
export const LIST_FILE = "TODO.md";

/** More is no list that a person wrote. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** A pipe would wait for a writer, and a device might never end. */
export async function readListFile(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const found = await file.stat();
    const isText = found.isDirectory() || (found.isFile() && found.size <= LONGEST_FILE);
    if (!isText) throw new Error("it is no plain file of 16 MiB at most");
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}

export async function writeListFile(path: string, markdown: string, isForced: boolean): Promise<void> {
  const refused = await whyNotOver(path, isForced);
  if (refused !== undefined) throw new Error(refused);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, markdown);
}

/** What was exported before may be exported again; anything else that is there is not ours to overwrite. */
export async function whyNotOver(path: string, isForced: boolean): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isDirectory() || isForced) return undefined;
  if (!found.isFile()) return "it is no plain file";
  const { errors, phases } = fromMarkdown(await readFile(path, "utf8"));
  const isList = errors.length === 0 && (found.size === 0 || phases.some(({ tasks }) => tasks.length > 0));
  return isList ? undefined : "it is there already and is no list; take another name, or --force";
}

/** As a person reads and edits it: one line a text. */
export function listMarkdown(list: TodoList): string {
  return toMarkdown(phasesOf(shownList(list)));
}

const ERRORS_MAX = 5;

/** The list that a text means, all of it or nothing; `what` is what the text is called. */
export function readMarkdown(text: string, what: string): Result<readonly NewPhase[]> {
  const { phases, errors } = fromMarkdown(text);
  if (errors.length === 0) return ok(newPhases(phases));
  const more = errors.length > ERRORS_MAX ? `; and ${errors.length - ERRORS_MAX} more` : "";
  const message = `${what} cannot be read as a list. ${errors.slice(0, ERRORS_MAX).join("; ")}${more}.`;
  return fail({ code: "refused", message });
}
