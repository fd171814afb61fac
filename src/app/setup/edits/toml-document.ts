import { isDeepStrictEqual } from "node:util";
import { parse, type TomlTable } from "smol-toml";
import { isObject, own } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { appendRows, splice } from "./json-document.js";
import { type Entry, entriesOf, type Span, type Statement, statementsOf } from "./toml-statements.js";

// A TOML file that a person keeps by hand: every byte that is not ours stays. Each edit is parsed and compared before
// it counts.

type Path = readonly string[];

export function parseToml(text: string): Result<TomlTable> {
  try {
    return ok(parse(text, { integersAsBigInt: "asNeeded" }) as TomlTable);
  } catch (error) {
    const [first = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return fail({ code: "bad-config", message: `is not TOML (${first})` });
  }
}

/** Undefined when nothing is there, or the text is no TOML. */
export function tomlAt(text: string, path: Path): unknown {
  const parsed = parseToml(text);
  return parsed.ok ? path.reduce<unknown>(inner, parsed.value) : undefined;
}

function inner(value: unknown, key: string): unknown {
  return isObject(value) ? own(value, key) : undefined;
}

/** A new table at the end, or inside the inline table that its parent is. */
export function addTable(text: string, path: Path, values: Readonly<Record<string, unknown>>): string | undefined {
  const inline = statementsOf(text).find(
    ({ type, path: other, value }) => type === "pair" && isPrefix(other, path) && value && text[value.start] === "{",
  );
  const pairs = Object.entries(values).map(([key, value]) => `${key} = ${written(value)}`);
  const added = inline?.value
    ? addEntry(text, inline.value, `${path.slice(inline.path.length).join(".")} = { ${pairs.join(", ")} }`)
    : appendRows(text, [`[${path.join(".")}]`, ...pairs]);
  return isOnlyChange(text, added, path, values) ? added : undefined;
}

/** Texts, booleans and lists of them are written the same in JSON and TOML. */
function written(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(written).join(", ")}]` : JSON.stringify(value);
}

function addEntry(text: string, { start, end }: Span, entry: string): string {
  const last = entriesOf(text, start).at(-1);
  const place = last?.end ?? start + 1;
  const row = last ? `, ${entry}` : ` ${entry}`;
  return splice(text, place, place, last || /\s/.test(text.charAt(place)) || place < end - 1 ? row : `${row} `);
}

/** Replaces a value that is there, wherever and however it is written. */
export function replaceToml(text: string, path: Path, value: unknown): string | undefined {
  const span = spanOf(text, path);
  const changed = span && splice(text, span.start, span.end, written(value));
  return changed !== undefined && isOnlyChange(text, changed, path, value) ? changed : undefined;
}

function spanOf(text: string, path: Path): Span | undefined {
  const statement = statementsOf(text).find(({ type, path: other }) => type === "pair" && isPrefix(other, path));
  return statement?.value && spanIn(text, statement.value, path.slice(statement.path.length));
}

function spanIn(text: string, value: Span, path: Path): Span | undefined {
  if (path.length === 0) return value;
  if (text[value.start] !== "{") return undefined;
  const entry = entriesOf(text, value.start).find(({ path: other }) => isPrefix(other, path));
  return entry && spanIn(text, entry.value, path.slice(entry.path.length));
}

/** Takes everything out that is written under a path, with the blank row that was put before it. */
export function removeTable(text: string, path: Path): string | undefined {
  const statements = statementsOf(text);
  const ours = statements.filter(({ path: other }) => isPrefix(path, other));
  let shorter = text;
  for (const { type, rows } of ours.toReversed()) {
    shorter = splice(shorter, rows.start, rows.end, "");
    if (type === "table") shorter = joinGap(shorter, rows.start);
  }
  const around = statements.find(
    ({ type, path: other }) => type === "pair" && isPrefix(other, path) && !isPrefix(path, other),
  );
  if (around?.value) shorter = removeEntry(text, around, path);
  return isOnlyChange(text, shorter, path, undefined) ? shorter : undefined;
}

function joinGap(text: string, place: number): string {
  const gap = /\r?\n$/.exec(text.slice(0, place));
  const isBlankRow = gap && /(?:^|\n)$/.test(text.slice(0, gap.index));
  return isBlankRow ? splice(text, gap.index, place, "") : text;
}

function removeEntry(text: string, { value, path: outer }: Statement, path: Path): string {
  if (!value) return text;
  const entries: readonly Entry[] = entriesOf(text, value.start);
  const index = entries.findIndex(({ path: other }) => isPrefix(path.slice(outer.length), other));
  const entry = entries[index];
  if (!entry) return text;
  const previous = entries[index - 1];
  const next = entries[index + 1];
  if (previous) return splice(text, previous.end, entry.end, "");
  if (next) return splice(text, entry.start, next.start, "");
  return splice(text, value.start + 1, value.end - 1, "");
}

/** The proof: the rest means what it meant. Tables around us that came or went empty do not count. */
function isOnlyChange(before: string, after: string, path: Path, value: unknown): boolean {
  const [old, changed] = [parseToml(before), parseToml(after)];
  if (!old.ok || !changed.ok) return false;
  const isThere = value === undefined || isDeepStrictEqual(plain(tomlAt(after, path)), value);
  return isThere && isDeepStrictEqual(without(old.value, path), without(changed.value, path));
}

function plain(value: unknown): unknown {
  return isObject(value) ? { ...value } : value;
}

function without(value: unknown, [key = "", ...rest]: Path): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]) => {
    if (name !== key) return [[name, item] as const];
    const left = rest.length === 0 ? undefined : without(item, rest);
    const isGone = left === undefined || (isObject(left) && Object.keys(left).length === 0);
    return isGone ? [] : [[name, left] as const];
  });
  return Object.fromEntries(entries);
}

function isPrefix(short: Path, long: Path): boolean {
  return short.every((key, index) => key === long[index]);
}
