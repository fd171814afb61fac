import { hostname } from "node:os";
import { join } from "node:path";
import type { NewEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callEnded, callsStream, type SeenCall } from "../calls/call-events.js";
import type { HookStore } from "../session/hook-store.js";
import { isProcessThere, numberHere } from "../session/process-life.js";
import { CALLS, HISTORIES } from "../session/session-view.js";
import { homeFolder } from "../store-place.js";
import { namesIn } from "../transcripts/file-peek.js";
import type { LostEnd } from "../transcripts/lost-calls.js";
import { type HookInput, isFirstClient } from "./hook-input.js";
import { callOf, toolNames } from "./seen-call.js";

/** By then all calls of a turn have ended. */
export const TURN_ENDS = ["Stop", "StopFailure", "Interrupt", "UserPromptSubmit", "SessionEnd"];

export interface Lost {
  readonly calls: readonly NewEvent[];
  /** What the last of them wrote, where that was a list: as its own hook would have told it. */
  readonly lists: readonly HookInput[];
}

const NOTHING: Lost = { calls: [], lists: [] };

/**
 * A server that is killed takes the report with it that it has just heard. The start of that call is known, its end is
 * not: where a turn is over and such a call is left, its client's transcript is asked.
 */
export async function lostCalls(input: HookInput, store: HookStore): Promise<Lost> {
  const { client, transcript, session, agent, event } = input;
  if (transcript === undefined || agent !== undefined || !isFirstClient(client)) return NOTHING;
  if (!TURN_ENDS.includes(event) && !(event === "PostToolUse" && client === "codex" && hasLostServer(input)))
    return NOTHING;
  const { open } = await store.view(CALLS, callsStream(session));
  if (open.length === 0) return NOTHING;
  // What an earlier turn left was looked for at its end.
  const { turnAt } = await store.view(HISTORIES, sessionStream(session));
  const own = callOf(input.fields);
  const missed = open.filter(({ call, at }) => at >= turnAt && call !== own);
  const tools = new Map(missed.map(({ call, tool }) => [call, tool]));
  if (tools.size === 0) return NOTHING;
  // The readers are a file of their own: few hooks need them.
  const { lostEnds } = await import("../transcripts/lost-calls.js");
  const ends = lostEnds({ client, transcript, session, calls: [...tools.keys()] });
  // Hooks call some tools by other names than the transcript does.
  const nameOf = ({ call = "", tool }: SeenCall) => tools.get(call) ?? tool;
  return {
    calls: ends.map(({ end }) => callEnded(session, { ...end, ...toolNames(nameOf(end)) })),
    lists: ends.flatMap((lost) => writtenBy(input, nameOf(lost.end), lost)),
  };
}

/**
 * A server of this client was killed, and has left its mark. Codex does not start it again, and has no batch: each call
 * after it looks for what went with it, so that calls stay in order.
 */
function hasLostServer({ environment, process }: HookInput): boolean {
  const client = numberHere(process);
  const marks = client === undefined ? [] : namesIn(join(homeFolder(environment), "servers"));
  return marks.some((name) => {
    const server = name.startsWith(`${client}-`) ? name.slice(`${client}-`.length) : undefined;
    return server !== undefined && isProcessThere(`${hostname()}:${server}`) === false;
  });
}

/** Only at the end of the same turn: later, a person may have changed the list. */
function writtenBy(input: HookInput, tool_name: string, { end, input: tool_input }: LostEnd): readonly HookInput[] {
  if (!tool_input || end.status !== "completed" || input.event === "UserPromptSubmit" || input.event === "SessionEnd")
    return [];
  return [
    { ...input, event: "PostToolUse", fields: { ...input.fields, tool_name, tool_input, tool_use_id: end.call } },
  ];
}
