import { utf8Length } from "../../core/text/length.js";
import type { ToolInput } from "../dialect.js";
import { writable } from "../json-limits.js";

// Arguments as the program reads them: in Rust, whose errors are told in the words of JavaScript, but for what only
// Rust refuses. A text in place of the object is read once more.

export type Arguments = { readonly value: unknown } | { readonly problem: string };

export function readArguments(input: ToolInput): Arguments {
  const text =
    "text" in input ? input.text : (input.source ?? JSON.stringify(writable(input.value, DEEPEST)) ?? "null");
  if (text === "") return { value: {} };
  for (let inner = text; ; ) {
    const problem = problemIn(inner);
    if (problem !== undefined) return { problem: refusal(text, problem) };
    const value: unknown = JSON.parse(inner);
    if (typeof value !== "string") return { value };
    inner = value;
  }
}

const MOST_SHOWN = 2000;

function refusal(text: string, problem: string): string {
  const given = text.slice(0, MOST_SHOWN);
  return `The arguments for the tool call 'sql' were not valid JSON. The arguments have been cleared. Arguments: ${given}. JSON parse error: ${problem}`;
}

/** The first in the text. */
function problemIn(text: string): string | undefined {
  const own = rustProblem(text);
  try {
    JSON.parse(text);
    return own?.problem;
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const [, position] = / at position (\d+)/.exec(message) ?? [];
    const isFirst = own !== undefined && own.at < Number(position ?? wrongToken(message, text));
    return isFirst ? own.problem : withLine(message, text);
  }
}

const TOKEN = /^Unexpected token '([\s\S]+?)', (\.\.\.)?"([\s\S]*)"(\.\.\.)? is not valid JSON$/;
const AROUND = 10;

/** Where the message shows what stands around it instead of its place; behind all where it has no place. */
function wrongToken(message: string, text: string): number {
  const [, token, isCut, shown = "", goesOn] = TOKEN.exec(message) ?? [];
  if (token === undefined) return Number.POSITIVE_INFINITY;
  if (isCut) return text.indexOf(shown) + AROUND;
  return goesOn ? shown.length - AROUND : text.indexOf(token);
}

/** Node 20 and 22 leave out what the program's own one tells behind a position. */
function withLine(message: string, text: string): string {
  const [, position] = / at position (\d+)$/.exec(message) ?? [];
  if (position === undefined) return message;
  const lines = text.slice(0, Number(position)).split("\n");
  return `${message} (line ${lines.length} column ${(lines.at(-1)?.length ?? 0) + 1})`;
}

const DEEPEST = 128;
/** No text as a whole: a repeated group in a pattern takes stack for each round. */
const PARTS = /\\[\s\S]|["[\]{}]|-?\d[\d.eE+-]*/g;
const HALVES = /\\(?:u([0-9a-fA-F]{4})(\\?)(u?)([0-9a-fA-F]{0,4})|[\s\S])/g;

/** What JavaScript takes: half a character, a number that is infinite, more than 127 levels. `at`: behind it. */
function rustProblem(text: string): { readonly problem: string; readonly at: number } | undefined {
  let depth = 0;
  let opened: number | undefined;
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (part === '"' && opened === undefined) opened = index;
    else if (part === '"') {
      const found = halfIn(text.slice(opened, index + 1));
      if (found) return placed(text, found.problem, (opened ?? 0) + found.at);
      opened = undefined;
    }
    if (opened !== undefined) continue;
    if (part === "[" || part === "{") depth += 1;
    if (part === "]" || part === "}") depth -= 1;
    if (depth === DEEPEST) return placed(text, "recursion limit exceeded", index + 1);
    if (/^-?\d/.test(part) && !Number.isFinite(Number.parseFloat(part)))
      return placed(text, "number out of range", index + part.length);
  }
  const rest = opened === undefined ? undefined : halfIn(text.slice(opened));
  return rest && placed(text, rest.problem, (opened ?? 0) + rest.at);
}

function halfIn(part: string): { readonly problem: string; readonly at: number } | undefined {
  for (let from = 0; ; ) {
    HALVES.lastIndex = from;
    const found = HALVES.exec(part);
    if (!found) return undefined;
    const [all, digits = "", slash, letter, more] = found;
    const end = found.index + (digits === "" ? all.length : 6);
    from = end;
    const unit = Number.parseInt(digits, 16);
    if (!(unit >= 0xd800 && unit <= 0xdfff)) continue;
    const trail = Number.parseInt(more ?? "", 16);
    if (unit > 0xdbff) return { problem: "lone leading surrogate in hex escape", at: end };
    if (slash === "" || letter === "")
      return { problem: "unexpected end of hex escape", at: end + (slash === "" ? 1 : 2) };
    if (!(trail >= 0xdc00 && trail <= 0xdfff)) return { problem: "lone leading surrogate in hex escape", at: end + 6 };
    from = end + 6;
  }
}

/** Columns are bytes. */
function placed(text: string, problem: string, at: number) {
  const lines = text.slice(0, at).split("\n");
  return { problem: `${problem} at line ${lines.length} column ${utf8Length(lines.at(-1) ?? "")}`, at };
}
