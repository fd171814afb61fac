import { ok, type Result } from "../../core/result.js";
import type { ToolWay } from "../../core/session/client/list-tool.js";
import { digestOf, markOf } from "../../core/session/digest-text.js";
import { START_SOURCES, type StartSource } from "../../core/session/events.js";
import type { Once } from "../../core/session/once.js";
import { unfinishedPlan } from "../../core/session/session-plan.js";
import { todosOf } from "../../core/todo/list.js";
import type { EventStore, NewEvent, Write } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { factId } from "../calls/call-events.js";
import { listUnlessOff } from "../settings/lists-off.js";
import type { Settings } from "../settings.js";
import { tasksOnDisk } from "../transcripts/agents/claude-tasks-folder.js";
import { LISTS, toNewEvent } from "../views.js";
import { clearedBefore, forkedFrom, type Newcomer } from "./ancestors.js";
import { CAUSE_CUT, clearedHeading, currentListOf, wayWords } from "./list-words.js";
import { arrivalOf, recordDigest, recordSighting, type Said } from "./record-sighting.js";
import { SESSIONS, sessionEvent } from "./session-view.js";

export interface SessionStart extends Newcomer {
  /** As the client says it; a word we do not know is an ordinary start. */
  readonly source: string;
  readonly way?: (() => ToolWay) | undefined;
  /** The conversation does not have what was said before, also where the same was. */
  readonly isLost?: boolean;
  /** When it happened, for one that is told when nobody listens: nothing is said, and so nothing counts as said. */
  readonly lateAt?: number | undefined;
}

/** What is carried over depends on how the session began: a cleared one is empty, a forked one has a copy. */
export async function startSession(store: EventStore, start: SessionStart, settings: Settings): Promise<Result<Said>> {
  const source = START_SOURCES.find((known) => known === start.source) ?? "startup";
  if (source === "clear") return startCleared(store, start, settings);
  const from = source === "fork" ? await forkedFrom(store, start) : undefined;
  const { session, process, way } = start;
  // A compaction is written down with all that hooks said to it; a start only with the prompt that follows.
  const isLate = start.lateAt !== undefined;
  const digest = isLate
    ? undefined
    : { cause: CAUSES[source], process, isKept: source === "compact" || start.isLost === true };
  const shared = tasksAtStart(start, source);
  const events = [started(start, source, from)];
  const sighting = {
    session,
    lateAt: start.lateAt,
    ...onceStarted(start, source),
    events,
    shared,
    digest,
    forkedFrom: from,
  };
  return recordSighting(store, { ...sighting, isOpening: !isLate, way }, settings);
}

/** A process starts a session once, until that has had a turn or has ended; but it may compact one again and again. */
function onceStarted({ session, process }: SessionStart, source: StartSource): { readonly once?: Once } {
  const id = factId(session, `start/${source}`, markOf(process));
  return id === undefined ? {} : { once: { id, again: source === "compact" ? "compacted" : "started" } };
}

/**
 * A session that goes on may have tasks from before its hooks were there. A compaction in the middle of hooks that
 * missed something is the other time when a model forgets.
 */
function tasksAtStart({ client, transcript }: SessionStart, source: StartSource): readonly NewEvent[] {
  if (client !== "claude-code" || transcript === undefined || (source !== "resume" && source !== "compact")) return [];
  const tasks = tasksOnDisk(transcript);
  return tasks ? [sessionEvent({ type: "client-tasks.seen", tasks, isAll: true })] : [];
}

const CAUSES: Readonly<Record<StartSource, string>> = {
  startup: "kept from before the start",
  resume: "kept from before it was resumed",
  compact: CAUSE_CUT,
  fork: "copied from the session it was forked from",
  clear: "before it was cleared",
  call: "kept",
};

function started({ client, process, folder }: SessionStart, source: StartSource, from: string | undefined): NewEvent {
  return sessionEvent({ type: "session.started", source, client, process, folder, from });
}

/** An empty list, and the open todos of the one before are shown once. */
async function startCleared(store: EventStore, start: SessionStart, settings: Settings): Promise<Result<Said>> {
  const stream = sessionStream(start.session);
  const hasTodos = todosOf(await store.view(LISTS, stream)).length > 0;
  // Some clients go on under the same name: then it is this list that is cleared, also where it is empty.
  const isSame = hasTodos || (await store.view(SESSIONS, stream)).turns > 0;
  const from = isSame ? undefined : await clearedBefore(store, start);
  const cleared = from === undefined ? stream : sessionStream(from);
  let said: Said = [];
  const recorded = store.commit<Said>(function* (transaction) {
    const before = yield* transaction.view(SESSIONS, stream);
    const arrival = yield* arrivalOf(transaction, { ...start, ...onceStarted(start, "clear") }, before);
    if (arrival.isRepeated) return ok({ writes: [], answer: [] });
    const list = yield* transaction.view(LISTS, cleared);
    const old = yield* transaction.view(SESSIONS, cleared);
    const current = currentListOf(list, old);
    const heading = clearedHeading(current, start, settings);
    const isLate = start.lateAt !== undefined;
    const above = { plan: unfinishedPlan(old) };
    const open = listUnlessOff(settings, start.client, current.list);
    const digest = isLate ? undefined : digestOf(open, heading, settings.digestTokens, above);
    const events = [started(start, "clear", from)];
    if (hasTodos) events.push(toNewEvent({ type: "list.cleared", revision: list.revision + 1 }, undefined));
    if (digest) events.push(sessionEvent({ type: "digest.sent", cause: "clear", todos: digest.shown }));
    const writes: Write[] = [{ stream, events: arrival.mark(events) }];
    const offered = sessionEvent({ type: "list.offered", to: start.session });
    if (from !== undefined && !isLate) writes.push({ stream: cleared, events: [offered] });
    said = digest ? [digest.text] : [];
    const way = isLate ? [] : wayWords(start.client, settings, start.way);
    return ok({ writes, answer: [...said, ...way] });
  });
  return recordDigest(recorded, () => said);
}
