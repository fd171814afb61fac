import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import { parseJson } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";

// A JSON file that a person keeps by hand: comments, trailing commas, order and every byte that is not ours stay as
// they are.

export type Path = readonly (string | number)[];

const PARSE = { allowTrailingComma: true, disallowComments: false } as const;

/** Why `openJson` refuses a file that its reader takes: one key twice, or too many levels. */
export const UNSAFE = "unsafe-json";

/** The text when it is an object, or becomes one where nothing is written yet; else what is wrong with it. */
export function openJson(text: string): Result<string> {
  const { root, errors, isTooDeep } = treeOf(text);
  if (isTooDeep) return fail({ code: UNSAFE, message: `is nested more than ${DEEPEST} levels deep` });
  if (!root && /^(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*$/.test(text)) return ok(withObject(text));
  const [error] = errors;
  if (error || !root) return fail({ code: "bad-config", message: `is not JSON (${lineOf(text, error?.offset ?? 0)})` });
  if (root.type !== "object") return fail({ code: "bad-config", message: "is JSON, but not an object" });
  const twice = repeatedKey(root);
  if (twice !== undefined) return fail({ code: UNSAFE, message: `has the key "${twice}" twice` });
  return ok(text);
}

interface Tree {
  readonly root: Node | undefined;
  readonly errors: readonly ParseError[];
  readonly isTooDeep?: boolean;
}

/** Whoever reads or compares it walks it with a stack that has an end. */
const DEEPEST = 500;
const TOO_DEEP: Tree = { root: undefined, errors: [], isTooDeep: true };
const TOKENS = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|\/\/.*|\/\*[\s\S]*?\*\/|[[\]{}]/g;

function isDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    if (depth > DEEPEST) return true;
  }
  return false;
}

/** The newest texts: most of them are asked about many times before the next edit. */
const known = new Map<string, Tree>();
const KNOWN = 16;

/** A byte order mark counts as a blank, so that places stay true. */
function treeOf(text: string): Tree {
  const found = known.get(text);
  if (found) return found;
  const errors: ParseError[] = [];
  const tree = isDeep(text) ? TOO_DEEP : { root: parseTree(text.replace(/^\ufeff/, " "), errors, PARSE), errors };
  for (const [oldest] of known) if (known.size >= KNOWN) known.delete(oldest);
  known.set(text, tree);
  return tree;
}

const MARK = "\ufeff";

/** What a reader takes beside plain JSON. */
export interface JsonReader {
  readonly takesMark: boolean;
  readonly takesComments?: boolean;
  /** Behind the last item of an object or a list. */
  readonly takesCommas?: boolean;
}

/** Why a reader of plain JSON does not read a text that `openJson` opens; undefined where it does. */
export function plainJsonFlaw(text: string, reader: JsonReader): string | undefined {
  const { takesMark, takesComments = false, takesCommas = false } = reader;
  const hasMark = text.startsWith(MARK);
  if (hasMark && !takesMark) return "begins with a byte order mark";
  if (parseJson(hasMark ? text.slice(1) : text) !== undefined) return undefined;
  const errors: ParseError[] = [];
  parseTree(text.replace(MARK, " "), errors, { disallowComments: !takesComments, allowTrailingComma: takesCommas });
  if (takesComments && errors.length === 0) return undefined;
  const [{ error, offset } = { error: 0, offset: 0 }] = errors;
  const what = printParseErrorCode(error) === "InvalidCommentToken" ? "a comment" : "a trailing comma";
  return `has ${what} (${lineOf(text, offset)})`;
}

