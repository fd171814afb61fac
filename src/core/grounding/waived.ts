import { fields, list, type Shape, text } from "../shape.js";
import { cutCodePoints } from "../text/length.js";

/** That work cannot be checked here, as it was said of these todos (by number) or tasks (by id). */
export interface Waived {
  readonly reason: string;
  readonly of: readonly (number | string)[];
}

const MOST_WAIVED = 8;
const MOST_OF = 100;
const REASON_MAX = 300;

export function withWaiver(waived: readonly Waived[], reason: string, of: readonly (number | string)[]) {
  if (of.length === 0 || reason.trim() === "") return waived;
  const waiver: Waived = { reason: cutCodePoints(reason, REASON_MAX), of: of.slice(-MOST_OF) };
  return [...waived, waiver].slice(-MOST_WAIVED);
}

/** The reason that was given last. */
export function waiverOf(waived: readonly Waived[], key: number | string): string | undefined {
  return waived.findLast(({ of }) => of.includes(key))?.reason;
}

const isKey: Shape = (value) => typeof value === "string" || typeof value === "number";
export const isWaivedList: Shape = list(fields({ reason: text, of: list(isKey) }));
