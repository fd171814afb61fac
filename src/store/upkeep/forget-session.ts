import type { Written } from "../engine.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { findStream } from "../log/stored-views.js";
import type { StreamRow } from "../queries.js";
import { forgetReadings } from "../readings/readings.js";
import { toPosition, toStream } from "../rows.js";
import { ask, askIf, askOne, type Script } from "../script.js";
import { streamsOfSession } from "../stream.js";
import { rememberPruned } from "./retention.js";

export interface Forgotten {
  readonly streams: readonly string[];
  readonly events: number;
  /** Transcripts that were read; the files themselves are not ours. */
  readonly readings: number;
}

/** Events, views, kept answers and readings of a session. Nothing of it can be read afterwards. */
export function* forgetScript(workshop: Workshop, session: string): Script<Written<Forgotten>> {
  const { queries } = workshop;
  const transaction = yield* beginWrite(workshop);
  yield* askIf(queries.unhurried());
  const streams: StreamRow[] = [];
  for (const stream of yield* findStreams(workshop, session)) streams.push(yield* transaction.head(stream));
  for (const { stream, version } of streams) {
    const end = yield* askOne(queries.prefixEnd(stream, version));
    if (end) yield* rememberPruned(queries, toPosition(end));
    yield* ask(queries.deleteEvents(stream, version));
    yield* ask(queries.deleteBases(stream));
    yield* ask(queries.deleteStream(stream));
  }
  const { exact, below } = streamsOfSession(session);
  const keys: unknown[] = [];
  for (const stream of exact) keys.push(...(yield* ask(queries.deleteKeysBetween(stream, `${stream}\u0001`))));
  keys.push(...(yield* ask(queries.deleteKeysBetween(below, behind(below)))));
  const events = streams.reduce((sum, { version, pruned }) => sum + version - pruned, 0);
  const readings = yield* forgetReadings(queries, session);
  return {
    save: streams.length + keys.length + readings > 0,
    value: { streams: streams.map(({ stream }) => stream), events, readings },
  };
}

function* findStreams({ queries, projections }: Workshop, session: string): Script<readonly string[]> {
  const { exact, below } = streamsOfSession(session);
  const found: string[] = [];
  for (const stream of exact) if (yield* findStream(queries, stream, projections)) found.push(stream);
  const rows = yield* ask(queries.streamsBetween(below, behind(below)));
  return [...found, ...rows.map((row) => toStream(row).stream)];
}

/** "0" is the character after "/": everything below, and nothing beside. */
function behind(below: string): string {
  return `${below.slice(0, -1)}0`;
}