function withObject(text: string): string {
  const { eol } = styleOf(text);
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}{}${eol}`;
}

function lineOf(text: string, offset: number): string {
  return `line ${text.slice(0, offset).split("\n").length}`;
}

/** Which of two equal keys counts differs from reader to reader: an edit of the other one would do nothing. */
function repeatedKey(root: Node): string | undefined {
  const keys = (root.children ?? []).map(keyOf);
  const twice = keys.find((key, index) => keys.indexOf(key) !== index);
  if (twice !== undefined) return twice;
  const objects = (root.children ?? []).flatMap(({ children }) => children?.[1] ?? []);
  return objects
    .filter(({ type }) => type === "object")
    .map(repeatedKey)
    .find((key) => key !== undefined);
}

function keyOf(property: Node): string {
  return String(property.children?.[0]?.value);
}

export function valueAt(text: string, path: Path): unknown {
  const node = nodeAt(text, path);
  return node && plain(node);
}

function plain(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(plain);
  if (node.type !== "object") return node.value;
  return Object.fromEntries(
    (node.children ?? []).flatMap((child) => (child.children?.[1] ? [[keyOf(child), plain(child.children[1])]] : [])),
  );
}

function nodeAt(text: string, path: Path): Node | undefined {
  const { root } = treeOf(text);
  return root && findNodeAtLocation(root, [...path]);
}

/** Replaces the value, or adds it at the end of its object, with the objects around it where they are missing. */
export function setValue(text: string, path: Path, value: unknown): string {
  const found = nodeAt(text, path);
  if (found)
    return splice(text, found.offset, endOf(found), pretty(value, styleOf(text), indentAt(text, found.offset)));
  const key = path.at(-1);
  const parentPath = path.slice(0, -1);
  const parent = nodeAt(text, parentPath);
  if (parent?.type === "object") return insert(text, parent, value, `${JSON.stringify(key)}: `);
  if (parent || path.length === 0) throw new TypeError(`no object at ${parentPath.join(".")}`);
  return setValue(text, parentPath, { [String(key)]: value });
}

/** Adds a value at the end of an array, which is made where it is missing. */
export function appendValue(text: string, path: Path, value: unknown): string {
  const list = nodeAt(text, path);
  return list?.type === "array" ? insert(text, list, value, "") : setValue(text, path, [value]);
}

function insert(text: string, container: Node, value: unknown, label: string): string {
  const style = styleOf(text);
  const last = container.children?.at(-1);
  if (!last) return insertFirst(text, container, value, label);
  const end = endOf(last);
  const comma = commaAfter(text, end);
  const isOnOwnLine = text.slice(container.offset, last.offset).includes("\n");
  if (isOnOwnLine) {
    const indent = indentAt(text, last.offset);
    const place = endOfRow(text, comma ?? end);
    const row = `${style.eol}${indent}${label}${pretty(value, style, indent)}${comma === undefined ? "" : ","}`;
    const longer = splice(text, place, place, row);
    return comma === undefined ? splice(longer, end, end, ",") : longer;
  }
  const isTight = !text.includes('": ');
  const item = isTight ? `${label.trimEnd()}${JSON.stringify(value)}` : ` ${label}${oneRow(value)}`;
  return comma === undefined ? splice(text, end, end, `,${item}`) : splice(text, comma, comma, `${item},`);
}

/** As people write it who put it into one row. */
function oneRow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneRow).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, item]) => `${JSON.stringify(key)}: ${oneRow(item)}`)
    .join(", ")} }`;
}

function insertFirst(text: string, container: Node, value: unknown, label: string): string {
  const style = styleOf(text);
  const inner = text.slice(container.offset + 1, endOf(container) - 1);
  const kept = inner.trimEnd();
  const indent = indentAt(text, container.offset);
  const row = `${style.eol}${indent}${style.unit}${label}${pretty(value, style, indent + style.unit)}`;
  const place = container.offset + 1 + kept.length;
  return splice(text, place, place, inner.slice(kept.length).includes("\n") ? row : `${row}${style.eol}${indent}`);
}

/** Takes a value out again, with its key and its comma. The exact way back for what was inserted above. */
export function removeValue(text: string, path: Path): string {
  const value = nodeAt(text, path);
  const node = value?.parent?.type === "property" ? value.parent : value;
  if (!node?.parent) return text;
  const shorter = removeNode(text, node, node.parent, text.slice(0, node.offset).trimEnd().length);
  // A row comment above needs its line break, when what follows stands in our row.
  return openJson(shorter).ok ? shorter : removeNode(text, node, node.parent, node.offset);
}

function removeNode(text: string, node: Node, container: Node, start: number): string {
  const end = endOf(node);
  const comma = commaAfter(text, end);
  const siblings = container.children ?? [];
  if (siblings.length === 1) return removeOnly(text, container, start, comma ?? end);
  if (comma !== undefined) return splice(splice(text, comma - 1, comma, ""), start, end, "");
  const shorter = splice(text, start, end, "");
  const previous = siblings[siblings.indexOf(node) - 1];
  const before = previous && commaAfter(text, endOf(previous));
  return before === undefined ? shorter : splice(shorter, before - 1, before, "");
}

function removeOnly(text: string, container: Node, start: number, end: number): string {
  const rest = text.slice(end, endOf(container) - 1);
  const isBare = start === container.offset + 1 && rest.trim() === "";
  return splice(text, start, isBare ? endOf(container) - 1 : end, "");
}

/** The end of the comma that follows, comments between them or not. */
function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const place = scanner.getTokenOffset();
  return text.charAt(place) === "," ? place + 1 : undefined;
}

/** Past a comment that stands behind a value in the same row: it belongs to that value. */
function endOfRow(text: string, offset: number): number {
  const comment = /^[ \t]*(?:\/\*[^\n]*?\*\/[ \t]*)?(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(offset));
  return offset + (comment?.[0].trimEnd().length ?? 0);
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? "";
}

function pretty(value: unknown, { unit, eol }: Style, indent: string): string {
  return JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

export function splice(text: string, start: number, end: number, added: string): string {
  return text.slice(0, start) + added + text.slice(end);
}

/** At the end of a text, after a blank row. */
export function appendRows(text: string, rows: readonly string[]): string {
  const { eol } = styleOf(text);
  const gap = text.trim() === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
  return `${text}${gap}${rows.join(eol)}${eol}`;
}

/** How a file is written, so that what we add looks like the rest of it. */
export interface Style {
  readonly eol: string;
  readonly unit: string;
}

export function styleOf(text: string): Style {
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const unit = /^(\t|[ ]{1,8})[^\s/*]/m.exec(text)?.[1] ?? "  ";
  return { eol, unit };
}
