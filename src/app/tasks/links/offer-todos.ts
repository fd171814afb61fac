import type { TodoLink } from "../../../core/task/task.js";
import { isOpen, todosOf } from "../../../core/todo/list.js";
import { milepost } from "../../../dialects/milepost/todo-tool.js";
import type { EventStore } from "../../../store/event-store.js";
import { sessionStream } from "../../../store/stream.js";
import type { CommandContext } from "../../command-definition.js";
import { editList, personOf } from "../../todo/person-edit.js";
import { LISTS } from "../../views.js";

export interface OfferedTodo extends TodoLink {
  readonly text: string;
  readonly finished: boolean;
}

/** After a task is done: asks whether its linked todos are done too. With `yes` nobody is asked. */
export async function offerTodos(
  context: CommandContext,
  links: readonly TodoLink[],
  { yes, as }: { readonly yes: boolean; readonly as: string | undefined },
): Promise<readonly OfferedTodo[]> {
  const offered: OfferedTodo[] = [];
  if (links.length === 0) return offered;
  const { store } = await context.open("write");
  const person = personOf(as);
  for (const link of links) {
    const list = await store.view(LISTS, sessionStream(link.session, link.agent));
    const todo = todosOf(list).find(({ number }) => number === link.todo);
    if (!todo || !isOpen(todo)) continue;
    const question = `Todo ${link.todo} of ${link.session} is linked to it: ${todo.text}. Complete it too?`;
    const isMeant = yes || (await context.confirm(question)) === true;
    const finished = isMeant && person.ok && (await finish(store, link, person.value));
    offered.push({ ...link, text: todo.text, finished });
  }
  return offered;
}

async function finish(store: EventStore, { session, agent, todo }: TodoLink, by: string): Promise<boolean> {
  const done = await editList(store, { stream: sessionStream(session, agent), by }, () => ({
    plan: undefined,
    edit: {
      action: `milepost task done, and with it todo ${todo}`,
      command: { type: "edit", edits: [{ type: "move", target: { number: todo }, to: "completed" }] },
      policy: milepost.policy,
    },
  }));
  return done.ok && done.value.isChanged;
}
