import { ok, type Result } from "../../core/result.js";
import type { ToldWord } from "../../core/session/events.js";
import { type Delivery, WordHistory, type WordRecord, wordLine } from "../../core/session/told-words.js";
import type { EventStore } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS, sessionEvent, withEvents } from "./session-view.js";

/** A word in the store, and what is needed to see what becomes of it. */
export interface StoredWord {
  readonly stream: string;
  readonly word: ToldWord;
  readonly version: number;
  /** Everything undelivered when it was told; it is the last. */
  readonly history: WordHistory;
  /** Where the log ended before it was told. */
  readonly cursor: string;
}

export async function storeWord(
  store: EventStore,
  id: string,
  word: ToldWord,
  actor: string | undefined,
): Promise<Result<StoredWord>> {
  const stream = sessionStream(id);
  const cursor = await store.head();
  return store.commit(function* (transaction) {
    const event = { ...sessionEvent({ type: "word.told", ...word }), ...(actor === undefined ? undefined : { actor }) };
    const session = withEvents(yield* transaction.view(SESSIONS, stream), [event]);
    const version = (yield* transaction.version(stream)) + 1;
    const answer = { stream, word, version, history: new WordHistory(session), cursor };
    return ok({ writes: [{ stream, events: [event] }], answer });
  });
}

/** The client keeps it: hooks leave it alone from here on, unless one of them has said it meanwhile. */
export async function leaveToClient(store: EventStore, { stream, word }: StoredWord): Promise<void> {
  await store.commit(function* (transaction) {
    const { words } = yield* transaction.view(SESSIONS, stream);
    const place = words.findLastIndex((one) => wordLine(one) === wordLine(word));
    const events = place < 0 ? [] : [sessionEvent({ type: "word.queued", word: place })];
    return ok({ writes: [{ stream, events }], answer: undefined });
  });
}

/** Follows the log until a model has the word, or the signal comes. */
export async function deliveryOf(store: EventStore, told: StoredWord, signal: AbortSignal): Promise<Delivery> {
  const { stream, version, history, cursor } = told;
  const place = history.records.length - 1;
  const delivery = () => history.records[place]?.delivery ?? "stored";
  const pages = await store.follow({ stream, after: cursor, signal });
  if (!pages.ok) return delivery();
  for await (const { events } of pages.value) {
    for (const event of events) if (event.version > version) history.add(event);
    if (delivery() === "seen") break;
  }
  return delivery();
}

/** What was told to a session, oldest first. */
export async function toldTo(store: EventStore, id: string): Promise<Result<readonly WordRecord[]>> {
  const pages = await store.read({ stream: sessionStream(id) });
  if (!pages.ok) return pages;
  const history = new WordHistory();
  for await (const { events } of pages.value) for (const event of events) history.add(event);
  return ok(history.records);
}
