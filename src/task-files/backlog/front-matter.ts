import { withoutMark } from "../file-values.js";
import { linesIn } from "../sections.js";
import type { Problem } from "../task-format.js";

/** What front matter holds in this subset of YAML: scalars, and lists of them. */
export type FrontValue = string | number | boolean | null | readonly string[];

export interface FrontMatter {
  readonly fields: ReadonlyMap<string, FrontValue>;
  /** Lines after it. */
  readonly body: readonly string[];
}

const KEY = /^([A-Za-z_][\w.-]*):(?:[ \t](.*)|)$/s;

/** What cannot be read is told with its line; the rest is read. */
export function readFrontMatter(path: string, text: string, problems: Problem[]): FrontMatter {
  const lines = linesIn(withoutMark(text));
  const end = lines[0]?.trim() === "---" ? lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---") : -1;
  if (end < 0) {
    problems.push({ where: path, message: "It has no front matter between --- lines; all of it was read as text." });
    return { fields: new Map(), body: lines };
  }
  const fields = new Map<string, FrontValue>();
  const tell = (index: number, message: string) => problems.push({ where: `${path}, line ${index + 1}`, message });
  for (let index = 1; index < end; ) {
    const next = endOfField(lines, index, end);
    const [, key, value = ""] = KEY.exec(lines[index] ?? "") ?? [];
    const read = key === undefined ? undefined : readValue(value.trim(), lines.slice(index + 1, next));
    if (key !== undefined && fields.has(key)) tell(index, "This field occurs twice; the last one is used.");
    if (key !== undefined && read !== undefined) fields.set(key, read);
    else if (!isNothing(lines[index])) tell(index, "Not valid front matter; it was skipped.");
    index = next;
  }
  return { fields, body: lines.slice(end + 1) };
}

function isNothing(line = ""): boolean {
  return line.trim() === "" || line.startsWith("#");
}

/** Lines that are indented, or begin with a dash, belong to the key above them. */
function endOfField(lines: readonly string[], start: number, end: number): number {
  let next = start + 1;
  while (next < end && /^(?:[ \t]|- |-$|$)/.test(lines[next] ?? "")) next += 1;
  return next;
}

function readValue(first: string, rest: readonly string[]): FrontValue | undefined {
  if (/^[|>][+-]?\d?$/.test(first)) return blockText(first, rest);
  const more = rest.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (first === "" && more.length === 0) return null;
  if (first === "" && more.every((line, index) => index > 0 || line.startsWith("-"))) return readItems(rest);
  // A line that goes on below is joined to it by a blank.
  const joined = [first, ...more].join(" ").trim();
  return joined.startsWith("[") ? readFlow(joined) : readScalar(joined);
}

function readItems(lines: readonly string[]): readonly string[] | undefined {
  const items: { first: string; rest: string[] }[] = [];
  for (const line of lines) {
    const start = /^[ \t]*-(?:[ \t]+(.*)|)$/s.exec(line);
    if (start) items.push({ first: (start[1] ?? "").trim(), rest: [] });
    else items.at(-1)?.rest.push(line);
  }
  const values = items.map(({ first, rest }) => readValue(first, rest));
  return values.some((value) => value === undefined || Array.isArray(value)) ? undefined : values.map(asText);
}

export function asText(value: FrontValue | undefined): string {
  return value === undefined || value === null ? "" : String(value);
}

function blockText(style: string, lines: readonly string[]): string {
  const said = lines.filter((line) => line.trim() !== "");
  const margin = said.reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Infinity);
  const inner = lines.map((line) => (line.trim() === "" ? "" : line.slice(margin)));
  const text = style.startsWith("|") ? inner.join("\n") : fold(inner);
  return text.replace(/\n+$/, style.includes("-") || text === "" ? "" : "\n");
}

/** Folded: a line break is a blank, an empty line a line break. */
function fold(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) text += line === "" ? "\n" : `${text === "" || text.endsWith("\n") ? "" : " "}${line}`;
  return text;
}

function readScalar(text: string): FrontValue | undefined {
  if (text.startsWith("'") || text.startsWith('"')) {
    const { value, rest } = readQuoted(text) ?? {};
    return rest === undefined || (rest.trim() !== "" && !/^\s+#/.test(rest)) ? undefined : value;
  }
  const comment = text.search(/[ \t]#/);
  const plain = (comment < 0 ? text : text.slice(0, comment)).trim();
  if (plain.startsWith("{") || plain.startsWith("&") || plain.startsWith("*")) return undefined;
  if (plain === "true" || plain === "false") return plain === "true";
  if (plain === "null" || plain === "~" || plain === "") return null;
  return /^-?\d/.test(plain) && String(Number(plain)) === plain ? Number(plain) : plain;
}

/** A quoted text at the beginning, and what follows it. */
function readQuoted(text: string): { readonly value: string; readonly rest: string } | undefined {
  const quote = text[0];
  let at = 1;
  while (at < text.length) {
    if (quote === '"' && text[at] === "\\") at += 2;
    else if (text[at] !== quote) at += 1;
    else if (quote === "'" && text[at + 1] === "'") at += 2;
    else break;
  }
  if (at >= text.length) return undefined;
  const inner = text.slice(1, at);
  const value = quote === "'" ? inner.replaceAll("''", "'") : unescaped(inner);
  return { value: value.toWellFormed(), rest: text.slice(at + 1) };
}

const ESCAPE = String.fromCharCode(27);
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", "0": "\0", e: ESCAPE };

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|(.))/gs, (_, two, four, one: string) => {
    const code: string | undefined = two ?? four;
    return code === undefined ? (ESCAPES[one] ?? one) : String.fromCharCode(Number.parseInt(code, 16));
  });
}

/** `[a, 'b', "c"]` */
function readFlow(text: string): readonly string[] | undefined {
  const items: string[] = [];
  let rest = text.slice(1).trimStart();
  while (rest !== "" && !rest.startsWith("]")) {
    const quoted = /^['"]/.test(rest) ? readQuoted(rest) : undefined;
    const end = quoted ? 0 : rest.search(/[,\]]/);
    if (!quoted && end < 0) return undefined;
    const item = quoted ? quoted.value : rest.slice(0, end).trim();
    if (quoted || item !== "") items.push(item);
    rest = (quoted ? quoted.rest : rest.slice(end)).trimStart();
    if (rest.startsWith(",")) rest = rest.slice(1).trimStart();
    else if (!rest.startsWith("]")) return undefined;
  }
  return rest.startsWith("]") ? items : undefined;
}
