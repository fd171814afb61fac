import { isId } from "../core/id.js";
import type { Result } from "../core/result.js";
import type { Engine } from "./engine.js";
import type { EventStore } from "./event-store.js";
import type { Workshop } from "./log/commit.js";
import { createEventStore } from "./log/event-log.js";
import type { Queries } from "./queries.js";
import { createReadings, type Readings } from "./readings/readings.js";
import { askOne, type Script } from "./script.js";
import type { Forgotten } from "./upkeep/forget-session.js";
import type { CheckOptions, LogCheck } from "./upkeep/integrity-check.js";
import type { StoredSecrets } from "./upkeep/redact-store.js";
import type { Pruned, RetentionRule } from "./upkeep/retention.js";
import type { Imported, SeenInFile, Travelling, TravellingBase } from "./upkeep/transfer.js";

/** An event store, and what keeps it in order. */
export interface Store extends EventStore, Readings {
  /** Deletes history that is older or larger than the rules allow. */
  prune(rules?: readonly RetentionRule[]): Promise<Pruned>;
  /** Prunes by the default rules when that was not done for a day. */
  tidy(): Promise<void>;
  forget(session: string): Promise<Forgotten>;
  /** Redacts what older versions stored, and leaves no trace of it. */
  redact(progress: (events: number) => void): Promise<StoredSecrets>;
  /** Reads all of it and says what is not as it should be. */
  check(options: CheckOptions): Promise<LogCheck>;
  totals(): Promise<Totals>;
  /** What views were where history was pruned; together with all events it is the whole store. */
  bases(): AsyncIterable<TravellingBase>;
  /** What `take` would do, or the first event that this store has differently. */
  compare(batch: readonly Travelling[], seen: SeenInFile): Promise<Result<Imported>>;
  /** Copies the store into a new file, which is a store too. */
  backup(path: string): Promise<void>;
  /** All of the batch, or none of it. */
  take(batch: readonly Travelling[]): Promise<Result<Imported>>;
}

export interface Totals {
  readonly streams: number;
  readonly events: number;
  /** Bytes of event data. */
  readonly size: number;
  readonly schema: number;
  readonly oldestWriter: number;
  readonly prunedUpTo?: string;
}

/** Upkeep is loaded when it is done: most commands never do any. */
export function createStore(engine: Engine, workshop: Workshop): Store {
  const transfer = () => import("./upkeep/transfer.js");
  const retention = () => import("./upkeep/retention.js");
  return {
    ...createEventStore(engine, workshop),
    ...createReadings(engine, workshop),
    async prune(rules) {
      const { prune, RETENTION } = await retention();
      return prune(engine, workshop, rules ?? RETENTION);
    },
    async forget(session) {
      if (!isId(session)) return { streams: [], events: 0, readings: 0 };
      const { forgetSession } = await import("./upkeep/forget-session.js");
      const forgotten = await forgetSession(engine, workshop, session);
      // Also when there was nothing: an earlier try may have deleted it, and then failed here.
      await engine.scrub?.();
      return forgotten;
    },
    async redact(progress) {
      const { redactStore } = await import("./upkeep/redact-store.js");
      const found = await redactStore(engine, workshop, progress);
      // Also when there was nothing: an earlier try may have redacted it, and then failed here.
      await engine.scrub?.();
      return found;
    },
    tidy: async () => (await retention()).tidy(engine, workshop),
    check: async (options) => (await import("./upkeep/integrity-check.js")).checkLog(engine, workshop, options),
    async *bases() {
      yield* (await transfer()).exportBases(engine);
    },
    async compare(batch, seen) {
      const { compareScript } = await transfer();
      return engine.read(() => compareScript(workshop, batch, seen));
    },
    backup: async (path) => (await import("./upkeep/copy-store.js")).backupStore(engine, workshop, path),
    take: async (batch) => (await transfer()).importBatch(engine, workshop, batch),
    totals: () => engine.read(() => totalsScript(engine.queries)),
  };
}

function* totalsScript(queries: Queries): Script<Totals> {
  const row = yield* askOne(queries.totals());
  const meta = function* (key: string) {
    return (yield* askOne(queries.meta(key)))?.value;
  };
  const pruned = yield* meta("pruned");
  return {
    streams: Number(row?.streams),
    events: Number(row?.events),
    size: Number(row?.size),
    schema: Number(yield* meta("schema")),
    oldestWriter: Number(yield* meta("oldest_writer")),
    ...(pruned === undefined ? undefined : { prunedUpTo: String(pruned) }),
  };
}
