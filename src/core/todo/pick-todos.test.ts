import { describe, expect, test } from "vitest";
import type { TodoList, TodoStatus } from "./list.js";
import { pickPhase, pickTodos, todoNames } from "./pick-todos.js";

const todo = (number: number, text: string, status: TodoStatus = "pending") => ({
  number,
  text,
  status,
  notes: [],
  evidence: [],
});

const LIST: TodoList = {
  revision: 1,
  nextNumber: 9,
  phases: [
    { name: "Setup", todos: [todo(1, "Fix the login", "completed"), todo(2, "Fix"), todo(7, "12")] },
    { name: "Set", todos: [todo(3, "Run tests"), todo(4, "Run  lint"), todo(5, "Ship", "completed"), todo(6, "ship")] },
  ],
};

describe("the todos a person means", () => {
  test.each<[readonly string[], readonly number[] | string]>([
    [["3"], [3]],
    [["#3"], [3]],
    [
      ["3", "4"],
      [3, 4],
    ],
    [
      ["4,3", " #1 "],
      [4, 3, 1],
    ],
    [["3", "3,"], [3]],
    // A number is always a number, also where a text looks like one.
    [["12"], "unknown-todo"],
    [["3", "99"], "unknown-todo"],
    [["99999999999999999999"], "unknown-todo"],
    [["fix"], [2]],
    [["FIX", "the"], [1]],
    [["run", "lint"], [4]],
    [["tests"], [3]],
    [["run"], "ambiguous-todo"],
    [["ship"], [6]],
    [["login"], [1]],
    [["3", "tests"], "unknown-todo"],
    [["zzz"], "unknown-todo"],
  ])("%j", (words, expected) => {
    const picked = pickTodos(LIST, words);
    expect(picked.ok ? picked.value.map(({ number }) => number) : picked.error.code).toEqual(expected);
  });

  test("what it could be is named, and no more than a few", () => {
    const picked = pickTodos(LIST, ["run"]);
    expect(!picked.ok && picked.error.message).toBe('"run" fits 2 todos: 3 Run tests, 4 Run  lint.');
    const many = Array.from({ length: 9 }, (_, at) => todo(at, "x"));
    expect(todoNames(many)).toBe("0 x, 1 x, 2 x, 3 x, 4 x and 4 more");
  });

  test.each([
    ["set", "Set"],
    ["SETU", "Setup"],
    ["up", "Setup"],
    ["s", undefined],
    ["none", undefined],
  ])("a phase by %j", (name, expected) => {
    const picked = pickPhase(LIST, name);
    expect(picked.ok ? picked.value.name : undefined).toBe(expected);
  });
});
