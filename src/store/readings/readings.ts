import { setImmediate as nextTurn } from "node:timers/promises";
import { redactJson } from "../../core/secrets/redact-json.js";
import { readingChecksum } from "../checksum.js";
import type { Engine, Written } from "../engine.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { READINGS_SCHEMA } from "../migrations.js";
import type { Queries } from "../queries.js";
import { toReading } from "../rows.js";
import { ask, askOne, type Script } from "../script.js";
import { giveWay } from "../upkeep/give-way.js";
import { readingQueries } from "./reading-queries.js";

/** How far a transcript was read, and what was in it. A cache: it can be thrown away at any time and read again. */
export interface Reading {
  /** The machine the transcript is on: a path means nothing elsewhere. */
  readonly machine: string;
  readonly path: string;
  /** The session it holds; empty when none was found. */
  readonly session: string;
  /** When the file last grew, in whole milliseconds: a fraction is cut off. */
  readonly at: number;
  /** Ours to read back, nobody else's: JSON. */
  readonly data: string;
}

export interface Readings {
  /** Of one machine, the transcript that grew last first. One that is damaged is left out: it is read again. */
  readings(machine: string): Promise<readonly Reading[]>;
  /** Each replaces the earlier one of its path; may be lost, like observations. Skips what is not `isKeepable`. */
  keepReadings(readings: readonly Reading[]): Promise<void>;
  dropReadings(machine: string, paths: readonly string[]): Promise<void>;
}

/** One transaction holds the lock for a few milliseconds at most, so a commit never waits longer for it. */
const MOST_READINGS = 200;
const MOST_BYTES = 4 * 1024 * 1024;

/** An entry of an index must fit into a third of a page of 8 kB. */
const MOST_NAME_BYTES = 2000;

export function createReadings(engine: Engine, workshop: Workshop): Readings {
  const inTurn = async <T>(parts: Iterable<T>, script: (part: T) => Script<Written<void>>) => {
    for (const part of parts) {
      await engine.write(() => script(part), "observed");
      // A commit that has just arrived must get to its place in the queue before the next part does.
      await nextTurn();
    }
  };
  return {
    async readings(machine) {
      if (!isText(machine)) return [];
      const found = await engine.read(() => readScript(engine.queries, machine));
      // Not by the database: to sort them it would copy all their data first.
      return [...found].sort((a, b) => b.at - a.at || (a.path < b.path ? -1 : 1));
    },
    keepReadings: (readings) => inTurn(partsOf(readings), (part) => keepScript(workshop, part)),
    dropReadings: (machine, paths) =>
      inTurn(chunksOf(isText(machine) ? paths.filter(isText) : []), (part) => dropScript(workshop, machine, part)),
  };
}

/** A store that an older version made, and that we may only read, has no table for them. */
function* hasReadings(queries: Queries): Script<boolean> {
  return Number((yield* askOne(queries.meta("schema")))?.value) >= READINGS_SCHEMA;
}

function* readScript(queries: Queries, machine: string): Script<readonly Reading[]> {
  if (!(yield* hasReadings(queries))) return [];
  const rows = yield* ask(readingQueries(queries.features).readingsOf(machine));
  return rows.map(toReading).filter((reading) => reading !== undefined);
}

/** No word to followers: nothing of this is in the log. */
function* keepScript(workshop: Workshop, readings: readonly Reading[]): Script<Written<void>> {
  const { queries } = workshop;
  yield* beginWrite(workshop);
  const rows = readings.map((reading) => ({ ...reading, checksum: readingChecksum(reading) }));
  if (yield* hasReadings(queries))
    for (const query of readingQueries(queries.features).saveReadings(rows)) yield* ask(query);
  return { save: true, value: undefined };
}

function* dropScript(workshop: Workshop, machine: string, paths: readonly string[]): Script<Written<void>> {
  const { queries } = workshop;
  yield* beginWrite(workshop);
  if (yield* hasReadings(queries))
    for (const query of readingQueries(queries.features).deleteReadings(machine, paths)) yield* ask(query);
  return { save: true, value: undefined };
}

/** They hold what the session's list said, so they are forgotten with it. Says how many there were. */
export function* forgetReadings(queries: Queries, session: string): Script<number> {
  if (!(yield* hasReadings(queries))) return 0;
  // "0" is the character after "/": its sub-agents, and nobody beside.
  const { deleteReadingsOf } = readingQueries(queries.features);
  return (yield* ask(deleteReadingsOf(session, `${session}/`, `${session}0`))).length;
}

