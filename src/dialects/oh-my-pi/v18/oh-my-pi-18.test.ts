import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../../core/todo/list.js";
import type { Dialect, ToolInput } from "../../dialect.js";
import { milepost } from "../../milepost/todo-tool.js";
import { speak } from "../../speak.js";
import { ohMyPi } from "../oh-my-pi.js";
import { blockablePhases } from "./blockable-tasks.js";
import { fromChecklist, toChecklist } from "./checklist.js";
import { ohMyPi18 } from "./oh-my-pi-18.js";

// What the vectors of the program do not show: how its list looks to others, and what is not in its calls.

function say(dialect: Dialect, start: TodoList, ...values: readonly object[]): TodoList {
  const tool = dialect.tools[0]?.name ?? "";
  return values.reduce<TodoList>((list, value) => speak(dialect, list, { tool, input: { value } }).list, start);
}

const ask = (input: ToolInput, list = EMPTY_LIST) => speak(ohMyPi18, list, { tool: "todo", input });
const told = (list: TodoList) => todosOf(list).map(({ text, status, notes }) => [text, status, ...notes].join(" | "));
const tasks = (list: TodoList) =>
  blockablePhases(list).flatMap((phase) =>
    phase.tasks.map(({ content, status, blocker = "-" }) => `${content} ${status} ${blocker}`),
  );

const TWO = { op: "init", items: ["a", "b"] };

describe("a blocked task is a pending todo with a note", () => {
  const blocked = say(ohMyPi18, EMPTY_LIST, TWO, { op: "block", task: "a", reason: "key" });

  test.each<[name: string, calls: readonly object[], todos: readonly string[]]>([
    ["with the reason", [], ["a | pending | blocked: key", "b | in_progress"]],
    ["without one", [{ op: "block", task: "a" }], ["a | pending | blocked", "b | in_progress"]],
    ["unblocked", [{ op: "unblock", task: "a" }], ["a | pending", "b | in_progress"]],
    ["started", [{ op: "start", task: "a" }], ["a | in_progress | was blocked: key", "b | pending"]],
    ["done", [{ op: "done", task: "a" }], ["a | completed | was blocked: key", "b | in_progress"]],
    ["set again", [TWO], ["a | in_progress", "b | pending"]],
    ["never started by itself", [{ op: "done", task: "b" }], ["a | pending | blocked: key", "b | completed"]],
  ])("%s", (_, calls, todos) => {
    expect(told(say(ohMyPi18, blocked, ...calls))).toEqual(todos);
  });

  test("which others see, and may start as any pending todo; the reason is still there afterwards", () => {
    const shown = ohMyPi.show(blocked);
    expect(shown).toMatchObject([{ tasks: [{ status: "pending", notes: ["blocked: key"] }, { content: "b" }] }]);
    const started = say(ohMyPi, blocked, { ops: [{ op: "start", task: "a" }] });
    expect(tasks(started)).toEqual(["a in_progress key", "b pending -"]);
    expect(tasks(say(ohMyPi18, started, { op: "start", task: "b" }))).toEqual(["a pending key", "b in_progress -"]);
  });

  test("also one that a person, or another agent, has written", () => {
    const noted = say(milepost, EMPTY_LIST, { add: ["x", "y"] }, { note: "#2 blocked: by Ann" });
    expect(tasks(noted)).toEqual(["x in_progress -", "y blocked by Ann"]);
    expect(tasks(say(ohMyPi18, noted, { op: "done", task: "x" }))).toEqual(["x completed -", "y blocked by Ann"]);
  });

  test("notes that say something else stay, in their order, and numbers and explanation do", () => {
    const noted = say(milepost, blocked, { note: "#1 mine" });
    const later = say(ohMyPi18, { ...noted, explanation: "why" }, { op: "done", task: "b" }, { op: "view" });
    expect(later).toMatchObject({ explanation: "why" });
    expect(told(later)).toEqual(["a | pending | blocked: key | mine", "b | completed"]);
    expect(told(say(ohMyPi18, later, { op: "unblock", task: "a" }))).toEqual([
      "a | in_progress | mine",
      "b | completed",
    ]);
    expect(todosOf(later).map(({ number }) => number)).toEqual([1, 2]);
  });
});

describe("the list that oh-my-pi itself tells after a call of its own", () => {
  const theirs = (...told: readonly [content: string, status: string, blocker?: string][]) => [
    { name: "P", tasks: told.map(([content, status, blocker]) => ({ content, status, ...(blocker && { blocker }) })) },
  ];
  const record = (list: TodoList, value: object, result: unknown) =>
    speak(ohMyPi18, list, { tool: "todo", input: { value }, result });

  test("counts: a person has changed it, or it was there before anybody told us of it", () => {
    const ours = say(ohMyPi18, EMPTY_LIST, TWO);
    const told = theirs(["a", "completed"], ["c", "in_progress"], ["b", "blocked", "key"]);
    const { list, answer } = record(ours, { op: "done", task: "gone" }, told);
    expect(answer.isError).toBe(false);
    expect(tasks(list)).toEqual(["a completed -", "c in_progress -", "b blocked key"]);
    expect(todosOf(list).map(({ number }) => number)).toEqual([1, 3, 2]);
    expect(tasks(record(EMPTY_LIST, { op: "append", phase: "P", items: ["c"] }, told).list)).toEqual(tasks(list));
  });

  test("is no write where it was only looked at, and is the one that we know", () => {
    const ours = say(ohMyPi18, EMPTY_LIST, TWO);
    const same = [{ name: "Tasks", tasks: theirs(["a", "in_progress"], ["b", "pending"])[0]?.tasks }];
    expect(record(ours, { op: "view" }, same)).toMatchObject({ isWrite: false, list: ours });
    expect(record(ours, { op: "view" }, theirs(["x", "pending"]))).toMatchObject({ isWrite: true });
  });

  test.each([undefined, "x", [{ name: "P" }], theirs(["a", "waiting"])])(
    "is not heard where it is none: %j",
    (told) => {
      expect(tasks(record(EMPTY_LIST, TWO, told).list)).toEqual(["a in_progress -", "b pending -"]);
    },
  );
});

