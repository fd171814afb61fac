import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import { claude } from "../claude/claude.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { nexo, nexoStrict } from "./nexo.js";

const call = (value: unknown) => ({ tool: "TodoWrite", input: { value } });
const write = (value: unknown, list: TodoList = EMPTY_LIST) => speak(nexo, list, call(value));
const item = (content: string, status = "pending", activeForm = `Doing ${content}`) => ({
  content,
  status,
  activeForm,
});
const stored = (content: string, status = "pending", active_form = `Doing ${content}`) => ({
  active_form,
  content,
  status,
});
const many = (count: number) => Array.from({ length: count }, (_, index) => item(`c${index}`));

describe("nexo refuses", () => {
  const noTodos = "TodoWrite requires `todos` (array)";
  const noContent = "todo[0]: missing string `content`";
  const noStatus = "todo[0]: missing string `status`";
  const noForm = "todo[0]: missing string `activeForm` (or `active_form`)";
  const unknown = (status: string) => `todo[0]: unknown status \`${status}\` (expected pending|in_progress|completed)`;

  test.each<[string, unknown, string]>([
    ["no arguments", null, noTodos],
    ["arguments that are a list", [item("a")], noTodos],
    ["arguments that are a text", "todos", noTodos],
    ["no todos", {}, noTodos],
    ["todos that are only inherited", { ["__proto__"]: { todos: [] } }, noTodos],
    ["todos in a text", { todos: "[]" }, noTodos],
    ["todos in an object", { todos: {} }, noTodos],
    ["an item that is a text", { todos: ["a"] }, noContent],
    ["an item that is null", { todos: [null] }, noContent],
    ["an item that is a list", { todos: [["content"]] }, noContent],
    ["no content, before a wrong status", { todos: [{ status: "x" }] }, noContent],
    ["content that is null", { todos: [{ ...item("a"), content: null }] }, noContent],
    ["no status, before no active form", { todos: [{ content: "a" }] }, noStatus],
    ["a status that is a number", { todos: [{ ...item("a"), status: 1 }] }, noStatus],
    ["an unknown status, before no active form", { todos: [{ content: "a", status: "done" }] }, unknown("done")],
    ["a status with a blank", { todos: [item("a", "pending ")] }, unknown("pending ")],
    ["a status in capitals", { todos: [item("a", "PENDING")] }, unknown("PENDING")],
    ["an empty status", { todos: [item("a", "")] }, unknown("")],
    ["no active form", { todos: [{ content: "a", status: "pending" }] }, noForm],
    ["null, which hides the other spelling", { todos: [{ ...item("a"), activeForm: null, active_form: "A" }] }, noForm],
    ["a number, which hides it too", { todos: [{ ...item("a"), activeForm: 7, active_form: "A" }] }, noForm],
    ["the other spelling with a number", { todos: [{ content: "a", status: "pending", active_form: 7 }] }, noForm],
    ["51 todos", { todos: many(51) }, "too many todo items: 51 > max 50. Consolidate the list."],
    ["a bad 52nd item before the count", { todos: [...many(51), {}] }, "todo[51]: missing string `content`"],
    [
      "the count before a blank item",
      { todos: [item(""), ...many(50)] },
      "too many todo items: 51 > max 50. Consolidate the list.",
    ],
    ["empty content", { todos: [item("", "pending", "")] }, "todo item #0: `content` is empty"],
    ["white space that JavaScript does not trim", { todos: [item("\u0085")] }, "todo item #0: `content` is empty"],
    ["a blank active form", { todos: [item("a", "pending", " \u3000")] }, "todo item #0: `active_form` is empty"],
    [
      "an empty form that hides a good one",
      { todos: [{ ...item("a"), activeForm: "", active_form: "A" }] },
      "todo item #0: `active_form` is empty",
    ],
    [
      "a blank form before long content",
      { todos: [item("x".repeat(201), "pending", " ")] },
      "todo item #0: `active_form` is empty",
    ],
    ["201 bytes", { todos: [item("x".repeat(201))] }, "todo item #0: `content` is 201 bytes (max 200)"],
    [
      "blanks around it count",
      { todos: [item(` ${"é".repeat(100)}`)] },
      "todo item #0: `content` is 201 bytes (max 200)",
    ],
    [
      "long content before a long form",
      { todos: [item("😀".repeat(51), "pending", "x".repeat(300))] },
      "todo item #0: `content` is 204 bytes (max 200)",
    ],
    [
      "a long active form",
      { todos: [item("a"), item("b", "pending", "x".repeat(201))] },
      "todo item #1: `active_form` is 201 bytes (max 200)",
    ],
    [
      "item 0's length before item 1's blank",
      { todos: [item("x".repeat(201)), item(" ")] },
      "todo item #0: `content` is 201 bytes (max 200)",
    ],
  ])("%s", (_name, input, error) => {
    const { list } = write({ todos: [item("kept")] });
    const refused = write(input, list);
    expect(refused.answer).toEqual({ text: `error: ${error}`, isError: true, data: { error } });
    expect(refused.list).toBe(list);
  });

  test("another tool, before any handler: no `error: ` in front", () => {
    const other = { ...call({ todos: [] }), tool: "TodoRead" };
    for (const dialect of [nexo, nexoStrict])
      expect(speak(dialect, EMPTY_LIST, other).answer).toMatchObject({ text: "unknown tool: TodoRead", isError: true });
  });

  test("a text that is no JSON", () => {
    const broken = { tool: "TodoWrite", input: { text: '{"todos":[' } };
    expect(speak(nexo, EMPTY_LIST, broken).answer.text).toBe("error: TodoWrite requires `todos` (array)");
  });
});

