import { count, fields, list, maybe, oneOf, type Shape, text } from "../shape.js";
import type { TodoEvent } from "./events.js";
import { PRIORITIES, TODO_STATUSES, type TodoList } from "./list.js";

const status = oneOf(TODO_STATUSES);
const priority = oneOf(PRIORITIES);

const details = {
  activeForm: maybe(text),
  priority: maybe(priority),
  parent: maybe(count),
  key: maybe(text),
  notes: maybe(list(text)),
};

const evidence = fields({ text, call: maybe(text), by: maybe(text) });

/** What each event needs before a fold may see it. A compile error here means: a new event has no check yet. */
const SHAPES: Readonly<Record<TodoEvent["type"], Shape>> = {
  "list.cleared": fields({}),
  "list.explained": fields({ explanation: maybe(text) }),
  "list.ordered": fields({ phases: list(fields({ name: text, numbers: list(count) })) }),
  "phase.opened": fields({ name: text }),
  "todo.added": fields({ number: count, phase: count, text, status, ...details }),
  "todo.moved": fields({ number: count, from: status, to: status }),
  "todo.renamed": fields({ number: count, from: text, to: text }),
  "todo.detailed": fields({ number: count, ...details }),
  "todo.noted": fields({ number: count, text }),
  "todo.evidenced": fields({ number: count, evidence }),
  "todo.removed": fields({ number: count, text, status }),
};

/** Undefined for what this version does not know: a newer one may have written it, and a file may say anything. */
export function readTodoEvent(type: string, data: object): TodoEvent | undefined {
  const shape = Object.hasOwn(SHAPES, type) ? SHAPES[type as TodoEvent["type"]] : undefined;
  const hasRevision = count((data as { readonly revision?: unknown }).revision);
  return shape?.(data) && hasRevision ? ({ ...data, type } as TodoEvent) : undefined;
}

const todo = fields({ number: count, text, status, evidence: list(evidence), ...details, notes: list(text) });
const LIST = fields({
  revision: count,
  nextNumber: count,
  explanation: maybe(text),
  phases: list(fields({ name: text, todos: list(todo) })),
});

export function isTodoList(value: unknown): value is TodoList {
  return LIST(value);
}
