import { expect, test } from "vitest";
import {
  answers,
  as,
  calls,
  following,
  type Line,
  listOf,
  readOne,
  refuses,
  user,
} from "../../test/readers/claude-lines.js";
import { todosOf } from "../core/todo/list.js";

let made = 0;
const todo = (input: unknown, tool = "mcp__milepost__todo"): Line[] => {
  const call = `t${++made}`;
  return [calls(call, tool, input), answers(call, "0/1")];
};
const refused = (input: unknown): Line[] => {
  const call = `t${++made}`;
  return [calls(call, "mcp__milepost__todo", input), refuses(call, "There is no todo 9.")];
};

/** `a` is pending, `a!` in progress, `a.` completed. */
test.each<[string, readonly Line[][], string]>([
  ["are made again, in order", [todo({ add: ["a", "b", "c"] }), todo({ done: 1 }), todo({ drop: 3 })], "a. b! c-"],
  ["also those of the plugin's server", [todo({ add: ["a"] }, "mcp__plugin_milepost_milepost__todo")], "a!"],
  ["but not those of another server", [todo({ add: ["a"] }, "mcp__other__todo")], ""],
  ["nor another tool of ours", [todo({ add: ["a"] }, "mcp__milepost__task")], ""],
  ["nor one that was refused", [todo({ add: ["a", "b"] }), refused({ done: [1, 9] })], "a! b"],
  ["nor what fits no list any more", [todo({ add: ["a"] }), todo({ done: 7 }), todo({ add: ["b"] })], "a! b"],
  ["nor what is no input", [todo({ add: ["a"] }), todo("x"), todo({ add: { deep: [] } })], "a!"],
  ["nor what is too large to wait for its answer", [todo({ add: ["x".repeat(20_000_000)] })], ""],
])("calls of our own todo %s", (_, lines, then) => {
  expect(listOf(readOne([user("go"), ...lines.flat()]))).toBe(then);
});

test("a call without an answer has written nothing; what was gone back on does not count", () => {
  const [call, answer] = todo({ done: 1 });
  const [first, added] = todo({ add: ["a", "b"] });
  if (!call || !answer || !first || !added) throw new Error("A call is two lines.");
  expect(listOf(readOne([user("go"), first, added, call]))).toBe("a! b");
  const back = following("here", user("no, go back"));
  expect(listOf(readOne([user("go"), first, as("here", added), call, answer, back]))).toBe("a! b");
});

test("what a todo says of itself stays, without secrets", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  const add = [{ content: "Run tests", status: "in_progress", activeForm: "Running tests" }, `Use ${key}`];
  const [first, second] = todosOf(readOne([user("go"), ...todo({ add })]).list);
  expect(first).toMatchObject({ text: "Run tests", status: "in_progress", activeForm: "Running tests" });
  expect(second?.text).not.toContain(key);
});

test("a list that they finish is the finished one", () => {
  const lines = [user("go"), ...todo({ add: ["a", "b"] }), ...todo({ done: [1, 2] }), ...todo({ add: ["c"] })];
  const { finished, list } = readOne(lines);
  expect(finished && todosOf(finished.list).map(({ text, status }) => [text, status])).toEqual([
    ["a", "completed"],
    ["b", "completed"],
  ]);
  expect(todosOf(list)).toMatchObject([{ text: "c" }]);
});
