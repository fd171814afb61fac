import { describe, expect, test } from "vitest";
import {
  answers,
  calls,
  type Line,
  readAll,
  readOne,
  refuses,
  side,
  user,
} from "../../../test/readers/claude-lines.js";
import type { SessionView } from "../../core/session/session-facts.js";

describe("tasks", () => {
  let call = 0;
  const used = (tool: string, input: object, text: string, data?: object): Line[] => {
    const id = `k${++call}`;
    return [calls(id, tool, input), answers(id, text, data ? { toolUseResult: data } : {})];
  };
  const create = (id: number, subject: string) =>
    used("TaskCreate", { subject, description: "d" }, `Task #${id} created successfully: ${subject}`, {
      task: { id: `${id}`, subject },
    });
  const update = (id: number, input: object, success = true) =>
    used("TaskUpdate", { taskId: `${id}`, ...input }, `Updated task #${id} status`, {
      success,
      taskId: `${id}`,
      updatedFields: [],
    });
  const list = (...rows: object[]) => used("TaskList", {}, "", { tasks: rows });
  const row = (id: number, subject: string, fields: object = {}) => ({
    id: `${id}`,
    subject,
    status: "pending",
    blockedBy: [],
    ...fields,
  });
  const show = (view: SessionView | undefined) =>
    (view?.tasks ?? [])
      .filter(({ isDeleted }) => !isDeleted)
      .map(
        ({ id, subject, status, owner = "", blocks, blockedBy }) =>
          `#${id} ${subject} ${status} ${owner}<${blockedBy}>${blocks}`,
      );

  const cases: { name: string; lines: Line[]; tasks: string[] }[] = [
    { name: "created", lines: create(1, "a"), tasks: ["#1 a pending <>"] },
    {
      name: "created, where only the text tells",
      lines: used("TaskCreate", { subject: "a" }, "Task #7 created successfully: a"),
      tasks: ["#7 a pending <>"],
    },
    { name: "refused", lines: [calls("r", "TaskCreate", { subject: "a" }), refuses("r")], tasks: [] },
    {
      name: "started, with an owner",
      lines: [...create(1, "a"), ...update(1, { status: "in_progress", owner: "lead" })],
      tasks: ["#1 a in_progress lead<>"],
    },
    { name: "renamed", lines: [...create(1, "a"), ...update(1, { subject: "b" })], tasks: ["#1 b pending <>"] },
    {
      name: "where only the text tells that it was done",
      lines: [...create(1, "a"), ...used("TaskUpdate", { taskId: "1", status: "completed" }, "Updated task #1 status")],
      tasks: ["#1 a completed <>"],
    },
    {
      name: "not found",
      lines: [
        ...create(1, "a"),
        ...used("TaskUpdate", { taskId: "9", status: "completed" }, "Task not found", { success: false }),
      ],
      tasks: ["#1 a pending <>"],
    },
    {
      name: "refused by a hook",
      lines: [...create(1, "a"), ...update(1, { status: "completed" }, false)],
      tasks: ["#1 a pending <>"],
    },
    {
      name: "a status we do not know leaves the one before",
      lines: [...create(1, "a"), ...update(1, { status: "paused" })],
      tasks: ["#1 a pending <>"],
    },
    {
      name: "blocked by another, kept on both sides",
      lines: [...create(1, "a"), ...create(2, "b"), ...update(2, { addBlockedBy: ["1"] })],
      tasks: ["#1 a pending <>2", "#2 b pending <1>"],
    },
    {
      name: "blocks another",
      lines: [...create(1, "a"), ...create(2, "b"), ...update(1, { addBlocks: ["2"] })],
      tasks: ["#1 a pending <>2", "#2 b pending <1>"],
    },
    {
      name: "twice is once, and itself is allowed",
      lines: [...create(1, "a"), ...update(1, { addBlocks: ["1", "1"] }), ...update(1, { addBlocks: ["1"] })],
      tasks: ["#1 a pending <1>1"],
    },
    {
      name: "an unknown end is not kept",
      lines: [...create(1, "a"), ...update(1, { addBlockedBy: ["9"] })],
      tasks: ["#1 a pending <>"],
    },
    {
      name: "deleted, with all that points at it",
      lines: [
        ...create(1, "a"),
        ...create(2, "b"),
        ...update(2, { addBlockedBy: ["1"] }),
        ...update(1, { status: "deleted" }),
      ],
      tasks: ["#2 b pending <>"],
    },
    {
      name: "listed: what is not there is gone, what is new is there",
      lines: [
        ...create(1, "a"),
        ...create(2, "b"),
        ...list(row(2, "b", { status: "completed" }), row(3, "c", { owner: "x", blockedBy: ["2"] })),
      ],
      tasks: ["#2 b completed <>", "#3 c pending x<2>"],
    },
    {
      name: "listed: a blocker that is hidden stays",
      lines: [
        ...create(1, "a"),
        ...create(2, "b"),
        ...update(2, { addBlockedBy: ["1"] }),
        ...update(1, { status: "completed" }),
        ...list(row(1, "a", { status: "completed" }), row(2, "b", { status: "in_progress" })),
      ],
      tasks: ["#1 a completed <>2", "#2 b in_progress <1>"],
    },
    {
      name: "a list that is none changes nothing",
      lines: [...create(1, "a"), ...used("TaskList", {}, "#1 [pending] a", { tasks: "all" })],
      tasks: ["#1 a pending <>"],
    },
  ];
  test.each(cases)("$name", ({ lines, tasks }) => expect(show(readOne([user("go"), ...lines]))).toEqual(tasks));

  test("a sub-agent works on its parent's tasks", () => {
    const below = [
      user("Look."),
      ...update(1, { owner: "helper" }),
      ...update(2, { status: "in_progress" }),
      ...update(3, { status: "deleted" }),
    ];
    const views = readAll([user("go"), ...create(1, "a"), ...below.map((one) => side(one, { agentId: "x1" }))]);
    expect(show(views.get("s1"))).toEqual(["#1 a pending <>"]);
    // What it says nothing of it must not make up: of the first one's status it knows nothing.
    expect(views.get("s1/x1")?.tasks).toMatchObject([
      { id: "2", subject: "", status: "in_progress" },
      { id: "3", isDeleted: true },
    ]);
  });
});
