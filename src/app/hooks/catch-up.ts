import type { NewEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callEnded, callsStream, type SeenCall } from "../calls/call-events.js";
import type { HookStore } from "../session/hook-store.js";
import { CALLS, HISTORIES } from "../session/session-view.js";
import type { LostEnd } from "../transcripts/lost-calls.js";
import type { HookInput } from "./hook-input.js";
import { toolNames } from "./seen-call.js";

/** By then all calls of a turn have ended. */
const TURN_ENDS = ["Stop", "StopFailure", "Interrupt", "UserPromptSubmit", "SessionEnd"];

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
  if (transcript === undefined || agent !== undefined || !TURN_ENDS.includes(event)) return NOTHING;
  const { open } = await store.view(CALLS, callsStream(session));
  if (open.length === 0) return NOTHING;
  // What an earlier turn left was looked for at its end.
  const { turnAt } = await store.view(HISTORIES, sessionStream(session));
  const tools = new Map(open.filter(({ at }) => at >= turnAt).map(({ call, tool }) => [call, tool]));
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

/** Only at the end of the same turn: later, a person may have changed the list. */
function writtenBy(input: HookInput, tool_name: string, { end, input: tool_input }: LostEnd): readonly HookInput[] {
  if (!tool_input || end.status !== "completed" || input.event === "UserPromptSubmit" || input.event === "SessionEnd")
    return [];
  return [
    { ...input, event: "PostToolUse", fields: { ...input.fields, tool_name, tool_input, tool_use_id: end.call } },
  ];
}
