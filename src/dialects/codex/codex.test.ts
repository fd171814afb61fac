import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { speak } from "../speak.js";
import { codex } from "./codex.js";

const update = (text: string, list: TodoList = EMPTY_LIST) =>
  speak(codex, list, { tool: "update_plan", input: { text } });
const step = (name: string, status = "pending") => ({ step: name, status });

// What the real client answers, call by call and to the last column, is in test/vectors.
describe("codex", () => {
  test("arguments that are parsed already are read like their JSON text", () => {
    const value = { plan: [{ step: "a", status: "nope" }] };
    const byValue = speak(codex, EMPTY_LIST, { tool: "update_plan", input: { value } });
    expect(byValue.answer).toEqual(update(JSON.stringify(value)).answer);
  });

  test("a plan with its explanation becomes the list; without one the old explanation goes", () => {
    const first = update(JSON.stringify({ explanation: "why", plan: [step("a", "in_progress"), step("b")] }));
    expect(first.list).toMatchObject({ explanation: "why", phases: [{ todos: [{ text: "a" }, { text: "b" }] }] });
    const second = update(JSON.stringify({ plan: [step("a", "completed"), step("b", "completed")] }), first.list);
    expect(second.list.explanation).toBeUndefined();
    expect(todosOf(second.list).map(({ status }) => status)).toEqual(["completed", "completed"]);
  });

  test("a refused call leaves the plan alone", () => {
    const { list } = update(JSON.stringify({ plan: [step("a")] }));
    expect(update('{"plan":[', list).list).toBe(list);
    expect(speak(codex, list, { tool: "update_plan", input: { text: '{"plan":[]}' }, mode: "plan" }).list).toBe(list);
  });

  test("an output over 12,000 bytes loses its middle, never half a character", () => {
    const { text } = update(JSON.stringify({ [`${"é".repeat(8000)}`]: 1 })).answer;
    expect(text).toMatch(/^failed to parse function arguments: unknown field `é+…1028 tokens truncated…é+`, expected/);
    expect(Buffer.byteLength(text)).toBeLessThan(12_100);
    expect(text).not.toContain("\ufffd");
  });

  test("another tool is unsupported", () => {
    const { answer } = speak(codex, EMPTY_LIST, { tool: "shell", input: { text: "{}" } });
    expect(answer).toEqual({ text: "unsupported call: shell", isError: true });
  });
});
