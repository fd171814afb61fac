import { type CallRequest, createMilepost } from "../../src/app/milepost.js";
import { onBoard } from "../../src/app/tasks/task-board.js";
import { PROJECTIONS } from "../../src/app/views.js";
import { ok } from "../../src/core/result.js";
import type { Answer } from "../../src/dialects/dialect.js";
import type { Steps, TaskBoard, TaskDialect } from "../../src/dialects/task-dialect.js";
import { openStore } from "../../src/store/open.js";
import type { Script } from "../../src/store/script.js";

type TaskRequest = Omit<CallRequest, "dialect" | "session"> & { readonly session?: string };

/** One list of tasks, spoken to in one dialect. */
export interface OpenBoard {
  call(request: TaskRequest): Promise<Answer>;
  /** What an agent's host does to the same tasks, beside its tools. */
  host<T>(steps: (board: TaskBoard) => Steps<T>): Promise<T>;
}

const LIST = "board";

/** `now`: another clock than the machine's. */
export function openBoard(dialect: TaskDialect, now: () => number = Date.now): OpenBoard {
  const opened = openStore("memory:", { projections: PROJECTIONS, clock: now }).then((store) => createMilepost(store));
  return {
    async call(request) {
      const answer = await (await opened).call({ ...request, dialect: dialect.name, list: LIST });
      return answer.ok ? answer.value : { text: answer.error.message, isError: true };
    },
    async host(steps) {
      const { store } = await opened;
      const place = { list: LIST, policy: dialect.policy, owner: "host", session: "host" };
      const done = await onBoard(store, place, function* (board) {
        return ok(yield* asScript(steps(board)));
      });
      if (!done.ok) throw new Error(done.error.message);
      return done.value;
    },
  };
}

/** What asks nothing but the board asks in scripts, because the board does. */
function asScript<T>(steps: Steps<T>): Script<T> {
  return steps as unknown as Script<T>;
}
