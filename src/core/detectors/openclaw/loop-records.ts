import { isObject, listAt } from "../../json.js";
import { type LoopOutcome, loopOutcome } from "./call-outcome.js";
import type { LoopRules } from "./loop-rules.js";
import { callSignature, type Sha256 } from "./stable-text.js";

/** A call of a history as its host knows it. Neither `result` nor `error`: it has not ended. */
export interface LoopCall {
  readonly tool: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
  /** The call's own id. */
  readonly callId?: string;
  readonly runId?: string;
}

/** What detection needs to know of a call. */
export interface LoopRecord extends LoopOutcome {
  readonly tool: string;
  readonly signature: string;
  readonly callId?: string | undefined;
  readonly run?: string | undefined;
}

export interface LoopHost {
  readonly rules: LoopRules;
  readonly sha256: Sha256;
}

/** A blank id names no run. */
export function runOf(runId: unknown): string | undefined {
  return (typeof runId === "string" && runId.trim()) || undefined;
}

/** Before a call runs. */
export function recordCall(records: readonly LoopRecord[], call: LoopCall, host: LoopHost): readonly LoopRecord[] {
  return [...records, pending(call, host)].slice(-host.rules.window);
}

/** After a call: the newest open record of it is filled; without one, a complete record is added. */
export function recordOutcome(records: readonly LoopRecord[], call: LoopCall, host: LoopHost): readonly LoopRecord[] {
  const record = pending(call, host);
  const outcome = loopOutcome(call, host.rules, host.sha256);
  const full: LoopRecord = { ...record, ...outcome };
  const at = records.findLastIndex(
    (open) =>
      open.hash === undefined &&
      !open.isVeto &&
      open.run === record.run &&
      open.signature === record.signature &&
      open.tool === record.tool &&
      (record.callId === undefined || open.callId === record.callId),
  );
  if (at < 0) return [...records, full].slice(-host.rules.window);
  return records.with(at, { ...full, callId: records[at]?.callId });
}

function pending({ tool, args, callId, runId }: LoopCall, { sha256 }: LoopHost): LoopRecord {
  return { tool, signature: callSignature(tool, args, sha256), callId, run: runOf(runId) };
}

/** A history comes from outside: what is no call is left out. */
function isCall(value: unknown): value is LoopCall {
  return isObject(value) && typeof value.tool === "string";
}

export function recordAll(history: readonly LoopCall[], host: LoopHost): readonly LoopRecord[] {
  let records: readonly LoopRecord[] = [];
  for (const call of listAt(history).filter(isCall)) {
    records = recordCall(records, call, host);
    if ("result" in call || "error" in call) records = recordOutcome(records, call, host);
  }
  return records;
}
