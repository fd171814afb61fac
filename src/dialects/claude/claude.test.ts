import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { sized } from "../../../test/sizes.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { codex } from "../codex/codex.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { claude } from "./claude.js";
import { CLAUDE_STATUSES, findIssues } from "./todo-input.js";

const write = (input: unknown, list: TodoList = EMPTY_LIST) =>
  speak(claude, list, { tool: "TodoWrite", input: { value: input } });
const item = (content: string, status = "pending") => ({ content, status, activeForm: `Doing ${content}` });

// The many texts of refused calls are in test/vectors; here are the rules that vectors do not show.
describe("claude", () => {
  test("our issue list is zod's own, whatever the items are", () => {
    const schema = z.object({
      todos: z.array(
        z.object({
          content: z.string().min(1, "Content cannot be empty"),
          status: z.enum(CLAUDE_STATUSES),
          activeForm: z.string().min(1, "Active form cannot be empty"),
        }),
      ),
    });
    const value = fc.oneof(fc.constantFrom("", "x", null, 0, true, "pending", "done"), fc.jsonValue({ maxDepth: 2 }));
    const items = fc.record({ content: value, status: value, activeForm: value }, { requiredKeys: [] });
    const todos = fc.oneof(fc.array(fc.oneof(items, value)), value);
    fc.assert(
      fc.property(fc.record({ todos }, { requiredKeys: [] }), (input) => {
        expect(findIssues(input, true)).toEqual(schema.safeParse(input).error?.issues ?? []);
      }),
      { numRuns: sized(500, 10_000) },
    );
  });

  test("an older call, with ids and without active forms, is taken as it was meant", () => {
    const older = [{ content: "a", status: "in_progress", id: "1", priority: "high" }];
    const first = write({ todos: older });
    expect(first.answer).toMatchObject({ isError: false, data: { oldTodos: [], newTodos: older } });
    expect(write({ todos: [{ ...older[0], content: "b" }] }, first.list).answer.data).toMatchObject({
      oldTodos: older,
    });
    const newer = write({ todos: [item("a")] });
    const mixed = write({ todos: older }, newer.list);
    expect(write({ todos: [] }, mixed.list).answer.data).toMatchObject({ oldTodos: older });
  });

  // The older definition asked for an `id` of type string, and nothing compared the ids with each other.
  test.each<[string, ids: string[]]>([
    ["two that are equal", ["1", "1"]],
    ["all equal, and empty", ["", "", ""]],
    ["one that occurs again later", ["1", "2", "1"]],
  ])("ids of an older call, %s: every todo is taken and shown again with its own", (_name, ids) => {
    const older = ids.map((id, at) => ({ content: `t${at}`, status: "pending", priority: "low", id }));
    const first = write({ todos: older });
    expect(first.answer).toMatchObject({ isError: false, data: { oldTodos: [], newTodos: older } });
    expect(first.answer.text).toMatch(/^Todos have been modified successfully/);
    const turned = write({ todos: older.toReversed() }, first.list);
    expect(turned.answer.data).toEqual({ oldTodos: older, newTodos: older.toReversed() });
    // They are told apart by their texts, so notes and numbers stay with the right ones.
    const numbers = ids.map((_, at) => at + 1);
    expect(todosOf(turned.list).map(({ number }) => number)).toEqual(numbers.toReversed());
  });

  test("a finished list is emptied, though the answer still shows it", () => {
    const { list, answer } = write({ todos: [item("a", "completed")] });
    expect(answer.data).toEqual({ oldTodos: [], newTodos: [item("a", "completed")] });
    expect(list.phases).toEqual([]);
    expect(write({ todos: [item("b")] }, list).answer.data).toMatchObject({ oldTodos: [] });
  });

  test("what one call writes is what the next one reads", () => {
    const items = fc.array(
      fc.record({
        content: fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ unit: "binary", minLength: 1 })),
        status: fc.constantFrom(...CLAUDE_STATUSES),
        activeForm: fc.string({ unit: "binary", minLength: 1 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(items, { maxLength: 6 }), (writes) => {
        let list = EMPTY_LIST;
        let expected: readonly unknown[] = [];
        for (const todos of writes) {
          const spoken = write({ todos }, list);
          expect(spoken.answer.data).toEqual({ oldTodos: expected, newTodos: todos });
          expected = todos.every(({ status }) => status === "completed") ? [] : todos;
          list = spoken.list;
        }
      }),
      { numRuns: sized(125, 2500) },
    );
  });

  test("a list that others wrote is shown in this dialect's words", () => {
    const plan = {
      plan: [
        { step: "a", status: "in_progress" },
        { step: "b", status: "pending" },
      ],
    };
    const byCodex = speak(codex, EMPTY_LIST, { tool: "update_plan", input: { value: plan } });
    const dropped = speak(milepost, byCodex.list, { tool: "todo", input: { value: { drop: [2] } } });
    expect(write({ todos: [] }, dropped.list).answer.data).toMatchObject({
      oldTodos: [{ content: "a", status: "in_progress", activeForm: "a" }],
    });
  });

  test("another tool is not available", () => {
    const { answer } = speak(claude, EMPTY_LIST, { tool: "TodoRead", input: { value: {} } });
    expect(answer).toEqual({
      isError: true,
      text: "<tool_use_error>Error: No such tool available: TodoRead</tool_use_error>",
    });
  });

  test("plan mode does not matter", () => {
    const call = { tool: "TodoWrite", input: { value: { todos: [item("a")] } }, mode: "plan" } as const;
    expect(speak(claude, EMPTY_LIST, call).answer.isError).toBe(false);
  });
});
