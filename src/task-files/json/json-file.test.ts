import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { travelling } from "../portable-task.js";
import { jsonFile } from "./json-file.js";

const read = (value: unknown) =>
  jsonFile.read([{ path: "tasks.json", text: typeof value === "string" ? value : JSON.stringify(value) }]);

const FULL = {
  id: 3,
  uuid: "0199a3f0-0000-7000-8000-000000000000",
  subject: "Write it",
  description: "All of it",
  activeForm: "Writing it",
  status: "failed",
  priority: "critical",
  labels: ["a", "a", "b"],
  metadata: { ticket: 12 },
  blockedBy: [4],
  parent: 4,
  assignee: "ana",
  notes: [{ text: "n", by: "bo", at: "2026-01-02T03:04:05.678Z" }, { text: " " }],
  evidence: ["seen"],
  reason: "no luck",
  maxAttempts: 5,
  createdAt: "2026-01-01T00:00:00.000Z",
  lease: { owner: "x", fence: 2 },
  ready: false,
};

describe("our own JSON", () => {
  test("everything, whatever else stands there", () => {
    const { tasks, problems } = read({ tasks: [FULL, { id: "4", subject: "first" }] });
    expect(problems).toEqual([]);
    expect(plain(tasks)).toEqual(
      plain([
        travelling({
          ...{ id: "3", uuid: FULL.uuid, subject: "Write it", description: "All of it", activeForm: "Writing it" },
          ...{ status: "failed", priority: "critical", labels: ["a", "b"], metadata: { ticket: 12 }, parent: "4" },
          ...{ blockedBy: ["4"], assignee: "ana", evidence: [{ text: "seen" }], reason: "no luck", maxAttempts: 5 },
          notes: [{ text: "n", by: "bo", at: Date.UTC(2026, 0, 2, 3, 4, 5, 678) }],
          createdAt: Date.UTC(2026, 0, 1),
        }),
        travelling({ id: "4", subject: "first" }),
      ]),
    );
  });

  test.each([
    ["a bare list", [{ id: 1, subject: "a" }]],
    ["one task", { task: { id: 1, subject: "a" } }],
  ])("%s", (_, value) => {
    expect(read(value).tasks.map(({ id }) => id)).toEqual(["1"]);
  });

  test.each([
    ["an empty file", "", 1],
    ["half a file", '{"tasks":[{"id":', 1],
    ["no tasks", {}, 1],
    ["a number", 5, 1],
    ["an empty list", [], 0],
    ["things that are no tasks", [1, null, {}, "x"], 4],
  ])("%s", (_, value, problems) => {
    expect(read(value).tasks).toEqual([]);
    expect(read(value).problems).toHaveLength(problems);
  });

  test("bad values cost no task", () => {
    const { tasks, problems } = read([
      { id: 1, subject: 5, status: "soon", priority: "huge", labels: "x", blockedBy: [{}] },
    ]);
    expect(plain(tasks)).toEqual(
      plain([travelling({ id: "1", subject: "1", metadata: { json: { status: "soon" } } })]),
    );
    expect(problems).toHaveLength(2);
  });

  test("a status that is not known goes back as it came, until it is another", () => {
    const { tasks } = read([{ id: 1, subject: "a", status: "soon" }]);
    const written = (status: "pending" | "completed") =>
      JSON.parse(jsonFile.write(tasks.map((task) => ({ ...task, status }))).files[0]?.text ?? "").tasks[0].status;
    expect([written("pending"), written("completed")]).toEqual(["soon", "completed"]);
  });
});
