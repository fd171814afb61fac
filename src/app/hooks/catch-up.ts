import type { NewEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callEnded, callsStream } from "../calls/call-events.js";
import type { HookStore } from "../session/hook-store.js";
import { CALLS, HISTORIES } from "../session/session-view.js";
import type { HookInput } from "./hook-input.js";
import { toolNames } from "./seen-call.js";

/** By then all calls of a turn have ended. */
const TURN_ENDS = ["Stop", "StopFailure", "Interrupt", "UserPromptSubmit", "SessionEnd"];

/**
 * A server that is killed takes the report with it that it has just heard. The start of that call is known, its end is
 * not: where a turn is over and such a call is left, its client's transcript is asked.
 */
export async function lostCalls(input: HookInput, store: HookStore): Promise<readonly NewEvent[]> {
  const { client, transcript, session, agent, event } = input;
  if (transcript === undefined || agent !== undefined || !TURN_ENDS.includes(event)) return [];
  const { open } = await store.view(CALLS, callsStream(session));
  if (open.length === 0) return [];
  // What an earlier turn left was looked for at its end.
  const { turnAt } = await store.view(HISTORIES, sessionStream(session));
  const tools = new Map(open.filter(({ at }) => at >= turnAt).map(({ call, tool }) => [call, tool]));
  if (tools.size === 0) return [];
  // The readers are a file of their own: few hooks need them.
  const { lostEnds } = await import("../transcripts/lost-calls.js");
  const ends = lostEnds({ client, transcript, session, calls: [...tools.keys()] });
  // Hooks call some tools by other names than the transcript does.
  return ends.map((end) => callEnded(session, { ...end, ...toolNames(tools.get(end.call ?? "") ?? end.tool) }));
}
