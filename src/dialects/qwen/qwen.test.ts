import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { qwen } from "./qwen.js";

const ask = (value: unknown, list: TodoList = EMPTY_LIST) =>
  speak(qwen, list, { tool: "todo_write", input: { value } });
const item = (id: string, more: object = {}) => ({ id, content: `Do ${id}`, status: "pending", ...more });
const write = (...todos: readonly object[]) => ask({ todos }).list;
const notesOf = (list: TodoList) => todosOf(list).map(({ notes }) => notes);
const ours = (list: TodoList, value: unknown) => speak(milepost, list, { tool: "todo", input: { value } }).list;

describe("what a todo waits for", () => {
  const before = write(item("1"), item("2", { blockedBy: ["1"] }), item("3", { blockedBy: [] }));

  test("is a note, which other agents and people see", () => {
    expect(notesOf(before)).toEqual([[], ['blocked by: ["1"]'], ["blocked by: nothing"]]);
    expect(qwen.show(before)).toMatchObject([{ id: "1" }, { id: "2", blockedBy: ["1"] }, { id: "3", blockedBy: [] }]);
  });

  test("stays beside notes of others", () => {
    const noted = ours(before, { note: "#2 ask first" });
    const after = ask({ todos: [item("2", { blockedBy: [] })] }, noted).list;
    expect(notesOf(after)).toEqual([["ask first", "blocked by: nothing"]]);
  });

  test("a note that only begins alike is a note", () => {
    const noted = ours(write(item("1")), { note: "#1 blocked by: [the weather]" });
    expect(qwen.show(noted)).toEqual([item("1")]);
  });
});

test("todos of another agent go by their numbers; with these they are the same todos", () => {
  const list = ours(EMPTY_LIST, { add: ["Read", "Fix"] });
  expect(qwen.show(list)).toMatchObject([{ id: "1" }, { id: "2" }]);
  const after = ask({ todos: [{ id: "2", content: "Mend", status: "in_progress" }] }, list).list;
  expect(todosOf(after)).toMatchObject([{ number: 2, text: "Mend", key: "2" }]);
  const mixed = ours(write(item("2")), { add: ["Fix"] });
  expect(qwen.show(mixed)).toMatchObject([{ id: "2" }, { id: "todo-2" }]);
});

test.each<[string, unknown]>([
  ["no object", null],
  ["a list", []],
  ["a text", "todos"],
])("%s has no todos", (_name, input) => {
  expect(ask(input).answer).toEqual({ text: 'Parameter "todos" must be an array.', isError: true });
});

describe("arguments that are no JSON are mended", () => {
  const told = (text: string) => speak(qwen, EMPTY_LIST, { tool: "todo_write", input: { text } });
  const A = '{"id":"1","content":"a","status":"pending"}';

  test.each<[string, string]>([
    ["a comma too many", `{"todos":[${A},],}`],
    ["a comma too few", `{"todos":[${A.replace(',"status"', ' "status"')}]}`],
    ["brackets that are missing at the end", `{"todos":[${A}`],
    ["a quote that is missing at the end", `{"todos":[{"id":"1","status":"pending","content":"a `],
    ["brackets too many", `{"todos":[${A}]]}}`],
    ["other quotes", `{'todos':[${A.replaceAll('"', "'")}]}`],
    ["names without quotes", "{todos:[{id:'1',content:'a',status:pending}]}"],
    ["a fence", `\`\`\`json\n{"todos":[${A}]}\n\`\`\``],
    ["comments", `{"todos":[ // all\n${A} /* one */]}`],
    ["words of Python", `{"merge": False, "todos":[${A}]}`],
    ["a line break in a text", `{"note":"x\ny","todos":[${A}]}`],
  ])("%s", (_name, text) => {
    expect(todosOf(told(text).list)).toMatchObject([{ text: "a", status: "pending", key: "1" }]);
  });

  test.each([
    "not json",
    "",
    "{",
    '{"todos"',
    `{"todos":[${A}]} trailing`,
    `{"todos":[${A}]}{}`,
    "[".repeat(999),
    "[]",
  ])("%s has no todos", (text) => {
    expect(told(text)).toMatchObject({
      list: EMPTY_LIST,
      answer: { text: 'Parameter "todos" must be an array.', isError: true },
    });
  });

  test("what is cut off before its first todo is an empty list", () => {
    expect(told('{"todos":[').answer).toMatchObject({ text: expect.stringMatching(/^Todo list is already/) });
  });
});

test("a list that does not fit is a failure in the original's words", () => {
  const { answer, list } = ask({ todos: [item("1", { content: "x".repeat(2_000_000) })] });
  expect(answer.isError).toBe(true);
  expect(answer.text).toMatch(
    /^Failed to modify todos\. An error occurred during the operation\.\n\n<system-reminder>/,
  );
  expect(list).toBe(EMPTY_LIST);
});

test("thousands of todos that wait for each other are seen through at once", () => {
  const todos = Array.from({ length: 3000 }, (_, at) => item(`${at}`, at > 0 ? { blockedBy: [`${at - 1}`] } : {}));
  const ring = [{ ...item("0"), blockedBy: ["2999"] }, ...todos.slice(1)];
  expect(ask({ todos: ring }).answer.text).toBe("Todo dependencies must not contain a cycle.");
});
