import type { EventStore } from "../store/event-store.js";

/** The store's clock. Times in a store are compared with it: on a server it is another machine's than ours. */
export function storeNow(store: EventStore): Promise<number> {
  return store.look(function* ({ now }) {
    yield* [];
    return now;
  });
}
