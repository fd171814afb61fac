import { cutText, isObject, type JsonObject, listAt } from "../json.js";

const MOST_FILES = 5;
const PATH_MAX = 300;
const FIELDS = ["file_path", "filePath", "path", "notebook_path", "absolute_path", "filename", "file", "target_file"];
const LISTS = ["paths", "files", "file_paths"];

/** The files that a tool's arguments name; the first few. */
export function namedFiles(input: JsonObject): readonly string[] {
  const single = FIELDS.map((field) => input[field]);
  const several = LISTS.flatMap((field) => listAt(input[field]).slice(0, MOST_FILES)).map((item) =>
    isObject(item) ? (item.path ?? item.file_path) : item,
  );
  const changed = isObject(input.changes) ? Object.keys(input.changes) : [];
  return boundedFiles([...single, ...several, ...changed, ...patchedFiles(patchText(input) ?? "")]);
}

/** Each once; no line of a file's content can be among them. */
export function boundedFiles(files: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  for (const file of files) {
    if (found.size >= MOST_FILES) break;
    if (typeof file !== "string" || file === "" || file.length > 4 * PATH_MAX || /[\n\r\0]/.test(file)) continue;
    const path = cutText(file.replace(/^file:\/\//, ""), PATH_MAX);
    if (path !== undefined) found.add(path);
  }
  return [...found];
}

const PATCH = "*** Begin Patch";
const HEADER = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
const PATCH_MAX = 400_000;

/** The patch in the arguments, in whichever field a client puts it, also inside a command. */
export function patchText(input: JsonObject): string | undefined {
  for (const field of ["input", "patch", "command", "cmd", "diff"]) {
    const value = input[field];
    const text = Array.isArray(value)
      ? value.findLast((item) => typeof item === "string" && item.includes(PATCH))
      : value;
    const at = typeof text === "string" ? text.slice(0, 4 * PATH_MAX).indexOf(PATCH) : -1;
    if (typeof text === "string" && at >= 0) return text.slice(at, at + PATCH_MAX);
  }
  return undefined;
}

function patchedFiles(patch: string): readonly string[] {
  return patch === "" ? [] : Array.from(patch.matchAll(HEADER), ([, file = ""]) => file.trim());
}

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|tex)$/i;
const PROSE_NAME =
  /^(?:licen[sc]e|copying|notice|authors|contributors|changelog|changes|history|readme|todo)(?:\.\w{1,8})?$/i;
/** A document's picture or example is part of it; a program in such a folder is none. */
const DOCS = /(?:^|[/\\])docs?[/\\].*\.(?:svg|png|jpe?g|gif|webp|html|csv)$/i;
const CODE = /(?:^|[/\\])(?:requirements[\w.-]*|cmakelists|robots|constraints)\.txt$/i;

/** All of them are documents. Nothing is said of no files. */
export function areProse(files: readonly string[]): boolean {
  return files.length > 0 && files.every(isProse);
}

function isProse(file: string): boolean {
  const name = file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
  if (CODE.test(file)) return false;
  return PROSE.test(file) || (PROSE_NAME.test(name) && !SOURCE.test(name)) || DOCS.test(file);
}

/** `history.ts` is a program. */
const SOURCE = /\.(?:[cm]?[jt]sx?|py|rb|go|rs|java|kt|php|cs?|cpp|h|swift|sh|json|ya?ml|toml|sql)$/i;
