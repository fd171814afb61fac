import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { standingOf } from "../../core/task/standing.js";
import { NO_TASK, type Task } from "../../core/task/task.js";
import { parseDuration } from "../../core/text/duration.js";
import type { Output } from "../command-definition.js";
import { parsePriority, splitNames } from "../commands/task/task-flags.js";
import { headingRow, layoutOf, TaskTally, tableTask, taskRow } from "./task-columns.js";

const NOW = Date.parse("2026-01-31T09:00:00Z");

function output(columns: number, hasColor = false): Output {
  return { write: async () => undefined, isTerminal: true, hasColor, columns };
}

function report(number: number, given: Partial<Task> = {}, openBlockers: readonly number[] = []) {
  const task = { ...NO_TASK, number, subject: `Task ${number}`, createdAt: NOW - 90_000, ...given };
  const known = { agents: new Map([["acc5a7f3-1111-4222-8333-944455556666", "claude-code"]]), machine: "desk" };
  return tableTask({ task, standing: standingOf(task, openBlockers, NOW) }, known);
}

const SESSION = "acc5a7f3-1111-4222-8333-944455556666";
const lease = { owner: "worker-1@machine.example", fence: 1, until: NOW + 90_000, ttl: 90_000, since: NOW };
const TASKS = [
  report(1, {
    status: "in_progress",
    lease,
    priority: "critical",
    subject: "Ship the login page with all that belongs to it",
  }),
  report(2, {}, [1, 12]),
  report(12, { subject: "日本語のとても長い件名がここにあります、そして続きます、まだまだ続きます" }),
  report(13, { subject: "evil \u001b[31m\u202e\nrow", assignee: "ann" }),
  report(14, { wait: { kind: "timer", at: NOW + 7_200_000 }, labels: ["web", "bug"] }),
  report(15, { status: "in_progress", lease: { ...lease, owner: "ann@desk", until: NOW } }),
  report(16, { retryAt: NOW + 1000 }),
  report(20, { status: "in_progress", lease: { ...lease, owner: SESSION, session: SESSION }, cancelRequest: {} }),
  report(21, { status: "in_progress", lease: { ...lease, owner: "ann@desk", until: NOW }, cancelRequest: {} }),
  report(17, { status: "completed" }),
  report(18, { status: "failed" }),
  report(19, { status: "cancelled" }),
];

function table(columns: number): readonly string[] {
  const screen = output(columns);
  const layout = layoutOf(TASKS, columns, NOW);
  const heading = headingRow(layout, screen);
  return [...(heading === undefined ? [] : [heading]), ...TASKS.map((task) => taskRow(task, layout, screen, NOW))];
}

describe("the table", () => {
  test.each([10, 29, 30, 40, 60, 80, 120, 200])("fits %i columns, row by row", (columns) => {
    for (const row of table(columns)) {
      expect(stringWidth(row)).toBeLessThanOrEqual(columns);
      for (const control of ["\u001b", "\u202e", "\n"]) expect(row).not.toContain(control);
    }
  });

  test("on a wide screen everything stands in its column", () => {
    expect(table(100)).toEqual([
      "id  state           left  priority  owner             age  subject",
      " 1  in progress       2m  critical  worker-1@machine   1m  Ship the login page with all that belong…",
      " 2  blocked #1 #12     -  medium    -                  1m  Task 2",
      "12  ready              -  medium    -                  1m  日本語のとても長い件名がここにあります、…",
      "13  ready              -  medium    (ann)              1m  evil ␛[31m\\u{202E}␊row",
      "14  waiting           2h  medium    -                  1m  Task 14  (web, bug)",
      "15  stale           over  medium    ann                1m  Task 15",
      "16  retrying          1s  medium    -                  1m  Task 16",
      "20  asked to stop     2m  medium    claude acc5a7      1m  Task 20",
      "21  asked to stop   over  medium    ann                1m  Task 21",
      "17  done               -  medium    -                  1m  Task 17",
      "18  failed             -  medium    -                  1m  Task 18",
      "19  cancelled          -  medium    -                  1m  Task 19",
    ]);
  });

  test("on a narrow one the subject keeps its room, and what matters least goes first", () => {
    expect(table(80)[0]).toBe("id  state          left  priority  owner         age  subject");
    expect(table(60)[0]).toBe("id  state          left  owner         subject");
    expect(table(40).slice(0, 3)).toEqual([
      "id  state          subject",
      " 1  in progress    Ship the login page …",
      " 2  blocked #1 #…  Task 2",
    ]);
    expect(table(20)[0]).toBe("#1 in progress Ship…");
  });

  test("into a pipe rows are whole", () => {
    const layout = layoutOf(TASKS, Number.POSITIVE_INFINITY, NOW);
    const pipe = { ...output(80), isTerminal: false };
    const rows = TASKS.map((task) => taskRow(task, layout, pipe, NOW));
    expect(rows.join("")).not.toContain("…");
    expect(rows[0]).toContain("Ship the login page with all that belongs to it");
    expect(rows[0]).not.toMatch(/ $/);
  });

  test("a later piece keeps the columns of the first", () => {
    const first = layoutOf([report(100_000, { assignee: "somebody" })], 100, NOW);
    const later = layoutOf([report(1)], 100, NOW, first);
    expect(later).toEqual(first);
  });

  test("colour only where it was asked for", () => {
    const [task = report(1)] = TASKS;
    const layout = layoutOf([task], 80, NOW);
    expect(taskRow(task, layout, output(80, true), NOW)).toContain("\u001b[36min progress\u001b[0m");
    expect(taskRow(task, layout, output(80), NOW)).not.toContain("\u001b");
  });

  test("counts what it has shown", () => {
    const tally = new TaskTally();
    tally.add(TASKS);
    expect(tally.text).toBe(
      "12 tasks: 2 ready, 1 blocked, 1 waiting, 1 retrying, 2 stale, 2 in progress, 1 done, 1 failed, 1 cancelled",
    );
  });
});

test.each([
  ["90s", 90_000],
  ["90", 90_000],
  ["1.5h", 5_400_000],
  ["0.4ms", 0],
  [" 2 d ", 172_800_000],
  ["1m", 60_000],
  ["36500d", 36_500 * 86_400_000],
  ["36501d", undefined],
  ["", undefined],
  ["-1s", undefined],
  ["1w", 604_800_000],
  ["1 fortnight", undefined],
  ["1e9", undefined],
  ["9".repeat(400), undefined],
])("the time %j", (text, milliseconds) => expect(parseDuration(text)).toBe(milliseconds));

test.each([
  ["critical", "critical"],
  ["LOWEST", "lowest"],
  ["0", "critical"],
  ["p1", "high"],
  ["P4", "lowest"],
  ["5", undefined],
  ["p", undefined],
  ["", undefined],
  ["urgent", undefined],
])("the priority %j", (text, priority) => expect(parsePriority(text)).toBe(priority));

test("several names in one flag", () => {
  expect(splitNames(["3,4", "#5", " ", "6, 7,"])).toEqual(["3", "4", "#5", "6", "7"]);
  expect(splitNames(undefined)).toEqual([]);
});
