import { fail, ok, type Result } from "../../core/result.js";
import type { EventStore, Idempotency } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { Board, type BoardOptions } from "./board.js";
import { heldWrites } from "./held-writes.js";
import { todoOffers } from "./links.js";

export interface BoardWork extends BoardOptions {
  readonly idempotency?: Idempotency | undefined;
}

/** One write to a list of tasks: all of it, or nothing when it is refused. */
export function onBoard<T>(
  store: EventStore,
  { idempotency, ...options }: BoardWork,
  work: (board: Board) => Script<Result<T>>,
): Promise<Result<T>> {
  return store.commit(
    function* (transaction) {
      const board = new Board(transaction, options);
      const done = yield* work(board);
      if (!done.ok) return fail(done.error);
      const held = heldWrites(options.list, board.changed, options.session);
      const offers = yield* todoOffers(transaction, board.changed);
      return ok({ writes: [...board.writes(), ...held, ...offers], answer: done.value });
    },
    idempotency ? { idempotency } : {},
  );
}
