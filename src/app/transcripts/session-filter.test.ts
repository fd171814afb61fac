import { expect, test } from "vitest";
import { filtersOf, parseSince } from "./session-filter.js";
import type { SessionReport } from "./session-report.js";

const NOW = Date.parse("2026-11-16T18:00:00.000Z");
const HOUR = 3_600_000;

test.each<[string, number | undefined]>([
  ["2h", NOW - 2 * HOUR],
  ["90m", NOW - 1.5 * HOUR],
  ["1d", NOW - 24 * HOUR],
  ["2026-11-16", new Date(2026, 10, 16).getTime()],
  ["2026-11-16 09:30", new Date(2026, 10, 16, 9, 30).getTime()],
  ["2026-11-16T09:30:00Z", Date.parse("2026-11-16T09:30:00Z")],
  // A year, not so many seconds.
  ["2026", undefined],
  ["2026-13-01", undefined],
  ["yesterday", undefined],
  ["", undefined],
  ["-2h", undefined],
])("since %j", (text, then) => {
  expect(parseSince(text, NOW)).toBe(then);
});

const report = (state: string) =>
  ({ state, agent: "codex", folder: "/p", updatedAt: null }) as unknown as SessionReport;

test.each<[string, string, readonly string[], boolean]>([
  ["its own state", "idle", [], true],
  ["another one", "ended", [], false],
  ["a sub-agent that waits", "waiting", ["waiting"], true],
  ["a sub-agent that is done says nothing of its session", "ended", ["ended"], false],
])("an idle session: %s", (_, state, subAgents, then) => {
  const [filter] = filtersOf({ here: false, state }, "/p", NOW);
  expect(filter?.fits(report("idle"), subAgents.map(report))).toBe(then);
});

test.each<[string | null, boolean]>([
  ["2026-11-16T16:00:00.000Z", true],
  ["2026-11-16T15:59:59.999Z", false],
  [null, false],
])("active at %s: since two hours", (updatedAt, then) => {
  const [filter] = filtersOf({ here: false, since: "2h" }, "/p", NOW);
  expect(filter?.fits({ ...report("idle"), updatedAt }, [])).toBe(then);
});
