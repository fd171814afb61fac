import type { StandingWord } from "../../core/task/standing.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { ageText, leftText } from "../../core/text/time-text.js";
import type { Output } from "../command-definition.js";
import type { TaskReport } from "../tasks/task-report.js";
import { type OwnersKnown, ownerName } from "./owner-text.js";
import { paint } from "./paint.js";
import { cutToWidth, stringWidth } from "./text-width.js";

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

/** A task, and its owner as a table shows it. */
export interface TableTask extends TaskReport {
  readonly shownOwner: string;
}

export function tableTask(task: TaskReport, known: OwnersKnown): TableTask {
  return { ...task, shownOwner: holderText(task, known) };
}

interface Column {
  readonly name: string;
  readonly text: (task: TableTask, now: number) => string;
  /** Maximum width; `narrow` on a narrow screen. */
  readonly most: number;
  readonly narrow?: number;
  readonly isRight?: boolean;
}

const ID: Column = { name: "id", text: ({ id }) => `#${id}`, most: 16, isRight: true };
const STATE: Column = { name: "state", text: stateText, most: 16, narrow: 13 };
const LEFT: Column = { name: "left", text: timeLeft, most: 5, isRight: true };
const PRIORITY: Column = { name: "priority", text: ({ priority }) => priority, most: 8 };
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
  const widthOf = (column: Column) => {
    const known = before?.columns.find((one) => one.column === column)?.width ?? 0;
    const widest = tasks.reduce(
      (most, task) => Math.max(most, stringWidth(column.text(task, now))),
      column.name.length,
    );
    const most = screen < WIDE ? (column.narrow ?? column.most) : column.most;
    return Math.max(known, Number.isFinite(screen) ? Math.min(most, widest) : widest);
  };
  // On a narrow screen the subject matters more than owner, age and priority.
  const choices = [
    [ID, STATE, LEFT, PRIORITY, OWNER, AGE],
    [ID, STATE, LEFT, PRIORITY, OWNER],
    [ID, STATE, LEFT, OWNER],
    [ID, STATE, LEFT],
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

export function taskRow(task: TableTask, { columns, subject }: TableLayout, output: Output, now: number): string {
  const words = terminalText(task.subject);
  if (columns.length === 0) return cutToWidth(`#${task.id} ${stateText(task)} ${words}`, Math.max(1, subject));
  const cells = columns.map(({ column, width }) => {
    const cell = padded(cutToWidth(column.text(task, now), width), width, column);
    return column === STATE ? paintStanding(output, task.standing, cell) : cell;
  });
  const isOver = task.standing === "completed" || task.standing === "cancelled";
  const cut = cutToWidth(words, subject);
  const labels = labelsText(task, subject - stringWidth(cut));
  return [...cells, `${isOver ? paint(output, "dim", cut) : cut}${paint(output, "dim", labels)}`].join(GAP);
}

/** Behind the subject, as far as there is room. */
function labelsText({ labels }: TaskReport, room: number): string {
  if (labels.length === 0 || room <= GAP.length + 2) return "";
  return GAP + cutToWidth(`(${labels.map(terminalText).join(", ")})`, room - GAP.length);
}

function padded(text: string, width: number, { isRight = false }: Column): string {
  const blanks = " ".repeat(Math.max(0, width - stringWidth(text)));
  return isRight ? blanks + text : text + blanks;
}

function stateText({ standing, blocked, cancel }: TaskReport): string {
  if (cancel && (standing === "in_progress" || standing === "stale")) return "asked to stop";
  const by = standing === "blocked" ? ` ${blocked.map((id) => `#${id}`).join(" ")}` : "";
  return standingText(standing) + by;
}

/** Of its lease, its wait, or the time until it is retried. */
function timeLeft({ standing, lease, waiting, retryAt }: TaskReport, now: number): string {
  const until = lease?.until ?? (standing === "retrying" ? retryAt : (waiting?.at ?? waiting?.timeout));
  if (!until) return "-";
  const left = Date.parse(until) - now;
  return left > 0 ? leftText(left) : "over";
}

function createdText({ createdAt }: TaskReport, now: number): string {
  return ageText(now - Date.parse(createdAt));
}

/** The holder, else the assignee in brackets. */
function holderText({ lease, assignee }: TaskReport, known: OwnersKnown): string {
  if (lease) return ownerName(lease.owner, known);
  return assignee === null ? "-" : `(${ownerName(assignee, known)})`;
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
