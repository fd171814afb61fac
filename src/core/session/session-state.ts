import type { SessionView } from "./session-facts.js";

/** The same words in every view. */
export type SessionState = "running" | "waiting" | "idle" | "stalled" | "ended";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
export const IDLE_AFTER = 90 * SECOND;
const STALLED_AFTER = 10 * MINUTE;
/** A build or a test run may say nothing for long. */
const STALLED_IN_CALL_AFTER = 30 * MINUTE;
const ENDED_AFTER = 24 * 60 * MINUTE;

/** Of a session that is known by its transcript alone: all there is to go by is when the file last grew. */
export function transcriptState(phase: SessionView["phase"], quiet: number): SessionState {
  if (quiet >= ENDED_AFTER) return "ended";
  switch (phase) {
    case "asking":
      return "waiting";
    case "working":
      return quiet >= STALLED_AFTER ? "stalled" : "running";
    case "resting":
    case "new":
      return quiet >= IDLE_AFTER ? "idle" : "running";
  }
}

/** Of a session whose hooks report to us. `quiet`: since anything was last heard of it. */
export function wiredState(
  told: "running" | "waiting" | "idle" | "ended",
  { quiet, hasOpenCall, isProcessGone }: { quiet: number; hasOpenCall: boolean; isProcessGone: boolean },
): SessionState {
  if (told === "ended" || isProcessGone) return "ended";
  if (told !== "running") return told;
  return quiet >= (hasOpenCall ? STALLED_IN_CALL_AFTER : STALLED_AFTER) ? "stalled" : "running";
}

/** Marks and quotes that may stand behind the last character of a sentence. */
const BEHIND = /[\s*_`~"'“”‘’«»)\]}]+$/u;
const LOOKED_AT = 200;

/** A text that ends with a question waits for an answer. */
export function isQuestion(text: string): boolean {
  const end = text.trimEnd().slice(-LOOKED_AT).replace(BEHIND, "");
  return /[?？؟]$/u.test(end);
}
