import type { SessionEvent, StartSource } from "../events.js";
import type { Session } from "../session.js";
import { checksInTurn } from "./check-counts.js";
import { failuresDue } from "./failed-writes.js";
import { countedAnew } from "./list-counts.js";
import { withContextCut, withDigestRead } from "./replies.js";

type Started = Extract<SessionEvent, { type: "session.started" }>;
type Prompted = Extract<SessionEvent, { type: "turn.started" }>;

export function start(session: Session, { source, client, folder, process, via }: Started): Session {
  const { endedBy: _, via: __, isCut: ___, ...open } = source === "clear" ? withContextCut(session) : session;
  return {
    ...open,
    client: client || session.client,
    folder: folder || session.folder,
    process: process || session.process,
    ...(via !== undefined && { via }),
    state: stateAtStart(session, source),
    compactions: session.compactions + (source === "compact" ? 1 : 0),
    ...(source === "compact" ? undefined : { agents: [], children: [] }),
  };
}

/** A compaction changes nothing about it, and a call comes only from inside a turn. */
function stateAtStart({ state }: Session, source: StartSource): Session["state"] {
  if (source === "compact" && state !== "ended") return state;
  return source === "call" ? "running" : "idle";
}

export function startTurn(session: Session, { isStop }: Prompted): Session {
  return {
    ...withDigestRead(session),
    state: "running",
    turns: session.turns + 1,
    turnReplies: 0,
    isStopping: isStop,
    turnWork: 0,
    started: [],
    stops: 0,
    // The reply in which it was refused is over, whether or not anybody told so.
    refusal: session.refusal === "fresh" ? "open" : session.refusal,
    failures: failuresDue(session.failures),
    counts: countedAnew(session.counts),
    checks: checksInTurn(session.checks),
    // One whose end nobody reported must not keep us silent for ever.
    agents: [],
  };
}
