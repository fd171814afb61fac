import { fail, type Result } from "../../core/result.js";
import { redactJson } from "../../core/secrets/redact-json.js";
import { keyChecksum } from "../checksum.js";
import type { Written } from "../engine.js";
import type { Decision, Idempotency } from "../event-store.js";
import type { Projection } from "../projection.js";
import type { Queries } from "../queries.js";
import { toKey } from "../rows.js";
import { ask, askOne, type Row, type Script } from "../script.js";
import { SAVE_REST, StoreTrouble } from "../trouble.js";
import { WriteTransaction } from "./append.js";
import { Recall } from "./recall.js";

/** What every write of this store works with. */
export interface Workshop {
  readonly queries: Queries;
  readonly projections: readonly Projection[];
  /** Default: the server's clock for a store on a server, so that machines agree; else this process's. */
  readonly clock?: (() => number) | undefined;
  /** The newest schema this version knows. */
  readonly schema: number;
  readonly recall: Recall;
}

export const KEYS_KEPT = 24 * 60 * 60 * 1000;

/** Too old a process must not write. Scripts that change rows directly use no remembered rows, and leave none. */
export function* beginWrite(workshop: Workshop): Script<WriteTransaction> {
  workshop.recall.clear();
  return yield* begin({ ...workshop, recall: new Recall() }, false);
}

/** For commits and observations: rows that nobody else can have changed since the last write are not read again. */
export function* beginCommit(workshop: Workshop, isAlone: boolean): Script<WriteTransaction> {
  if (!isAlone) workshop.recall.clear();
  return yield* begin(workshop, isAlone);
}

function* begin(workshop: Workshop, isAlone: boolean): Script<WriteTransaction> {
  const { queries, projections, clock, schema, recall } = workshop;
  const own = isAlone && recall.oldestWriter !== undefined ? (clock?.() ?? Date.now()) : Number.NaN;
  const gate = own >= recall.at ? undefined : yield* askOne(queries.gate());
  const oldestWriter = gate ? Number(gate.oldest_writer) : Number(recall.oldestWriter);
  if (!Number.isSafeInteger(oldestWriter)) throw noOldestWriter();
  if (!(oldestWriter <= schema)) throw tooOld(oldestWriter, schema);
  recall.oldestWriter = oldestWriter;
  if (!gate) return new WriteTransaction(queries, projections, recall, own);
  recall.last = Number(gate.last ?? 0);
  recall.at = Number(gate.at ?? 0);
  const { now, behind } = storeTime(clock, gate);
  if (behind > LONGEST_WAIT) yield* ask(queries.setMeta("clock_offset", String(behind)));
  return new WriteTransaction(queries, projections, recall, now);
}

/** The longest lease. A clock that is further behind the store than this is not waited for. */
const LONGEST_WAIT = 24 * 60 * 60 * 1000;

/**
 * A store's time never runs backwards, or a new lease would expire before an earlier one: while the clock is behind the
 * last event, time stands still. If it is far behind, every lease would be kept for as long: then the store keeps the
 * difference (`clock_offset`), and its time goes on at the pace of the clock.
 */
export function storeTime(
  clock: Workshop["clock"],
  gate: Row | undefined,
): { readonly now: number; readonly behind: number } {
  const own = clock?.() ?? (gate?.now == null ? Date.now() : Number(gate.now));
  const last = Number(gate?.at ?? 0);
  if (own >= last) return { now: own, behind: 0 };
  const shifted = own + Number(gate?.clock_offset ?? 0);
  return { now: Math.max(last, shifted), behind: last - shifted > LONGEST_WAIT ? last - own : 0 };
}

function noOldestWriter(): StoreTrouble {
  const message = "The store does not say any more which versions may write to it: it is damaged. Nothing was changed.";
  return new StoreTrouble("store-damaged", `${message} ${SAVE_REST}`);
}

function tooOld(oldestWriter: number, schema: number): StoreTrouble {
  return new StoreTrouble(
    "store-newer",
    `This store was written by a newer Milepost: writing needs schema ${oldestWriter}, this version has ${schema}. Nothing was changed. Reading still works; update Milepost to write.`,
  );
}

export function* commitScript<T>(
  workshop: Workshop,
  decision: Decision<T>,
  { key, isAlone }: { readonly key: KeyedInput | undefined; readonly isAlone: boolean },
): Script<Written<Result<T>>> {
  const transaction = yield* beginCommit(workshop, isAlone);
  if (key) {
    const earlier = yield* earlierAnswer<T>(workshop.queries, transaction.now, key);
    if (earlier) return { save: false, value: earlier };
  }
  const decided = yield* decision(transaction);
  const appended: Result<unknown> = decided.ok ? yield* transaction.append(decided.value.writes) : decided;
  const value: Result<T> =
    decided.ok && appended.ok ? { ok: true, value: decided.value.answer } : (appended as Result<T>);
  const isKept = !decided.ok || decided.value.isKept !== false;
  if (key && isKept) yield* keepAnswer(workshop.queries, transaction.now, key, value);
  const isChanged = transaction.written !== undefined;
  if (isChanged) yield* announce(workshop.queries);
  return {
    save: isChanged || key !== undefined,
    value,
    position: transaction.written,
    committed: transaction.committed,
  };
}

/** Wakes whoever follows, when the commit is through. It carries no content: readers read the log. */
export function* announce(queries: Queries): Script<void> {
  const notify = queries.notify();
  if (notify) yield* ask(notify);
}

function* earlierAnswer<T>(queries: Queries, now: number, { key, input }: KeyedInput): Script<Result<T> | undefined> {
  // Two with the same key at the same time: the second one waits for the first one's answer.
  const lock = queries.lock(`key ${key}`);
  if (lock) yield* ask(lock);
  const row = yield* askOne(queries.key(key, now - KEYS_KEPT));
  if (!row) return undefined;
  const kept = toKey(row);
  return kept.input === input ? JSON.parse(kept.answer) : fail(keyReused(key));
}

function* keepAnswer(queries: Queries, now: number, { key, stream, input }: KeyedInput, value: unknown): Script<void> {
  const row = { key, stream, input, answer: redactJson(JSON.stringify(value)), at: now };
  yield* ask(queries.saveKey({ ...row, checksum: keyChecksum(row) }));
}

/** An idempotency key, and a hash of the input it is bound to. */
export interface KeyedInput {
  readonly key: string;
  readonly stream: string;
  readonly input: string;
}

export async function withFingerprint({ key, stream, input }: Idempotency): Promise<KeyedInput> {
  // Loaded when a key comes: it takes 4 ms, and a hook has none.
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256").update(JSON.stringify(input) ?? "");
  return { key, stream, input: hash.digest("base64url") };
}

function keyReused(key: string) {
  return {
    code: "key-reused",
    message: `The idempotency key ${key} was used for another request in the last 24 hours. Use a new key for a new request.`,
  };
}