test("a call writes what it changed, and nothing else", () => {
  const list = say(ohMyPi18, EMPTY_LIST, { op: "init", items: ["a", "b", "c"] });
  const types = (value: object) => ask({ value }, list).events.map(({ type }) => type);
  expect(types({ op: "done", task: "a" })).toEqual(["todo.moved", "todo.moved"]);
  expect(types({ op: "append", phase: "Tasks", items: ["d"] })).toEqual(["todo.added"]);
  expect(types({ op: "block", task: "c", reason: "r" })).toEqual(["todo.noted"]);
  expect(types({ op: "rm", task: "c" })).toEqual(["todo.removed"]);
  for (const op of ["view", "start", "append", "block", "init"]) expect(types({ op })).toEqual([]);
});

describe("arguments as text", () => {
  test.each<[text: string, answer: string]>([
    ['{"op":"view"}', "Todo list is empty."],
    ['{"op":"view"} and more', "Todo list is empty."],
    ['"{\\"op\\":\\"view\\"}"', "Todo list is empty."],
    [String.raw`{"op":"init","items":["C:\src \d \u12 \n \""]}`, String.raw`- [ ] C:\src \d \u12 `],
    ['{"op":"init","items":["a\tb"]}', "- [ ] a\tb"],
    ["no JSON", 'Invalid todo arguments: op must be "init"'],
    ["[]", 'Invalid todo arguments: op must be "init"'],
    ["null", 'Invalid todo arguments: op must be "init"'],
  ])("%s", (text, answer) => {
    expect(ask({ text }).answer.text).toContain(answer);
  });

  test("no tool of another name", () => {
    const { answer } = speak(ohMyPi18, EMPTY_LIST, { tool: "todo_write", input: { value: {} } });
    expect(answer).toEqual({ text: "Tool todo_write not found", isError: true, data: {} });
  });
});

// Repair is tried again and again, and some of what models write is hostile.
test.each<[name: string, value: object]>([
  ["deep", { op: "view", task: JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) }],
  ["deep text", { op: "init", items: `${"[".repeat(5000)}${"]".repeat(5000)}` }],
  ["large numbers", Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}[99999]`, 1]))],
  ["many tags", { op: "<arg_key>k</arg_key> <arg_value>".repeat(3000) }],
  ["many wrong ends", { op: `${"</arg_key>".repeat(1900)}x` }],
  ["many blanks", { op: `${" ".repeat(9000)}${"<arg_key>k".repeat(1000)}` }],
  ["many wrong items", { op: "append", phase: "P", items: Array.from({ length: 20_000 }, () => null) }],
])("%s arguments are answered soon", (_, value) => {
  const start = performance.now();
  expect(typeof ask({ value }).answer.text).toBe("string");
  expect(performance.now() - start).toBeLessThan(5000);
});

const anyText = fc.constantFrom("a", "b", "c", "", "task-1");
const anyOp = fc.record(
  {
    op: fc.constantFrom("init", "start", "done", "rm", "drop", "block", "unblock", "append", "view"),
    task: anyText,
    phase: fc.constantFrom("P", "Q", ""),
    items: fc.array(anyText, { maxLength: 3 }),
    reason: fc.constantFrom("r", " ", "x: y"),
  },
  { requiredKeys: ["op"] },
);

test("whatever is asked: one task is in progress while one could be, a failed call changes nothing, a list is kept", () => {
  fc.assert(
    fc.property(fc.array(anyOp, { maxLength: 8 }), (calls) => {
      let list = EMPTY_LIST;
      for (const value of calls) {
        const spoken = ask({ value }, list);
        if (spoken.answer.isError) expect(spoken.list).toBe(list);
        ({ list } = spoken);
        expect(spoken.answer.data).toMatchObject({ op: value.op, phases: blockablePhases(list) });
        const statuses = blockablePhases(list).flatMap((phase) => phase.tasks.map(({ status }) => status));
        const active = statuses.filter((status) => status === "in_progress").length;
        expect(active).toBe(statuses.some((status) => status === "pending" || status === "in_progress") ? 1 : 0);
        const contents = todosOf(list).map(({ text }) => text);
        expect(new Set(contents).size).toBe(contents.length);
      }
      const phases = blockablePhases(list).filter(({ name }) => name !== "");
      const isPlain = phases.length > 0 && todosOf(list).every(({ text }) => text !== "");
      // Only blocked tasks have their reason in markdown.
      const written = phases.map(({ name, tasks: own }) => ({
        name,
        tasks: own.map(({ blocker, ...task }) => (task.status === "blocked" && blocker ? { ...task, blocker } : task)),
      }));
      if (isPlain && phases.length === blockablePhases(list).length)
        expect(fromChecklist(toChecklist(phases))).toEqual({ phases: written, errors: [] });
    }),
    { numRuns: sized(150, 10_000) },
  );
});
