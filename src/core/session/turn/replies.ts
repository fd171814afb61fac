import type { SessionEvent } from "../events.js";
import type { Session } from "../session.js";
import { checksAfterRound } from "./check-counts.js";
import { countedAnew } from "./list-counts.js";

type ReplyEnded = Extract<SessionEvent, { type: "reply.ended" }>;

/** The model has read what it was given: as long as its context is not cut, it need not read the same again. */
export function withDigestRead(session: Session): Session {
  const { digestMark } = session;
  return digestMark === undefined ? withoutDigest(session) : { ...withoutDigest(session), digestRead: digestMark };
}

/** Nobody will read it: its process has ended. */
export function withoutDigest({ digestBy: _, digestMark: __, ...session }: Session): Session {
  return session;
}

/** What it had read is cut away with everything else. */
export function withContextCut({ digestRead: _, ...session }: Session): Session {
  return withoutDigest(session);
}

/** The last answer of a turn, which called nothing, is a reply too. */
export function endReply(session: Session): Session {
  return {
    ...withDigestRead(session),
    turnReplies: session.turnReplies + 1,
    sinceUpdate: session.sinceUpdate + 1,
    sinceTask: sinceTaskAfter(session),
    refusal: session.refusal === "fresh" ? "open" : session.refusal,
  };
}

/** Also a reply that wrote the list: who keeps that up to date may still have forgotten the task it is for. */
function sinceTaskAfter({ held, sinceTask }: Session): number {
  return held.length > 0 ? sinceTask + 1 : 0;
}

export function evolveReply(session: Session, { batch, usedList, round = [] }: ReplyEnded): Session {
  // Until the first batch nobody knew that its calls belong together: each was counted as a reply.
  const counted = batch ? takeBack(session, session.singles) : session;
  const worked: Session = {
    ...counted,
    state: "running",
    // Calls beside a write of the list were made before anybody could know what it would begin.
    turnWork: counted.turnWork + (usedList ? 0 : 1),
    hasBatches: session.hasBatches || batch,
    singles: batch ? 0 : session.singles + 1,
    counts: countedAnew(counted.counts),
    checks: checksAfterRound(counted.checks, round, usedList),
  };
  // The answer that looked at the list or wrote it is not one that forgot it.
  return usedList
    ? { ...worked, turnReplies: worked.turnReplies + 1, sinceTask: sinceTaskAfter(worked) }
    : endReply(worked);
}

function takeBack(session: Session, replies: number): Session {
  const { turnReplies, sinceUpdate, sinceTask, turnWork, started } = session;
  return {
    ...session,
    turnWork: Math.max(0, turnWork - replies),
    started: started.map(({ todo, after }) => ({ todo, after: Math.max(0, after - replies) })),
    turnReplies: Math.max(0, turnReplies - replies),
    sinceUpdate: Math.max(0, sinceUpdate - replies),
    sinceTask: Math.max(0, sinceTask - replies),
  };
}
