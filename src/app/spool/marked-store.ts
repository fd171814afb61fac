import { ok } from "../../core/result.js";
import { append, type Decision, type EventStore, type NewEvent, type Write } from "../../store/event-store.js";

/**
 * A store in which one fact is recorded once, whoever tries it, and however often: a try that was given up may go
 * through after all, and a process may be killed before it has taken the fact out of the spool. The mark becomes the id
 * of the first event that has none; events with ids are known by them anyway.
 */
export function markedStore(store: EventStore, mark: string, lateness?: Lateness): EventStore {
  return {
    ...store,
    commit: (decision, options) => store.commit(once(decision, mark, lateness), options),
    observe: lateness
      ? async (stream, events) => {
          await store.commit(once(append([{ stream, events }]), mark, lateness));
        }
      : store.observe,
    within: (milliseconds) => markedStore(store.within(milliseconds), mark, lateness),
  };
}

/** A fact that is told later than it happened. */
export type Lateness =
  /** When it happened, by the store's clock. */
  | { readonly at: number }
  /** Milliseconds since it happened, where nobody has compared the clocks. */
  | { readonly age: number };

function once<T>(decision: Decision<T>, mark: string, lateness: Lateness | undefined): Decision<T> {
  return function* (transaction) {
    const decided = yield* decision(transaction);
    if (!decided.ok) return decided;
    const { writes } = decided.value;
    const isMarked = writes.some(({ events }) => events.some(isNameless));
    // Locked before it is asked for: on a server, two could find it unknown.
    if (isMarked) for (const stream of writes.map((write) => write.stream).sort()) yield* transaction.version(stream);
    if (isMarked && (yield* transaction.isKnown(mark))) return ok({ ...decided.value, writes: [] });
    const at = lateness && happenedAt(lateness, transaction.now);
    return ok({ ...decided.value, writes: marked(writes, mark, at) });
  };
}

function isNameless({ id }: NewEvent): boolean {
  return id === undefined;
}

function happenedAt(lateness: Lateness, now: number): number {
  return "at" in lateness ? Math.min(lateness.at, now) : Math.max(0, now - lateness.age);
}

function marked(writes: readonly Write[], mark: string, at: number | undefined): readonly Write[] {
  let isUsed = false;
  return writes.map((write) => {
    // What is decided about a task (a lease is renewed) is decided now.
    const happened = at === undefined || !OF_SESSION.test(write.stream) ? undefined : { at };
    return {
      ...write,
      events: write.events.map((event) => {
        const name = isUsed || !isNameless(event) ? undefined : { id: mark };
        isUsed ||= name !== undefined;
        return { ...event, ...happened, ...name };
      }),
    };
  });
}

const OF_SESSION = /^(?:session|calls|plan):/;
