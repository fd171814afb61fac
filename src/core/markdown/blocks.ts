import {
  closesFence,
  endsParagraph,
  fenceIn,
  headingIn,
  type ItemStart,
  indentOf,
  isHtml,
  isIndented,
  isQuote,
  isRule,
  isTableRule,
  itemIn,
  underlineIn,
} from "./line-starts.js";

// As much of markdown as plans are written in, in time that grows with the text. What is not understood stays text:
// a person who approves a plan must have seen all of its words.

export type Block =
  | { readonly type: "heading"; readonly level: number; readonly text: string }
  | { readonly type: "paragraph" | "html" | "table"; readonly lines: readonly string[] }
  | { readonly type: "code"; readonly info: string; readonly lines: readonly string[] }
  | { readonly type: "quote"; readonly blocks: readonly Block[] }
  | List
  | { readonly type: "rule" };

export interface List {
  readonly type: "list";
  readonly isOrdered: boolean;
  /** Blank lines stand between its items. */
  readonly isLoose: boolean;
  readonly items: readonly Item[];
}

export interface Item {
  readonly marker: string;
  /** `[ ]`, `[x]` and their kind. */
  readonly box: string | undefined;
  readonly blocks: readonly Block[];
}

/** Lists and quotes inside each other; marks beyond that are shown as text. */
const DEEPEST = 12;

const TAB = 4;

interface Reading {
  readonly lines: readonly string[];
  readonly depth: number;
  at: number;
}

export function markdownLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(withoutTabs);
}

/** Tabs in front become blanks: how far a line is indented says what it belongs to. */
function withoutTabs(line: string): string {
  const start = /^[ \t]*/.exec(line)?.[0] ?? "";
  if (!start.includes("\t")) return line;
  let column = 0;
  for (const sign of start) column += sign === "\t" ? TAB - (column % TAB) : 1;
  return `${" ".repeat(column)}${line.slice(start.length)}`;
}

export function markdownBlocks(lines: readonly string[], depth = 0): readonly Block[] {
  const reading: Reading = { lines, depth, at: 0 };
  const blocks: Block[] = [];
  while (reading.at < lines.length) {
    if (lineAt(reading) === "") reading.at += 1;
    else blocks.push(readBlock(reading));
  }
  return blocks;
}

function readBlock(reading: Reading): Block {
  return (
    readIndented(reading) ??
    readFenced(reading) ??
    readHeading(reading) ??
    readRule(reading) ??
    readQuote(reading) ??
    readList(reading) ??
    readHtml(reading) ??
    readTable(reading) ??
    readParagraph(reading)
  );
}

/** A line of blanks is an empty one. */
function lineAt({ lines, at }: Reading, further = 0): string {
  const line = lines[at + further] ?? "";
  return line.trim() === "" ? "" : line;
}

/** Lines as long as they are wanted; moves behind them. */
function take(reading: Reading, isWanted: (line: string) => boolean): string[] {
  const start = reading.at;
  while (reading.at < reading.lines.length && isWanted(lineAt(reading))) reading.at += 1;
  return reading.lines.slice(start, reading.at);
}

function readIndented(reading: Reading): Block | undefined {
  if (!isIndented(lineAt(reading))) return undefined;
  const lines = take(reading, (line) => line === "" || isIndented(line)).map((line) => line.slice(TAB));
  while (lines.at(-1)?.trim() === "") lines.pop();
  return { type: "code", info: "", lines };
}

function readFenced(reading: Reading): Block | undefined {
  const first = lineAt(reading);
  const fence = fenceIn(first);
  if (!fence) return undefined;
  const indent = indentOf(first);
  reading.at += 1;
  const lines = take(reading, (line) => !closesFence(line, fence));
  reading.at += 1;
  return { type: "code", info: fence.info, lines: lines.map((line) => line.slice(Math.min(indent, indentOf(line)))) };
}

function readHeading(reading: Reading): Block | undefined {
  const heading = headingIn(lineAt(reading));
  if (!heading) return undefined;
  reading.at += 1;
  return { type: "heading", ...heading };
}

function readRule(reading: Reading): Block | undefined {
  if (!isRule(lineAt(reading))) return undefined;
  reading.at += 1;
  return { type: "rule" };
}

function readQuote(reading: Reading): Block | undefined {
  if (reading.depth >= DEEPEST || !isQuote(lineAt(reading))) return undefined;
  const lines = take(reading, isQuote).map((line) => {
    const text = line.slice(indentOf(line) + 1);
    return text.startsWith(" ") ? text.slice(1) : text;
  });
  return { type: "quote", blocks: markdownBlocks(lines, reading.depth + 1) };
}

function readList(reading: Reading): Block | undefined {
  const first = itemIn(lineAt(reading));
  if (!first || reading.depth >= DEEPEST) return undefined;
  const items: Item[] = [];
  let isLoose = false;
  for (let start: ItemStart | undefined = first; start?.isOrdered === first.isOrdered; ) {
    items.push(readItem(reading, start));
    const end = reading.at;
    take(reading, (line) => line === "");
    start = itemIn(lineAt(reading));
    if (start?.isOrdered === first.isOrdered) isLoose ||= reading.at > end;
  }
  return { type: "list", isOrdered: first.isOrdered, isLoose, items };
}

function readItem(reading: Reading, { indent, marker, offset }: ItemStart): Item {
  const { box, rest } = boxIn(lineAt(reading).slice(offset));
  const lines = [rest];
  // Two blanks are enough below a number, too: many people, and models, write it so.
  const least = Math.min(offset, indent + 2);
  reading.at += 1;
  for (; reading.at < reading.lines.length; reading.at += 1) {
    const line = lineAt(reading);
    const isBelow = line === "" || indentOf(line) >= least;
    // A paragraph goes on in a line that is not indented, unless something else begins there.
    if (!isBelow && (lines.at(-1) === "" || itemIn(line) || endsParagraph(line))) break;
    lines.push(line.slice(Math.min(offset, indentOf(line))));
  }
  while (lines.length > 1 && lines.at(-1) === "") {
    lines.pop();
    reading.at -= 1;
  }
  return { marker, box, blocks: markdownBlocks(lines, reading.depth + 1) };
}

function boxIn(text: string): { readonly box: string | undefined; readonly rest: string } {
  const found = /^\[[ xX/~-]\](?: |$)/.exec(text);
  return found ? { box: found[0].trim(), rest: text.slice(found[0].length) } : { box: undefined, rest: text };
}

function readHtml(reading: Reading): Block | undefined {
  if (!isHtml(lineAt(reading))) return undefined;
  return { type: "html", lines: take(reading, (line) => line !== "") };
}

function isTable(reading: Reading): boolean {
  return lineAt(reading).includes("|") && isTableRule(lineAt(reading, 1));
}

function readTable(reading: Reading): Block | undefined {
  return isTable(reading) ? { type: "table", lines: take(reading, (line) => line.includes("|")) } : undefined;
}

function readParagraph(reading: Reading): Block {
  const start = reading.at;
  reading.at += 1;
  take(reading, (line) => line !== "" && !underlineIn(line) && !endsParagraph(line) && !isTable(reading));
  const lines = reading.lines.slice(start, reading.at);
  const level = underlineIn(lineAt(reading));
  // Below several lines it is meant as a rule.
  if (level === undefined || (level === 2 && lines.length > 1)) return { type: "paragraph", lines };
  reading.at += 1;
  return { type: "heading", level, text: lines.map((line) => line.trim()).join(" ") };
}
