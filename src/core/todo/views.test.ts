import { describe, expect, test } from "vitest";
import { terminalText } from "../text/terminal-text.js";
import { resumedList } from "./carried-list.js";
import type { Phase, Todo, TodoList, TodoStatus } from "./list.js";
import { diffLists } from "./list-diff.js";
import { listRows } from "./plain-text.js";
import { progressOf } from "./progress.js";
import { transitionLines } from "./transitions.js";

const todo = (number: number, text: string, status: TodoStatus = "pending", notes: readonly string[] = []): Todo => ({
  number,
  text,
  status,
  notes,
  evidence: [],
});
const list = (...todos: Todo[]): TodoList => phased({ name: "", todos });
const phased = (...phases: Phase[]): TodoList => ({ revision: 1, nextNumber: 100, phases });

describe("what a resumed session begins with", () => {
  const [open, busy] = [todo(1, "a"), todo(2, "b", "in_progress", ["n"])];
  const [done, gone] = [todo(3, "c", "completed"), todo(4, "d", "cancelled")];
  test.each([
    { name: "only what is open", given: list(done, open, gone, busy), then: list(open, busy) },
    { name: "nothing of a finished list", given: list(done, gone), then: phased() },
    {
      name: "no empty phases, whether they were or became so",
      given: phased({ name: "E", todos: [] }, { name: "P", todos: [open] }, { name: "Q", todos: [done] }),
      then: phased({ name: "P", todos: [open] }),
    },
    {
      name: "several in progress, or none, stay so",
      given: list(busy, { ...busy, number: 5 }, done),
      then: list(busy, { ...busy, number: 5 }),
    },
    {
      name: "parts of what is open stay parts, parts of what is closed stand alone",
      given: list(open, done, { ...busy, parent: 1 }, { ...busy, number: 5, parent: 3 }),
      then: list(open, { ...busy, parent: 1 }, { ...busy, number: 5 }),
    },
  ])("$name", ({ given, then }) => expect(resumedList(given)).toStrictEqual(then));
});

describe("progress", () => {
  test.each([
    { name: "an empty list", given: list(), then: { completed: 0, total: 0, percent: 0, current: undefined } },
    {
      name: "cancelled todos do not count",
      given: list(todo(1, "a", "completed"), todo(2, "b", "cancelled")),
      then: { completed: 1, total: 1, percent: 100, current: undefined },
    },
    {
      name: "percent is rounded down",
      given: list(todo(1, "a", "completed"), todo(2, "b", "completed"), todo(3, "c", "in_progress")),
      then: { completed: 2, total: 3, percent: 66, current: todo(3, "c", "in_progress") },
    },
    {
      name: "the first in progress is current",
      given: list(todo(1, "a", "in_progress"), todo(2, "b", "in_progress")),
      then: { completed: 0, total: 2, percent: 0, current: todo(1, "a", "in_progress") },
    },
  ])("$name", ({ given, then }) => {
    expect(progressOf(given)).toEqual(then);
  });
});

describe("diff and transition lines", () => {
  const before = list(todo(1, "a", "in_progress"), todo(2, "b"), todo(3, "c"), todo(4, "old", "completed"));
  const after = list(
    todo(1, "a", "completed"),
    todo(2, "b", "in_progress"),
    todo(4, "new", "completed"),
    todo(5, "e", "completed"),
  );

  test("names what was added, removed, renamed, moved and newly completed", () => {
    expect(diffLists(before, after)).toEqual({
      added: [todo(5, "e", "completed")],
      removed: [todo(3, "c")],
      renamed: [{ todo: todo(4, "new", "completed"), from: "old" }],
      moved: [
        { todo: todo(1, "a", "completed"), from: "in_progress" },
        { todo: todo(2, "b", "in_progress"), from: "pending" },
      ],
      // Not todo 4, completed before; not todo 5, which was never seen unfinished.
      completed: [todo(1, "a", "completed")],
    });
  });

  test("each change is one line", () => {
    expect(transitionLines(before, after)).toEqual([
      'Todo "c": pending -> removed',
      'Todo "old": renamed to "new"',
      'Todo "e": new -> completed',
      'Todo "a": in_progress -> completed',
      'Todo "b": pending -> in_progress',
    ]);
  });

  test("a text cannot forge a second line", () => {
    const forged = list(todo(1, 'x": pending -> completed\nTodo "y', "in_progress"));
    expect(transitionLines(list(), forged)).toHaveLength(1);
    expect(transitionLines(list(), forged)[0]).not.toContain("\n");
    expect(transitionLines(list(), list(todo(1, 'a": pending -> completed')))).toEqual([
      'Todo "a\\": pending -> completed": new -> pending',
    ]);
  });

  test("a list that was finished and cleared is completed, and not removed", () => {
    const open = list(todo(1, "a", "completed"), todo(2, "b", "in_progress"));
    const finished = list(todo(1, "a", "completed"), todo(2, "b", "completed"));
    expect(transitionLines(open, list(), finished)).toEqual(['Todo "b": in_progress -> completed']);
    expect(transitionLines(open, list(todo(3, "c")), finished)).toEqual([
      'Todo "b": in_progress -> completed',
      'Todo "c": new -> pending',
    ]);
  });

  test("equal lists differ in nothing", () => {
    expect(transitionLines(before, before)).toEqual([]);
  });
});

describe("plain text", () => {
  test("one row a todo, numbers aligned, notes only under the one in progress", () => {
    const given = phased(
      { name: "Build", todos: [todo(9, "a", "completed", ["old note"]), todo(10, "b", "in_progress", ["use X"])] },
      { name: "Ship", todos: [todo(11, "c"), todo(12, "d", "cancelled")] },
    );
    expect(listRows(given, terminalText)).toEqual([
      "Build:",
      "[x]  9. a",
      "[>] 10. b",
      "        use X",
      "Ship:",
      "[ ] 11. c",
      "[-] 12. d",
    ]);
  });

  test("a text that looks like a marker or a row stays inside its own row", () => {
    const rows = listRows(list(todo(1, "[x] 2. done\n[x] 3. more")), terminalText);
    expect(rows).toEqual(["[ ] 1. [x] 2. done␊[x] 3. more"]);
  });
});