describe("nexo takes", () => {
  test.each<[string, object[], object[]]>([
    ["nothing", [], []],
    [
      "50 todos, all in progress",
      many(50).map((one) => ({ ...one, status: "in_progress" })),
      many(50).map(({ content }) => stored(content, "in_progress")),
    ],
    ["the other spelling", [{ content: "a", status: "pending", active_form: "A" }], [stored("a", "pending", "A")]],
    ["both, and then the first", [{ ...item("a"), active_form: "B" }], [stored("a")]],
    ["unknown keys, dropped", [{ ...item("a"), id: 1, priority: "high" }], [stored("a")]],
    ["equal todos", [item("a"), item("a")], [stored("a"), stored("a")]],
    [
      "what only JavaScript calls blank",
      [item("\ufeff", "pending", "\u200b")],
      [stored("\ufeff", "pending", "\u200b")],
    ],
    [
      "200 bytes",
      [item("é".repeat(100), "pending", "😀".repeat(50))],
      [stored("é".repeat(100), "pending", "😀".repeat(50))],
    ],
    ["blanks around a text", [item(" a ", "pending", " A ")], [stored(" a ", "pending", " A ")]],
  ])("%s", (_name, todos, expected) => {
    const { answer, list } = write({ todos, merge: true });
    expect(answer.data).toMatchObject({ new_todos: expected, old_todos: [], wiped_on_all_completed: false });
    expect(nexo.show(list)).toEqual(expected);
  });

  test("and answers in compact JSON with its keys in order", () => {
    expect(write({ todos: [item("a\n\u0001\u2028", "in_progress", "A")] }).answer.text).toBe(
      '{"in_progress_count":1,"instructions":"Todos updated. Keep exactly one item `in_progress` at a time. Mark completed IMMEDIATELY after finishing each task; do not batch completions.","new_todos":[{"active_form":"A","content":"a\\n\\u0001\u2028","status":"in_progress"}],"old_todos":[],"wiped_on_all_completed":false}',
    );
  });

  test("a finished list is emptied, though the answer still shows it; an empty call is no such wipe", () => {
    const done = [item("a", "completed"), item("b", "completed")];
    const { answer, list } = write({ todos: done }, write({ todos: [item("a")] }).list);
    expect(answer.data).toMatchObject({
      new_todos: [stored("a", "completed"), stored("b", "completed")],
      old_todos: [stored("a")],
      wiped_on_all_completed: true,
    });
    expect(nexo.show(list)).toEqual([]);
    expect(write({ todos: [] }, list).answer.data).toMatchObject({ old_todos: [], wiped_on_all_completed: false });
  });

  test("a call in plan mode, and keeps one list for all agents of a session", () => {
    expect(speak(nexo, EMPTY_LIST, { ...call({ todos: [] }), mode: "plan" }).answer.isError).toBe(false);
    expect(nexo.policy.scope).toBe("session");
  });

  test("a list that others wrote: no cancelled todo, and the text where there is no active form", () => {
    const added = speak(milepost, EMPTY_LIST, { tool: "todo", input: { value: { add: ["a", "b"] } } });
    const dropped = speak(milepost, added.list, { tool: "todo", input: { value: { drop: 2 } } });
    expect(nexo.show(dropped.list)).toEqual([stored("a", "in_progress", "a")]);
    const other = speak(claude, EMPTY_LIST, call({ todos: [item("c", "pending", "C")] }));
    expect(write({ todos: [] }, other.list).answer.data).toMatchObject({ old_todos: [stored("c", "pending", "C")] });
  });
});

describe("nexo/strict", () => {
  test.each<[string, unknown, string]>([
    [
      "`active_form` alone",
      { todos: [{ content: "a", status: "pending", active_form: "A" }] },
      'at /todos/0: "activeForm" is a required property',
    ],
    ["no todos", {}, 'at : "todos" is a required property'],
    ["no object", [], 'at : [] is not of type "object"'],
    ["null", { todos: null }, 'at /todos: null is not of type "array"'],
    ["todos in a text", { todos: "[]" }, 'at /todos: "[]" is not of type "array"'],
    ["an item that is none", { todos: [item("a"), 7] }, 'at /todos/1: 7 is not of type "object"'],
    [
      "an unknown status",
      { todos: [item("a", "done")] },
      'at /todos/0/status: "done" is not one of "pending", "in_progress" or "completed"',
    ],
    [
      "several at once, by the alphabet, what is missing last",
      { todos: [{ status: 1, content: null }] },
      'at /todos/0/content: null is not of type "string"; at /todos/0/status: 1 is not one of "pending", "in_progress" or "completed"; at /todos/0/status: 1 is not of type "string"; at /todos/0: "activeForm" is a required property',
    ],
  ])("refuses %s, with no `error: ` in front", (_name, input, problems) => {
    const error = `invalid arguments: ${problems}`;
    expect(speak(nexoStrict, EMPTY_LIST, call(input)).answer).toEqual({ text: error, isError: true, data: { error } });
  });

  test("hands on what the schema lets through: the handler's own rules come after it", () => {
    const asked = (todos: unknown) => speak(nexoStrict, EMPTY_LIST, call({ todos, more: 1 })).answer;
    expect(asked([{ ...item("a"), active_form: 7 }])).toEqual(write({ todos: [item("a")] }).answer);
    expect(asked([item(" ")]).text).toBe("error: todo item #0: `content` is empty");
    expect(asked(many(51)).text).toContain("error: too many todo items: 51");
  });

  test("a million wrong items are answered in a text of bounded size", () => {
    const { text } = speak(nexoStrict, EMPTY_LIST, call({ todos: Array(1_000_000).fill({}) })).answer;
    expect(text.length).toBeLessThan(100_000);
  });
});
