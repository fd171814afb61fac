import { isObject } from "../../core/json.js";
import { type Line, styled } from "../styled-line.js";
import type { CompletedTask, PiPhase, PiTask } from "./pi-phases.js";
import { phaseTitle, type Symbols, todoLine, UNICODE_SYMBOLS, withoutTabs } from "./todo-line.js";

const TITLE = "Todo Write";

export interface RenderOptions {
  readonly expanded?: boolean;
  /** Which picture of the animation; without it the animation is over. */
  readonly spinnerFrame?: number;
  readonly symbols?: Symbols;
}

/** What is shown while the call runs. Arguments may still be half written. */
export function renderCall(args: unknown, symbols: Symbols = UNICODE_SYMBOLS): readonly Line[] {
  const ops = isObject(args) && Array.isArray(args.ops) ? args.ops : [{}];
  return [header(styled("muted", symbols.pending), ops.map(operation), symbols)];
}

function operation(op: unknown): string {
  const { op: word, task, phase, items } = isObject(op) ? op : {};
  // Half-written arguments may hold anything: a text in place of the items has a length, too.
  const count = Array.isArray(items) || typeof items === "string" ? items.length : 0;
  const words = [
    isPlain(word) ? String(word) : "update",
    ...[task, phase].filter((one) => isPlain(one) && Boolean(one)).map(String),
    ...(count === 0 ? [] : [`${count} ${count === 1 ? "item" : "items"}`]),
  ];
  return words.join(" ");
}

function isPlain(value: unknown): boolean {
  return value !== undefined && typeof value !== "object";
}

/** A line stays one, whatever the texts hold. */
function header(icon: Line[number], facts: readonly string[], { dot }: Symbols): Line {
  const told = facts.map((fact) => withoutTabs(fact.replace(/\r\n?|\n/g, " "))).filter((fact) => fact.trim() !== "");
  const title = [icon, " ", styled("accent", TITLE)];
  return told.length === 0 ? title : [...title, " ", styled("dim", told.join(dot))];
}

export interface TodoResult {
  readonly phases?: readonly PiPhase[];
  /** What this call completed: it is struck out before the person's eyes. */
  readonly completedTasks?: readonly CompletedTask[];
  /** What the model was told, for a result without a single task. */
  readonly text?: string;
}

export function renderResult(result: TodoResult, options: RenderOptions = {}): readonly Line[] {
  const { symbols = UNICODE_SYMBOLS } = options;
  const phases = (result.phases ?? []).filter(({ tasks }) => tasks.length > 0);
  const count = phases.reduce((sum, { tasks }) => sum + tasks.length, 0);
  const head = header(styled("success", symbols.success), [`${count} tasks`], symbols);
  if (count === 0) return [head, ...fallback(result.text)];
  const fresh = byPhase(result.completedTasks ?? []);
  const trees = phases.flatMap((phase, at) => [
    ...(phases.length > 1 ? [[styled("accent", styled("bold", `  ${phaseTitle(phase.name, at + 1)}`))]] : []),
    ...tree(phase, fresh.get(phase.name), { ...options, symbols }),
  ]);
  return [head, ...trees, ...phases.flatMap(({ tasks }) => tasks.flatMap((task) => noteLines(task, symbols)))];
}

function byPhase(completed: readonly CompletedTask[]): ReadonlyMap<string, ReadonlySet<string>> {
  const phases = new Map<string, Set<string>>();
  for (const { phase, content } of completed) phases.set(phase, (phases.get(phase) ?? new Set()).add(content));
  return phases;
}

function fallback(text = "No todos"): readonly Line[] {
  return withoutTabs(text)
    .split("\n")
    .map((line) => [styled("dim", line)]);
}

/** Todos of a phase that are shown at first. */
export const MOST_COLLAPSED = 8;

type TreeOptions = RenderOptions & { readonly symbols: Symbols };

/** Collapsed, the first todos of each phase are shown, also when the one in progress is not among them. */
function tree({ tasks }: PiPhase, fresh: ReadonlySet<string> | undefined, options: TreeOptions): readonly Line[] {
  const { expanded = false, spinnerFrame, symbols } = options;
  const shown = expanded ? tasks : tasks.slice(0, MOST_COLLAPSED);
  const hidden = tasks.length - shown.length;
  const lines = shown.map((task) => {
    const struck = fresh?.has(task.content) ? struckAt(task.content, spinnerFrame) : Infinity;
    return todoLine(task, symbols, { struck });
  });
  const more = hidden === 0 ? [] : [[styled("muted", `… ${hidden} more ${hidden === 1 ? "todo" : "todos"}`)]];
  const rows = [...lines, ...more];
  return rows.map((row, at) => {
    const branch = at === rows.length - 1 ? symbols.lastBranch : symbols.branch;
    return ["  ", styled("dim", branch), " ", ...row];
  });
}

/** Frames that show the text as it was, then those in which the line grows over it. */
const HELD_FRAMES = 2;
const STRIKE_FRAMES = 12;

/** How many characters are struck out by now. */
function struckAt(content: string, frame: number | undefined): number {
  if (frame === undefined) return Infinity;
  const passed = Math.min(frame - HELD_FRAMES, STRIKE_FRAMES);
  if (passed <= 0) return 0;
  return content === "" ? Infinity : Math.ceil(([...content].length * passed) / STRIKE_FRAMES);
}

/** The one in progress tells its notes in full. */
function noteLines({ content, status, notes = [] }: PiTask, { bar }: Symbols): readonly Line[] {
  if (status !== "in_progress" || notes.length === 0) return [];
  const side = ["  ", styled("dim", bar)];
  const bodies = notes.flatMap((note, at) => [
    ...(at === 0 ? [] : [side]),
    ...note.split("\n").map((line) => [...side, " ", styled("dim", line)]),
  ]);
  return [[], ["  ", styled("dim", styled("italic", `§ notes — ${content}`))], ...bodies];
}
