import { describe, expect, test } from "vitest";
import { readPlan, readTodoList } from "./plan-calls.js";

describe("update_plan", () => {
  test.each<[string, unknown, unknown]>([
    ["an empty list", { plan: [] }, { todos: [] }],
    ["no plan", { explanation: "a" }, undefined],
    ["no object", null, undefined],
    ["a step that is no text", { plan: [{ step: 1, status: "pending" }] }, undefined],
    [
      "a status of tomorrow",
      { plan: [{ step: "a", status: "blocked" }] },
      { todos: [{ text: "a", status: "pending" }] },
    ],
    [
      "a lone surrogate",
      { plan: [{ step: "\ud800", status: "completed" }] },
      { todos: [{ text: "\ufffd", status: "completed" }] },
    ],
    [
      "the app-server's words",
      { plan: [{ step: "a", status: "inProgress" }], explanation: null },
      { todos: [{ text: "a", status: "in_progress" }] },
    ],
  ])("%s", (_, input, expected) => {
    expect(readPlan(input)).toEqual(expected);
  });

  test("stays small whatever is written", () => {
    const plan = Array.from({ length: 5000 }, () => ({ step: "x".repeat(5000), status: "pending" }));
    expect(JSON.stringify(readPlan({ plan, explanation: "x".repeat(100_000) })).length).toBeLessThan(1_100_000);
    const items = plan.map(({ step }) => ({ text: step }));
    expect(JSON.stringify(readTodoList({ items })).length).toBeLessThan(1_100_000);
  });
});
