import { isOpen as isOpenTask, type Task, type TodoLink } from "../../../core/task/task.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { TodoEvent } from "../../../core/todo/events.js";
import { isOpen as isOpenTodo, type Todo, todosOf } from "../../../core/todo/list.js";
import type { Look, Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { LISTS } from "../../views.js";
import { TASKS, taskStream } from "../task-views.js";

// A todo and a task can be linked. Completing one only offers to complete the other: they are separate state, and
// whoever completed one has not said that the other is done.

interface LinkedTodo extends TodoLink {
  readonly text: string;
}

type Views = Pick<Transaction, "view"> & Look;

/** The open todos that stand for a task. */
function* openTodosOf({ view }: Pick<Views, "view">, links: readonly TodoLink[]): Script<readonly LinkedTodo[]> {
  const found: LinkedTodo[] = [];
  for (const link of links) {
    const list = yield* view(LISTS, sessionStream(link.session, link.agent));
    const todo = todosOf(list).find(({ number }) => number === link.todo);
    if (todo && isOpenTodo(todo)) found.push({ ...link, text: todo.text });
  }
  return found;
}

interface TodoOffers {
  readonly writes: readonly Write[];
  /** For the session that is just being answered. */
  readonly own: readonly string[];
}

/**
 * What the sessions hear whose todos stand for a task that is done now; one of them with its answer, the others later.
 */
export function* todoOffers(
  transaction: Transaction,
  changes: readonly { readonly before: Task; readonly after: Task }[],
  answered?: string,
): Script<TodoOffers> {
  const writes: Write[] = [];
  const own: string[] = [];
  for (const { before, after } of changes) {
    if (after.status !== "completed" || before.status === "completed" || after.links.length === 0) continue;
    const todos = yield* openTodosOf(
      { view: (projection, stream) => transaction.view(projection, stream) },
      after.links,
    );
    for (const { session, agent, todo, text } of todos) {
      const notice = `Task #${after.number} is done. Todo ${todo} "${quoted(text)}" is linked to it: if it is done, finish it.`;
      if (session === answered && agent === undefined) own.push(notice);
      else
        writes.push({
          stream: sessionStream(session, agent),
          events: [sessionEvent({ type: "notice.left", text: notice })],
        });
    }
  }
  return { writes, own };
}

/** One sentence for each open task that a todo stands for which was just finished. */
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

function quoted(text: Todo["text"]): string {
  return promptText(text, 80).replaceAll('"', "'");
}
