import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { isObject, type JsonObject, parseJson } from "../../core/json.js";
import { isTableFile } from "../../store/foreign-tables.js";
import { isDatabaseName } from "./agents/database-formats.js";
import { beginningOf } from "./file-peek.js";

/** A file that does not grow line by line: all of it is read again when it has changed. */
export type DocumentKind = "database" | "json";

/** For files that agents write. A link may lead to a database of any name: then only its first bytes tell. */
export function documentKind(path: string): DocumentKind | undefined {
  const name = basename(path);
  if (name.endsWith(".jsonl")) return undefined;
  if (isSnapshotName(name)) return "json";
  return isDatabaseName(name) || isTableFile(beginningOf(path, 16)) ? "database" : undefined;
}

export function isSnapshotName(name: string): boolean {
  return /^session_.+\.json$/.test(name);
}

/** What a file that a person names is, whatever it is called. */
export function documentKindInside(path: string): DocumentKind | undefined {
  const beginning = beginningOf(path, 1024);
  if (isTableFile(beginning)) return "database";
  // Printed for people: no line of it is a record.
  return path.endsWith(".json") || /^\s*\{\s*\n/.test(beginning) ? "json" : undefined;
}

/** Larger than any real one; more would have to be held at once. */
const DOCUMENT_MAX = 256 * 1024 * 1024;

/** Undefined for what is no JSON object, is too large, or is only half written. */
export async function readJson(handle: FileHandle): Promise<JsonObject | undefined> {
  if ((await handle.stat()).size > DOCUMENT_MAX) return undefined;
  const text = await handle.readFile("utf8").catch(() => "");
  const value = parseJson(text.replace(/^\uFEFF/, ""));
  return isObject(value) ? value : undefined;
}
