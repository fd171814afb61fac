// Which files a call is about, found in its arguments and results: fields that hold a path, lines such as `FILE:/a`.
import { isObject, type JsonObject } from "../../../core/json.js";

export interface ToolLocation {
  readonly path: string;
  readonly line?: number;
}

/** In the order in which they are told. */
const PATH_FIELDS = [
  "path",
  "filePath",
  "file_path",
  "targetPath",
  "target_path",
  "targetFile",
  "target_file",
  "sourcePath",
  "source_path",
  "destinationPath",
  "destination_path",
  "oldPath",
  "old_path",
  "newPath",
  "new_path",
  "outputPath",
  "output_path",
  "inputPath",
  "input_path",
];
const LINE_FIELDS = ["line", "lineNumber", "line_number", "startLine", "start_line"];
const DEPTH_MAX = 4;
const NODES_MAX = 100;
const PATH_MAX = 4096;

/** The most places of a list that `toolLocations` still comes to when it is given the list again. */
export const LOCATIONS_SEEN_AGAIN = NODES_MAX / 2;

/** Undefined where there are none. Each value is looked through for itself. */
export function toolLocations(...values: readonly unknown[]): readonly ToolLocation[] | undefined {
  const places = new Places();
  for (const value of values) collect(value, places, { nodes: 0 }, 0);
  return places.list();
}

/** A path is told once without a line, or once for each line that is known. */
class Places {
  readonly #places = new Map<string, ToolLocation>();
  readonly #lines = new Map<string, Set<number | undefined>>();

  add(text: string, line?: number): void {
    const path = pathOf(text);
    if (path === undefined) return;
    const lines = this.#lines.get(path) ?? new Set();
    if (line === undefined ? lines.size > 0 : lines.has(line)) return;
    if (lines.delete(undefined)) this.#places.delete(keyOf(path, undefined));
    this.#lines.set(path, lines.add(line));
    this.#places.set(keyOf(path, line), line === undefined ? { path } : { path, line });
  }

  list(): readonly ToolLocation[] | undefined {
    return this.#places.size > 0 ? [...this.#places.values()] : undefined;
  }
}

function keyOf(path: string, line: number | undefined): string {
  return `${path}:${line ?? ""}`;
}

function collect(value: unknown, places: Places, seen: { nodes: number }, depth: number): void {
  if (seen.nodes >= NODES_MAX || depth > DEPTH_MAX) return;
  seen.nodes += 1;
  if (typeof value === "string") collectMarked(value, places);
  if (isObject(value)) collectFields(value, places);
  for (const inner of innerValues(value)) {
    collect(inner, places, seen, depth + 1);
    if (seen.nodes >= NODES_MAX) return;
  }
}

function collectFields(item: JsonObject, places: Places): void {
  const line = LINE_FIELDS.map((field) => lineOf(item[field])).find((found) => found !== undefined);
  for (const field of PATH_FIELDS) {
    const path = item[field];
    if (typeof path === "string") places.add(path, line);
  }
  if (!Array.isArray(item.content)) return;
  for (const block of item.content)
    if (isObject(block) && block.type === "text" && typeof block.text === "string") collectMarked(block.text, places);
}

/** `content` holds blocks: their text is read, and nothing in them is a field of the call. */
function innerValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([field, inner]) => (field === "content" ? [] : [inner]));
}

function collectMarked(text: string, places: Places): void {
  for (const [, path] of text.matchAll(/^(?:FILE|MEDIA):(.+)$/gm)) if (path !== undefined) places.add(path);
}

function pathOf(text: string): string | undefined {
  const path = text.trim();
  if (path === "" || path.length > PATH_MAX || /[\0\r\n]/.test(path) || /^https?:\/\//i.test(path)) return undefined;
  return /^file:\/\//i.test(path) ? filePathOf(path) : path;
}

function filePathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(new URL(url).pathname) || undefined;
  } catch {
    // No address, or one with a broken escape.
    return undefined;
  }
}

function lineOf(value: unknown): number | undefined {
  const line = typeof value === "number" && Number.isFinite(value) ? Math.floor(value) : 0;
  return line > 0 ? line : undefined;
}
