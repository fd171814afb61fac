import type { RoundCall } from "../call/call-facts.js";
import { numberOf } from "./number-mark.js";

/**
 * How far something has gone forward, the weakest first. `news`: an answer that was not there before. `act`: it may
 * have changed something: a command or an unknown tool that was not called like this before. `change`: a file was
 * changed. `anew`: a person has spoken, the agent was woken, or a todo was closed: what was before does not count.
 */
const PROGRESS = ["none", "news", "act", "change", "anew"] as const;
export type Progress = (typeof PROGRESS)[number];

export function isAtLeast(progress: Progress, least: Progress): boolean {
  return PROGRESS.indexOf(progress) >= PROGRESS.indexOf(least);
}

/** `passed-over`: stopped by a person or the network, neither useless nor progress. `no-tool`: it is not there. */
export type CallSort = "new" | "change" | "repeat" | "variant" | "poll" | "no-tool" | "passed-over";

/** One call of a round and how it compares with those before it. */
export interface SeenCall {
  readonly call: RoundCall;
  /** Of tool and arguments; 0: nobody told. */
  readonly mark: number;
  /** Of the answer; 0: nobody told. */
  readonly outcome: number;
  readonly isError: boolean;
  /** `variant`: other arguments, and an error that was there before. */
  readonly sort: CallSort;
  /** How often in a row with nothing new in between, and how often with nothing new but what was read. */
  readonly near: number;
  readonly far: number;
  /** It was made before the last compaction, and now for the first time again. */
  readonly isRedone: boolean;
}

/** A call as far as it tells by itself, without those before it. */
export type BareCall = Pick<SeenCall, "call" | "mark" | "outcome" | "isError">;

export function bareCall(call: RoundCall): BareCall {
  return {
    call,
    mark: call.signature ? numberOf(call.signature) : 0,
    outcome: call.outcome ? numberOf(call.outcome) : 0,
    isError: isError(call),
  };
}

/** A search that found nothing is no error, whatever its exit code says; a command that then prints nothing is one. */
function isError({ status, exit, kind, isLook, size }: RoundCall): boolean {
  if (exit === 1 && (kind === "search" || isLook || size === 0)) return false;
  return status === "failed" || (exit !== undefined && exit !== 0);
}

export function isReading({ kind, isLook }: RoundCall): boolean {
  return isLook === true || kind === "read" || kind === "search" || kind === "fetch";
}

/** Of a file: by a tool that is there for it, or by a command that plainly says so. */
export function isChange({ kind, status, isUnchanged, isChange: isSaid }: RoundCall): boolean {
  return (kind === "edit" || isSaid === true) && status === "completed" && isUnchanged !== true;
}

/** An answer that tells how the call went; nothing printed and a code say too little to compare other calls with. */
export function isTold({ call, outcome }: BareCall): boolean {
  return outcome !== 0 && call.size !== 0;
}
