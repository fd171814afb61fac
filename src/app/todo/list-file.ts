import { constants, lstat, mkdir, open, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import type { TodoList } from "../../core/todo/list.js";
import { fromMarkdown } from "../../dialects/oh-my-pi/markdown.js";
import type { CommandContext, EditedText } from "../command-definition.js";

// A list as markdown in a file, or in an editor. Our own verbs and oh-my-pi's `/todo` share this.

export const LIST_FILE = "TODO.md";

/** More is no list that a person wrote. */
const LONGEST_FILE = 16 * 1024 * 1024;

/** The text, or why not. A pipe would wait for a writer, and a device might never end. */
export async function readListFile(path: string): Promise<Result<string, string>> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const found = await file.stat();
      const isText = found.isDirectory() || (found.isFile() && found.size <= LONGEST_FILE);
      return isText ? ok(await file.readFile("utf8")) : fail("it is no plain file of 16 MiB at most");
    } finally {
      await file.close();
    }
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** Or why it was not written. */
export async function writeListFile(
  path: string,
  markdown: string,
  { force, makeFolder }: { readonly force: boolean; readonly makeFolder: boolean },
): Promise<Result<undefined, string>> {
  try {
    const refused = force ? undefined : await whyNotOver(path);
    if (refused !== undefined) return fail(refused);
    if (makeFolder) await mkdir(dirname(path), { recursive: true });
    await writeFile(path, markdown);
    return ok(undefined);
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** What was exported before may be exported again; anything else that is there is not ours to overwrite. */
async function whyNotOver(path: string): Promise<string | undefined> {
  const found = await lstat(path).catch(() => undefined);
  if (!found || found.isDirectory()) return undefined;
  if (!found.isFile()) return "it is no plain file";
  const { errors, phases } = fromMarkdown(await readFile(path, "utf8"));
  const isList = errors.length === 0 && (found.size === 0 || phases.some(({ tasks }) => tasks.length > 0));
  return isList ? undefined : "it is there and is no list of todos";
}

/** What was saved in the editor; undefined where that is nothing new. It stays in its file until `discard`. */
export async function editedText(
  editText: NonNullable<CommandContext["editText"]>,
  markdown: string,
): Promise<Result<EditedText | undefined>> {
  const edited = await editText(LIST_FILE, markdown);
  if (!edited.ok || edited.value?.text !== markdown) return edited;
  edited.value.discard();
  return ok(undefined);
}

/** Not by revision: a call that broke off has changed the list without counting as a write. */
export function isSameList(before: TodoList, after: TodoList): boolean {
  return JSON.stringify(before.phases) === JSON.stringify(after.phases);
}

export const NO_CLIPBOARD = "There is no clipboard here: none of pbcopy, wl-copy, xclip, xsel and clip works.";
