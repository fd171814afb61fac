import { standingText } from "../../app/terminal/task-columns.js";
import type { StandingTask } from "../../core/task/query.js";
import { standingWord } from "../../core/task/standing.js";
import type { TreeRow } from "../../core/task/tree.js";
import { leftText } from "../../core/text/time-text.js";
import type { ViewState } from "../view-state.js";
import { boardColumns, currentTask, type Size, TASK_COLUMNS, treeOf, type World } from "../world.js";
import { drawCells, drawText, type Pen, type Style } from "./cells.js";
import type { Body } from "./sessions-frame.js";
import { windowOf } from "./window.js";

const STYLES: Readonly<Record<string, Style>> = {
  ready: "green",
  stale: "red",
  failed: "red",
  in_progress: "cyan",
  blocked: "yellow",
  waiting: "yellow",
  retrying: "yellow",
};

/** Columns side by side need this much. */
export const SIDE_BY_SIDE = 96;

/** Tasks of one list: a board by what can be done with them, or a tree of what hangs on what. */
export function tasksBody(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const { tasks } = world;
  if (!tasks) return { rows: ["", drawText("  Reading tasks ...", columns, pen)], start: 0, rest: "" };
  const title = titleRow(tasks, state, columns, pen);
  const size = { columns, rows: Math.max(1, rows - 1) };
  if (tasks.tasks.length === 0) return { rows: [title, ...noTaskRows(columns, pen)], start: 0, rest: "" };
  const body = state.isTree
    ? treeRowsOf(world, state, size, pen, start)
    : columns >= SIDE_BY_SIDE
      ? wideBoard(world, state, size, pen, start)
      : narrowBoard(world, state, size, pen, start);
  return { ...body, rows: [title, ...body.rows] };
}

function titleRow(
  { list, lists }: NonNullable<World["tasks"]>,
  { isTree }: ViewState,
  columns: number,
  pen: Pen,
): string {
  const at = lists.indexOf(list);
  const others = lists.length > 1 ? `   list ${at + 1} of ${lists.length}, [ and ] change it` : "";
  return drawText(` ${list}${others}   ${isTree ? "tree" : "board"} (tab)`, columns, pen, "dim");
}

function noTaskRows(columns: number, pen: Pen): readonly string[] {
  const words = [
    "No tasks in this list yet. n adds the first one.",
    "A task outlives a session: agents of any vendor claim it.",
  ];
  return ["", ...words.map((text) => drawText(`  ${text}`, columns, pen))];
}

function wideBoard(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const board = boardColumns(world, state);
  const current = currentTask(world, state);
  const width = Math.floor(columns / board.length);
  const room = Math.max(1, rows - 1);
  const here = board.findIndex((column) => current !== undefined && column.includes(current));
  const parts = board.map((column, at) => {
    const cursor = at === here && current ? column.indexOf(current) : 0;
    return {
      column,
      ...windowOf(
        column.map(() => 1),
        cursor,
        room,
        at === here ? start : 0,
      ),
    };
  });
  const heading = drawCells(
    board.map((column, at) => ({
      text: ` ${TASK_COLUMNS[at]?.title} ${column.length}`,
      width,
      style: "bold" as const,
    })),
    pen,
  );
  const drawn = Array.from({ length: room }, (_, row) =>
    parts
      .map(({ column, start: from, end }) => {
        const task = from + row < end ? column[from + row] : undefined;
        return task ? cardCells(task, task === current, world.now, width, pen) : " ".repeat(width);
      })
      .join(""),
  );
  const below = parts.reduce((sum, { column, end }) => sum + column.length - end, 0);
  return { rows: [heading, ...drawn], start: parts[here]?.start ?? 0, rest: below > 0 ? `${below} more ↓` : "" };
}

type Row = { readonly heading: string } | { readonly task: StandingTask };

