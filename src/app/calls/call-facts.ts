import type { Answer } from "../../dialects/dialect.js";
import type { Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS, sessionEvent } from "../session/session-view.js";
import { callEnded, callsStream } from "./call-events.js";
import type { CallRequest } from "./tool-call.js";

/** The facts of a call: the start of a session that was not known yet, and the call itself. */
export function* callFacts(
  transaction: Transaction,
  { agent, tool, origin }: CallRequest,
  session: string,
  { isError }: Pick<Answer, "isError">,
): Script<readonly Write[]> {
  if (!origin) return [];
  const { client, call, folder, server } = origin;
  const own = sessionStream(session);
  const known = yield* transaction.view(SESSIONS, own);
  const started = sessionEvent({
    type: "session.started",
    source: "call",
    client,
    ...(folder ? { folder } : undefined),
  });
  const seen = callEnded(session, { call, tool, server, agent, status: isError ? "failed" : "completed" });
  return [
    { stream: own, events: known.client === "" ? [started] : [] },
    { stream: callsStream(session), events: [seen] },
  ];
}
