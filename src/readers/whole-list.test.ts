import { expect, test } from "vitest";
import { EMPTY_LIST, todosOf } from "../core/todo/list.js";
import { writeList } from "./whole-list.js";

const long = (length: number) => "x".repeat(length);

test.each([
  ["one text of 14 MB", Array.from({ length: 3 }, () => ({ text: long(14e6) })), 3],
  ["a hundred of 140 KB", Array.from({ length: 100 }, (_, at) => ({ text: `${at}${long(140_000)}` })), 100],
  ["thirty thousand of 200", Array.from({ length: 30_000 }, (_, at) => ({ text: `${at}${long(200)}` })), 1000],
  ["ten thousand short ones", Array.from({ length: 10_000 }, (_, at) => ({ text: `todo ${at}` })), 10_000],
])("a list in a transcript: %s", (_, todos, then) => {
  const before = writeList(EMPTY_LIST, [{ text: "before" }]).list;
  const { list } = writeList(before, todos);
  expect(todosOf(list)).toHaveLength(then);
  expect(JSON.stringify(list).length).toBeLessThan(4e6);
});

test.each([
  ["its priority alone", { priority: "high" }, { priority: "high" }],
  ["no priority any more", { priority: null }, { text: "Fix it" }],
  ["what a write does not say", {}, { priority: "low" }],
  ["its status, with the rest", { status: "in_progress" }, { status: "in_progress", priority: "low" }],
] as const)("a todo that is written again, with %s", (_, written, expected) => {
  const before = writeList(EMPTY_LIST, [{ text: "Fix it", priority: "low" }]).list;
  const [todo] = todosOf(writeList(before, [{ text: "Fix it", ...written }]).list);
  expect(todo).toMatchObject(expected);
  if ("text" in expected) expect(todo).not.toHaveProperty("priority");
});
