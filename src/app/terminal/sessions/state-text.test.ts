import { expect, test } from "vitest";
import { reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionReport } from "../../transcripts/session-report.js";
import { stateText, wholeStateText } from "./state-text.js";

const NOW = 1_800_000_000_000;
const iso = (ahead: number) => new Date(NOW + ahead).toISOString();
const MINUTE = 60_000;

type Fields = Partial<Pick<SessionReport, "limited" | "sleeping">>;
const why = (
  reason: SessionReport["why"]["reason"],
  source: SessionReport["why"]["source"],
  word: string | null = null,
) => ({ reason, source, word, since: iso(-3 * MINUTE) }) as const;

const cases: readonly [SessionReport["state"], SessionReport["why"], Fields, string, string][] = [
  ["running", why("in-turn", "hook"), {}, "running", "running: in turn, 3m, from hook"],
  [
    "running",
    why("background-work", "hook"),
    {},
    "running: background work, 3m",
    "running: background work, 3m, from hook",
  ],
  ["waiting", why("plan", "transcript"), {}, "waiting: plan, 3m", "waiting: plan, 3m, from transcript"],
  ["idle", why("turn-ended", "hook"), {}, "idle", "idle: turn ended, 3m, from hook"],
  ["idle", why("interrupted", "process"), {}, "idle: interrupted, 3m", "idle: interrupted, 3m, from process"],
  [
    "idle",
    why("usage-limit", "transcript"),
    { limited: { resetsAt: iso(90 * MINUTE) } },
    "idle: usage limit, 3m",
    "idle: usage limit, 3m, resets in 90m, from transcript",
  ],
  [
    "idle",
    why("usage-limit", "hook"),
    { limited: { resetsAt: null } },
    "idle: usage limit, 3m",
    "idle: usage limit, 3m, from hook",
  ],
  [
    "idle",
    why("turn-ended", "hook"),
    { sleeping: { until: iso(5 * MINUTE) } },
    "idle: wakes in 5m",
    "idle: turn ended, 3m, wakes in 5m, from hook",
  ],
  ["stalled", why("no-event", "hook"), {}, "stalled: no event, 3m", "stalled: no event, 3m, from hook"],
  ["ended", why("session-ended", "hook", "logout"), {}, "ended", "ended: session ended (logout), 3m, from hook"],
  ["ended", { ...why("long-quiet", "transcript"), since: null }, {}, "ended", "ended: long quiet, from transcript"],
];

test.each(cases)("%s, %j, %j: %s", (state, reason, fields, short, whole) => {
  const report = reportWith({}, { state, why: reason, ...fields });
  expect([stateText(report, NOW), wholeStateText(report, NOW)]).toEqual([short, whole]);
});
