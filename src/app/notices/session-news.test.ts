import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listWith, reportWith } from "../../../test/readers/session-reports.js";
import type { AlertReport } from "../transcripts/report/alert-report.js";
import type { SessionReport } from "../transcripts/session-report.js";
import { newsOf } from "./session-news.js";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const ago = (seconds: number) => new Date(NOW - 1000 * seconds).toISOString();

type Why = Partial<SessionReport["why"]>;
const session = (state: SessionReport["state"], why: Why = {}, fields: Partial<SessionReport> = {}) =>
  reportWith(
    { folder: "/src/web" },
    { state, why: { reason: "in-turn", source: "hook", since: ago(1), word: null, ...why }, ...fields },
  );
const running = session("running");
const asks = (text: string | null, fields: Partial<SessionReport> = {}) =>
  session("waiting", { reason: "question" }, { waitingFor: { kind: "question", text, choices: [] }, ...fields });
const alert = (fields: Partial<AlertReport> = {}): AlertReport => ({
  detector: "same-call",
  level: "warn",
  count: 6,
  at: ago(5),
  message: "The same failing command 6 times. Try another way.",
  isOver: false,
  ...fields,
});
const alerted = (...alerts: AlertReport[]) => session("running", {}, { alerts });

/** `old` undefined: nobody knew the session, though others. */
function news(old: SessionReport | undefined, now: SessionReport): readonly string[] {
  const other = { ...running, id: "other" };
  const before = new Map([other, ...(old ? [old] : [])].map((one) => [one.id, one]));
  return newsOf(before, [other, now], NOW).map(({ kind, title, text }) => `${kind} | ${title} | ${text}`);
}

const WEB = "web (claude-code)";
const cases: { name: string; old?: SessionReport; now: SessionReport; then: string[] }[] = [
  {
    name: "starts to wait",
    old: running,
    now: asks("Drop it?"),
    then: [`waits | ${WEB} | Waits for you (question): Drop it?`],
  },
  { name: "asks nothing in words", old: running, now: asks(null), then: [`waits | ${WEB} | Waits for you (question)`] },
  { name: "still waits", old: asks("Drop it?"), now: asks("Drop it?"), then: [] },
  {
    name: "asks something else",
    old: asks("Drop it?"),
    now: asks("Sure?"),
    then: [`waits | ${WEB} | Waits for you (question): Sure?`],
  },
  { name: "goes on", old: asks("Drop it?"), now: running, then: [] },
  { name: "its turn is over", old: running, now: session("idle", { reason: "turn-ended" }), then: [] },
  {
    name: "stalls",
    old: running,
    now: session("stalled", { reason: "no-event" }),
    then: [`stuck | ${WEB} | Stuck: no event for a while`],
  },
  {
    name: "is stalled still",
    old: session("stalled", { reason: "no-event" }),
    now: session("stalled", { reason: "no-event" }),
    then: [],
  },
  {
    name: "its turn fails",
    old: running,
    now: session("idle", { reason: "failed" }),
    then: [`stuck | ${WEB} | Stuck: its turn has failed`],
  },
  {
    name: "reaches its limit",
    old: running,
    now: session("idle", { reason: "usage-limit" }),
    then: [`stuck | ${WEB} | Stuck: the usage limit is reached`],
  },
  {
    name: "a new alert, without the advice for the model",
    old: running,
    now: alerted(alert()),
    then: [`stuck | ${WEB} | Stuck: The same failing command 6 times.`],
  },
  { name: "the same alert", old: alerted(alert()), now: alerted(alert({ count: 7 })), then: [] },
  {
    name: "an alert that got worse",
    old: alerted(alert()),
    now: alerted(alert({ level: "block", message: "Refused." })),
    then: [`stuck | ${WEB} | Stuck: Refused.`],
  },
  { name: "a note", old: running, now: alerted(alert({ level: "note" })), then: [] },
  { name: "an alert that is over", old: running, now: alerted(alert({ isOver: true })), then: [] },
  {
    name: "ends",
    old: running,
    now: session("ended", { reason: "session-ended" }),
    then: [`ended | ${WEB} | Ended`],
  },
  {
    name: "ends in the middle of its list",
    old: running,
    now: {
      ...reportWith({ folder: "/src/web", list: listWith("a.", "b!", "c") }),
      state: "ended",
      why: { reason: "process-gone", source: "process", since: ago(1), word: null },
    },
    then: [`ended | ${WEB} | Ended: its process is gone, 2 todos of 3 open`],
  },
  { name: "a day of silence", old: running, now: session("ended", { reason: "long-quiet" }), then: [] },
  { name: "is cleared", old: running, now: session("ended", { reason: "session-ended", word: "clear" }), then: [] },
  {
    name: "a new session that waits",
    now: asks("Which?"),
    then: [`waits | ${WEB} | Waits for you (question): Which?`],
  },
  { name: "an old session that was found late", now: session("waiting", { since: ago(31) }), then: [] },
  { name: "a session without a time", now: session("waiting", { since: null }), then: [] },
  { name: "a new session that has ended", now: session("ended", { reason: "session-ended" }), then: [] },
  {
    name: "a sub-agent waits",
    old: session("running", {}, { parent: "s0" }),
    now: asks("May I?", { parent: "s0" }),
    then: ["waits | web (claude-code, sub-agent) | Waits for you (question): May I?"],
  },
  {
    name: "a sub-agent ends",
    old: session("running", {}, { parent: "s0" }),
    now: session("ended", { reason: "session-ended" }, { parent: "s0" }),
    then: [],
  },
  {
    name: "what it asks is hostile",
    old: running,
    now: asks("a\u001b]0;x\u0007\nb"),
    then: [`waits | ${WEB} | Waits for you (question): a␛]0;x␇␊b`],
  },
];

describe("news of a session", () => {
  test.each(cases)("$name", ({ old, now, then }) => expect(news(old, now)).toEqual(then));

  test("nothing at the first look", () => {
    expect(newsOf(new Map(), [asks("Which?"), alerted(alert())], NOW)).toEqual([]);
  });

  test("texts have an end", () => {
    expect(news(running, asks("x".repeat(100_000)))[0]?.length).toBeLessThan(300);
  });

  test("the same look twice is no news", () => {
    const states = fc.constantFrom(...cases.map(({ now }) => now));
    fc.assert(
      fc.property(states, (now) => {
        expect(news({ ...now }, now)).toEqual([]);
      }),
    );
  });
});
