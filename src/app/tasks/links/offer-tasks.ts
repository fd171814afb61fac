import { fail } from "../../../core/result.js";
import type { TaskLink } from "../../../core/session/events.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import { isOpen as isOpenTask } from "../../../core/task/task.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import type { EventStore } from "../../../store/event-store.js";
import type { CommandContext } from "../../command-definition.js";
import { SESSIONS } from "../../session/session-view.js";
import { lookAtTasks, tasksIn } from "../read-tasks.js";
import { noTask, onBoard } from "../task-board.js";
import { mentionTask, type TaskMention } from "../task-report.js";
import { TASKS, taskStream } from "../task-views.js";

export interface OfferedTask extends TaskMention {
  readonly list: string;
  readonly finished: boolean;
}

/** After todos are done: asks whether their linked tasks are done too. */
export async function offerTasks(
  context: CommandContext,
  store: EventStore,
  stream: string,
  change: { readonly before: TodoList; readonly after: TodoList; readonly by: string },
): Promise<readonly OfferedTask[]> {
  const { links = [] } = await store.view(SESSIONS, stream);
  const finished = links.filter(({ todo }) => isFinished(change.after, todo) && !isFinished(change.before, todo));
  const offered: OfferedTask[] = [];
  for (const link of finished) {
    const task = await store.view(TASKS, taskStream(link.list, link.task));
    if (!isOpenTask(task)) continue;
    const question = `Todo ${link.todo} is linked to task #${link.task}: ${task.subject}. Complete it too?`;
    const isMeant = (await context.confirm(question)) === true;
    const isDone = isMeant && (await finish(store, link, change.by));
    const named = await lookAtTasks(store, (look) => tasksIn(look, link.list, [link.task]));
    for (const one of named ?? []) offered.push({ ...mentionTask(one), list: link.list, finished: isDone });
  }
  return offered;
}

function isFinished(list: TodoList, todo: number): boolean {
  return todosOf(list).some(({ number, status }) => number === todo && status === "completed");
}

/** Completed in the holder's name, because a person said so; the person is recorded as the actor. */
async function finish(store: EventStore, { list, task: number }: TaskLink, by: string): Promise<boolean> {
  const place = { list, policy: OUR_POLICY, owner: by, session: "" };
  const done = await onBoard(store, place, function* (board) {
    const found = yield* board.find(number);
    if (!found) return fail(noTask(list, number));
    const { lease } = found.task;
    const hold = lease ? { owner: lease.owner, fence: lease.fence } : { owner: by };
    return yield* board.run(number, { type: "complete", hold });
  });
  return done.ok;
}
