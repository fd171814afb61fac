import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../todo/list.js";
import type { SeenTask } from "../observation.js";
import { type ClientEvent, evolveClientList, NO_CLIENT_LIST } from "./client-list.js";
import { currentList, nounOf } from "./current-list.js";
import { listToolName, taskToolName } from "./list-tool.js";

const task = (id: string, subject = `Task ${id}`, fields: Partial<SeenTask> = {}): SeenTask => ({
  ...{ id, subject, status: "pending", blocks: [], blockedBy: [] },
  ...fields,
});
const list = (...texts: readonly string[]): TodoList => ({
  ...{ revision: 1, nextNumber: texts.length + 1 },
  phases: [
    {
      name: "",
      todos: texts.map((text, at) => ({ number: at + 1, text, status: "pending", notes: [], evidence: [] })),
    },
  ],
});

describe("one list is shown", () => {
  const cases: { name: string; todos: TodoList; tasks: SeenTask[]; shown: string[]; tool?: string; named?: string }[] =
    [
      { name: "todos", todos: list("a"), tasks: [], shown: ["todo 1 a"] },
      {
        name: "todos, whoever wrote them",
        todos: list("a"),
        tasks: [],
        shown: ["todo 1 a"],
        tool: "TodoWrite",
        named: "TodoWrite",
      },
      {
        name: "tasks, where no list was written",
        todos: EMPTY_LIST,
        tasks: [task("3")],
        shown: ["task 3 Task 3"],
        named: "TaskUpdate",
      },
      {
        name: "tasks, where the list was cleared",
        todos: { ...EMPTY_LIST, revision: 4 },
        tasks: [task("1")],
        shown: ["task 1 Task 1"],
        named: "TaskUpdate",
      },
      { name: "todos before tasks", todos: list("a"), tasks: [task("1")], shown: ["todo 1 a"] },
      { name: "not a task of which only a change is known", todos: EMPTY_LIST, tasks: [task("1", "")], shown: [] },
      {
        name: "ids that are no numbers come after those that are",
        todos: EMPTY_LIST,
        tasks: [task("x"), task("7"), task("007"), task("0")],
        shown: ["task 8 Task x", "task 7 Task 7", "task 9 Task 007", "task 10 Task 0"],
        named: "TaskUpdate",
      },
    ];
  test.each(cases)("$name", ({ todos, tasks, shown, tool, named }) => {
    const current = currentList(todos, { tasks, tool });
    expect(todosOf(current.list).map(({ number, text }) => `${nounOf(current)} ${number} ${text}`)).toEqual(shown);
    expect(current.tool).toBe(named);
  });
});

describe("what the client keeps", () => {
  const cases: { name: string; given: ClientEvent[]; then: object }[] = [
    {
      name: "a goal",
      given: [{ type: "goal.changed", goal: { text: "g", status: "active" } }],
      then: { tasks: [], goal: { text: "g", status: "active" } },
    },
    {
      name: "no goal any more",
      given: [
        { type: "goal.changed", goal: { text: "g", status: "active" } },
        { type: "goal.changed", goal: null },
      ],
      then: { tasks: [], goal: null },
    },
    {
      name: "the tool that writes the list",
      given: [{ type: "list-tool.changed", tool: "TodoWrite" }],
      then: { tasks: [], tool: "TodoWrite" },
    },
    {
      name: "our tool again",
      given: [
        { type: "list-tool.changed", tool: "TodoWrite" },
        { type: "list-tool.changed", tool: "" },
      ],
      then: { tasks: [] },
    },
    {
      name: "an edge on both sides, and neither after one end was deleted",
      given: [
        { type: "client-task.created", id: "1", subject: "a" },
        { type: "client-task.created", id: "2", subject: "b" },
        { type: "client-task.updated", id: "2", blockedBy: ["1", "9"] },
        { type: "client-task.created", id: "3", subject: "c" },
        { type: "client-task.updated", id: "3", blocks: ["1"] },
        { type: "client-task.deleted", id: "3" },
      ],
      then: { tasks: [task("1", "a", { blocks: ["2"] }), task("2", "b", { blockedBy: ["1"] })] },
    },
    {
      name: "no more tasks than a list may have",
      given: Array.from(
        { length: 1002 },
        (_, at) => ({ type: "client-task.updated", id: `${at}`, status: "pending" }) as const,
      ),
      then: { tasks: { length: 1000 } },
    },
  ];
  test.each(cases)("$name", ({ given, then }) => {
    expect(given.reduce(evolveClientList, NO_CLIENT_LIST)).toMatchObject(then);
  });

  test("what is known already is no news", () => {
    const known = { tasks: [task("1")], goal: null };
    expect(evolveClientList(known, { type: "client-tasks.seen", tasks: [task("1")], isAll: true })).toBe(known);
    expect(evolveClientList(known, { type: "goal.changed", goal: null })).toBe(known);
  });
});

describe("tools are named where they are offered", () => {
  test.each([
    ["claude-code", undefined, "ours", "mcp__milepost__todo"],
    ["codex", undefined, "ours", "mcp__milepost.todo"],
    ["another", undefined, "ours", "todo"],
    ["claude-code", "TodoWrite", "ours", "TodoWrite"],
    ["claude-code", "TaskUpdate", "client", "TaskUpdate"],
    ["codex", "update_plan", "client", "update_plan"],
    ["codex", undefined, "client", undefined],
    ["claude-code", undefined, "client", undefined],
  ] as const)("%s, last written with %s, offered %s: %s", (client, used, todo, name) => {
    expect(listToolName(client, used, { todo, tasks: false })).toBe(name);
    expect(taskToolName(client, { todo, tasks: false })).toBeUndefined();
    const prefix = { "claude-code": "mcp__milepost__", codex: "mcp__milepost.", another: "" }[client];
    expect(taskToolName(client, { todo, tasks: true })).toBe(`${prefix}task`);
  });
});
