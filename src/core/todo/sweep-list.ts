import { draftOrder } from "./draft.js";
import type { TodoEvent } from "./events.js";
import { isOpen, type TodoList, todosOf } from "./list.js";
import { WHOLE_LIST } from "./policy.js";
import { beginWrite, record, removeTodos } from "./write.js";

/** Takes closed todos off a list, and then every phase that has none. Open ones stay, whatever is asked. */
export function sweepList(list: TodoList, isDue: (number: number) => boolean): readonly TodoEvent[] {
  const due = todosOf(list).filter((todo) => !isOpen(todo) && isDue(todo.number));
  if (due.length === 0) return [];
  const write = beginWrite(list, { type: "edit", edits: [] }, WHOLE_LIST);
  removeTodos(write, due);
  const order = draftOrder(write.draft);
  const phases = order.filter(({ numbers }) => numbers.length > 0);
  if (phases.length < order.length) record(write, { type: "list.ordered", phases });
  return write.events;
}
