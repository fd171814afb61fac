import { type Line, type Piece, styled } from "../styled-line.js";
import type { PiTask } from "./pi-phases.js";

export const UNICODE_SYMBOLS = {
  success: "✔",
  pending: "⏳",
  checked: "☑",
  unchecked: "☐",
  branch: "├─",
  lastBranch: "└─",
  bar: "│",
  hook: "└",
  dot: " · ",
};

/** What lists are drawn with; a terminal may have no more than ASCII. */
export type Symbols = Readonly<Record<keyof typeof UNICODE_SYMBOLS, string>>;

export const ASCII_SYMBOLS: Symbols = {
  success: "[ok]",
  pending: "[*]",
  checked: "[x]",
  unchecked: "[ ]",
  branch: "|--",
  lastBranch: "'--",
  bar: "|",
  hook: "`-",
  dot: " - ",
};

const NUMERALS = { M: 1000, CM: 900, D: 500, CD: 400, C: 100, XC: 90, L: 50, XL: 40, X: 10, IX: 9, V: 5, IV: 4, I: 1 };

const MOST_COUNTED = 1_000_000;

/** Empty for what nobody counts in letters. */
export function roman(count: number): string {
  let rest = count > 0 && count <= MOST_COUNTED ? count : 0;
  return Object.entries(NUMERALS)
    .map(([letters, value]) => {
      const times = Math.floor(rest / value);
      rest -= times * value;
      return letters.repeat(times);
    })
    .join("");
}

/** Counted from 1, over the phases that have todos. */
export function phaseTitle(name: string, count: number): string {
  return `${roman(count)}. ${name}`;
}

/** Everything but the tree in front. `struck`: how many characters of a completed one; all unless told. */
export function todoLine(task: PiTask, symbols: Symbols, { prefix = "", struck = Infinity } = {}): Line {
  const { content, status, notes = [] } = task;
  const open = `${prefix}${symbols.unchecked} `;
  const count = notes.length === 0 ? [] : [styled("dim", styled("italic", ` ⁺${superscript(notes.length)}`))];
  switch (status) {
    case "completed":
      return [styled("success", `${prefix}${symbols.checked} `, ...strike(content, struck)), ...count];
    case "in_progress":
      return [styled("accent", open, withoutTabs(content)), ...count];
    case "abandoned":
      return [styled("error", open, ...strike(content, Infinity)), ...count];
    default:
      return [styled("dim", open, withoutTabs(content)), ...count];
  }
}

function strike(content: string, struck: number): readonly Piece[] {
  if (struck <= 0) return [withoutTabs(content)];
  const characters = struck === Infinity ? [] : [...content];
  if (struck >= characters.length) return [styled("strike", withoutTabs(content))];
  const done = characters.slice(0, struck).join("");
  return [styled("strike", withoutTabs(done)), withoutTabs(content.slice(done.length))];
}

/** A tab has no width of its own in a terminal. */
export function withoutTabs(text: string): string {
  return text.replaceAll("\t", "   ");
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function superscript(count: number): string {
  return [...String(count)].map((digit) => SUPERSCRIPTS.charAt(Number(digit))).join("");
}
