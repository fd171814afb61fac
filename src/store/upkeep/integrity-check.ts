import { isSameJson } from "../../core/json.js";
import { counted } from "../../core/text/length.js";
import { fitDepth } from "../../core/value-limits.js";
import { eventChecksum, keyChecksum, viewsChecksum } from "../checksum.js";
import type { Engine, Written } from "../engine.js";
import { beginWrite, type Workshop } from "../log/commit.js";
import { type Folded, foldOn, foldUpTo, PAGE } from "../log/fold.js";
import { type KeptView, readViews, withViews } from "../log/stored-views.js";
import type { Projection } from "../projection.js";
import type { EventRow, KeyRow, Queries, StreamRow } from "../queries.js";
import { countDamagedReadings } from "../readings/readings.js";
import { toStream } from "../rows.js";
import { ask, askIf, askOne, type Script } from "../script.js";
import { isEntryRight, rebuildEntry } from "../tasks/task-entries.js";
import { Breather } from "./give-way.js";
import { holdsSecret } from "./redact-store.js";

/** Something that is not as it should be. `code` is stable. */
export interface Finding {
  readonly code: string;
  readonly level: "damage" | "warning";
  readonly message: string;
}

export interface LogCheck {
  readonly streams: number;
  readonly events: number;
  readonly findings: readonly Finding[];
  /** Views that were folded again and written. */
  readonly rebuilt: number;
}

export interface CheckOptions {
  /** Write views that differ from the fold of their events. */
  readonly rebuild: boolean;
  readonly progress?: (events: number) => void;
}

/** Reads every event and every view once. One stream is one look at the store, so writers go on meanwhile. */
export async function checkLog(engine: Engine, workshop: Workshop, options: CheckOptions): Promise<LogCheck> {
  const { queries } = engine;
  const findings: Finding[] = [
    ...(await engine.read(() => findOrphans(queries))),
    ...(await engine.read(() => checkKeys(queries))),
    ...(await checkReadings(engine)),
  ];
  const breather = new Breather();
  const secrets = new SecretCount();
  let [streams, events, rebuilt, after] = [0, 0, 0, ""];
  for (;;) {
    const rows = await engine.read(() => ask(queries.streamsAfter(after, PAGE)));
    if (rows.length === 0) return { streams, events, findings: [...findings, ...secrets.findings()], rebuilt };
    for (const { stream } of rows.map(toStream)) {
      after = stream;
      const checked = await engine.read(() => checkStream(workshop, stream));
      const isRepairable = options.rebuild && checked.events.length === 0 && checked.views.length > 0;
      if (isRepairable) rebuilt += await rebuildStream(engine, workshop, stream);
      if (isRepairable) await breather.rest();
      findings.push(...checked.events, ...(isRepairable ? [] : checked.views));
      streams += 1;
      events += checked.count;
      secrets.add(checked.secrets);
      options.progress?.(events);
    }
  }
}

interface StreamCheck {
  readonly count: number;
  /** Events that hold what looks like a secret. */
  readonly secrets: number;
  readonly events: readonly Finding[];
  readonly views: readonly Finding[];
}

function* checkStream(workshop: Workshop, name: string): Script<StreamCheck> {
  const { queries, projections } = workshop;
  const row = yield* askOne(queries.stream(name));
  // Forgotten since we made the list.
  if (!row) return { count: 0, secrets: 0, events: [], views: [] };
  const stream = toStream(row);
  const { count, secrets, findings: events } = yield* checkEvents(queries, stream);
  const views: Finding[] = [];
  if (isDamaged(stream)) views.push(differs(`The views of ${name} are damaged: checksum mismatch`));
  // A fold of damaged events proves nothing.
  else if (events.length === 0)
    for (const projection of projections)
      if (projection.covers(name)) views.push(...(yield* checkView(queries, projection, stream)));
  return { count, secrets, events, views };
}

function* checkEvents(
  queries: Queries,
  stream: StreamRow,
): Script<{ count: number; secrets: number; findings: readonly Finding[] }> {
  const findings: Finding[] = [];
  let { pruned: version } = stream;
  let checksum: number | undefined;
  let [count, secrets] = [0, 0];
  for (;;) {
    const rows = yield* ask(queries.eventsFromVersion(stream.stream, version, PAGE));
    if (rows.length === 0) break;
    for (const event of rows as unknown as readonly EventRow[]) {
      if (event.version !== version + 1) findings.push(missing(stream.stream, version + 1, event.version - 1));
      if (!isSound(event))
        findings.push(
          damage("damaged-event", `Event ${event.version} of ${stream.stream} is damaged: checksum mismatch.`),
        );
      version = event.version;
      checksum = event.checksum;
      count += 1;
      if (holdsSecret(event)) secrets += 1;
    }
  }
  if (version < stream.version) findings.push(missing(stream.stream, version + 1, stream.version));
  else if (version > stream.version || (checksum !== undefined && checksum !== stream.checksum))
    findings.push(damage("wrong-head", `${stream.stream} does not end at the recorded version ${stream.version}.`));
  return { count, secrets, findings };
}

/** What older versions stored; this one redacts before it stores. */
class SecretCount {
  #events = 0;
  #streams = 0;

  add(events: number): void {
    this.#events += events;
    this.#streams += events > 0 ? 1 : 0;
  }

