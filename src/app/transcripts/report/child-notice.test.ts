import { describe, expect, test } from "vitest";
import { listWith, reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionReport } from "../session-report.js";
import { childNotice, noticeLines } from "./child-notice.js";

const START = Date.parse("2026-11-18T10:00:00Z");
const iso = (seconds: number) => new Date(START + seconds * 1000).toISOString();

/** A sub-agent that began at 0 and was last heard of at so many seconds. */
const child = (heard: number, beside: Partial<SessionReport> = {}, ...todos: readonly string[]): SessionReport => ({
  ...reportWith({ id: "s1/x", parent: "s1", list: listWith(...todos) }),
  startedAt: iso(0),
  activeAt: iso(heard),
  updatedAt: iso(heard),
  ...beside,
});
const at = (seconds: number) => START + seconds * 1000;

const cases: readonly {
  readonly name: string;
  readonly given: SessionReport;
  readonly now: number;
  readonly then: readonly [string, string, number];
}[] = [
  { name: "has just begun", given: child(0), now: 1, then: ["start", "started", 0] },
  {
    name: "is on a todo: told after the delay",
    given: child(10, {}, "a.", "b!"),
    now: 13,
    then: ["progress", "1/2 b", 12.5],
  },
  {
    name: "before the delay, its start is the last",
    given: child(10, {}, "a.", "b!"),
    now: 12,
    then: ["start", "started", 0],
  },
  { name: "silent for a minute", given: child(10, {}, "a!"), now: 75, then: ["stall", "silent for 1m", 75] },
  {
    name: "silent, and still silent: one notice",
    given: child(10, {}, "a!"),
    now: 500,
    then: ["stall", "silent for 1m", 75],
  },
  { name: "done", given: child(42, { state: "ended" }, "a."), now: 500, then: ["done", "done in 42s", 42] },
  {
    name: "failed",
    given: child(42, { state: "idle", why: { ...reportWith().why, reason: "failed" } }),
    now: 500,
    then: ["error", expect.stringMatching(/^failed: /), 42],
  },
  {
    name: "six hours without an end",
    given: child(10, {}, "a!"),
    now: 7 * 3600,
    then: ["timeout", "no end after 6h", 21_600],
  },
];

describe("what a session is told of a sub-agent", () => {
  test.each(cases)("$name", ({ given, now, then: [kind, text, when] }) => {
    expect(childNotice(given, at(now))).toEqual({ kind, text, at: iso(when) });
  });

  test("without times there is nothing to tell", () => {
    expect(childNotice({ ...child(0), startedAt: null }, at(5))).toBeNull();
  });
});

describe("lines for who follows the session", () => {
  const told = (kind: "progress" | "stall" | "done" | "start", text: string, seconds: number) => [
    { ...reportWith(), done: 0, total: 0, now: null, id: "s1/x\u001b[2J", notice: { kind, text, at: iso(seconds) } },
  ];
  const line = (text: string) => [expect.stringMatching(new RegExp(`^Sub-agent x[^\\u001b]*: ${text}$`))];

  test.each([
    ["silent", told("progress", "a", 1), told("stall", "silent for 1m", 75), line("silent for 1m")],
    ["told once", told("stall", "silent for 1m", 75), told("stall", "silent for 1m", 75), []],
    ["goes on", told("stall", "silent for 1m", 75), told("progress", "b", 90), line("goes on")],
    ["progress is in its own lines", told("progress", "a", 1), told("progress", "b", 5), []],
    ["done", told("progress", "a", 1), told("done", "done in 5s", 5), line("done in 5s")],
    ["a new one has a line of its own", [], told("start", "started", 0), []],
  ] as const)("%s", (_, before, after, then) => {
    expect(noticeLines(before, after)).toEqual(then);
  });
});
