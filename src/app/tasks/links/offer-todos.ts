import { isOpen, todosOf } from "../../../core/todo/list.js";
import { milepost } from "../../../dialects/milepost/todo-tool.js";
import type { EventStore } from "../../../store/event-store.js";
import { sessionStream } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import { personOf } from "../../session/person-name.js";
import { editList } from "../../todo/person-edit.js";
import { reportTodo, type TodoReport } from "../../todo/todo-report.js";
import { storedJudge } from "../../todo/todo-work.js";
import { LISTS } from "../../views.js";
import type { TodoReference } from "../task-report.js";

export interface OfferedTodo extends TodoReport, Pick<TodoReference, "session" | "subAgent"> {
  readonly finished: boolean;
}

/** After a task is done: asks whether its linked todos are done too. With `yes` nobody is asked. */
export async function offerTodos(
  context: CommandContext,
  links: readonly TodoReference[],
  { yes, as }: { readonly yes: boolean; readonly as: string | undefined },
): Promise<readonly OfferedTodo[]> {
  const offered: OfferedTodo[] = [];
  if (links.length === 0) return offered;
  const { store } = await context.open("write");
  const person = personOf(as);
  for (const link of links) {
    const todo = await linkedTodo(store, link);
    if (!todo || !isOpen(todo)) continue;
    const question = `Todo ${link.todo} of ${link.session} is linked to it: ${todo.text}. Complete it too?`;
    const isMeant = yes || (await context.confirm(question)) === true;
    const finished = isMeant && person.ok && (await finish(store, link, person.value));
    const { session, subAgent } = link;
    offered.push({ session, subAgent, ...((finished && (await linkedTodo(store, link))) || todo), finished });
  }
  return offered;
}

async function linkedTodo(store: EventStore, link: TodoReference): Promise<TodoReport | undefined> {
  const place = { session: link.session, agent: link.subAgent ?? undefined };
  const list = await store.view(LISTS, sessionStream(place.session, place.agent));
  const todo = todosOf(list).find(({ number }) => number === link.todo);
  return todo && reportTodo(todo, await storedJudge(store, list, place));
}

async function finish(store: EventStore, { session, subAgent, todo }: TodoReference, by: string): Promise<boolean> {
  const done = await editList(store, { stream: sessionStream(session, subAgent ?? undefined), by }, () => ({
    plan: undefined,
    edit: {
      action: `milepost task done, and with it todo ${todo}`,
      command: { type: "edit", edits: [{ type: "move", target: { number: todo }, to: "completed" }] },
      policy: milepost.policy,
    },
  }));
  return done.ok && done.value.isChanged;
}
