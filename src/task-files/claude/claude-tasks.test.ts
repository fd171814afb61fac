import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { travelling } from "../portable-task.js";
import { claudeFolder } from "./claude-tasks.js";

const file = (path: string, value: unknown) => ({ path, text: JSON.stringify(value, undefined, 2) });
const record = (id: string, rest: object = {}) => ({
  ...{ id, subject: `Subject ${id}`, description: "Text", status: "pending", blocks: [], blockedBy: [] },
  ...rest,
});

/** As Claude Code 2.1 writes them. */
const FOLDER = [
  { path: ".highwatermark", text: "3" },
  { path: ".lock", text: "" },
  file("1.json", {
    ...{ id: "1", subject: "Inspect helper", description: "Read the helper module", activeForm: "Inspecting helper" },
    ...{ owner: "lead", status: "completed", blocks: ["2"], blockedBy: [] },
  }),
  file("2.json", {
    ...{ id: "2", subject: "Rename helper", description: "Rename x to y", activeForm: "Renaming helper" },
    ...{ status: "completed", blocks: [], blockedBy: ["1"], metadata: { ticket: 12 } },
  }),
  file("4.json", {
    ...{
      id: "4",
      subject: "Renamed subject",
      description: "New text",
      status: "completed",
      blocks: ["4"],
      blockedBy: ["4"],
    },
    activeForm: "Doing",
  }),
];

describe("a folder of Claude Code", () => {
  test("is read", () => {
    const { tasks, problems } = claudeFolder.read(FOLDER);
    expect(problems).toEqual([]);
    expect(plain(tasks)).toEqual(
      plain([
        travelling({
          ...{ id: "1", subject: "Inspect helper", description: "Read the helper module" },
          ...{ activeForm: "Inspecting helper", assignee: "lead", status: "completed" },
        }),
        travelling({
          ...{ id: "2", subject: "Rename helper", description: "Rename x to y", activeForm: "Renaming helper" },
          ...{ status: "completed", blockedBy: ["1"], metadata: { ticket: 12 } },
        }),
        travelling({
          ...{ id: "4", subject: "Renamed subject", description: "New text", activeForm: "Doing" },
          ...{ status: "completed", blockedBy: ["4"] },
        }),
      ]),
    );
  });

  test("is written as it was", () => {
    const { files, problems } = claudeFolder.write(claudeFolder.read(FOLDER).tasks);
    expect(problems).toEqual([]);
    expect(files.at(-1)).toEqual({ path: ".highwatermark", text: "4" });
    const parsed = (of: readonly { path: string; text: string }[]) =>
      of.filter(({ path }) => path.endsWith("json")).map(({ path, text }) => [path, JSON.parse(text)]);
    expect(parsed(files)).toEqual(parsed(FOLDER));
    expect(files[0]?.text).toBe(FOLDER[2]?.text);
  });

  test("which files belong to it", () => {
    const paths = ["1.json", ".highwatermark", ".lock", "a.json", "1.json.tmp", "other/1.json"];
    expect(paths.filter((path) => claudeFolder.isPart?.(path))).toEqual(["1.json", ".highwatermark"]);
  });

  test("a damaged file is one problem, an edge on one side an edge", () => {
    const { tasks, problems } = claudeFolder.read([
      file("10.json", record("10")),
      { path: "2.json", text: "" },
      { path: "3.json", text: "[]" },
      file("1.json", record("1", { blocks: ["10", "7"], extra: true })),
    ]);
    expect(tasks.map(({ id, blockedBy }) => [id, blockedBy])).toEqual([
      ["1", []],
      ["10", ["1"]],
    ]);
    expect(tasks[0]?.metadata).toEqual({ claude: { extra: true } });
    expect(problems.map(({ where }) => where)).toEqual(["2.json", "3.json"]);
  });

  test("what Claude Code does not know is carried, until somebody changes it there", () => {
    const task = travelling({
      id: "1",
      subject: "a",
      status: "failed",
      priority: "high",
      reason: "no luck",
      labels: ["l"],
    });
    const [written] = claudeFolder.write([task]).files;
    const onDisk = JSON.parse(written?.text ?? "");
    expect(onDisk).toMatchObject({
      status: "pending",
      metadata: { milepost: { status: { shown: "pending", is: "failed" } } },
    });
    expect(plain(claudeFolder.read([file("1.json", onDisk)]).tasks)).toEqual(plain([task]));
    const [moved] = claudeFolder.read([file("1.json", { ...onDisk, status: "completed" })]).tasks;
    expect(moved).toMatchObject({ status: "completed", priority: "high" });
  });

  test.each(["done", "Completed", "open"])("the word %s is carried: only Claude Code's own are written", (word) => {
    const [task] = claudeFolder.read([file("1.json", record("1", { status: word }))]).tasks;
    const [written] = claudeFolder.write(task ? [task] : []).files;
    const onDisk = JSON.parse(written?.text ?? "");
    const shown = word === "Completed" ? "completed" : "pending";
    expect(onDisk).toMatchObject({ status: shown, metadata: { milepost: { statusWord: { shown, is: word } } } });
    const read = (value: object) => claudeFolder.read([file("1.json", value)]).tasks;
    expect(plain(read(onDisk))).toEqual(plain(task ? [task] : []));
    expect(read({ ...onDisk, status: "in_progress" })[0]).toMatchObject({ status: "in_progress", metadata: {} });
  });

  test("numbers that were given stay given", () => {
    const tasks = [travelling({ id: "3", subject: "a" }), travelling({ id: "x", subject: "b" })];
    const paths = (lastNumber: number) => claudeFolder.write(tasks, { lastNumber }).files.map(({ path }) => path);
    expect(paths(1)).toEqual(["3.json", "4.json", ".highwatermark"]);
    expect(paths(7)).toEqual(["3.json", "8.json", ".highwatermark"]);
    expect(claudeFolder.write(tasks.slice(0, 1), { lastNumber: 7 }).files.at(-1)?.text).toBe("7");
  });

  test("an id after which no number fits", () => {
    const tasks = ["999999999999999", "x", "1", "y"].map((id) => travelling({ id, subject: id }));
    const { files } = claudeFolder.write(tasks);
    expect(files.map(({ path }) => path)).toEqual([
      ...["999999999999999.json", "2.json", "1.json", "3.json", ".highwatermark"],
    ]);
  });

  test.each([
    ["nothing", [], 0],
    ["the mark", [{ path: ".highwatermark", text: " 12\n" }, file("3.json", {})], 12],
    ["a task after it", [{ path: ".highwatermark", text: "2" }, file("3.json", {})], 3],
    [
      "a mark that is none",
      [
        { path: ".highwatermark", text: "1e9" },
        { path: "5.json", text: "" },
      ],
      5,
    ],
    ["other files", [file("a.json", {}), file("other/9.json", {})], 0],
  ])("the last number of a folder: %s", (_, files, last) => {
    expect(claudeFolder.lastNumber?.(files)).toBe(last);
  });

  test("cancelled tasks are not written, their numbers stay given", () => {
    const tasks = [
      travelling({ id: "1", subject: "a", blockedBy: ["9"] }),
      travelling({ id: "9", subject: "b", status: "cancelled" }),
    ];
    const { files, problems, leftOut } = claudeFolder.write(tasks);
    expect(leftOut).toBe(1);
    expect(files.map(({ path }) => path)).toEqual(["1.json", ".highwatermark"]);
    expect(files[1]?.text).toBe("9");
    expect(problems.map(({ where }) => where)).toEqual(["task 9"]);
  });
});
