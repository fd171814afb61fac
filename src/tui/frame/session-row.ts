import type { BranchState } from "../../app/git/branch-facts.js";
import type { SessionReport } from "../../app/transcripts/session-report.js";
import { hasAlert } from "../../app/watching/session-groups.js";
import { barText, type Canvas, type Cell, clipCells, drawCells, type Style, shortCount } from "./cells.js";
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
  readonly now: number;
  readonly isSelected: boolean;
  /** Something has happened since the person last looked at it. */
  readonly isNew: boolean;
  readonly isPinned: boolean;
  readonly branch: BranchState | undefined;
  /** How deep it stands below its session; 0 for the session itself. */
  readonly depth: number;
}

/** Narrower, and what it asks stands in a row of its own. */
const NARROW = 72;
const WIDE = 104;
const WIDER = 130;
const WIDEST = 150;

/** A row; a session that asks something has a second one where the first has no room for it. */
export function sessionRows(session: SessionReport, look: RowLook, canvas: Canvas): readonly string[] {
  const { columns: width, pen } = canvas;
  const { isSelected } = look;
  const cells = width < NARROW ? narrowCells(session, look, width) : wideCells(session, look, width);
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

interface Parts {
  readonly left: readonly Cell[];
  readonly focus: Omit<Cell, "width">;
  readonly right: readonly Cell[];
}

/** Whatever is left goes to the one cell that has no width of its own. */
function filled({ left, focus, right }: Parts, width: number): readonly Cell[] {
  const used = [...left, ...right].reduce((sum, cell) => sum + cell.width, 0);
  return clipCells([...left, { ...focus, width: Math.max(0, width - used) }, ...right], width);
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

function narrowCells(session: SessionReport, look: RowLook, width: number): readonly Cell[] {
  const { now, depth } = look;
  const state = stateWords(session, now);
  const isAsking = askedWords(session) !== undefined;
  const focus = isAsking && depth === 0 ? { text: "" } : focusWords(session, now);
  const place = depth > 0 ? [nameCell(session, 17, depth)] : [nameCell(session, 7, 0), projectCell(session, 9)];
  const left = [...markCells(look).slice(0, 1), ...spaced([...place, { ...state, width: 11 }])];
  const right = [{ text: countText(session), width: COUNT, isRight: true }];
  return filled({ left, focus, right }, width);
}

/** Columns of a wide row, by the width of the screen; 0: there is no room for it. */
interface Widths {
  readonly project: number;
  readonly branch: number;
  readonly state: number;
  readonly bar: number;
  readonly call: number;
  readonly marks: number;
  readonly model: number;
  readonly tokens: number;
  readonly context: number;
}

const MEDIUM: Widths = {
  project: 10,
  branch: 0,
  state: 11,
  bar: 6,
  call: 0,
  marks: 0,
  model: 0,
  tokens: 0,
  context: 0,
};
const LARGE: Widths = {
  project: 9,
  branch: 13,
  state: 11,
  bar: 10,
  call: 18,
  marks: 0,
  model: 0,
  tokens: 0,
  context: 0,
};
const LARGER: Widths = { ...LARGE, project: 12, branch: 16, call: 22, context: 8, marks: 8 };
const LARGEST: Widths = { ...LARGER, project: 16, branch: 22, call: 30, model: 12, tokens: 5 };

function widthsFor(width: number): Widths {
  if (width < WIDE) return MEDIUM;
  return width < WIDER ? LARGE : width < WIDEST ? LARGER : LARGEST;
}

const AGENT = 7;

function wideCells(session: SessionReport, look: RowLook, width: number): readonly Cell[] {
  const { now, depth } = look;
  const widths = widthsFor(width);
  const { done, total } = progressOf(session);
  const whole = AGENT + 1 + widths.project + (widths.branch > 0 ? widths.branch + 1 : 0);
  const place: readonly Cell[] =
    depth > 0
      ? [nameCell(session, whole, depth)]
      : [
          nameCell(session, AGENT, 0),
          projectCell(session, widths.project),
          { text: branchText(session, look.branch), width: widths.branch, style: "blue" },
        ];
  const progress: readonly Cell[] = [
    { ...stateWords(session, now), width: widths.state },
    { text: barText(done, total, widths.bar), width: widths.bar, style: barStyle(session) },
    { text: countText(session), width: COUNT },
  ];
  const left = [...markCells(look), ...spaced([...place, ...progress])];
  return filled({ left, focus: focusWords(session, now), right: rightCells(session, look, widths) }, width);
}

function projectCell({ project }: SessionReport, width: number): Cell {
  return { text: project ?? "-", width };
}

/** What has nothing to say leaves its room to the words before it; what a person should read has all of it. */
function rightCells(session: SessionReport, { now }: RowLook, widths: Widths): readonly Cell[] {
  const isUrgent = session.state === "waiting" || hasAlert(session);
  const items = itemsOf(session);
  const call = isUrgent ? "" : callWords(session, now);
  const cells: readonly Cell[] = [
    { text: call, width: call === "" ? 0 : widths.call, style: "cyan" },
    { text: verdictMarks(items), width: isUrgent ? 0 : widths.marks, style: verdictStyle(items) },
    { text: modelWord(session), width: widths.model, style: "dim" },
    { text: tokensText(session), width: widths.tokens, isRight: true, style: "dim" },
    { ...contextWords(session), width: widths.context, isRight: true },
  ];
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
