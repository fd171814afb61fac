import { fields, flag, list, text } from "../../shape.js";
import type { Session } from "../session.js";

/** A refused write, for agents that are told of it with the person's next words, whatever they wrote since. */
export interface FailedWrite {
  /** What it was answered. */
  readonly text: string;
  /** The person has spoken since. */
  readonly isDue: boolean;
}

/** The last ones: more would not fit into what a client takes from a hook. */
const MOST = 4;

export const isFailedWrites = list(fields({ text, isDue: flag }));

/** `answer`: undefined where no reminder repeats it. */
export function withFailure({ failures }: Session, answer: string | undefined): readonly FailedWrite[] {
  return answer === undefined ? failures : [...failures, { text: answer, isDue: false }].slice(-MOST);
}

export function failuresDue(failures: readonly FailedWrite[]): readonly FailedWrite[] {
  return failures.map(({ text }) => ({ text, isDue: true }));
}

export function dueFailures({ failures }: Session): readonly string[] {
  return failures.filter(({ isDue }) => isDue).map(({ text }) => text);
}
