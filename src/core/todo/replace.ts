import type { NewPhase, NewTodo, TodoCommand, TodoError } from "./command.js";
import { draftTodos } from "./draft.js";
import type { PhaseOrder, TodoDetails } from "./events.js";
import { checkTodo } from "./limits.js";
import type { Todo } from "./list.js";
import { matchTodos } from "./match.js";
import { linkParent } from "./parent.js";
import { addTodo, findTodo, moveTodo, record, removeTodo, type Write } from "./write.js";

/** Turns "the list should be this" into the smallest set of changes that makes it so. */
export function replaceList(write: Write, command: Extract<TodoCommand, { type: "replace" }>): TodoError | undefined {
  const wanted = command.phases.flatMap((phase) => phase.todos);
  for (const [index, todo] of wanted.entries()) {
    const refused = checkTodo(write.policy.limits, todo, index);
    if (refused) return refused;
  }
  if (wanted.length === 0 && write.draft.todos.size > 0) record(write, { type: "list.cleared" });
  explain(write, command.explanation);

  const current = draftTodos(write.draft);
  const matches = matchTodos(current, wanted);
  const kept = new Set(matches);
  for (const todo of current) if (!kept.has(todo)) removeTodo(write, todo);
  const order = putTodos(write, command.phases, matches);
  if (!isSameOrder(write.draft.phases, order)) record(write, { type: "list.ordered", phases: order });
  return linkParents(write, wanted, order);
}

function explain(write: Write, explanation: string | undefined): void {
  if (explanation === write.draft.explanation) return;
  record(write, { type: "list.explained", explanation: explanation ?? null });
}

/** Updates the todos that stay, adds the new ones, and answers with the order the list should have. */
function putTodos(write: Write, phases: readonly NewPhase[], matches: readonly (Todo | undefined)[]): PhaseOrder[] {
  let next = 0;
  return phases.map((phase, at) => {
    const opened = write.draft.phases.length;
    if (opened <= at) record(write, { type: "phase.opened", name: phase.name });
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
  const details = changedDetails(old, todo);
  if (details) record(write, { type: "todo.detailed", number, ...details });
  moveTodo(write, old, todo.status ?? old.status);
  return number;
}

function changedDetails(old: Todo, todo: NewTodo): TodoDetails | undefined {
  const details: { -readonly [Field in keyof TodoDetails]: TodoDetails[Field] } = {};
  // A dialect without active forms or priorities must not take away what another one wrote.
  if (todo.activeForm !== undefined && todo.activeForm !== old.activeForm) details.activeForm = todo.activeForm;
  if (todo.priority !== undefined && todo.priority !== old.priority) details.priority = todo.priority;
  if (todo.key !== undefined && todo.key !== old.key) details.key = todo.key;
  return Object.keys(details).length > 0 ? details : undefined;
}

function linkParents(write: Write, wanted: readonly NewTodo[], order: readonly PhaseOrder[]): TodoError | undefined {
  const numbers = order.flatMap((phase) => phase.numbers);
  for (const [index, todo] of wanted.entries()) {
    const child = todo.parent && findTodo(write.draft, { number: numbers[index] ?? 0 });
    const refused = child && todo.parent && linkParent(write, child, todo.parent);
    if (refused) return refused;
  }
  return undefined;
}

function isSameOrder(before: readonly PhaseOrder[], after: readonly PhaseOrder[]): boolean {
  return (
    before.length === after.length &&
    before.every((phase, at) => {
      const other = after[at];
      return (
        other !== undefined &&
        phase.name === other.name &&
        phase.numbers.length === other.numbers.length &&
        phase.numbers.every((number, place) => number === other.numbers[place])
      );
    })
  );
}
