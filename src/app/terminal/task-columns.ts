import type { StandingTask } from "../../core/task/query.js";
import { type Standing, type StandingWord, standingWord } from "../../core/task/standing.js";
import type { Task } from "../../core/task/task.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { ageText, leftText } from "../../core/text/time-text.js";
import type { Output } from "../command-definition.js";
import { type OwnersKnown, ownerName } from "./owner-text.js";
import { paint } from "./paint.js";
import { cutToWidth, fitWidth, stringWidth } from "./text-width.js";

type Style = Parameters<typeof paint>[1];

const LOOKS: Readonly<Record<StandingWord, { readonly word: string; readonly style: Style }>> = {
  ready: { word: "ready", style: "green" },
  blocked: { word: "blocked", style: "yellow" },
  waiting: { word: "waiting", style: "yellow" },
  retrying: { word: "retrying", style: "yellow" },
  stale: { word: "stale", style: "red" },
  in_progress: { word: "in progress", style: "cyan" },
  completed: { word: "done", style: "dim" },
  failed: { word: "failed", style: "red" },
  cancelled: { word: "cancelled", style: "dim" },
};

export function standingText(standing: StandingWord): string {
  return LOOKS[standing].word;
}

export function paintStanding(output: Output, standing: StandingWord, text: string): string {
  return paint(output, LOOKS[standing].style, text);
}

/** A task as it is stored, not as JSON tells it: to make that of a thousand tasks takes longer than their table. */
export interface TableTask {
  readonly task: Task;
  readonly state: Standing;
  readonly standing: StandingWord;
  readonly shownOwner: string;
}

export function tableTask(one: StandingTask, known: OwnersKnown): TableTask {
  const { task, standing: state } = one;
  return { task, state, standing: standingWord(one), shownOwner: holderText(task, known) };
}

interface Column {
  readonly name: string;
  readonly text: (task: TableTask, now: number) => string;
  /** Maximum width; `narrow` on a narrow screen. */
  readonly most: number;
  readonly narrow?: number;
  readonly isRight?: boolean;
}

/** Without the #: a shell takes #3 for a comment. */
const ID: Column = { name: "id", text: ({ task }) => String(task.number), most: 16, isRight: true };
const STATE: Column = { name: "state", text: stateText, most: 16, narrow: 13 };
const LEFT: Column = { name: "left", text: timeLeft, most: 5, isRight: true };
const PRIORITY: Column = { name: "priority", text: ({ task }) => task.priority, most: 8 };
const OWNER: Column = { name: "owner", text: ({ shownOwner }) => shownOwner, most: 20, narrow: 12 };
const AGE: Column = { name: "age", text: createdText, most: 5, isRight: true };

const GAP = "  ";
const SUBJECT_MIN = 16;
/** Wider than a standard terminal. */
const WIDE = 81;
/** Below this there are no columns. */
const NARROW = 30;

/** Columns and their widths; the subject takes the rest. */
export interface TableLayout {
  readonly columns: readonly { readonly column: Column; readonly width: number }[];
  readonly subject: number;
}

/** Columns never get narrower than on an earlier page, so that they stay aligned. */
export function layoutOf(tasks: readonly TableTask[], screen: number, now: number, before?: TableLayout): TableLayout {
  if (screen < NARROW) return { columns: [], subject: screen };
  const widthOf = (column: Column) => {
    const known = before?.columns.find((one) => one.column === column)?.width ?? 0;
    let widest = column.name.length;
    for (const task of tasks) widest = Math.max(widest, stringWidth(column.text(task, now)));
    const most = screen < WIDE ? (column.narrow ?? column.most) : column.most;
    return Math.max(known, Number.isFinite(screen) ? Math.min(most, widest) : widest);
  };
  // Each once: all tasks are looked at for it.
  const widths = new Map([ID, STATE, LEFT, PRIORITY, OWNER, AGE].map((column) => [column, widthOf(column)]));
  // On a narrow screen the subject matters more than owner, age and priority.
  const choices = [
    [ID, STATE, LEFT, PRIORITY, OWNER, AGE],
    [ID, STATE, LEFT, PRIORITY, OWNER],
    [ID, STATE, LEFT, OWNER],
    [ID, STATE, LEFT],
    [ID, STATE],
  ].map((columns) => {
    const sized = columns.map((column) => ({ column, width: widths.get(column) ?? 0 }));
    const taken = sized.reduce((sum, { width }) => sum + width + GAP.length, 0);
    return { columns: sized, subject: screen - taken };
  });
  const fitting = choices.find(({ subject }) => subject >= SUBJECT_MIN);
  const narrowest = choices.at(-1);
  return fitting ?? { columns: narrowest?.columns ?? [], subject: Math.max(1, narrowest?.subject ?? screen) };
}

