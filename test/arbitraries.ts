import fc from "fast-check";
import type { NewTodo, Target, TodoCommand, TodoEdit } from "../src/core/todo/command.js";
import { PRIORITIES, TODO_STATUSES } from "../src/core/todo/list.js";
import type { TodoPolicy } from "../src/core/todo/policy.js";

/** Few different texts and numbers, so that commands meet each other's todos. */
const text = fc.oneof(fc.constantFrom("a", "b", "run tests", "run all tests", "", "  "), fc.string({ unit: "binary" }));
const status = fc.constantFrom(...TODO_STATUSES);
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ number: fc.integer({ min: 0, max: 12 }) }) },
  fc.record({ text }),
  fc.record({ key: fc.constantFrom("k1", "k2") }),
);

const newTodo: fc.Arbitrary<NewTodo> = fc.record(
  {
    text,
    status,
    activeForm: text,
    priority: fc.constantFrom(...PRIORITIES),
    parent: target,
    key: fc.constantFrom("k1", "k2"),
  },
  { requiredKeys: ["text"] },
);
const todos = fc.array(newTodo, { maxLength: 5 });

const edit: fc.Arbitrary<TodoEdit> = fc.oneof(
  fc.record(
    { type: fc.constant("add" as const), todos, phase: fc.constantFrom("p", "q") },
    { requiredKeys: ["type", "todos"] },
  ),
  fc.record(
    { type: fc.constant("move" as const), target, to: status, evidence: fc.record({ text }) },
    { requiredKeys: ["type", "target", "to"] },
  ),
  fc.record({ type: fc.constant("rename" as const), target, text }),
  fc.record({
    type: fc.constant("detail" as const),
    target,
    details: fc.record(
      {
        activeForm: fc.option(text),
        priority: fc.option(fc.constantFrom(...PRIORITIES)),
        parent: fc.option(fc.integer({ min: 0, max: 12 })),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({ type: fc.constant("note" as const), target, text }),
  fc.record({ type: fc.constant("order" as const), targets: fc.array(target, { maxLength: 4 }) }),
  fc.record({ type: fc.constant("remove" as const), target }),
  fc.record({ type: fc.constant("clear" as const) }),
);

export const command: fc.Arbitrary<TodoCommand> = fc.oneof(
  fc.record(
    {
      type: fc.constant("replace" as const),
      explanation: text,
      phases: fc.array(fc.record({ name: fc.constantFrom("", "p", "q"), todos }), { maxLength: 3 }),
    },
    { requiredKeys: ["type", "phases"] },
  ),
  {
    weight: 3,
    arbitrary: fc.record(
      { type: fc.constant("edit" as const), edits: fc.array(edit, { maxLength: 5 }), advance: fc.boolean() },
      { requiredKeys: ["type", "edits"] },
    ),
  },
);

const limit = (max: number) => fc.option(fc.integer({ min: 1, max }), { nil: null });

/** Every policy there can be, not only those in use. */
export const policy: fc.Arbitrary<TodoPolicy> = fc.record({
  focus: fc.constantFrom("reject", "demote", "allow"),
  promote: fc.constantFrom("never", "on-close", "always"),
  batch: fc.constantFrom("atomic", "partial"),
  clearWhenDone: fc.constantFrom("never", "now", "on-add"),
  scope: fc.constantFrom("session", "agent"),
  limits: fc.record({
    todos: limit(8),
    notes: limit(3),
    codePoints: limit(20),
    bytes: limit(40),
    emptyText: fc.constantFrom("refuse", "allow"),
  }),
});
