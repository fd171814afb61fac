import { lastOpen, type OpenCall } from "../../../core/session/seen-calls.js";
import type { StateReport } from "../../../core/session/session-state.js";
import { isoTime, LAST_TIME } from "../../../core/text/time-text.js";

/** The call that runs now; of several the one that began last. */
export interface CallReport {
  readonly tool: string;
  readonly subject: string | null;
  /** An ISO time; null where no record had one. */
  readonly since: string | null;
  /** From 0 to 1; null where nobody tells. */
  readonly progress: number | null;
}

/** Calls that nobody answered stay open in a transcript: they count only while something can run. */
export function currentCall(
  open: readonly OpenCall[],
  { state, reason }: Pick<StateReport, "state" | "reason">,
): CallReport | null {
  const mayRun = state === "running" || (state === "waiting" && reason === "permission");
  const call = mayRun ? lastOpen(open) : undefined;
  if (!call) return null;
  const { tool, title = null, at, progress = null } = call;
  return { tool, subject: title, since: at > 0 && at <= LAST_TIME ? isoTime(at) : null, progress };
}
