import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { milepost } from "../milepost/todo-tool.js";
import { ohMyPi18 } from "../oh-my-pi/v18/oh-my-pi-18.js";
import { speak } from "../speak.js";
import { gemini } from "./gemini.js";

const write = (value: unknown, list: TodoList = EMPTY_LIST) =>
  speak(gemini, list, { tool: "write_todos", input: { value } });
const todo = (description: string, status = "pending") => ({ description, status });
const notesIn = (list: TodoList) => todosOf(list).map(({ status, notes }) => [status, ...notes]);

describe("a blocked todo", () => {
  const { list } = write({ todos: [todo("a", "blocked"), todo("b")] });

  test("is a pending one with a note, and shown as blocked", () => {
    expect(notesIn(list)).toEqual([["pending", "blocked"], ["pending"]]);
    expect(gemini.show(list)).toEqual({ todos: [todo("a", "blocked"), todo("b")] });
  });

  test.each(["pending", "in_progress", "completed", "cancelled"])("loses the note when it is %s", (status) => {
    const after = write({ todos: [todo("a", status), todo("b", "blocked")] }, list).list;
    expect(notesIn(after)).toEqual([[status], ["pending", "blocked"]]);
  });

  test("keeps its other notes, also where texts repeat", () => {
    const twice = write({ todos: [todo("a", "blocked"), todo("a")] }).list;
    const noted = speak(milepost, twice, { tool: "todo", input: { value: { note: "#2 why" } } }).list;
    const after = write({ todos: [todo("a"), todo("a", "blocked")] }, noted).list;
    expect(notesIn(after)).toEqual([["pending"], ["pending", "why", "blocked"]]);
    expect(write({ todos: [todo("a"), todo("a", "blocked")] }, after).events).toEqual([]);
  });

  test("of oh-my-pi is blocked here, with its reason, until it is written as another", () => {
    const call = (value: object, before: TodoList) => speak(ohMyPi18, before, { tool: "todo", input: { value } }).list;
    const begun = call({ op: "init", list: [{ phase: "P", items: ["a", "b"] }] }, EMPTY_LIST);
    const blocked = call({ op: "block", task: "b", reason: "no key" }, begun);
    expect(gemini.show(blocked)).toEqual({ todos: [todo("a", "in_progress"), todo("b", "blocked")] });
    const again = write(gemini.show(blocked), blocked).list;
    expect(notesIn(again)).toEqual([["in_progress"], ["pending", "blocked: no key"]]);
    expect(notesIn(write({ todos: [todo("b")] }, again).list)).toEqual([["pending"]]);
  });
});

const UNDESCRIBED = "params/todos/0 must have required property 'description'";

test.each<[string, unknown, string]>([
  ["a list", [], "params must be object"],
  ["a list of todos", [todo("a")], "params must be object"],
  ["a text", "todos", "Value of params must be an object"],
  ["a number", 7, "Value of params must be an object"],
  ["nothing", null, "params must have required property 'todos'"],
  ["zero", 0, "params must have required property 'todos'"],
  ["a field of every object", { todos: [Object.create({ description: "a", status: "pending" })] }, UNDESCRIBED],
])("refuses %s", (_name, input, text) => {
  const before = write({ todos: [todo("kept")] }).list;
  expect(write(input, before)).toMatchObject({ list: before, answer: { text, isError: true } });
});

test("a text that is no JSON clears nothing; another tool is not there", () => {
  const before = write({ todos: [todo("kept")] }).list;
  const broken = speak(gemini, before, { tool: "write_todos", input: { text: "{" } });
  expect(broken).toMatchObject({ list: before, answer: { isError: true } });
  const other = speak(gemini, before, { tool: "todo_write", input: { value: { todos: [] } } });
  expect(other).toMatchObject({ list: before, answer: { text: 'Tool "todo_write" not found.', isError: true } });
});
