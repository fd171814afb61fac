import type { RoundCall } from "../../call/call-facts.js";
import { fields, count as isCount, list, text } from "../../shape.js";
import { promptText } from "../../text/prompt-text.js";
import type { Alert } from "../alert.js";
import { decideLoop } from "./loop-decision.js";
import type { LoopRecord } from "./loop-records.js";
import { loopRules } from "./loop-rules.js";

/** A call in few bytes. */
type CallTuple = readonly [tool: string, signature: string, outcome: string, marks: number];

/** There is no such tool. */
const MISSING = 1;
/** It failed, or it changed nothing. */
const FUTILE = 2;
/** It is a command that failed and said why. */
const FAILED = 4;

/** What OpenClaw's detection knows of a session that is only watched: the last calls, and which loops were told of. */
export interface OpenclawRecords {
  readonly calls: readonly CallTuple[];
  /** A loop, and how many tens of calls it had when it was last told of. */
  readonly told: readonly (readonly [key: string, tens: number])[];
}

export const NO_OPENCLAW_RECORDS: OpenclawRecords = { calls: [], told: [] };

export interface OpenclawStep {
  readonly records: OpenclawRecords;
  readonly alert?: Omit<Alert, "id" | "at">;
}

/** More loops at once have not been seen; the original keeps 256. */
const MOST_TOLD = 8;

const PLAIN_NAME = /^[\w.:/-]{1,40}$/;
const NAME_MAX = 60;

/**
 * One call that has ended: what the original would have said before it, then the call itself. Each loop is told of
 * once for every ten calls of it.
 */
export function openclawStep(records: OpenclawRecords, call: RoundCall): OpenclawStep {
  // Of a call whose arguments nobody told nothing can be said.
  if (!call.signature) return { records };
  const rules = loopRules({ enabled: true });
  const [tool, signature] = tupleOf(call);
  const verdict = decideLoop(
    records.calls.map(recordOf),
    { tool, signature, isPoll: call.isPoll === true, isCommand: call.kind === "execute" },
    rules,
  );
  const calls = [...records.calls, tupleOf(call)].slice(-rules.window);
  if (!verdict.stuck) return { records: { calls, told: records.told } };
  const { detector, level, count, message, warningKey } = verdict;
  const key = mark(warningKey);
  const tens = Math.floor(count / 10);
  if (tens <= (records.told.find(([known]) => known === key)?.[1] ?? 0))
    return { records: { calls, told: records.told } };
  const told = [...records.told.filter(([known]) => known !== key), [key, tens] as const].slice(-MOST_TOLD);
  return {
    records: { calls, told },
    alert: {
      detector: `openclaw/${detector}`,
      level: level === "critical" ? "block" : "warn",
      count,
      // A name that is long or odd has a mark in the records.
      message: tool === call.tool ? message : message.replaceAll(tool, () => promptText(call.tool).slice(0, NAME_MAX)),
    },
  };
}

function tupleOf(call: RoundCall): CallTuple {
  const isFailure = call.kind === "execute" && call.status === "failed" && (call.exit ?? 0) !== 0;
  const marks =
    (call.trouble === "no-tool" ? MISSING : 0) |
    (call.status === "failed" || call.isUnchanged ? FUTILE : 0) |
    (isFailure && call.size !== 0 ? FAILED : 0);
  const tool = PLAIN_NAME.test(call.tool) ? call.tool : mark(call.tool);
  return [tool, mark(`${tool}:${call.signature}`), call.outcome ? mark(call.outcome) : "", marks];
}

function recordOf([tool, signature, outcome, marks]: CallTuple): LoopRecord {
  return {
    tool,
    signature,
    ...(outcome && { hash: outcome }),
    ...(marks & MISSING && { missing: tool }),
    ...(marks & FUTILE && { isFutile: true as const }),
    ...(marks & FAILED && outcome && { failure: outcome }),
  };
}

/** The same for the same text, in at most twelve characters. */
function mark(value: string): string {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b) ^ (two >>> 15);
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`.slice(0, 12);
}

const isTuple = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 4 && value.slice(0, 3).every(text) && isCount(value[3]);
const isTold = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 2 && text(value[0]) && isCount(value[1]);

export const isOpenclawRecords = fields({ calls: list(isTuple), told: list(isTold) });
