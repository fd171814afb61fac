import type { CallRequest } from "../../src/app/milepost.js";
import type { Answer, ToolInput } from "../../src/dialects/dialect.js";
import type { Steps, TaskBoard, TaskDialect } from "../../src/dialects/task-dialect.js";
import { MemoryBoard, MemoryTasks } from "./memory-board.js";

type TaskRequest = Omit<CallRequest, "dialect" | "session"> & { readonly session?: string };

/** One list of tasks, spoken to in one dialect. */
export interface OpenBoard {
  call(request: TaskRequest): Promise<Answer>;
  /** What an agent's host does to the same tasks, beside its tools. */
  host<T>(steps: (board: TaskBoard) => Steps<T>): Promise<T>;
}

/** `now`: another clock than the machine's. */
export function openBoard(dialect: TaskDialect, now: () => number = Date.now): OpenBoard {
  const kept = new MemoryTasks();
  const boardOf = (session: string) =>
    new MemoryBoard(kept, { now: now(), owner: session, session, policy: dialect.policy });
  return {
    async call({ tool, session = "default", ...request }) {
      const before = kept.tasks;
      const answer = runSteps(dialect.answer({ tool, input: inputOf(request) }, boardOf(session)));
      // An answer that is an error has written nothing.
      if (answer.isError) kept.tasks = before;
      return answer;
    },
    async host(steps) {
      return runSteps(steps(boardOf("host")));
    },
  };
}

function inputOf(request: Partial<CallRequest>): ToolInput {
  return request.arguments === undefined ? { value: request.input } : { text: request.arguments };
}

function runSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
