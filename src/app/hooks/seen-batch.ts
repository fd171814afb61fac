import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCallEvent } from "../../core/call/call-event.js";
import { isObject, listAt, objectAt, parseJson } from "../../core/json.js";
import { answerText, isRefusal } from "../../readers/claude/tool-results.js";
import { factId, type SeenCall } from "../calls/call-events.js";
import type { HookStore } from "../session/hook-store.js";
import { endOf } from "../transcripts/file-peek.js";
import { type Fields, type HookInput, listOf, type RecordedEnd, stringOf } from "./hook-input.js";
import { callOf } from "./seen-call.js";

// A batch has every call of a reply with what the model was answered. Where nobody heard of the calls one by one, it is
// all there is. It does not say whether a call failed: Claude Code's transcript does, and has it a moment later.

/** A call as a hook of its own would have reported it. */
interface BatchCall {
  readonly call: HookInput;
  readonly status: SeenCall["status"];
}

/** Calls without an id are left out: nobody could tell whether they were reported before. */
export function batchCalls(input: HookInput): readonly BatchCall[] {
  return listOf(input.fields, "tool_calls")
    .filter((call) => callOf(call) !== undefined)
    .map((call) => {
      const status = input.recorded?.get(callOf(call) ?? "")?.status ?? statusOf(call);
      const error = status === "failed" ? { error: answerText(call.tool_response) } : undefined;
      return { call: { ...input, fields: { ...input.fields, ...call, ...error } }, status };
    });
}

function statusOf(call: Fields): SeenCall["status"] {
  if (call.is_error === false) return "completed";
  if (isRefused(call)) return "cancelled";
  return call.is_error === true || looksFailed(call) ? "failed" : "completed";
}

function isRefused(call: Fields): boolean {
  return call.tool_response === undefined || isRefusal(answerText(call.tool_response));
}

/** By its text alone: a shell says its exit code, and only an error of an MCP server is neither a list nor JSON. */
function looksFailed(call: Fields): boolean {
  const { tool_name: tool, tool_response: answer } = call;
  if (typeof answer !== "string" || typeof tool !== "string") return false;
  return tool.startsWith("mcp__") ? parseJson(answer) === undefined : /^Exit code \d+(?:\n|$)/.test(answer);
}

/** Claude Code writes its transcript ten times a second. Milliseconds. */
const LONGEST_WAIT = 150;
const STEP = 30;

/**
 * Adds to the calls that the store does not know whether they failed. Without a store: to those that the transcript has
 * by now. They were reported before, and wait as this does; an agent must not wait for each batch, too.
 */
export async function settleBatch(input: HookInput, store?: HookStore): Promise<HookInput> {
  const calls = listOf(input.fields, "tool_calls");
  const open = new Set<string>();
  const recorded = new Map<string, RecordedEnd>();
  for (const call of calls) {
    const id = callOf(call);
    const end = id === undefined ? undefined : await recordedEnd(store, input.session, id);
    if (id === undefined) continue;
    if (end) recorded.set(id, end);
    else open.add(id);
  }
  if (open.size === 0) return { ...input, recorded };
  const isClear = (call: Fields) => !open.has(callOf(call) ?? "") || isRefused(call);
  const wait = store === undefined || calls.every(isClear) ? 0 : LONGEST_WAIT;
  const errors = await errorsIn(transcriptOf(input), open, wait);
  const settled = calls.map((call) => {
    const isError = errors.get(callOf(call) ?? "");
    return isError === undefined ? call : { ...call, is_error: isError };
  });
  return { ...input, recorded, fields: { ...input.fields, tool_calls: settled } };
}

async function recordedEnd(
  store: HookStore | undefined,
  session: string,
  call: string,
): Promise<RecordedEnd | undefined> {
  const id = factId(session, call, "ended");
  const found = id === undefined ? undefined : await store?.find(id);
  const ended = found && readCallEvent(found.type, found.data);
  if (ended?.type !== "call.ended") return undefined;
  const { milliseconds } = found?.data ?? {};
  const time = typeof milliseconds === "number" ? { milliseconds } : undefined;
  return { status: ended.outcome, ...(ended.facts && { facts: ended.facts }), ...time };
}

/** A sub-agent has a file of its own. */
function transcriptOf({ transcript, session, agent }: HookInput): string | undefined {
  if (transcript === undefined || agent === undefined) return transcript;
  return join(dirname(transcript), session, "subagents", `agent-${agent}.jsonl`);
}

async function errorsIn(transcript: string | undefined, calls: ReadonlySet<string>, wait: number) {
  let errors = transcript === undefined ? new Map<string, boolean>() : errorsNow(transcript, calls);
  for (let waited = 0; transcript !== undefined && errors.size < calls.size && waited < wait; waited += STEP) {
    await sleep(STEP);
    errors = errorsNow(transcript, calls);
  }
  return errors;
}

/** The answers of one reply; what is further back was answered before. */
const LOOKED_AT = 1_048_576;

function errorsNow(transcript: string, calls: ReadonlySet<string>): Map<string, boolean> {
  const errors = new Map<string, boolean>();
  for (const line of endOf(transcript, LOOKED_AT).split("\n")) {
    if (!line.includes(ANSWER)) continue;
    const record = objectAt(parseJson(line));
    for (const block of listAt(objectAt(record.message).content).filter(isObject)) {
      const call = stringOf(block, "tool_use_id");
      if (block.type === "tool_result" && call !== undefined && calls.has(call))
        errors.set(call, block.is_error === true);
    }
  }
  return errors;
}

const ANSWER = '"tool_use_id"';
