import type { BranchState } from "../../app/git/branch-facts.js";
import type { SessionReport } from "../../app/transcripts/session-report.js";
import { barText, type Cell, drawCells, type Pen, type Style, shortCount } from "./cells.js";
import {
  agentWord,
  ageWord,
  askedWords,
  callWords,
  contextWords,
  focusWords,
  isOld,
  itemsOf,
  modelWord,
  progressOf,
  stateWords,
  verdictMarks,
  verdictStyle,
} from "./session-words.js";

// One session is one row. Which columns it has depends on the width alone, so that rows stand below each other.

export interface RowLook {
  readonly pen: Pen;
  readonly now: number;
  readonly width: number;
  readonly isSelected: boolean;
  /** Something has happened since the person last looked at it. */
  readonly isNew: boolean;
  readonly isPinned: boolean;
  readonly branch: BranchState | undefined;
  /** How deep it stands below its session; 0 for the session itself. */
  readonly depth: number;
}

/** Narrower, and what it asks stands in a row of its own. */
export const NARROW = 72;
const WIDE = 104;
const WIDEST = 150;

/** A row; a session that asks something has a second one where the first has no room for it. */
export function sessionRows(session: SessionReport, look: RowLook): readonly string[] {
  const { width, pen, isSelected } = look;
  const cells = width < NARROW ? narrowCells(session, look) : wideCells(session, look);
  const isDim = isOld(session, look.now) && !isSelected;
  const shown = isDim ? cells.map((cell): Cell => ({ ...cell, style: "dim" })) : cells;
  const row = drawCells(shown, pen, isSelected);
  const asked = width < NARROW ? askedWords(session) : undefined;
  return asked === undefined
    ? [row]
    : [row, drawCells([{ text: `   ${asked}`, width, style: "yellow" }], pen, isSelected)];
}

/** How many rows it takes, without drawing it. */
export function sessionHeight(session: SessionReport, width: number): number {
  return width < NARROW && askedWords(session) !== undefined ? 2 : 1;
}

function markCells({ isSelected, isNew, isPinned }: RowLook): readonly Cell[] {
  return [
    { text: isSelected ? "▌" : " ", width: 1, style: "cyan" },
    { text: isNew ? "•" : isPinned ? "↑" : " ", width: 1, style: isNew ? "magenta" : "cyan" },
  ];
}

const GAP: Cell = { text: "", width: 1 };

function spaced(cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(({ width }) => width > 0).flatMap((cell) => [cell, GAP]);
}

/** Whatever is left goes to the one cell that has no width of its own. */
function filled(
  left: readonly Cell[],
  focus: Omit<Cell, "width">,
  right: readonly Cell[],
  width: number,
): readonly Cell[] {
  const used = [...left, ...right].reduce((sum, cell) => sum + cell.width, 0);
  return [...left, { ...focus, width: Math.max(0, width - used) }, ...right];
}

function countText(session: SessionReport): string {
  const { done, total } = progressOf(session);
  return total === 0 ? "" : `${done}/${total}`;
}

function nameCell(session: SessionReport, width: number, depth: number): Cell {
  return depth === 0
    ? { text: agentWord(session), width }
    : { text: `${"  ".repeat(depth - 1)}└ ${ownName(session)}`, width };
}

/** A sub-agent by its name; those without one by the end of their id. */
function ownName({ id, title }: SessionReport): string {
  return title || id.slice(id.lastIndexOf("/") + 1);
}

const COUNT = 7;

function narrowCells(session: SessionReport, look: RowLook): readonly Cell[] {
  const { now, width, depth } = look;
  const state = stateWords(session, now);
  const isAsking = askedWords(session) !== undefined;
  const focus = isAsking || depth > 0 ? { text: "" } : focusWords(session, now);
  const place = depth > 0 ? [] : [{ text: session.project ?? "-", width: 9 }];
  const name = nameCell(session, depth > 0 ? 16 : 7, depth);
  const left = spaced([...markCells(look).slice(0, 1), name, ...place, { ...state, width: 11 }]);
  const shown = depth > 0 ? focusWords(session, now) : focus;
  return filled(
    left.filter((_, at) => at !== 1),
    shown,
    [{ text: countText(session), width: COUNT, isRight: true }],
    width,
  );
}

function wideCells(session: SessionReport, look: RowLook): readonly Cell[] {
  const { now, width, depth } = look;
  const state = stateWords(session, now);
  const { done, total } = progressOf(session);
  const bar = width < WIDE ? 6 : 10;
  const branch = width < WIDE ? 0 : width < WIDEST ? 16 : 24;
  const place: readonly Cell[] =
    depth > 0
      ? [nameCell(session, 8 + 1 + projectWidth(width) + (branch > 0 ? branch + 1 : 0), depth)]
      : [
          nameCell(session, 8, 0),
          { text: session.project ?? "-", width: projectWidth(width) },
          { text: branchText(session, look.branch), width: branch, style: "blue" },
        ];
  const left = [
    ...markCells(look),
    ...spaced([
      ...place,
      { ...state, width: 12 },
      { text: barText(done, total, bar), width: bar, style: barStyle(session) },
      { text: countText(session), width: COUNT },
    ]),
  ];
  return filled(left, focusWords(session, now), rightCells(session, look), width);
}

function projectWidth(width: number): number {
  return width < WIDE ? 10 : width < WIDEST ? 12 : 18;
}

function rightCells(session: SessionReport, { now, width }: RowLook): readonly Cell[] {
  if (width < WIDE) return [GAP, { text: ageWord(session, now), width: 4, isRight: true, style: "dim" }];
  const items = itemsOf(session);
  const call: Cell = { text: callWords(session, now), width: width < WIDEST ? 20 : 30, style: "cyan" };
  const marks: Cell = { text: verdictMarks(items), width: 10, style: verdictStyle(items) };
  const context = contextWords(session);
  const more: readonly Cell[] =
    width < WIDEST
      ? []
      : [
          { text: modelWord(session), width: 12, style: "dim" },
          { text: tokensText(session), width: 5, isRight: true, style: "dim" },
        ];
  const cells = [call, marks, ...more, { ...context, width: 8, isRight: true }];
  return [GAP, ...spaced(cells), { text: ageWord(session, now), width: 4, isRight: true, style: "dim" }];
}

function tokensText({ tokens }: SessionReport): string {
  return tokens.total === 0 ? "" : shortCount(tokens.total);
}

function barStyle(session: SessionReport): Style {
  return session.state === "running" ? "green" : session.state === "waiting" ? "yellow" : "dim";
}

/** `feat/cart ↑2 ↓1 #12`: the branch, how far it is from where it is pushed to, its pull request. */
export function branchText({ branch, pullRequest }: SessionReport, facts: BranchState | undefined): string {
  const away = facts
    ? `${facts.ahead > 0 ? ` ↑${facts.ahead}` : ""}${facts.behind > 0 ? ` ↓${facts.behind}` : ""}`
    : "";
  const request = pullRequest === null ? "" : ` #${pullRequest.number}`;
  return `${branch ?? facts?.branch ?? "-"}${away}${request}`;
}
