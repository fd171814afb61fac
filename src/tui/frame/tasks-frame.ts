import { standingText } from "../../app/terminal/task-columns.js";
import type { StandingTask } from "../../core/task/query.js";
import { standingWord } from "../../core/task/standing.js";
import type { TreeRow } from "../../core/task/tree.js";
import { leftText } from "../../core/text/time-text.js";
import type { ViewState } from "../view-state.js";
import { boardColumns, currentTask, TASK_COLUMNS, treeOf, type World } from "../world.js";
import { type Canvas, drawCells, drawText, type Pen, type Style } from "./cells.js";
import { type Body, type Shown, windowBody, wordsBody } from "./view-body.js";
import { heldCursor } from "./window.js";

const STYLES: Readonly<Record<string, Style>> = {
  ready: "green",
  stale: "red",
  failed: "red",
  in_progress: "cyan",
  blocked: "yellow",
  waiting: "yellow",
  retrying: "yellow",
};

/** With fewer rows there are only tasks. */
const TITLED = 4;

/** Columns side by side need this much. */
export const SIDE_BY_SIDE = 96;

/** Tasks of one list: a board by what can be done with them, or a tree of what hangs on what. */
export function tasksBody(shown: Shown, canvas: Canvas): Body {
  const { world, state } = shown;
  const { tasks } = world;
  if (!tasks) return wordsBody(["Reading tasks ..."], canvas);
  const title = canvas.rows < TITLED ? [] : [titleRow(tasks, state, canvas)];
  const inner = { ...canvas, rows: canvas.rows - title.length };
  const body = tasks.tasks.length === 0 ? wordsBody(NO_TASKS, canvas) : taskRows(shown, inner);
  return { ...body, rows: [...title, ...body.rows] };
}

const NO_TASKS = [
  "No tasks in this list yet. n adds the first one.",
  "A task outlives a session: agents of any vendor claim it.",
];

function titleRow({ list, lists }: NonNullable<World["tasks"]>, { isTree }: ViewState, canvas: Canvas): string {
  const at = lists.indexOf(list);
  const others = lists.length > 1 ? `   list ${at + 1} of ${lists.length}, [ and ] change it` : "";
  return drawText(` ${list}${others}   ${isTree ? "tree" : "board"} (tab)`, canvas, "dim");
}

function taskRows(shown: Shown, canvas: Canvas): Body {
  if (shown.state.isTree) return treeBody(shown, canvas);
  return canvas.columns >= SIDE_BY_SIDE ? wideBoard(shown, canvas) : narrowBoard(shown, canvas);
}

function wideBoard({ world, state, start }: Shown, canvas: Canvas): Body {
  const { columns, rows, pen } = canvas;
  const board = boardColumns(world, state);
  const current = currentTask(world, state);
  const width = Math.floor(columns / board.length);
  const titled = rows < TITLED ? 0 : 1;
  const room = rows - titled;
  const parts = board.map((tasks) => {
    const cursor = current ? tasks.indexOf(current) : -1;
    const draw = (task: StandingTask, isCursor: boolean) => cardRow(task, { isCursor, now: world.now, width }, pen);
    return windowBody(tasks, draw, { cursor, start: cursor < 0 ? 0 : start, rows: room });
  });
  const here = parts[board.findIndex((tasks) => current !== undefined && tasks.includes(current))];
  const titles = board.map((tasks, at) => ({
    text: ` ${TASK_COLUMNS[at]?.title} ${tasks.length}`,
    width,
    style: BOLD,
  }));
  const blank = " ".repeat(width);
  const drawn = Array.from({ length: room }, (_, row) => parts.map((part) => part.rows[row] ?? blank).join(""));
  const above = [drawCells(titles, pen)].slice(0, titled);
  return { rows: [...above, ...drawn], start: here?.start ?? 0, rest: here?.rest ?? "" };
}

const BOLD = "bold" as const;

type Row = { readonly heading: string } | { readonly task: StandingTask };

function narrowBoard({ world, state, start }: Shown, canvas: Canvas): Body {
  const { columns: width, rows, pen } = canvas;
  const current = currentTask(world, state);
  const all = boardColumns(world, state).flatMap((tasks, at): readonly Row[] => {
    const heading = { heading: ` ${TASK_COLUMNS[at]?.title} ${tasks.length}` };
    return tasks.length === 0 ? [] : [heading, ...tasks.map((task) => ({ task }))];
  });
  const cursor = all.findIndex((row) => "task" in row && row.task === current);
  const draw = (row: Row) =>
    "heading" in row
      ? drawText(row.heading, canvas, BOLD)
      : cardRow(row.task, { isCursor: row.task === current, now: world.now, width }, pen);
  return windowBody(all, draw, { cursor: heldCursor([], cursor, rows), start, rows });
}

interface CardLook {
  readonly isCursor: boolean;
  readonly now: number;
  readonly width: number;
}

/** `#3 Fix the login  codex 12m`: what it is, who has it, and for how long still. */
function cardRow(one: StandingTask, { isCursor, now, width }: CardLook, pen: Pen): string {
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

function treeBody({ world, state, start }: Shown, canvas: Canvas): Body {
  const tree = treeOf(world, state);
  const current = currentTask(world, state);
  const cursor = tree.findIndex(({ task }) => task.number === current?.task.number);
  return windowBody(tree, (row, isCursor) => treeRow(row, isCursor, canvas), { cursor, start, rows: canvas.rows });
}

const DEEPEST = 12;

function treeRow(row: TreeRow, isCursor: boolean, { columns, pen }: Canvas): string {
  const { task, hangs, isLast, alsoAfter } = row;
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
