import { drawnRows, renderList } from "../../app/terminal/lists/render-list.js";
import { stringWidth } from "../../app/terminal/text-width.js";
import { reportedList, type TodoListReport, type TodoReport } from "../../app/todo/todo-report.js";
import type { ChildReport, SessionReport } from "../../app/transcripts/session-report.js";
import { counted } from "../../core/text/length.js";
import { ageText } from "../../core/text/time-text.js";
import { LIST_STYLES } from "../view-state.js";
import { currentTodo, sessionAt, shownTodos, type World } from "../world.js";
import { type Canvas, drawText, safeText } from "./cells.js";
import { callWords } from "./session-words.js";
import { foldRow } from "./text-page.js";
import { type Body, type Shown, windowBody } from "./view-body.js";

/** The list of a session in a window, and its sub-agents below. */
export function listBody(session: SessionReport, shown: Shown, canvas: Canvas): Body {
  const { world, state, start } = shown;
  const below = childRows(session, world, canvas).slice(0, Math.floor(canvas.rows / 3));
  const style = LIST_STYLES[state.listStyle] ?? "rows";
  const list = style === "rows" ? ownRows(session, shown, canvas) : foreignRows(session, style, canvas);
  if (list.length === 0)
    return {
      rows: [...noListRows(session, canvas).slice(0, canvas.rows - below.length), ...below],
      start: 0,
      rest: "",
    };
  const cursor = Math.max(
    0,
    list.findIndex(({ isCursor }) => isCursor),
  );
  const rows = Math.max(1, canvas.rows - below.length);
  const body = windowBody(list, ({ text }) => text, { cursor, start, rows });
  return { ...body, rows: [...body.rows, ...below] };
}

interface ListRow {
  readonly text: string;
  readonly isCursor: boolean;
}

/** Columns for what ran for a todo. */
const FACTS = 20;

function ownRows(
  session: SessionReport,
  { state, world: { now } }: Shown,
  { columns, pen }: Canvas,
): readonly ListRow[] {
  const todos = new Map(shownTodos(session).map((todo) => [todo.number, todo]));
  const current = state.pane === "list" ? currentTodo(session, state) : undefined;
  const facts = columns >= 60 ? FACTS : 0;
  const list = reportedList(shownList(session));
  const verdicts = new Map([...todos].map(([number, { verdict }]) => [number, verdict] as const));
  const drawn = drawnRows(list, { width: columns - 2 - facts, hasColor: pen.hasColor, verdicts });
  const first = new Set<number>();
  return drawn.map(({ text, todo: number }) => {
    const todo = number === null ? undefined : todos.get(number);
    const isFirst = number !== null && !first.has(number);
    if (number !== null) first.add(number);
    const isCursor = isFirst && todo !== undefined && todo === current;
    const mark = drawText(isCursor ? "▌" : " ", { columns: 1, pen }, "cyan");
    const ran = isFirst && todo ? factsText(todo, session, now) : "";
    return { text: mark + padded(text, columns - 1 - facts) + drawText(ran, { columns: facts, pen }, "dim"), isCursor };
  });
}

function shownList(session: SessionReport): TodoListReport {
  const hasList = session.list.phases.some(({ todos }) => todos.length > 0);
  return hasList || session.finished === null ? session.list : session.finished;
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - stringWidth(text)));
}

/** `3 calls 2m +41 -7`; of the one in progress what runs now. */
function factsText({ facts, status }: TodoReport, session: SessionReport, now: number): string {
  const call = status === "in_progress" ? callWords(session, now) : "";
  if (call !== "") return call;
  if (facts === null || facts.calls === 0) return "";
  const time = facts.milliseconds >= 1000 ? ` ${ageText(facts.milliseconds)}` : "";
  const lines = facts.added + facts.removed > 0 ? ` +${facts.added} -${facts.removed}` : "";
  return status === "pending" ? "" : `${counted(facts.calls, "call")}${time}${lines}`;
}

/** As another agent would draw it; without a cursor. */
function foreignRows(session: SessionReport, style: (typeof LIST_STYLES)[number], { columns, pen }: Canvas) {
  const list = reportedList(shownList(session));
  return renderList(list, { width: columns - 1, style, isExpanded: true, hasColor: pen.hasColor }).map((text) => {
    return { text: padded(` ${text}`, columns), isCursor: false };
  });
}

/** In place of a list: the plan that waits for the person, or what the client keeps itself. */
function noListRows({ tasks, turns, plan, waitingFor }: SessionReport, canvas: Canvas): readonly string[] {
  if (plan && (plan.status === "proposed" || waitingFor?.kind === "plan"))
    return planLines(plan.text, canvas).map((row) => drawText(`  ${row}`, canvas));
  const words = tasks.map(({ id, subject, status }) => `${TASK_MARKS[status] ?? "○"} #${id} ${subject}`);
  const none = turns === 0 ? "It has not begun." : "It keeps no list.";
  const shown = words.length > 0 ? ["Tasks that its client keeps:", ...words] : [none];
  return shown.map((text) => drawText(`  ${text}`, canvas));
}

/** Characters of a plan that can be on a screen; all of it is a page of its own. */
const PLAN_SHOWN = 8000;

function planLines(text: string, { columns, rows }: Canvas): readonly string[] {
  const lines = text.slice(0, PLAN_SHOWN).split("\n").slice(0, rows);
  return lines.flatMap((line) => foldRow(safeText(line), columns - 2));
}

const TASK_MARKS: Readonly<Record<string, string>> = { completed: "✓", in_progress: "▸", cancelled: "–" };

function childRows(session: SessionReport, world: World, canvas: Canvas): readonly string[] {
  const { children } = session;
  if (children.length === 0) return [];
  const tree: Tree = { world, canvas, above: [session.id] };
  return ["", drawText(` ${counted(children.length, "sub-agent")}`, canvas, "dim"), ...treeOf(children, " ", tree)];
}

interface Tree {
  readonly world: World;
  readonly canvas: Canvas;
  /** Whom they stand below: files may say anything of who is whose. */
  readonly above: readonly string[];
}

const DEEPEST = 6;

/** Those at work first; each with its own sub-agents below. */
function treeOf(children: readonly ChildReport[], indent: string, tree: Tree): readonly string[] {
  const sorted = [...children].sort((a, b) => Number(isDone(a)) - Number(isDone(b)));
  return sorted.flatMap((child, at) => {
    const isLast = at === sorted.length - 1;
    const row = childRow(child, `${indent}${isLast ? "└" : "├"} `, tree.canvas);
    const own = sessionAt(tree.world, child.id)?.children ?? [];
    if (tree.above.includes(child.id) || tree.above.length > DEEPEST) return [row];
    const below = treeOf(own, `${indent}${isLast ? "  " : "│ "}`, { ...tree, above: [...tree.above, child.id] });
    return [row, ...below];
  });
}

function isDone({ state }: ChildReport): boolean {
  return state === "ended" || state === "idle";
}

function childRow(child: ChildReport, indent: string, canvas: Canvas): string {
  const { id, title, state, done, total, now } = child;
  const progress = total === 0 ? "" : ` ${done}/${total}`;
  const name = title || id.slice(id.lastIndexOf("/") + 1);
  const text = `${indent}${name}  ${state}${progress}${now === null ? "" : `  ▸ ${now}`}`;
  return drawText(text, canvas, isDone(child) ? "dim" : undefined);
}
