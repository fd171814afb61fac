import type { Failure } from "../../../core/result.js";
import type { StandingTask } from "../../../core/task/query.js";
import { isLive } from "../../../core/task/standing.js";
import { DEFAULT_PRIORITY, type Task } from "../../../core/task/task.js";
import type { Wait } from "../../../core/task/wait-until.js";
import { cutCodePoints, utf8Length } from "../../../core/text/length.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { Answer } from "../../dialect.js";
import type { TaskBoard } from "../../task-dialect.js";
import { ranges, unchanged } from "../todo-answer.js";

/** Bytes of one answer, whatever is stored: about 1,000 tokens of ordinary text. */
export const ANSWER_MAX = 4000;
const TITLE_MAX = 60;
const NAME_MAX = 40;
const REFUSAL_MAX = 600;

/** The lines that fit. */
export function bounded(lines: readonly string[], max: number = ANSWER_MAX): readonly string[] {
  const shown: string[] = [];
  let room = max;
  for (const line of lines) {
    const size = utf8Length(line) + 1;
    if (size > room) {
      // A code point has at most four bytes.
      if (room >= 40) shown.push(cutCodePoints(line, Math.floor(room / 4) - 1));
      break;
    }
    room -= size;
    shown.push(line);
  }
  return shown;
}

export function sizeOf(lines: readonly string[]): number {
  return lines.reduce((size, line) => size + utf8Length(line) + 1, 0);
}

export function refusal({ message }: Failure): Answer {
  const text = promptText(message, REFUSAL_MAX);
  return { text: /nothing was changed/i.test(text) ? text : unchanged(text), isError: true };
}

/** Cut between words: half a word costs more tokens than it says. */
export function title({ subject }: Task): string {
  return promptText(subject, TITLE_MAX).replace(/ \S{0,20}…$/, "…");
}

export function titled(task: Task): string {
  return `#${task.number} ${title(task)}`;
}

export function nameOf(name: string | undefined): string {
  return name === undefined ? "somebody" : promptText(name, NAME_MAX);
}

/** 1, 2, 3, 7 becomes "#1-3, 7". */
export function numbered(numbers: readonly number[]): string {
  const MOST = 30;
  const rest = numbers.length > MOST ? ` and ${numbers.length - MOST} more` : "";
  const first = numbers.toSorted((a, b) => a - b).slice(0, MOST);
  return `#${ranges(first)}${rest}`;
}

/** All of them: added tasks are one range. */
export function numberedRun(numbers: readonly number[]): string {
  return `#${ranges(numbers)}`;
}

/** Comes before the title, so that no title can fake it. */
function stateOf({ task, standing }: StandingTask, { now, owner }: TaskBoard): string {
  const { lease, retryAt = 0 } = task;
  if (task.status === "completed") return "done";
  if (task.status === "failed" || task.status === "cancelled") return task.status;
  if (isLive(lease, now)) return lease.owner === owner ? "yours" : `held by ${nameOf(lease.owner)}`;
  if (standing.blockedBy.length > 0) return `blocked by ${numbered(standing.blockedBy.slice(0, 5))}`;
  if (standing.waitsFor) return `waits ${waitText(standing.waitsFor, now)}`;
  if (retryAt > now) return `retried in ${spanText(retryAt - now)}`;
  if (standing.isStale) return task.lease ? `left by ${nameOf(task.lease.owner)}, ready` : "in progress";
  return task.assignee === undefined ? "ready" : `ready, kept for ${nameOf(task.assignee)}`;
}

export function rowOf(task: StandingTask, board: TaskBoard): string {
  const { priority } = task.task;
  const urgency = priority === DEFAULT_PRIORITY ? "" : `, ${priority}`;
  return `#${task.task.number} ${stateOf(task, board)}${urgency}: ${title(task.task)}`;
}

export function waitText(wait: Wait, now: number): string {
  const limit = wait.timeout === undefined ? "" : `, ${spanText(wait.timeout - now)} at most`;
  if (wait.kind === "timer") return `${spanText(wait.at - now)} more${limit}`;
  return wait.kind === "event"
    ? `for the signal "${promptText(wait.topic, NAME_MAX)}"${limit}`
    : `for a person${limit}`;
}

export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

export function cancelNotice({ number, lease, cancelRequest }: Task, owner: string): readonly string[] {
  if (!cancelRequest || lease?.owner !== owner) return [];
  const reason = cancelRequest.reason === undefined ? "" : ` ("${promptText(cancelRequest.reason, 100)}")`;
  return [`Cancel of #${number} is requested by ${nameOf(cancelRequest.by)}${reason}: release or cancel it.`];
}

/** Indented, so that no quoted line can look like one of ours. */
export function quotedLines(text: string, max: number): readonly string[] {
  const lines: string[] = [];
  let room = max;
  for (const line of text.split("\n")) {
    const shown = promptText(line, Math.max(room, 1));
    if (shown === "") continue;
    lines.push(`  ${shown}`);
    room -= shown.length;
    if (room <= 0) break;
  }
  return lines;
}
