import { isDeepStrictEqual } from "node:util";
import { parse, type TomlTable } from "smol-toml";
import { isObject, listAt, own } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { appendRows, splice, styleOf } from "./json-document.js";
import { type Entry, entriesOf, itemsOf, type Span, statementsOf } from "./toml-statements.js";

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
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${key} = ${written(item)}`)
    .join(", ")} }`;
}

/** One more key in a table that is there, however the table is written. */
export function addPair(text: string, table: Path, key: string, value: unknown): string | undefined {
  const path = [...table, key];
  const added =
    addToInline(text, path, value) ?? addToRows(text, path, value) ?? addTable(text, table, { [key]: value });
  return added !== undefined && isOnlyChange(text, added, path, value) ? added : undefined;
}

function addToInline(text: string, path: Path, value: unknown): string | undefined {
  const statement = statementsOf(text).find(
    ({ type, path: other, value: span }) =>
      type === "pair" && isPrefix(other, path) && span && text[span.start] === "{",
  );
  if (!statement?.value) return undefined;
  let span = statement.value;
  let rest = path.slice(statement.path.length);
  for (;;) {
    const entry = entriesOf(text, span.start).find(
      (one) => isPrefix(one.path, rest) && one.path.length < rest.length && text[one.value.start] === "{",
    );
    if (!entry) return addEntry(text, span, `${rest.join(".")} = ${written(value)}`);
    span = entry.value;
    rest = rest.slice(entry.path.length);
  }
}

/** Behind the last key of that table, or its head. */
function addToRows(text: string, path: Path, value: unknown): string | undefined {
  const table = path.slice(0, -1);
  const statements = statementsOf(text);
  const pair = statements.findLast(({ type, path: other }) => type === "pair" && isInside(table, other));
  const head = statements.find(({ type, path: other }) => type === "table" && isSamePath(other, table));
  const place = pair ?? head;
  if (!place) return undefined;
  const row = `${path.slice(place.table.length).join(".")} = ${written(value)}`;
  const { eol } = styleOf(text);
  const { end } = place.rows;
  return splice(text, end, end, text.slice(0, end).endsWith("\n") ? `${row}${eol}` : `${eol}${row}`);
}

/** One more text in a list that is there: right behind the last one, so that commas and comments stay. */
export function addItem(text: string, path: Path, item: string): string | undefined {
  const list = spanOf(text, path);
  if (!list || text[list.start] !== "[") return undefined;
  const last = itemsOf(text, list.start).at(-1);
  const added = last
    ? splice(text, last.end, last.end, `, ${written(item)}`)
    : splice(text, list.start + 1, list.start + 1, written(item));
  return isOnlyChange(text, added, path, [...listAt(tomlAt(text, path)), item]) ? added : undefined;
}

/** Takes a text out of a list, with the comma that came with it. */
export function removeItem(text: string, path: Path, item: string): string | undefined {
  const list = spanOf(text, path);
  const values = listAt(tomlAt(text, path));
  const index = values.indexOf(item);
  if (!list || index < 0) return undefined;
  const items = itemsOf(text, list.start);
  const { start, end } = items[index] ?? list;
  const previous = items[index - 1];
  const isBehind = previous && /^\s*,\s*$/.test(text.slice(previous.end, start));
  const comma = /^\s*,[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  const shorter = isBehind ? splice(text, previous.end, end, "") : splice(text, start, end + comma, "");
  const isRight = isOnlyChange(text, shorter, path, values.toSpliced(index, 1));
  return isRight ? shorter : undefined;
}

function addEntry(text: string, { start }: Span, entry: string): string {
  const last = entriesOf(text, start).at(-1);
  // With blanks of its own, also beside one that is there: so the way back is known.
  return last ? splice(text, last.end, last.end, `, ${entry}`) : splice(text, start + 1, start + 1, ` ${entry} `);
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
    shorter = splice(shorter, ...rowsWith(shorter, rows), "");
    if (type === "table") shorter = joinGap(shorter, rows.start);
  }
  const around = statements.find(
    ({ type, path: other }) => type === "pair" && isPrefix(other, path) && !isPrefix(path, other),
  );
  if (around?.value) shorter = removeEntry(text, around.value, path.slice(around.path.length));
  return isOnlyChange(text, shorter, path, undefined) ? shorter : undefined;
}

/** A last row without a line break was put behind one that had none either. */
function rowsWith(text: string, { start, end }: Span): readonly [number, number] {
  const isLast = end === text.length && !text.endsWith("\n");
  return [isLast ? start - (/\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : start, end];
}

function joinGap(text: string, place: number): string {
  const gap = /\r?\n$/.exec(text.slice(0, place));
  const isBlankRow = gap && /(?:^|\n)$/.test(text.slice(0, gap.index));
  return isBlankRow ? splice(text, gap.index, place, "") : text;
}

function removeEntry(text: string, table: Span, path: Path): string {
  const entries: readonly Entry[] = entriesOf(text, table.start);
  const around = entries.find((one) => isInside(one.path, path) && text[one.value.start] === "{");
  if (around) return removeEntry(text, around.value, path.slice(around.path.length));
  const index = entries.findIndex(({ path: other }) => isPrefix(path, other));
  const entry = entries[index];
  if (!entry) return text;
  const previous = entries[index - 1];
  const next = entries[index + 1];
  if (previous) return splice(text, previous.end, entry.end, "");
  if (next) return splice(text, entry.start, next.start, "");
  const isBlank = (place: number) => text[place] === " ";
  return splice(text, entry.start - Number(isBlank(entry.start - 1)), entry.end + Number(isBlank(entry.end)), "");
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

function isInside(outer: Path, path: Path): boolean {
  return path.length > outer.length && isPrefix(outer, path);
}

function isSamePath(one: Path, other: Path): boolean {
  return one.length === other.length && isPrefix(one, other);
}

function isPrefix(short: Path, long: Path): boolean {
  return short.every((key, index) => key === long[index]);
}
