import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { travelling } from "../portable-task.js";
import { taskMasterFile } from "./task-master-file.js";

const read = (value: unknown) =>
  taskMasterFile.read([{ path: "tasks.json", text: typeof value === "string" ? value : JSON.stringify(value) }]);
const backAgain = (value: unknown) => JSON.parse(taskMasterFile.write(read(value).tasks).files[0]?.text ?? "");
const task = (id: number, rest: object = {}) => ({
  ...{
    id,
    title: `Task ${id}`,
    description: "What",
    details: "",
    testStrategy: "",
    status: "pending",
    priority: "medium",
  },
  ...{ dependencies: [], subtasks: [], ...rest },
});
const subtask = (id: number, rest: object = {}) => {
  const { subtasks: _, ...leaf } = task(id, rest);
  return leaf;
};

const TAGGED = {
  master: {
    tasks: [
      task(1, { status: "done", details: "How", testStrategy: "Run it", previousStatus: "in-progress" }),
      task(2, {
        ...{ status: "review", priority: "high", dependencies: [1, "3.1"] },
        subtasks: [subtask(1), subtask(2, { dependencies: [1, "3.1", "3"], acceptanceCriteria: "- works" })],
      }),
      task(3, { status: "deferred", subtasks: [subtask(1, { status: "cancelled" })] }),
    ],
    metadata: {},
  },
  feature: { tasks: [task(1, { dependencies: [2] }), task(2)], metadata: {} },
};

describe("tasks.json of Task Master", () => {
  test("is read, all tags of it", () => {
    const { tasks, problems } = read(TAGGED);
    expect(problems).toEqual([]);
    expect(tasks.map(({ id, parent, blockedBy, status }) => [id, parent, blockedBy, status])).toEqual([
      ["1", undefined, [], "completed"],
      ["2", undefined, ["1", "3.1"], "in_progress"],
      ["2.1", "2", [], "pending"],
      ["2.2", "2", ["2.1", "3.1", "3"], "pending"],
      ["3", undefined, [], "pending"],
      ["3.1", "3", [], "cancelled"],
      ["feature:1", undefined, ["feature:2"], "pending"],
      ["feature:2", undefined, [], "pending"],
    ]);
    expect(tasks[0]?.description).toBe("What\n\n## Details\n\nHow\n\n## Test Strategy\n\nRun it");
    expect(tasks[1]?.metadata).toEqual({ "task-master": { status: "review" } });
    expect(tasks[3]?.metadata).toEqual({ "task-master": { acceptanceCriteria: "- works" } });
  });

  test("goes back as it came", () => {
    expect(backAgain(TAGGED)).toEqual(TAGGED);
  });

  test("the one list of older versions becomes the tag master", () => {
    const { tasks } = TAGGED.master;
    expect(plain(read({ tasks }).tasks)).toEqual(plain(read({ master: TAGGED.master }).tasks));
    expect(backAgain({ tasks })).toEqual({ master: TAGGED.master });
  });

  test.each([
    ["an empty file", "", 1, 0],
    ["half a file", '{"master":{"tasks":[', 1, 0],
    ["something else", { a: 1 }, 1, 0],
    ["an empty list", { master: { tasks: [] } }, 0, 0],
    ["a tag that is none", { master: { tasks: [task(1)] }, x: 1 }, 1, 1],
    ["no task", { tasks: [null, {}, task(1, { subtasks: [5] })] }, 3, 1],
    ["an unknown dependency", { tasks: [task(1, { dependencies: [7] })] }, 1, 1],
    ["an unknown status", { tasks: [task(1, { status: "soon" })] }, 1, 1],
    ["an id twice", { tasks: [task(1), task(1)] }, 1, 2],
  ])("%s", (_, value, problems, tasks) => {
    expect([read(value).problems.length, read(value).tasks.length]).toEqual([problems, tasks]);
  });

  test("one level of subtasks is all it has: the others come back to their places all the same", () => {
    const deep = [
      travelling({ id: "1", uuid: "a", subject: "a" }),
      travelling({ id: "2", uuid: "b", subject: "b", parent: "1" }),
      travelling({ id: "3", uuid: "c", subject: "c", parent: "2", status: "failed" }),
    ];
    const { files } = taskMasterFile.write(deep);
    const { master } = JSON.parse(files[0]?.text ?? "");
    expect(master.tasks[0].subtasks.map(({ id, status }: { id: number; status: string }) => [id, status])).toEqual([
      [1, "pending"],
      [2, "blocked"],
    ]);
    const [, b, c] = taskMasterFile.read(files).tasks;
    expect([b?.id, c?.parent, c?.status]).toEqual(["1.1", "1.1", "failed"]);
  });
});
