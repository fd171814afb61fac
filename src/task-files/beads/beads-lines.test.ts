import { describe, expect, test } from "vitest";
import { plain } from "../../../test/travelling-tasks.js";
import { travelling } from "../portable-task.js";
import { beadsLines } from "./beads-lines.js";

const TIMES = { created_at: "2026-01-01T00:00:00.000Z", updated_at: "2026-01-02T00:00:00.000Z" };
const EPIC = { id: "shop-a1", title: "Checkout", status: "open", priority: 1, issue_type: "epic", ...TIMES };
const CHILD = {
  ...{ id: "shop-a1.1", title: "Pay by card", description: "Cards first", design: "One form" },
  ...{
    acceptance_criteria: "- a card works",
    notes: "Ask finance",
    status: "blocked",
    priority: 0,
    issue_type: "task",
  },
  ...{ assignee: "ana", estimated_minutes: 90, labels: ["ui"], ...TIMES },
  dependencies: [
    { issue_id: "shop-a1.1", depends_on_id: "shop-b2", type: "blocks" },
    { issue_id: "shop-a1.1", depends_on_id: "shop-a1", type: "parent-child" },
    { issue_id: "shop-a1.1", depends_on_id: "shop-a1", type: "discovered-from", created_by: "bo" },
  ],
  comments: [{ id: "1", issue_id: "shop-a1.1", author: "bo", text: "Yes", created_at: "2026-01-02T00:00:00.000Z" }],
};
const CLOSED = {
  ...{ id: "shop-b2", title: "Account", status: "closed", priority: 2, issue_type: "task", ...TIMES },
  ...{ closed_at: "2026-01-03T00:00:00.000Z", close_reason: "Merged" },
};

const lines = (...values: readonly unknown[]) => [
  {
    path: "issues.jsonl",
    text: values.map((value) => `${typeof value === "string" ? value : JSON.stringify(value)}\n`).join(""),
  },
];
const read = (...values: readonly unknown[]) => beadsLines.read(lines(...values));
const backAgain = (...values: readonly unknown[]) =>
  (beadsLines.write(read(...values).tasks).files[0]?.text ?? "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

describe("issues of beads", () => {
  test("are read", () => {
    const { tasks, problems } = read(EPIC, CHILD, CLOSED);
    const times = { createdAt: Date.UTC(2026, 0, 1), updatedAt: Date.UTC(2026, 0, 2) };
    expect(problems).toEqual([]);
    expect(plain(tasks)).toEqual(
      plain([
        travelling({
          id: "shop-a1",
          subject: "Checkout",
          priority: "high",
          metadata: { beads: { issue_type: "epic" } },
          ...times,
        }),
        travelling({
          ...{
            id: "shop-a1.1",
            subject: "Pay by card",
            priority: "critical",
            labels: ["ui"],
            assignee: "ana",
            ...times,
          },
          description:
            "Cards first\n\n## Design\n\nOne form\n\n## Acceptance Criteria\n\n- a card works\n\n## Notes\n\nAsk finance",
          ...{
            parent: "shop-a1",
            blockedBy: ["shop-b2"],
            notes: [{ text: "Yes", by: "bo", at: Date.UTC(2026, 0, 2) }],
          },
          metadata: { beads: { estimated_minutes: 90, status: "blocked", dependencies: [CHILD.dependencies[2]] } },
        }),
        travelling({
          ...{ id: "shop-b2", subject: "Account", status: "completed", priority: "medium", ...times },
          ...{ closedAt: Date.UTC(2026, 0, 3), metadata: { beads: { close_reason: "Merged" } } },
        }),
      ]),
    );
  });

  test("go back as they came", () => {
    expect(backAgain(EPIC, CHILD, CLOSED)).toEqual([EPIC, CHILD, CLOSED]);
  });

  test.each([
    ["open", undefined, "pending"],
    ["hooked", undefined, "in_progress"],
    ["deferred", undefined, "pending"],
    ["pinned", undefined, "pending"],
    ["tombstone", undefined, "cancelled"],
    ["triage", undefined, "pending"],
    ["closed", undefined, "completed"],
    ["closed", "Fixed the error that failed", "completed"],
    ["closed", "won't fix: nobody asks", "cancelled"],
    ["closed", "failed: no luck", "failed"],
  ])("status %s, %s", (status, reason, expected) => {
    const issue = {
      ...EPIC,
      status,
      close_reason: reason,
      ...(status === "closed" ? { closed_at: TIMES.updated_at } : {}),
    };
    expect(read(issue).tasks[0]?.status).toBe(expected);
    expect(backAgain(issue)).toEqual([JSON.parse(JSON.stringify(issue))]);
  });

  test.each(["blocks", "conditional-blocks", "waits-for"])(
    "%s keeps a task from being worked on, and stays what it is",
    (type) => {
      const issue = { ...EPIC, dependencies: [{ issue_id: "shop-a1", depends_on_id: "shop-b2", type }] };
      expect(read(issue, CLOSED).tasks[0]?.blockedBy).toEqual(["shop-b2"]);
      expect(backAgain(issue, CLOSED)[0]).toEqual(issue);
    },
  );

  test.each([{ toString: 0 }, [{ toString: 0 }], ["blocks"], 7])(
    "a kind that is no text goes back as it came: %j",
    (type) => {
      const issue = { ...EPIC, dependencies: [{ issue_id: "shop-a1", depends_on_id: "shop-b2", type }] };
      expect(read(issue, CLOSED).tasks[0]?.blockedBy).toEqual([]);
      expect(backAgain(issue, CLOSED)[0]).toEqual(issue);
    },
  );

  test("a damaged line is one problem", () => {
    const memory = { _type: "memory", key: "k" };
    const { tasks, problems } = read(EPIC, "{ half", "", "[1]", memory, {}, { id: "x-1" }, { title: "no id" });
    expect(tasks.map(({ id, subject }) => [id, subject])).toEqual([
      ["shop-a1", "Checkout"],
      ["x-1", "x-1"],
      ["~line-8", "no id"],
    ]);
    expect(problems.map(({ where }) => where)).toEqual(["line 2", "line 4", "line 5", "line 6", "line 7"]);
  });

  test("what `bd list --json` prints is read too, and an empty file is empty", () => {
    const list = JSON.stringify([EPIC, CLOSED], undefined, 2);
    expect(beadsLines.recognises([{ path: "x", text: list }])).toBe(true);
    expect(beadsLines.read([{ path: "x", text: list }]).tasks).toHaveLength(2);
    expect(read()).toEqual({ tasks: [], problems: [] });
  });

  test("our numbers get beads' prefix, and a closed issue a time", () => {
    const tasks = [
      travelling({ id: "1", subject: "a", status: "completed" }),
      travelling({ id: "2", subject: "b", blockedBy: ["1"] }),
    ];
    const [one, two] = (beadsLines.write(tasks).files[0]?.text ?? "")
      .split("\n")
      .map((line) => line && JSON.parse(line));
    expect(one).toMatchObject({ id: "bd-1", status: "closed", closed_at: "1970-01-01T00:00:00.000Z" });
    expect(two.dependencies).toEqual([{ issue_id: "bd-2", depends_on_id: "bd-1", type: "blocks" }]);
  });
});
