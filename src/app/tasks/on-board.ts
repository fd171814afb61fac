import { fail, ok, type Result } from "../../core/result.js";
import type { EventStore, Idempotency } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { heldWrites } from "./leases/lease-notes.js";
import { todoOffers } from "./links/todo-links.js";
import { Board, type BoardOptions } from "./task-board.js";

export interface BoardWork extends BoardOptions {
  readonly idempotency?: Idempotency | undefined;
}

/** One write transaction on a list of tasks. A refused write changes nothing. */
export function onBoard<T>(
  store: EventStore,
  { idempotency, ...options }: BoardWork,
  work: (board: Board) => Script<Result<T>>,
): Promise<Result<T>> {
  return store.commit(
    function* (transaction) {
      // Lock order: the session before any task, as hooks do, or the two deadlock.
      if (options.session !== "") yield* transaction.version(sessionStream(options.session));
      const board = new Board(transaction, options);
      const done = yield* work(board);
      if (!done.ok) return fail(done.error);
      const held = yield* heldWrites(transaction, board.changed, options);
      const offers = yield* todoOffers(transaction, board.changed);
      return ok({ writes: [...board.writes(), ...held, ...offers.writes], answer: done.value });
    },
    idempotency ? { idempotency } : {},
  );
}
