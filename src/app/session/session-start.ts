import { ok, type Result } from "../../core/result.js";
import { digestOf } from "../../core/session/digest-text.js";
import { START_SOURCES, type StartSource } from "../../core/session/events.js";
import { todosOf } from "../../core/todo/list.js";
import type { EventStore, NewEvent, Write } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import type { Settings } from "../settings.js";
import { LISTS, toNewEvent } from "../views.js";
import { clearedBefore, forkedFrom, type Newcomer } from "./ancestors.js";
import { recordDigest, recordSighting, type Said } from "./record-sighting.js";
import { sessionEvent } from "./session-view.js";

export interface SessionStart extends Newcomer {
  /** As the client says it; a word we do not know is an ordinary start. */
  readonly source: string;
}

/** What is carried over depends on how the session began: a cleared one is empty, a forked one has a copy. */
export async function startSession(store: EventStore, start: SessionStart, settings: Settings): Promise<Result<Said>> {
  const source = START_SOURCES.find((known) => known === start.source) ?? "startup";
  if (source === "clear") return startCleared(store, start, settings);
  const from = source === "fork" ? await forkedFrom(store, start) : undefined;
  const { session, process } = start;
  const digest = { cause: CAUSES[source], process };
  return recordSighting(store, { session, events: [started(start, source, from)], digest, forkedFrom: from }, settings);
}

const CAUSES: Readonly<Record<StartSource, string>> = {
  startup: "kept from before the start",
  resume: "kept from before it was resumed",
  compact: "kept over the compaction",
  fork: "copied from the session it was forked from",
  clear: "before it was cleared",
  call: "kept",
};

function started({ client, process, folder }: SessionStart, source: StartSource, from: string | undefined): NewEvent {
  return sessionEvent({ type: "session.started", source, client, process, folder, from });
}

const OFFER =
  "Milepost: before this conversation was cleared, its list had open todos. They are not on the list now. If they still matter, add them again with the todo tool; if not, ignore this.";

/** An empty list, and the open todos of the one before are shown once. */
async function startCleared(store: EventStore, start: SessionStart, settings: Settings): Promise<Result<Said>> {
  const stream = sessionStream(start.session);
  const own = await store.view(LISTS, stream);
  // Some clients go on under the same name: then it is this list that is cleared.
  const isSame = todosOf(own).length > 0;
  const from = isSame ? undefined : await clearedBefore(store, start);
  const list = isSame || from === undefined ? own : await store.view(LISTS, sessionStream(from));
  const digest = digestOf(list, OFFER, settings.digestTokens);
  const events = [started(start, "clear", from)];
  if (isSame) events.push(toNewEvent({ type: "list.cleared", revision: own.revision + 1 }, undefined));
  if (digest) events.push(sessionEvent({ type: "digest.sent", cause: "clear", todos: digest.shown }));
  const writes: Write[] = [{ stream, events }];
  const offered = sessionEvent({ type: "list.offered", to: start.session });
  if (from !== undefined) writes.push({ stream: sessionStream(from), events: [offered] });
  const said = digest ? [digest.text] : [];
  const recorded = store.commit<Said>(function* () {
    yield* [];
    return ok({ writes, answer: said });
  });
  return recordDigest(recorded, () => said);
}
