import { isOpen as isOpenTask, type Task, type TodoLink } from "../../../core/task/task.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { TodoEvent } from "../../../core/todo/events.js";
import { isOpen as isOpenTodo, type Todo, todosOf } from "../../../core/todo/list.js";
import type { Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { LISTS } from "../../views.js";
import { TASKS, taskStream } from "../task-views.js";

// A todo and a task can be linked. Completing one only offers to complete the other: they are separate state, and
// whoever completed one has not said that the other is done.

type LinkedTodo = TodoLink & Pick<Todo, "text">;

function* openTodosOf(transaction: Transaction, links: readonly TodoLink[]): Script<readonly LinkedTodo[]> {
  const found: LinkedTodo[] = [];
  for (const link of links) {
    const list = yield* transaction.view(LISTS, sessionStream(link.session, link.agent));
    const todo = todosOf(list).find(({ number }) => number === link.todo);
    if (todo && isOpenTodo(todo)) found.push({ ...link, text: todo.text });
  }
  return found;
}

export interface TodoOffers {
  readonly writes: readonly Write[];
  /** Notices for the answered session. */
  readonly own: readonly string[];
}

/** Tells sessions that a task linked to one of their open todos is done: the answered one at once, others later. */
export function* todoOffers(
  transaction: Transaction,
  changes: readonly { readonly before: Task; readonly after: Task }[],
  answered?: string,
): Script<TodoOffers> {
  const writes: Write[] = [];
  const own: string[] = [];
  for (const { before, after } of changes) {
    if (after.status !== "completed" || before.status === "completed" || after.links.length === 0) continue;
    for (const { session, agent, todo, text } of yield* openTodosOf(transaction, after.links)) {
      const notice = `Task #${after.number} is done. Todo ${todo} "${quoted(text)}" is linked to it: if it is done, finish it.`;
      const events = [sessionEvent({ type: "notice.left", text: notice })];
      if (session === answered && agent === undefined) own.push(notice);
      else writes.push({ stream: sessionStream(session, agent), events });
    }
  }
  return { writes, own };
}

/** One sentence for each open task that is linked to a todo that these events complete. */
export function* taskOffers(
  transaction: Transaction,
  stream: string,
  events: readonly TodoEvent[],
): Script<readonly string[]> {
  const done = events.flatMap((event) =>
    event.type === "todo.moved" && event.to === "completed" ? [event.number] : [],
  );
  if (done.length === 0) return [];
  const { links = [] } = yield* transaction.view(SESSIONS, stream);
  const offers: string[] = [];
  for (const { todo, list, task: number } of links) {
    if (!done.includes(todo)) continue;
    const task = yield* transaction.view(TASKS, taskStream(list, number));
    if (isOpenTask(task))
      offers.push(`Todo ${todo} is linked to task #${number} "${quoted(task.subject)}": if it is done, finish it.`);
  }
  return offers;
}

function quoted(text: string): string {
  return promptText(text, 80).replaceAll('"', "'");
}
