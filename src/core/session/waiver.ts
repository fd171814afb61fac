import { cutText } from "../json.js";

const REASON_MAX = 300;
const WAIVER = /\bcan(?:not|'t| not) be (?:checked|tested|verified) here\b[\s:;,.(—–-]*([^\n]*)/i;

/** That work cannot be checked here, and why, as a model or a person says it; undefined where the reason is missing. */
export function waiverIn(text: string): string | undefined {
  const [, reason = ""] = WAIVER.exec(text.replaceAll("’", "'")) ?? [];
  return cutText(reason.replace(/^(?:because|as|since)\s+/i, "").trim(), REASON_MAX) || undefined;
}

/** `todo`: which; absent: everything on the list. */
export interface Waiver {
  readonly reason: string;
  readonly todo?: number | undefined;
}
