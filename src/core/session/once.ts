import type { Session } from "./session.js";

/**
 * A fact that may be reported twice: by two hooks of one event, or over two ways. Plain data, so that it can wait in a
 * file. A report whose id is known is dropped, unless the session shows that the same has happened again.
 */
export interface Once {
  /** Made of what the client tells, so it is the same in every report. */
  readonly id: string;
  /** How the same is told from a second report of it. Without it, it cannot happen again. */
  readonly again?: Again;
  /** The sub-agent that it is about. */
  readonly agent?: string | undefined;
}

type Again =
  | "asked"
  | "answered"
  | "started"
  | "compacted"
  | "cut"
  | "stopped"
  | "ended"
  | "agent-started"
  | "agent-ended";

/** The session has moved on since the fact with this id: it is a new one. */
const HAS_MOVED_ON: Readonly<Record<Again, (session: Session, agent: string, now: number) => boolean>> = {
  asked: ({ state }) => state !== "waiting",
  answered: ({ state }) => state === "waiting",
  started: ({ state }) => state === "ended",
  // What was said at the compaction before is cut away again.
  compacted: ({ digestRead }) => digestRead === undefined,
  cut: () => false,
  // Woken without a reply in between, or sent on by its goal, of which nothing tells but the next stop. Agents in the
  // background go on after a stop.
  stopped: ({ state, why, watch }, _, now) =>
    (state === "running" && why.reason !== "background-work") || isLater(watch.presence.endedAt, now),
  ended: ({ state }) => state !== "ended",
  "agent-started": ({ agents }, agent) => !agents.includes(agent),
  "agent-ended": ({ agents }, agent) => agents.includes(agent),
};

/** Two hooks of one event are not further apart than this; two compactions are. Milliseconds. */
const APART = 5000;

function isLater(at: number, now: number): boolean {
  return at > 0 && now - at > APART;
}

/** Ids under which it may be known. The session is the one that it is about, before the fact. */
export function knownIds(once: Once, session: Session, now: number): readonly string[] {
  const place = placeOf(once, session);
  if (once.again !== "stopped" && once.again !== "compacted") return [place];
  const times = once.again === "stopped" ? [place] : [0, 1].map((ago) => timed(place, now - ago * APART));
  return times.flatMap((id) => [id, saidId(id)]);
}

/** Ids under which it may be written: the end of a turn is a reply more. One of them may be taken already. */
export function newIds(once: Once, session: Session, now: number): readonly string[] {
  const turnReplies = session.turnReplies + (once.again === "stopped" ? 1 : 0);
  return [onceId(once, { ...session, turnReplies }, now, false), onceId(once, session, now, true)];
}

/** `id`: the one of them that is known. */
export function isRepeated({ again, agent = "" }: Once, session: Session, id: string, now: number): boolean {
  // Who was asked to go on is still in its turn; and a compaction at which nothing was said has cut away nothing.
  if (again === undefined || (again === "stopped" && isSaid(id)) || (again === "compacted" && !isSaid(id))) return true;
  return !HAS_MOVED_ON[again](session, agent, now);
}

/** The id to write it under. `after`: the session with the fact in it. `hasSaid`: the model is told something. */
export function onceId(once: Once, after: Session, now: number, hasSaid: boolean): string {
  const place = placeOf(once, after);
  if (once.again !== "stopped" && once.again !== "compacted") return place;
  const id = once.again === "stopped" ? place : timed(place, now);
  return hasSaid ? saidId(id) : id;
}

/** What can happen several times in a session or in a turn is told apart by how far that has come. */
function placeOf({ id, again }: Once, { turns, turnReplies }: Session): string {
  if (again === "started") return `${id}/${turns}`;
  if (again === "compacted") return `${id}/${turns}.${turnReplies}`;
  return again === "stopped" || again === "cut" ? `${id}/${turnReplies}` : id;
}

function timed(place: string, now: number): string {
  return `${place}/${Math.floor(now / APART)}`;
}

const SAID = "/said";

function saidId(id: string): string {
  return `${id}${SAID}`;
}

function isSaid(id: string): boolean {
  return id.endsWith(SAID);
}
