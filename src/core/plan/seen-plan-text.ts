import { textAt } from "../json.js";
import { redactStart } from "../secrets/redact.js";
import { CUT_MARK, cutText } from "../value-limits.js";
import { PLAN_MAX } from "./plan.js";

/**
 * The text of a plan that a client tells of, so that it can be stored: without secrets, and cut with a mark at its end
 * where it is too long, in characters or in bytes. Undefined for what says nothing.
 */
export function seenPlanText(value: unknown): string | undefined {
  const text = textAt(value);
  if (text === undefined) return undefined;
  const isLong = text.length > PLAN_MAX;
  const start = redactStart(text, isLong ? PLAN_MAX - CUT_MARK.length : PLAN_MAX).toWellFormed();
  if (start.trim() === "") return undefined;
  return cutText(isLong ? `${start}${CUT_MARK}` : start);
}

/** A plan that is still being written: its pieces so far. */
export interface PlanDraft {
  readonly key: string;
  readonly text: string;
  /** How many of its characters stand in whole lines, and how many have been shown. */
  readonly whole: number;
  readonly shown: number;
}

/** With one more piece. What would be cut off in the end is not kept. */
export function growDraft(draft: PlanDraft | null, key: string, piece: string): PlanDraft {
  const known = draft?.key === key ? draft : { key, text: "", whole: 0, shown: 0 };
  if (known.text.length > PLAN_MAX) return known;
  const more = piece.slice(0, PLAN_MAX + 1);
  const end = more.lastIndexOf("\n");
  return { ...known, text: known.text + more, whole: end < 0 ? known.whole : known.text.length + end + 1 };
}

/** A long plan is not looked through for secrets after each line, but when it has grown by this part of itself. */
const STEP = 16;

/**
 * What to show of a draft: whole lines, because the rest of a secret may still be on its way. Undefined while there is
 * too little news.
 */
export function draftToShow({ text, whole, shown }: PlanDraft): string | undefined {
  return whole > shown + shown / STEP ? text.slice(0, whole) : undefined;
}