export function headingRow({ columns }: TableLayout, output: Output): string | undefined {
  if (columns.length === 0) return undefined;
  const names = columns.map(({ column, width }) => fitWidth(column.name, width, column.isRight === true));
  return paint(output, "dim", [...names, "subject"].join(GAP));
}

export function taskRow(row: TableTask, { columns, subject }: TableLayout, output: Output, now: number): string {
  const { task, standing } = row;
  const words = terminalText(task.subject);
  if (columns.length === 0) return cutToWidth(`#${task.number} ${stateText(row)} ${words}`, Math.max(1, subject));
  const cells = columns.map(({ column, width }) => {
    const cell = fitWidth(column.text(row, now), width, column.isRight === true);
    return column === STATE ? paintStanding(output, standing, cell) : cell;
  });
  const isOver = standing === "completed" || standing === "cancelled";
  const cut = cutToWidth(words, subject);
  const labels = task.labels.length === 0 ? "" : labelsText(task, subject - stringWidth(cut));
  return [...cells, `${isOver ? paint(output, "dim", cut) : cut}${paint(output, "dim", labels)}`].join(GAP);
}

/** Behind the subject, as far as there is room. */
function labelsText({ labels }: Task, room: number): string {
  if (room <= GAP.length + 2) return "";
  return GAP + cutToWidth(`(${labels.map(terminalText).join(", ")})`, room - GAP.length);
}

function stateText({ task, state, standing }: TableTask): string {
  if (task.cancelRequest && (standing === "in_progress" || standing === "stale")) return "asked to stop";
  const by = standing === "blocked" ? ` ${state.blockedBy.map((number) => `#${number}`).join(" ")}` : "";
  return standingText(standing) + by;
}

/** Of its lease, its wait, or the time until it is retried. */
function timeLeft({ task, state, standing }: TableTask, now: number): string {
  const { lease, retryAt } = task;
  const until = lease?.until ?? (standing === "retrying" ? retryAt : waitsUntil(state));
  if (!until) return "-";
  return until > now ? leftText(until - now) : "over";
}

function waitsUntil({ waitsFor }: Standing): number | undefined {
  return waitsFor?.kind === "timer" ? waitsFor.at : waitsFor?.timeout;
}

function createdText({ task }: TableTask, now: number): string {
  return ageText(now - task.createdAt);
}

/** The holder, else the assignee in brackets. */
function holderText({ lease, assignee }: Task, known: OwnersKnown): string {
  if (lease) return ownerName(lease.owner, known);
  return assignee === undefined ? "-" : `(${ownerName(assignee, known)})`;
}

export class TaskTally {
  readonly #counts = new Map<StandingWord, number>();
  total = 0;

  add(tasks: readonly TableTask[]): void {
    this.total += tasks.length;
    for (const { standing } of tasks) this.#counts.set(standing, (this.#counts.get(standing) ?? 0) + 1);
  }

  get text(): string {
    const words = Object.keys(LOOKS) as StandingWord[];
    const counts = words.flatMap((word) => {
      const count = this.#counts.get(word);
      return count === undefined ? [] : [`${count} ${standingText(word)}`];
    });
    return `${this.total} ${this.total === 1 ? "task" : "tasks"}: ${counts.join(", ")}`;
  }
}
