import type { CallEnd, CallStart } from "./call-facts.js";

/** A call as its client names it; `tool` without the name of the server. */
export interface RawCall {
  readonly tool: string;
  readonly server?: string | undefined;
  readonly input: unknown;
}

/** What came back. `output`: text, blocks or an object, as the client tells it. `error`: its own words, of one that failed. */
export interface RawEnd {
  readonly output?: unknown;
  readonly error?: string | undefined;
  readonly status: "completed" | "failed" | "cancelled";
  /** Where the client tells it apart from the text. */
  readonly exit?: number | undefined;
}

export function startFacts(_call: RawCall): CallStart {
  return { kind: "other", signature: "" };
}

export function endFacts(_call: RawCall, _start: CallStart, _end: RawEnd): CallEnd {
  return {};
}
