import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { speak } from "../speak.js";
import { opencode } from "./opencode.js";

const write = (value: unknown, list: TodoList = EMPTY_LIST) =>
  speak(opencode, list, { tool: "todowrite", input: { value } });
const todo = (content: string, status = "pending", priority = "medium") => ({ content, status, priority });

// What the real program answers, call by call, is in test/vectors.
describe("opencode", () => {
  test.each([
    ["pending", "pending"],
    ["in_progress", "in_progress"],
    ["completed", "completed"],
    ["cancelled", "cancelled"],
    ["done", "pending"],
    ["toString", "pending"],
  ])("the status %s is kept as %s, and answered as it was sent", (sent, kept) => {
    const { list, answer } = write({ todos: [todo("a", sent)] });
    expect(todosOf(list)).toMatchObject([{ text: "a", status: kept }]);
    expect(JSON.parse(answer.text)).toEqual([todo("a", sent)]);
  });

  test("priorities that say something are kept; others are shown as medium", () => {
    const { list } = write({ todos: [todo("a", "pending", "high"), todo("b"), todo("c", "pending", "urgent")] });
    expect(opencode.show(list)).toEqual([todo("a", "pending", "high"), todo("b"), todo("c")]);
    expect(todosOf(list).map(({ priority }) => priority)).toEqual(["high", undefined, undefined]);
  });

  test("a refused call leaves the list alone", () => {
    const { list } = write({ todos: [todo("a")] });
    expect(write({ todos: [{ content: "a" }] }, list)).toMatchObject({ list, answer: { isError: true } });
  });

  test("another tool is not available", () => {
    const { answer } = speak(opencode, EMPTY_LIST, { tool: "todoread", input: { text: "{}" } });
    expect(answer.text).toBe(
      "The arguments provided to the tool are invalid: Model tried to call unavailable tool 'todoread'. Available tools: todowrite.",
    );
  });

  test("values of any depth are refused, not walked", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    for (const value of [deep, { todos: deep }, { todos: [{ content: deep }] }, { other: deep }])
      expect(write(value).answer.isError).toBe(true);
    const { answer } = speak(opencode, EMPTY_LIST, { tool: "todowrite", input: { text: "[".repeat(200_000) } });
    expect(answer.text).toMatch(/Error message: JSON Parse error: Unexpected EOF$/);
  });
});
