import { describe, expect, test } from "vitest";
import { listWith, planWith, reportWith } from "../../../test/readers/session-reports.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { groupsOf, matchesFilter, totalsOf } from "./session-groups.js";

const at = (minutes: number) => new Date(Date.parse("2026-03-01T12:00:00Z") + 60_000 * minutes).toISOString();

/** `since`: minutes at which its state began; `started`: at which it did. */
function session(
  id: string,
  state: SessionReport["state"],
  since = 0,
  more: Partial<SessionReport> = {},
): SessionReport {
  const why = { reason: "in-turn", source: "hook", since: at(since), word: null } as const;
  return { ...reportWith({ id }), state, why, startedAt: at(since), ...more };
}
const below = (id: string, state: SessionReport["state"]) => session(id, state, 0, { parent: "a" });
const alert = (level: "note" | "warn" | "block", isOver = false) => ({
  alerts: [{ detector: "d", level, count: 1, at: null, message: "m", isOver }],
});

/** `needs-you: a b | running: c d`; sub-agents stand behind their session in brackets. */
function drawn(
  reports: readonly SessionReport[],
  pinned: readonly string[] = [],
  snoozed: readonly string[] = [],
): string {
  const person = { isPinned: (id: string) => pinned.includes(id), isSnoozed: (id: string) => snoozed.includes(id) };
  return groupsOf(reports, person)
    .map(({ name, families }) => {
      const ids = families.map((one) => [one.session.id, ...one.below.map(({ id }) => `(${id})`)].join(""));
      return `${name}: ${ids.join(" ")}`;
    })
    .join(" | ");
}

describe("the order of groups", () => {
  const rows: readonly [string, string, string][] = [
    [
      "who waits, what is wrong, what goes on, what rests, what is over",
      drawn([
        session("e", "ended"),
        session("i", "idle"),
        session("r", "running"),
        session("s", "stalled"),
        session("x", "running", 0, alert("warn")),
        session("w", "waiting"),
      ]),
      "needs-you: w | alerts: x | stalled: s | running: r | idle: i | ended: e",
    ],
    ["nothing", drawn([]), ""],
    ["a remark is no alert", drawn([session("a", "running", 0, alert("note"))]), "running: a"],
    ["an alert that is over is none", drawn([session("a", "running", 0, alert("block", true))]), "running: a"],
    ["an alert of one that has ended is none", drawn([session("a", "ended", 0, alert("block"))]), "ended: a"],
    ["who waits and has an alert waits", drawn([session("a", "waiting", 0, alert("warn"))]), "needs-you: a"],
    ["a sub-agent that waits", drawn([session("a", "running"), below("a/1", "waiting")]), "needs-you: a(a/1)"],
    [
      "sub-agents that have ended",
      drawn([session("a", "running"), below("a/1", "ended"), below("a/2", "running")]),
      "running: a(a/2)",
    ],
    ["a sub-agent whose session nobody knows", drawn([below("a/1", "running")]), "running: a/1"],
    ["pinned", drawn([session("a", "running"), session("b", "ended")], ["b"]), "pinned: b | running: a"],
    ["who is pinned and waits", drawn([session("a", "waiting")], ["a"]), "needs-you: a"],
    [
      "snoozed, also while it waits",
      drawn([session("a", "waiting"), session("b", "ended")], ["a"], ["a"]),
      "ended: b | snoozed: a",
    ],
  ];
  test.each(rows)("%s", (_, shown, expected) => expect(shown).toBe(expected));
});

describe("the order in a group", () => {
  const rows: readonly [string, string, string][] = [
    [
      "whoever has waited longest first",
      drawn([session("a", "waiting", 5), session("b", "waiting", 2)]),
      "needs-you: b a",
    ],
    [
      "at work: who began last, whatever it does",
      drawn([session("a", "running", 2), session("b", "running", 5)]),
      "running: b a",
    ],
    ["at rest: whose turn ended last", drawn([session("a", "idle", 2), session("b", "idle", 5)]), "idle: b a"],
    ["at the same time: by name", drawn([session("b", "running", 2), session("a", "running", 2)]), "running: a b"],
    [
      "a call does not move a row",
      drawn([session("a", "running", 9, { startedAt: at(1) }), session("b", "running", 2, { startedAt: at(2) })]),
      "running: b a",
    ],
  ];
  test.each(rows)("%s", (_, shown, expected) => expect(shown).toBe(expected));
});

test("totals count sessions: sub-agents are none, and one that waits makes its session wait", () => {
  const reports = [
    session("a", "running"),
    below("a/1", "waiting"),
    below("a/2", "running"),
    session("b", "waiting", 0, alert("warn")),
    session("c", "stalled"),
    session("d", "ended", 0, alert("block")),
  ];
  expect(totalsOf(reports)).toEqual({ waiting: 2, running: 1, stalled: 1, alerts: 1 });
});

test.each<[string, boolean]>([
  ["", true],
  ["LOGIN", true],
  ["shop login", true],
  ["shop nothing", false],
  ["drop", true],
  ["redis", true],
  ["waiting", true],
])("the filter %j", (filter, fits) => {
  const report = session("a", "waiting", 0, {
    ...reportWith({ id: "a", folder: "/src/shop", list: listWith("Fix the login!") }),
    state: "waiting",
    waitingFor: { kind: "question", text: "Drop it?", choices: [] },
    plan: planWith({ title: "Move to Redis" }),
  });
  expect(matchesFilter(report, filter)).toBe(fits);
});
