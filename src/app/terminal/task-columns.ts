import stringWidth from "string-width";
import type { StandingWord } from "../../core/task/standing.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { ageText } from "../../core/text/time-text.js";
import type { Output } from "../command-definition.js";
import type { TaskReport } from "../tasks/task-report.js";
import { paint } from "./paint.js";
import { cutToWidth } from "./text-width.js";

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

interface Column {
  readonly name: string;
  readonly text: (task: TaskReport, now: number) => string;
  /** Maximum width; `narrow` on a narrow screen. */
  readonly most: number;
  readonly narrow?: number;
  readonly isRight?: boolean;
}

const ID: Column = { name: "id", text: ({ id }) => `#${id}`, most: 16, isRight: true };
const STATE: Column = { name: "state", text: stateText, most: 16, narrow: 11 };
const PRIORITY: Column = { name: "priority", text: ({ priority }) => priority, most: 8 };
const OWNER: Column = { name: "owner", text: ownerText, most: 18, narrow: 12 };
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
export function layoutOf(tasks: readonly TaskReport[], screen: number, now: number, before?: TableLayout): TableLayout {
  const widthOf = (column: Column) => {
    const known = before?.columns.find((one) => one.column === column)?.width ?? 0;
    const widest = tasks.reduce(
      (most, task) => Math.max(most, stringWidth(column.text(task, now))),
      column.name.length,
    );
    const most = screen < WIDE ? (column.narrow ?? column.most) : column.most;
    return Math.max(known, Math.min(most, widest));
  };
  // On a narrow screen the subject matters more than owner, age and priority.
  const choices = [
    [ID, STATE, PRIORITY, OWNER, AGE],
    [ID, STATE, PRIORITY, AGE],
    [ID, STATE, PRIORITY],
    [ID, STATE],
  ].map((columns) => {
    const sized = columns.map((column) => ({ column, width: widthOf(column) }));
    const taken = sized.reduce((sum, { width }) => sum + width + GAP.length, 0);
    return { columns: sized, subject: screen - taken };
  });
  if (screen < NARROW) return { columns: [], subject: screen };
  const fitting = choices.find(({ subject }) => subject >= SUBJECT_MIN);
  const narrowest = choices.at(-1);
  return fitting ?? { columns: narrowest?.columns ?? [], subject: Math.max(1, narrowest?.subject ?? screen) };
}

export function headingRow({ columns }: TableLayout, output: Output): string | undefined {
  if (columns.length === 0) return undefined;
  const names = columns.map(({ column, width }) => padded(column.name, width, column));
  return paint(output, "dim", [...names, "subject"].join(GAP));
}

export function taskRow(task: TaskReport, { columns, subject }: TableLayout, output: Output, now: number): string {
  const words = terminalText(task.subject);
  if (columns.length === 0)
    return cutToWidth(`#${task.id} ${standingText(task.standing)} ${words}`, Math.max(1, subject));
  const cells = columns.map(({ column, width }) => {
    const cell = padded(cutToWidth(column.text(task, now), width), width, column);
    return column === STATE ? paintStanding(output, task.standing, cell) : cell;
  });
  const isOver = task.standing === "completed" || task.standing === "cancelled";
  const cut = cutToWidth(words, subject);
  return [...cells, isOver ? paint(output, "dim", cut) : cut].join(GAP);
}

function padded(text: string, width: number, { isRight = false }: Column): string {
  const blanks = " ".repeat(Math.max(0, width - stringWidth(text)));
  return isRight ? blanks + text : text + blanks;
}

function stateText({ standing, blocked }: TaskReport): string {
  const by = standing === "blocked" ? ` ${blocked.map((id) => `#${id}`).join(" ")}` : "";
  return standingText(standing) + by;
}

function createdText({ createdAt }: TaskReport, now: number): string {
  return ageText(now - Date.parse(createdAt));
}

/** The holder, else the assignee in brackets. */
function ownerText({ lease, assignee }: TaskReport): string {
  if (lease) return terminalText(lease.owner);
  return assignee === null ? "-" : `(${terminalText(assignee)})`;
}

export class TaskTally {
  readonly #counts = new Map<StandingWord, number>();
  total = 0;

  add(tasks: readonly TaskReport[]): void {
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
