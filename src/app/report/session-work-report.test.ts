import { expect, test } from "vitest";
import { reportWith, richSession, Story } from "../../../test/report-samples.js";
import { sumUp } from "./session-work-report.js";

const session = richSession();

test("todos with their verdicts, why, and the time each one took", () => {
  const rows = session.todos.map(({ number, verdict, reason }) => [number, verdict, reason]);
  expect(rows).toEqual([
    [1, "worked", "no check tells how good it is"],
    [2, "verified", "a later check passed"],
    [3, "verified", "npm test -- login passed"],
    [4, "verified", "npm test -- clock passed"],
    [5, "unbacked", "nothing ran while it was in progress"],
    [6, "verified", "a later check passed"],
    [7, "contradicted", "npm test failed"],
    [8, null, null],
  ]);
  const [first] = session.todos;
  expect(first).toMatchObject({ calls: 8, failures: 0, added: 0 });
  // What is left of the list while a person was away is nobody's time.
  const total = session.todos.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  expect(total).toBeLessThanOrEqual(session.sum.working);
});

test("what is summed up", () => {
  expect(session.sum).toMatchObject({
    todos: { done: 7, open: 1, cancelled: 0 },
    verdicts: { verified: 4, worked: 1, unbacked: 1, contradicted: 1, waived: 0, none: 0 },
    calls: { total: 37, failed: 10 },
    checks: { passed: 4, failed: 10, unknown: 0 },
    turns: 2,
    compactions: 1,
    files: 4,
    added: 95,
    removed: 34,
  });
  expect(session.alerts.map(({ detector }) => detector)).toContain("same-error");
  expect(reportWith([session, session]).sum.calls).toEqual({ total: 74, failed: 20 });
  expect(sumUp([]).verdicts.verified).toBe(0);
});

test("only what happened in the period", () => {
  const story = new Story("s", ["a", "b"]);
  story.tell({ type: "turn.started" }).list("1>").ran(call("one")).list("1.", "2>").tell(over).pause(60);
  const from = story.at;
  story.tell({ type: "turn.started" }).ran(call("two")).list("2.").tell(over);
  const part = story.report({ from });
  expect(part.todos.map(({ text }) => text)).toEqual(["b"]);
  expect(part.calls.map(({ subject }) => subject)).toEqual(["two"]);
  expect([part.sum.turns, part.sum.calls.total]).toEqual([1, 1]);
  expect(story.report().sum.calls.total).toBe(2);
});

test("a session that was left in mid-turn works no longer than it was heard of", () => {
  const story = new Story("s", ["a"]);
  story.tell({ type: "turn.started" }).list("1>").ran(call("one"));
  const { at } = story;
  const left = story.report({ now: at + 86_400_000, state: "stalled" });
  expect(left.sum.working).toBeLessThan(60_000);
  expect(left.todos[0]?.milliseconds).toBeLessThan(60_000);
  expect(story.report({ now: at + 3_600_000, state: "running" }).sum.working).toBeGreaterThan(3_600_000);
});

test("of many calls the newest are listed, and all are counted", () => {
  const story = new Story("s", []);
  story.ran(...["one", "two", "three"].map(call));
  const { calls, callsLeftOut, sum } = story.report({ mostCalls: 2 });
  expect([calls.map(({ subject }) => subject), callsLeftOut, sum.calls.total]).toEqual([["two", "three"], 1, 3]);
});

const over = { type: "turn.ended", isAsking: false } as const;
const call = (subject: string) => ({ tool: "Bash", subject, facts: { kind: "execute", signature: subject } }) as const;
