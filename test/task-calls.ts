import { onBoard } from "../src/app/tasks/task-board.js";
import { findTasks } from "../src/app/tasks/task-pages.js";
import { PROJECTIONS } from "../src/app/views.js";
import { isId } from "../src/core/id.js";
import { fail, ok, type Result } from "../src/core/result.js";
import type { StandingTask } from "../src/core/task/query.js";
import type { Answer } from "../src/dialects/dialect.js";
import { milepostTask } from "../src/dialects/milepost/task/task-tool.js";
import { openStore } from "../src/store/open.js";
import type { Script } from "../src/store/script.js";

export interface TaskCalls {
  /** One call of our tool. What an error had written before it is gone. */
  call(input: unknown, session?: string): Promise<Answer>;
  /** The same, with the arguments as the text that a model wrote. */
  callText(text: string, session?: string): Promise<Answer>;
  tasks(): Promise<readonly StandingTask[]>;
  /** Lets time pass, by the store's clock. */
  pass(ms: number): void;
  close(): Promise<void>;
}

const LIST = "project";

export async function openTaskCalls(): Promise<TaskCalls> {
  let now = Date.UTC(2030, 0, 1);
  const store = await openStore("memory:", { projections: PROJECTIONS, clock: () => now });
  const answer = async (input: { value: unknown } | { text: string }, session: string): Promise<Answer> => {
    const options = { list: LIST, policy: milepostTask.policy, owner: session, session: isId(session) ? session : "" };
    let refused: Answer | undefined;
    const done = await onBoard<Answer>(store, options, function* (board): Script<Result<Answer>> {
      const said = yield* milepostTask.answer({ tool: "task", input }, board) as Script<Answer>;
      refused = said.isError ? said : undefined;
      return said.isError ? fail({ code: "refused", message: said.text }) : ok(said);
    });
    if (done.ok) return done.value;
    if (refused) return refused;
    throw new Error(done.error.message);
  };
  return {
    call: (value, session = "s1") => answer({ value }, session),
    callText: (text, session = "s1") => answer({ text }, session),
    tasks: () => store.look((look) => findTasks(look, LIST, {})),
    pass: (ms) => {
      now += ms;
    },
    close: () => store.close(),
  };
}
