import type { NewPhase, NewTodo, Rewrite, TodoError } from "./command.js";
import { draftTodos } from "./draft.js";
import type { PhaseOrder } from "./events.js";
import { checkCount, checkTodo } from "./limits.js";
import type { Todo } from "./list.js";
import { matchTodos } from "./match-todos.js";
import {
  addTodo,
  detailTodo,
  findTodo,
  linkParent,
  moveTodo,
  orderList,
  record,
  removeTodos,
  type Write,
} from "./write.js";

/** Turns "the list should be this" into the smallest set of changes that makes it so. */
export function replaceList(write: Write, command: Rewrite): TodoError | undefined {
  const wanted = command.phases.flatMap((phase) => phase.todos);
  const refused = checkWanted(write, wanted);
  if (refused) return refused;
  if (wanted.length === 0 && write.draft.todos.size > 0) record(write, { type: "list.cleared" });
  const { explanation } = command;
  if (explanation !== write.draft.explanation)
    record(write, { type: "list.explained", explanation: explanation ?? null });

  const current = draftTodos(write.draft);
  const matches = matchTodos(current, wanted);
  const kept = new Set(matches);
  const gone = current.filter((todo) => !kept.has(todo));
  removeTodos(write, gone);
  const order = putTodos(write, command.phases, matches);
  orderList(write, order);
  return linkParents(write, wanted, order);
}

function checkWanted({ policy }: Write, wanted: readonly NewTodo[]): TodoError | undefined {
  const tooMany = checkCount(policy.limits, wanted.length);
  if (tooMany) return tooMany;
  for (const [index, todo] of wanted.entries()) {
    const refused = checkTodo(policy.limits, todo, index);
    if (refused) return refused;
  }
  return undefined;
}

/** Updates the todos that stay, adds the new ones, and answers with the order the list should have. */
function putTodos(write: Write, phases: readonly NewPhase[], matches: readonly (Todo | undefined)[]): PhaseOrder[] {
  let next = 0;
  return phases.map((phase, at) => {
    if (write.draft.phases.length <= at) record(write, { type: "phase.opened", name: phase.name });
    const numbers = phase.todos.map((todo) => {
      const match = matches[next++];
      return match ? continueTodo(write, match, todo) : addTodo(write, todo, at);
    });
    return { name: phase.name, numbers };
  });
}

function continueTodo(write: Write, old: Todo, todo: NewTodo): number {
  const { number } = old;
  if (old.text !== todo.text) record(write, { type: "todo.renamed", number, from: old.text, to: todo.text });
  detailTodo(write, old, todo);
  moveTodo(write, old, todo.status ?? old.status);
  return number;
}

/** Old links that change go first: a list may be turned upside down without passing through a circle. */
function linkParents(write: Write, wanted: readonly NewTodo[], order: readonly PhaseOrder[]): TodoError | undefined {
  if (!wanted.some(({ parent }) => parent !== undefined)) return undefined;
  const numbers = order.flatMap((phase) => phase.numbers);
  const links = wanted.flatMap(({ parent }, index) => {
    const child = write.draft.todos.get(numbers[index] ?? 0);
    return parent === undefined || !child ? [] : [{ child, parent }];
  });
  for (const { child, parent } of links) {
    const stays = parent !== null && findTodo(write.draft, parent)?.number === child.parent;
    if (child.parent !== undefined && !stays)
      record(write, { type: "todo.detailed", number: child.number, parent: null });
  }
  for (const { child, parent } of links) {
    const refused = parent === null ? undefined : linkParent(write, child.number, parent);
    if (refused) return refused;
  }
  return undefined;
}
