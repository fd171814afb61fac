import { expect, test } from "vitest";
import { oneOpCheck } from "./oh-my-pi-18.js";

// A check that accepts everything would pass every vector: each field that counts is made wrong once.
const phases = [{ name: "P", tasks: [{ content: "a", status: "completed" }] }];
const text = 'Remaining items: none.\nOverall: 1/1 done, 0 open.\nActive phase 1/1 "P" (1/1).\n  P:\n    - [X] a';
const right = { text, isError: false, op: "done", phases, completedTasks: [{ phase: "P", content: "a" }] };
const initial = [{ name: "P", tasks: [{ content: "a", status: "pending" }] }];
const calls = [{ op: "done", task: "a" }];
const run = async (expect: unknown, more: object = {}) =>
  (await oneOpCheck({ kind: "tool", name: "", initial, calls, expect, ...more }, "")).length;

test("oh-my-pi/18 takes what is right: by the tool alone, and through its host", async () => {
  expect(await run([right])).toBe(0);
  expect(await run([right], { host: true })).toBe(0);
});

test.each<[name: string, expected: unknown[]]>([
  ["another text", [{ ...right, text: `${text} ` }]],
  ["another isError", [{ ...right, isError: true }]],
  ["another op", [{ ...right, op: null }]],
  ["other phases", [{ ...right, phases: [] }]],
  ["no completed tasks", [{ ...right, completedTasks: null }]],
  ["no expectation", []],
  ["one too many", [right, right]],
])("oh-my-pi/18 notices %s, in both", async (_, expected) => {
  expect(await run(expected)).toBe(2);
  expect(await run(expected, { host: true })).toBe(1);
});

test("oh-my-pi/18: the tool alone takes no null, and sends controls; its host knows both", async () => {
  const red = "\u001b[31ma";
  const list = [{ op: "init", items: [red], task: null }];
  const done = (content: string) =>
    `Remaining items (1):\n  - ${content} [in_progress] (Tasks)\nOverall: 0/1 done, 1 open.\n` +
    `Active phase 1/1 "Tasks" (0/1).\n  Tasks:\n    - [ ] ${content} (in progress)`;
  const made = [{ name: "Tasks", tasks: [{ content: red, status: "in_progress" }] }];
  const sent = { text: done("a"), isError: false, op: "init", phases: made };
  const refused = "Invalid todo arguments: task must be verbatim task content (was null)";
  const start = { initial: [], calls: list };
  expect(await run([sent], { ...start, host: true })).toBe(0);
  expect(await run([{ text: refused, isError: true, phases: [] }], start)).toBe(0);
  expect(await run([{ ...sent, text: done(red) }], { initial: [], calls: [{ op: "init", items: [red] }] })).toBe(0);
});