  findings(): readonly Finding[] {
    if (this.#events === 0) return [];
    const where = `${counted(this.#events, "event")} in ${counted(this.#streams, "stream")}`;
    const message = `An older version stored what looks like secrets: ${where}. To redact them: milepost doctor --redact`;
    return [warning("stored-secrets", message)];
  }
}

function isSound(event: EventRow): boolean {
  if (eventChecksum(event) !== event.checksum) return false;
  try {
    JSON.parse(event.data);
    return true;
  } catch {
    return false;
  }
}

function* checkView(queries: Queries, projection: Projection, stream: StreamRow): Script<readonly Finding[]> {
  const kept = readViews(stream)[projection.name];
  // Missing, of another fold, or behind pruned history: it is not used, but folded when it is next asked for.
  if (!kept || kept.revision !== projection.revision || kept.version < stream.pruned) return [];
  const { state, version } = yield* foldUpTo(queries, projection, stream, Math.min(kept.version, stream.version));
  const isSame = kept.version === version && isSameState(kept.state, state);
  if (!isSame) return [differs(`The ${projection.name} of ${stream.stream} differs from its events`)];
  // Only a view that is not behind has written its index entry.
  const isFound = version < stream.version || (yield* isEntryRight(queries, projection.entry?.(state, stream.stream)));
  return isFound ? [] : [differs(`The ${projection.name} of ${stream.stream} has a wrong index entry`)];
}

/** As they are written. An older version stored values that are deeper than the stack may reach here. */
function isSameState(kept: unknown, folded: unknown): boolean {
  const plain = (state: unknown): unknown => JSON.parse(JSON.stringify(state));
  try {
    return isSameJson(kept, plain(folded));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return isSameJson(fitDepth(kept, DEEPEST), plain(fitDepth(folded, DEEPEST)));
  }
}

const DEEPEST = 1000;

type FoldedViews = ReadonlyMap<Projection, Folded<unknown>>;

/** Folds while others write: a long history takes time. The write only folds what has come since. */
async function rebuildStream(engine: Engine, workshop: Workshop, name: string): Promise<number> {
  const folded = await engine.read(() => foldViews(workshop, name));
  return engine.write(() => rebuildViews(workshop, name, folded), "durable");
}

function* foldViews({ queries, projections }: Workshop, name: string): Script<FoldedViews> {
  const folded = new Map<Projection, Folded<unknown>>();
  const row = yield* askOne(queries.stream(name));
  if (!row) return folded;
  const stream = toStream(row);
  for (const projection of projections)
    if (projection.covers(name)) folded.set(projection, yield* foldUpTo(queries, projection, stream, stream.version));
  return folded;
}

function* rebuildViews(workshop: Workshop, name: string, folded: FoldedViews): Script<Written<number>> {
  const { queries } = workshop;
  const transaction = yield* beginWrite(workshop);
  const row = yield* transaction.head(name);
  if (row.version === 0) return { save: false, value: 0 };
  const views: Record<string, KeptView> = isDamaged(row) ? {} : { ...readViews(row) };
  let rebuilt = 0;
  for (const [projection, before] of folded) {
    // Pruned or forgotten meanwhile: what was folded is of another history.
    const isPast = before.version < row.pruned || before.version > row.version;
    const { state, version } = isPast
      ? yield* foldUpTo(queries, projection, row, row.version)
      : yield* foldOn(queries, projection, row, before, row.version);
    views[projection.name] = { revision: projection.revision, version, state };
    yield* rebuildEntry(queries, projection.entry?.(state, name));
    rebuilt += 1;
  }
  yield* ask(queries.saveStream(withViews(row, views)));
  return { save: true, value: rebuilt };
}

function isDamaged(row: StreamRow): boolean {
  return viewsChecksum(row) !== row.views_checksum;
}

function* checkKeys(queries: Queries): Script<readonly Finding[]> {
  const findings: Finding[] = [];
  for (let after = ""; ; ) {
    const rows = (yield* ask(queries.keysAfter(after, PAGE))) as unknown as readonly KeyRow[];
    const last = rows.at(-1);
    if (!last) return findings;
    for (const row of rows)
      if (keyChecksum(row) !== row.checksum)
        findings.push(damage("damaged-answer", `The stored answer for the key ${row.key} is damaged.`));
    after = String(last.key);
  }
}

/** Only a warning: nothing is lost with them. */
async function checkReadings(engine: Engine): Promise<readonly Finding[]> {
  const damaged = await countDamagedReadings(engine);
  if (damaged === 0) return [];
  const what = damaged === 1 ? "a transcript" : `${damaged} transcripts`;
  const message = `The saved reading of ${what} is damaged. It is not used; the transcript is read again.`;
  return [warning("damaged-reading", message)];
}

function* findOrphans(queries: Queries): Script<readonly Finding[]> {
  yield* askIf(queries.unhurried());
  const rows = yield* ask(queries.orphans());
  const lost = rows.map(({ stream }) => damage("lost-stream", `${String(stream)} has events, but no stream record.`));
  const early = queries.eventsAhead();
  const ahead = Number((early ? yield* askOne(early) : undefined)?.events ?? 0);
  if (ahead === 0) return lost;
  const message = `${ahead} events have transaction ids from the future: they came with a dump of another server, and are not visible. Move the data with milepost export and milepost import instead.`;
  return [...lost, damage("hidden-events", message)];
}

function missing(stream: string, from: number, to: number): Finding {
  const which = from === to ? `Event ${from}` : `Events ${from} to ${to}`;
  return damage("missing-events", `${which} of ${stream} ${from === to ? "is" : "are"} missing.`);
}

export function damage(code: string, message: string): Finding {
  return { code, level: "damage", message };
}

export function warning(code: string, message: string): Finding {
  return { code, level: "warning", message };
}

function differs(what: string): Finding {
  return damage("wrong-view", `${what}. To rebuild it from its events: milepost doctor --rebuild`);
}
