import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../test/sizes.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../core/todo/list.js";
import { scratchTables } from "../store/sqlite/memory-tables.js";
import type { ToolCall, ToolInput } from "./dialect.js";
import { DIALECTS } from "./registry.js";
import { speak } from "./speak.js";

/** Good calls of every dialect: what random input is made from, so that it gets past the first check. */
const GOOD = [
  {
    todos: [
      { content: "a", status: "in_progress", activeForm: "A" },
      { content: "b", status: "pending", activeForm: "B" },
    ],
  },
  { todos: [{ content: "a", status: "completed", id: "1", priority: "low" }] },
  { todos: [{ id: "a", content: "b", status: "pending", parent: "1" }, 1], merge: true },
  {
    explanation: "why",
    plan: [
      { step: "a", status: "completed" },
      { step: "b", status: "pending" },
    ],
  },
  { add: ["a", "b"] },
  { add: [{ text: "a", status: "in_progress", activeForm: "A" }, "b"] },
  { add: '[{"content":"b","status":"completed"}]', start: -1 },
  { done: 1, start: 2, note: "n", evidence: "e" },
  { drop: [1], order: [2, 1], show: true },
  { ops: [{ op: "init", list: [{ phase: "P", items: ["a", "b"] }] }] },
  { ops: '[{"op":"append","phase":"Q","items":["c","a"]},{"op":"start","task":"c"}]' },
  {
    ops: [
      { op: "note", task: "a", text: "n" },
      { op: "done", task: "a" },
      { op: "rm", phase: "P" },
    ],
  },
  { op: "init", list: [{ phase: "P", items: ["a", "b"] }] },
  { op: "block", task: "a", reason: "r" },
  { op: "append", phase: "Q", "items[0]": "c" },
  { todos: [{ content: "a", status: "in_progress", active_form: "A" }] },
  { todos: [{ content: "b", status: "completed", activeForm: "B", id: "b" }] },
  { markdown: "**m**", plan: [{ step: "a", status: "in_progress" }] },
  { markdown: "" },
  { todos: [{ content: "a", status: "cancelled", priority: "high" }] },
  { description: "d", query: "INSERT INTO todos (id, title) VALUES ('a', 'A'), ('b', 'B')" },
  { description: "d", query: "UPDATE todos SET status = 'done' WHERE id = 'a'; SELECT * FROM todos" },
  { description: "d", query: "INSERT INTO todo_deps VALUES ('a', 'b'); DELETE FROM todos" },
];
const openTables = await scratchTables();
const KEYS = [
  ...new Set(GOOD.flatMap(Object.keys)),
  "content",
  "status",
  "step",
  "activeForm",
  "active_form",
  "id",
  "op",
  "list",
  "task",
  "phase",
  "items",
  "text",
  "reason",
  "parent",
  "__proto__",
  "length",
  "toString",
  "valueOf",
  "toJSON",
  "constructor",
];

const anyKey = fc.oneof(fc.constantFrom(...KEYS), fc.string());
const anyValue = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<unknown>(
      "",
      "pending",
      "in_progress",
      "completed",
      "a",
      0,
      1,
      2,
      -1,
      Number.POSITIVE_INFINITY,
      Number.NaN,
      null,
      true,
      "[]",
      "[1]",
      '["a"]',
      "1-2",
      "all",
      "null",
      "rm",
      '[{"op":"done"}',
    ),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(anyKey, tie("value"), { maxKeys: 4, noNullPrototype: false }),
  ),
})).value;

/** A good call with a few characters broken. */
const brokenText = fc
  .tuple(fc.constantFrom(...GOOD), fc.nat(200), fc.nat(3), fc.string({ unit: "binary", maxLength: 3 }))
  .map(([call, at, cut, more]) => {
    const text = JSON.stringify(call);
    const start = at % (text.length + 1);
    return text.slice(0, start) + more + text.slice(start + cut);
  });

const anyInput: fc.Arbitrary<ToolInput> = fc.oneof(
  fc.record({ value: fc.oneof(anyValue, fc.constantFrom<unknown>(...GOOD), fc.anything()) }),
  fc.record({
    text: fc.oneof(
      brokenText,
      fc.string({ unit: "binary" }),
      fc.constantFrom(...GOOD).map((call) => JSON.stringify(call)),
    ),
  }),
);

describe.each(DIALECTS)("$name", (dialect) => {
  const tool = fc.oneof(
    { weight: 9, arbitrary: fc.constantFrom(...dialect.tools.map(({ name }) => name)) },
    fc.string(),
  );
  const anyCall: fc.Arbitrary<ToolCall> = fc.record(
    { tool, input: anyInput, mode: fc.constantFrom("default", "plan") },
    { requiredKeys: ["tool", "input"] },
  );

  test("no input makes it throw; it always answers; a refused call changes nothing", () => {
    fc.assert(
      fc.property(fc.array(anyCall, { maxLength: 6 }), (calls) => {
        let list: TodoList = EMPTY_LIST;
        for (const call of calls) {
          const spoken = speak(dialect, list, { ...call, openTables });
          expect(typeof spoken.answer.text).toBe("string");
          expect(() => JSON.stringify(spoken.answer)).not.toThrow();
          // A partial batch keeps what it could do, and so does a call that its original breaks off half-way.
          if (spoken.answer.isError && dialect.policy.batch === "atomic") expect(spoken.list).toBe(list);
          expect(() => JSON.stringify(dialect.show(spoken.list))).not.toThrow();
          const numbers = todosOf(spoken.list).map(({ number }) => number);
          expect(new Set(numbers).size).toBe(numbers.length);
          list = spoken.list;
        }
      }),
      { numRuns: sized(350, 10_000) },
    );
  });

  test("its definition is plain data with every hint set", () => {
    for (const definition of dialect.tools) {
      expect(JSON.parse(JSON.stringify(definition))).toEqual(definition);
      expect(Object.values(definition.annotations)).toHaveLength(4);
      expect(definition.annotations).toMatchObject({ destructiveHint: false, openWorldHint: false });
    }
    expect(JSON.parse(JSON.stringify(dialect.policy))).toEqual(dialect.policy);
  });
});
