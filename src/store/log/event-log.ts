import { firstAbort } from "../../core/first-abort.js";
import { ok, type Result } from "../../core/result.js";
import { BEGINNING, formatCursor, isAfter, parseCursor } from "../cursor.js";
import { type Engine, limited, type WriteScript, type Written } from "../engine.js";
import { type Decision, type EventStore, type Look, type Page, START, type Write } from "../event-store.js";
import { Patience } from "../patience.js";
import type { Position, Queries } from "../queries.js";
import { toEvent, toPosition } from "../rows.js";
import { ask, askOne, type Row, type Script } from "../script.js";
import { isObserved, isStream } from "../stream.js";
import { checkEnvelope } from "./append.js";
import { announce, beginCommit, commitScript, storeTime, type Workshop, withFingerprint } from "./commit.js";
import { readView } from "./keep-view.js";
import { Observations } from "./observations.js";
import { findPosition, followPages, readPages } from "./pages.js";
import { unfound } from "./stored-views.js";

/** The contract, written once above any engine. */
export function createEventStore(engine: Engine, workshop: Workshop): EventStore {
  const observations = new Observations((writes) =>
    engine.write((isAlone) => observeScript(workshop, writes, isAlone), "observed"),
  );
  let closing: Promise<void> | undefined;
  /** Whoever follows ends with the store. */
  let closed: AbortController | undefined;
  return {
    async commit(decision, { idempotency, isObserved: isLight = false } = {}) {
      const key = idempotency && (await withFingerprint(idempotency));
      const observed = isLight && !key ? await engine.write(lightScript(workshop, decision), "observed") : undefined;
      if (observed) return observed;
      return engine.write((isAlone) => commitScript(workshop, decision, { key, isAlone }), "durable");
    },
    observe(stream, events) {
      if (!isStream(stream) || !isObserved(stream)) throw new Error(`Only calls: streams are observed, not ${stream}`);
      for (const event of events) checkEnvelope(event);
      return observations.add(stream, events);
    },
    view: (projection, stream) => readView(engine, workshop, projection, stream),
    look: (script) => engine.read(() => lookScript(workshop, script)),
    async read({ after = START, stream } = {}) {
      const position = await findPosition(engine, after);
      if (!position.ok) return position;
      if (stream !== undefined && !isStream(stream)) return ok(noPages());
      // Everything that was acknowledged before this call is in the answer.
      await engine.settle?.();
      return ok(readPages(engine, position.value, stream));
    },
    async follow({ after = START, stream, signal }): Promise<Result<AsyncIterable<Page>>> {
      const position = await findPosition(engine, after);
      if (!position.ok) return position;
      if (stream !== undefined && !isStream(stream)) return ok(noPages());
      closed ??= new AbortController();
      return ok(followPages(engine, position.value, firstAbort(signal, closed.signal), stream));
    },
    ...lookups(engine),
    within: (milliseconds) => createEventStore(borrowed(engine, new Patience(milliseconds)), workshop),
    close() {
      closed?.abort();
      closing ??= observations.flush().finally(() => engine.close());
      return closing;
    },
  };
}

/** The clock is asked first: on a server it is the server's. */
function* lookScript<T>({ queries, clock }: Workshop, script: (look: Look) => Script<T>): Script<T> {
  const gate = yield* askOne(queries.gate());
  return yield* script({ queries, now: storeTime(clock, gate).now });
}

function lookups(engine: Engine): Pick<EventStore, "find" | "recent" | "head"> {
  const { queries } = engine;
  return {
    async find(id) {
      const row = await engine.read(() => askOne(queries.eventById(id)));
      return row && toEvent(queries.features, row);
    },
    async recent(kind, limit) {
      const rows = await engine.read(() => recentScript(queries, kind, limit));
      return rows.map(({ stream, at }) => ({ stream: String(stream), at: Number(at) }));
    },
    async head() {
      return formatCursor(queries.features, await engine.read(() => endScript(queries)));
    },
  };
}

/** It is closed by whoever has opened it. */
function borrowed(engine: Engine, patience: Patience): Engine {
  return { ...limited(engine, () => patience), close: async () => undefined };
}

function* recentScript(queries: Queries, kind: string, limit: number): Script<readonly Row[]> {
  // The character behind the colon ends the kind.
  const range = [`${kind}:`, `${kind};`] as const;
  const rows = yield* ask(queries.recentStreams(...range, limit));
  if (rows.length > 0 || limit <= 0) return rows;
  // Nothing at all, or an index that cannot be read: its events know.
  const trace = queries.traceOfKind(...range);
  const found = trace && (yield* askOne(trace));
  if (found) throw unfound(String(found.stream));
  return rows;
}

/** Behind everything that a reader can see, and behind everything that was pruned. */
function* endScript(queries: Queries): Script<Position> {
  const row = yield* askOne(queries.end());
  const end = row ? toPosition(row) : BEGINNING;
  const pruned = parseCursor(queries.features, (yield* askOne(queries.meta("pruned")))?.value);
  return pruned && isAfter(pruned, end) ? pruned : end;
}

/** Of a stream that nobody can ever write. */
async function* noPages(): AsyncGenerator<Page> {
  yield* [];
}

/** Undefined, and nothing written, where it has to be durable. */
function lightScript<T>(workshop: Workshop, decision: Decision<T>): WriteScript<Result<T> | undefined> {
  return function* (isAlone) {
    let isDurable = false;
    const written = yield* commitScript(
      workshop,
      function* (transaction) {
        const decided = yield* decision(transaction);
        const writes = decided.ok ? decided.value.writes.filter(({ events }) => events.length > 0) : [];
        isDurable = writes.some(({ stream }) => !isObserved(stream));
        return decided.ok && isDurable ? ok({ ...decided.value, writes: [] }) : decided;
      },
      { key: undefined, isAlone },
    );
    return isDurable ? { save: false, value: undefined } : written;
  };
}

function* observeScript(workshop: Workshop, writes: readonly Write[], isAlone: boolean): Script<Written<void>> {
  const transaction = yield* beginCommit(workshop, isAlone);
  yield* transaction.append(writes);
  const isChanged = transaction.written !== undefined;
  if (isChanged) yield* announce(workshop.queries);
  return { save: isChanged, value: undefined, position: transaction.written, committed: transaction.committed };
}