/** In steps, like everything that is pruned. */
export async function pruneReadings(engine: Engine, workshop: Workshop, maxAge: number): Promise<number> {
  for (let sum = 0; ; ) {
    const gone = await engine.write(() => pruneScript(workshop, maxAge), "observed");
    sum += gone;
    if (gone < MOST_READINGS) return sum;
    await giveWay();
  }
}

function* pruneScript(workshop: Workshop, maxAge: number): Script<Written<number>> {
  const { queries } = workshop;
  const { now } = yield* beginWrite(workshop);
  if (!(yield* hasReadings(queries))) return { save: false, value: 0 };
  const { deleteReadingsBefore } = readingQueries(queries.features);
  const gone = (yield* ask(deleteReadingsBefore(now - maxAge, MOST_READINGS))).length;
  return { save: gone > 0, value: gone };
}

/** Reads all of them, page by page, so that writers go on meanwhile; says how many are damaged. */
export async function countDamagedReadings(engine: Engine): Promise<number> {
  const { queries } = engine;
  if (!(await engine.read(() => hasReadings(queries)))) return 0;
  const { readingsAfter } = readingQueries(queries.features);
  let damaged = 0;
  for (let [machine, path] = ["", ""]; ; ) {
    const rows = await engine.read(() => ask(readingsAfter(machine, path, MOST_READINGS)));
    damaged += rows.filter((row) => !toReading(row)).length;
    const last = rows.at(-1);
    if (!last) return damaged;
    [machine, path] = [String(last.machine), String(last.path)];
  }
}

/** Says how many were redacted. Page by page, like everything that is read whole. */
export async function redactReadings(engine: Engine, workshop: Workshop): Promise<number> {
  const { queries } = engine;
  if (!(await engine.read(() => hasReadings(queries)))) return 0;
  const { readingsAfter } = readingQueries(queries.features);
  let count = 0;
  for (let [machine, path] = ["", ""]; ; ) {
    const rows = await engine.read(() => ask(readingsAfter(machine, path, MOST_READINGS)));
    // A damaged one is not used, and is replaced when its transcript is read again.
    const sound = rows.map(toReading).filter((reading) => reading !== undefined);
    const secret = sound.filter(({ data }) => redactJson(data) !== data);
    for (const part of partsOf(secret)) await engine.write(() => keepScript(workshop, part), "durable");
    count += secret.length;
    const last = rows.at(-1);
    if (!last) return count;
    [machine, path] = [String(last.machine), String(last.path)];
  }
}

/** One for each transcript, always in the same order, so that two who keep the same ones do not wait for each other. */
function partsOf(readings: readonly Reading[]): Generator<readonly Reading[]> {
  const latest = new Map<string, Reading>();
  for (const reading of readings)
    if (isKeepable(reading))
      latest.set(nameOf(reading), { ...reading, at: Math.floor(reading.at), data: redactJson(reading.data) });
  const ordered = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, reading]) => reading);
  return chunksOf(ordered, ({ data }) => Buffer.byteLength(data));
}

function nameOf({ machine, path }: Reading): string {
  return `${machine}\0${path}`;
}

function isKeepable(reading: Reading): boolean {
  const { machine, path, session, at, data } = reading;
  return (
    [machine, path, session, data].every(isText) &&
    Number.isSafeInteger(Math.floor(at)) &&
    Buffer.byteLength(nameOf(reading)) <= MOST_NAME_BYTES &&
    Buffer.byteLength(session) <= MOST_NAME_BYTES
  );
}

/** A NUL, and half of a pair, have no place in UTF-8 text as databases know it. */
function isText(text: string): boolean {
  return text.isWellFormed() && !text.includes("\0");
}

function* chunksOf<T>(items: readonly T[], bytesOf: (item: T) => number = () => 0): Generator<readonly T[]> {
  let [chunk, size]: [T[], number] = [[], 0];
  for (const item of items) {
    const bytes = bytesOf(item);
    if (chunk.length === MOST_READINGS || (chunk.length > 0 && size + bytes > MOST_BYTES)) {
      yield chunk;
      [chunk, size] = [[], 0];
    }
    chunk.push(item);
    size += bytes;
  }
  if (chunk.length > 0) yield chunk;
}
