import type { Verdict } from "../../core/grounding/verdict.js";
import { counted } from "../../core/text/length.js";
import { momentText } from "../../core/text/time-text.js";
import type { TodoStatus } from "../../core/todo/list.js";
import type { TodoWork, WorkReport, WorkSum } from "./work-report.js";

// Words that the terminal and the page share.

/** `41s`, `12m`, `2h 05m`. */
export function spentText(milliseconds: number): string {
  const seconds = Math.round(Math.max(0, milliseconds) / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}m`;
  return `${Math.floor(minutes / 60)}h ${String(minutes % 60).padStart(2, "0")}m`;
}

/** How long one call took: `0.4s`, `41s`, `12m`. */
export function tookText(milliseconds: number): string {
  return milliseconds < 9950 ? `${(milliseconds / 1000).toFixed(1)}s` : spentText(milliseconds);
}

/** `950`, `182k`, `1.4M`. */
export function shortCount(count: number): string {
  if (count < 1000) return `${count}`;
  if (count < 999_500) return `${count < 9950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`;
  return `${(count / 1_000_000).toFixed(count < 99_500_000 ? 1 : 0)}M`;
}

export function costText(dollars: number): string {
  return `$${dollars.toFixed(2)}`;
}

const MINUTE_LENGTH = "2026-01-31 09:05".length;

/** `2026-01-31 09:05`, in the clock of the person's own place. */
export function minuteText(at: string | number): string {
  return momentText(at).slice(0, MINUTE_LENGTH);
}

export function periodText({ from, to, sessions }: WorkReport): string {
  if (from !== null) return `${minuteText(from)} to ${minuteText(to)}`;
  const [session] = sessions;
  if (!session?.startedAt) return minuteText(to);
  return `${minuteText(session.startedAt)} to ${minuteText(session.updatedAt ?? to)}`;
}

export const VERDICT_ORDER: readonly (Verdict | "none")[] = [
  "verified",
  "worked",
  "waived",
  "unbacked",
  "contradicted",
  "none",
];

export const VERDICT_MARKS: Readonly<Record<Verdict | "none", string>> = {
  verified: "✓",
  worked: "~",
  waived: "○",
  unbacked: "?",
  contradicted: "✗",
  none: "·",
};

/** What a verdict means, for who has never seen one. */
export const VERDICT_MEANINGS: Readonly<Record<Verdict | "none", string>> = {
  verified: "a check passed after its last edit",
  worked: "something ran, and no check tells how good it is",
  waived: "it cannot be checked here, and somebody said why",
  unbacked: "nothing ran while it was in progress",
  contradicted: "its last check failed",
  none: "nobody told what ran",
};

const OPEN_WORDS: Readonly<Record<Exclude<TodoStatus, "completed">, readonly [mark: string, word: string]>> = {
  pending: ["○", "open"],
  in_progress: ["▸", "in progress"],
  cancelled: ["–", "cancelled"],
};

/** The mark and the word of a todo: its verdict where it is completed, else its status. */
export function standingOf({ status, verdict }: Pick<TodoWork, "status" | "verdict">): readonly [string, string] {
  if (status !== "completed") return OPEN_WORDS[status];
  return [VERDICT_MARKS[verdict ?? "none"], verdict ?? "done"];
}

/** `6 of 8 todos done`. */
export function doneText({ todos: { done, open } }: WorkSum): string {
  return `${done} of ${counted(done + open, "todo")} done`;
}
