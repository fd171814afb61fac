import fc from "fast-check";
import type { NewTodo, Rewrite, Target, Targets, TodoCommand, TodoEdit } from "../src/core/todo/command.js";
import { PRIORITIES, TODO_STATUSES } from "../src/core/todo/list.js";
import type { TodoPolicy } from "../src/core/todo/policy.js";

/** Weights matter: a history of refused commands proves nothing, so most of a random command fits a small list. */
const often = <T>(arbitrary: fc.Arbitrary<T>) => ({ weight: 12, arbitrary });

const text = fc.oneof(
  often(fc.constantFrom("a", "b", "c", "run tests", "run all tests")),
  fc.constantFrom("", "  "),
  fc.string({ unit: "binary" }),
);
const status = fc.constantFrom(...TODO_STATUSES);
const target: fc.Arbitrary<Target> = fc.oneof(
  often(fc.record({ number: fc.integer({ min: 1, max: 5 }) })),
  fc.record({ number: fc.integer({ min: 0, max: 20 }) }),
  fc.record({ text }),
  fc.record({ key: fc.constantFrom("k1", "k2") }),
);
const phaseName = fc.constantFrom("", "p", "q");
const targets: fc.Arbitrary<Targets> = fc.oneof(
  often(target),
  fc.record({ phase: phaseName }),
  fc.record({ all: fc.constant(true) }),
);

const plainTodo: fc.Arbitrary<NewTodo> = fc.record({ text, status }, { requiredKeys: ["text"] });
const fullTodo: fc.Arbitrary<NewTodo> = fc.record(
  {
    text,
    status,
    activeForm: text,
    priority: fc.constantFrom(...PRIORITIES),
    parent: target,
    key: fc.constantFrom("k1", "k2"),
    notes: fc.array(text, { maxLength: 2 }),
    number: fc.integer({ min: 1, max: 5 }),
  },
  { requiredKeys: ["text"] },
);
const todos = fc.array(fc.oneof({ weight: 4, arbitrary: plainTodo }, fullTodo), { minLength: 1, maxLength: 4 });

const type = <Name extends string>(name: Name) => fc.constant(name);
const details = fc.record(
  {
    activeForm: fc.option(text),
    priority: fc.option(fc.constantFrom(...PRIORITIES)),
    parent: fc.option(fc.integer({ min: 1, max: 5 })),
  },
  { requiredKeys: [] },
);

const rewrite: fc.Arbitrary<Rewrite> = fc.record(
  {
    type: type("replace"),
    explanation: text,
    phases: fc.array(fc.record({ name: phaseName, todos }), { maxLength: 3 }),
  },
  { requiredKeys: ["type", "phases"] },
);

const edit: fc.Arbitrary<TodoEdit> = fc.oneof(
  rewrite,
  { weight: 3, arbitrary: fc.record({ type: type("add"), todos }) },
  fc.record({ type: type("add"), todos, phase: fc.constantFrom("p", "q") }),
  { weight: 6, arbitrary: fc.record({ type: type("move"), target: targets, to: status }) },
  fc.record({ type: type("move"), target: targets, to: status, evidence: fc.record({ text }) }),
  fc.record({ type: type("rename"), target, text }),
  { weight: 2, arbitrary: fc.record({ type: type("detail"), target, details }) },
  fc.record({ type: type("note"), target, text }),
  fc.record({ type: type("order"), targets: fc.array(target, { maxLength: 4 }) }),
  { weight: 2, arbitrary: fc.record({ type: type("remove"), target: targets }) },
  fc.record({ type: type("clear") }),
);

const edits: fc.Arbitrary<TodoCommand> = fc.record(
  { type: type("edit"), edits: fc.array(edit, { minLength: 1, maxLength: 3 }), advance: fc.boolean() },
  { requiredKeys: ["type", "edits"] },
);

export const command: fc.Arbitrary<TodoCommand> = fc.oneof(rewrite, { weight: 4, arbitrary: edits });

const limit = (min: number, max: number) => fc.oneof(often(fc.constant(null)), fc.integer({ min, max }));

/** Every policy there can be, not only those in use. */
export const policy: fc.Arbitrary<TodoPolicy> = fc.record({
  focus: fc.constantFrom("reject", "reject-new", "demote", "allow"),
  promote: fc.constantFrom("never", "on-close", "always"),
  batch: fc.constantFrom("atomic", "partial"),
  clearWhenDone: fc.constantFrom("never", "now", "on-add"),
  duplicates: fc.constantFrom("allow", "refuse"),
  revision: fc.constantFrom("on-change", "every-write"),
  scope: fc.constantFrom("session", "agent", "main"),
  limits: fc.record({
    todos: limit(1, 8),
    notes: limit(1, 3),
    codePoints: limit(3, 20),
    bytes: limit(3, 40),
    emptyText: fc.constantFrom("refuse", "refuse-white-space", "allow"),
  }),
});