function narrowBoard(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const current = currentTask(world, state);
  const all = boardColumns(world, state).flatMap((column, at): readonly Row[] =>
    column.length === 0
      ? []
      : [{ heading: ` ${TASK_COLUMNS[at]?.title} ${column.length}` }, ...column.map((task) => ({ task }))],
  );
  const cursor = all.findIndex((row) => "task" in row && row.task === current);
  const shown = windowOf(
    all.map(() => 1),
    cursor === 1 ? 0 : cursor,
    rows,
    start,
  );
  const drawn = all
    .slice(shown.start, shown.end)
    .map((row) =>
      "heading" in row
        ? drawText(row.heading, columns, pen, "bold")
        : cardCells(row.task, row.task === current, world.now, columns, pen),
    );
  const below = all.length - shown.end;
  return { rows: drawn, start: shown.start, rest: below > 0 ? `${below} more ↓` : "" };
}

/** `#3 Fix the login  codex 12m`: what it is, who has it, and for how long still. */
function cardCells(one: StandingTask, isCursor: boolean, now: number, width: number, pen: Pen): string {
  const { task } = one;
  const word = standingWord(one);
  const style = STYLES[word];
  const who = holderText(one, now);
  const right = Math.min(who.length + 1, Math.floor(width / 2.5));
  const number = `#${task.number} `;
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: number, width: number.length, style: style ?? "dim" },
      { text: task.subject, width: Math.max(0, width - 2 - number.length - right), style: style ? undefined : "dim" },
      { text: who, width: right, isRight: true, style: word === "stale" ? "red" : "dim" },
      { text: "", width: 1 },
    ],
    pen,
    isCursor,
  );
}

function holderText(one: StandingTask, now: number): string {
  const { task, standing } = one;
  const word = standingWord(one);
  if (standing.blockedBy.length > 0)
    return `after ${standing.blockedBy
      .slice(0, 3)
      .map((blocker) => `#${blocker}`)
      .join(" ")}`;
  if (task.lease && word === "in_progress") return `${task.lease.owner} ${leftText(task.lease.until - now)}`;
  if (word === "ready") return task.priority === "medium" ? "" : task.priority;
  return word === "completed" ? (task.closedBy ?? "") : standingText(word);
}

function treeRowsOf(world: World, state: ViewState, { columns, rows }: Size, pen: Pen, start: number): Body {
  const tree = treeOf(world, state);
  const current = currentTask(world, state);
  const cursor = tree.findIndex(({ task }) => task.number === current?.task.number);
  const shown = windowOf(
    tree.map(() => 1),
    cursor,
    rows,
    start,
  );
  const drawn = tree
    .slice(shown.start, shown.end)
    .map((row, at) => treeRow(row, shown.start + at === cursor, columns, pen));
  const below = tree.length - shown.end;
  return { rows: drawn, start: shown.start, rest: below > 0 ? `${below} more ↓` : "" };
}

const DEEPEST = 12;

function treeRow({ task, hangs, isLast, alsoAfter }: TreeRow, isCursor: boolean, columns: number, pen: Pen): string {
  const levels = isLast
    .slice(0, -1)
    .slice(-DEEPEST)
    .map((last) => (last ? "  " : "│ "));
  const corner = hangs === "root" ? "" : `${isLast.at(-1) ? "└" : "├"}${hangs === "below-parent" ? "─" : "▸"} `;
  const after = alsoAfter.length === 0 ? "" : `  also after ${alsoAfter.map((number) => `#${number}`).join(" ")}`;
  const state = standingText(task.standing);
  return drawCells(
    [
      { text: isCursor ? "▌" : " ", width: 1, style: "cyan" },
      { text: `${levels.join("")}${corner}#${task.number} ${task.subject}${after}`, width: Math.max(0, columns - 14) },
      { text: state, width: 13, isRight: true, style: STYLES[task.standing] ?? "dim" },
    ],
    pen,
    isCursor,
  );
}
