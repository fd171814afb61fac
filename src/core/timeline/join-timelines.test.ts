import { expect, test } from "vitest";
import { joinTimelines } from "./join-timelines.js";
import { EMPTY_TIMELINE, type Timeline, type TimelineCall } from "./timeline.js";

const CALL: TimelineCall = {
  call: "a",
  agent: null,
  tool: "Bash",
  subject: null,
  at: 10,
  end: 20,
  status: "completed",
  kind: "other",
  isList: false,
  isChange: false,
  files: [],
  added: 0,
  removed: 0,
  check: null,
  result: null,
};
const call = (more: Partial<TimelineCall> = {}) => ({ ...CALL, ...more });
const timeline = (more: Partial<Timeline>): Timeline => ({ ...EMPTY_TIMELINE, ...more });

const CALLS: { name: string; told: TimelineCall[]; seen: TimelineCall[]; calls: Partial<TimelineCall>[] }[] = [
  {
    name: "one fact once, with its subject",
    told: [call()],
    seen: [call({ subject: "ls" })],
    calls: [{ subject: "ls" }],
  },
  {
    name: "the store's word counts",
    told: [call({ subject: "a" })],
    seen: [call({ subject: "b" })],
    calls: [{ subject: "a" }],
  },
  {
    name: "a call that no hook told of",
    told: [call()],
    seen: [call({ call: "b", at: 5 })],
    calls: [{ call: "b" }, { call: "a" }],
  },
  {
    name: "an end that no hook told of",
    told: [call({ end: null, status: "lost" })],
    seen: [call({ status: "failed", end: 30 })],
    calls: [{ status: "failed", end: 30 }],
  },
  {
    name: "a beginning that no hook told of",
    told: [call({ at: 20 })],
    seen: [call({ at: 12 })],
    calls: [{ at: 12, end: 20 }],
  },
  {
    name: "the same id in a sub-agent is another call",
    told: [call()],
    seen: [call({ agent: "x" })],
    calls: [{ agent: null }, { agent: "x" }],
  },
  {
    name: "what the answer told",
    told: [call({ kind: "execute", check: "tests" })],
    seen: [call({ result: "passed", added: 2, files: ["/a"], isChange: true })],
    calls: [{ kind: "execute", check: "tests", result: "passed", added: 2, files: ["/a"], isChange: true }],
  },
];

test.each(CALLS)("$name", ({ told, seen, calls }) => {
  const joined = joinTimelines(timeline({ calls: told }), [timeline({ calls: seen })]).calls;
  expect(joined).toHaveLength(calls.length);
  expect(joined).toMatchObject(calls);
});

test("turns and compactions from before and after hooks were there", () => {
  const told = timeline({
    turns: [
      { at: 100_000, end: 110_000 },
      { at: 200_000, end: null },
    ],
    compactions: [150_000],
  });
  const seen = timeline({
    turns: [
      { at: 50_000, end: 60_000 },
      { at: 99_000, end: 111_000 },
      { at: 201_000, end: null },
    ],
    compactions: [151_000, 300_000],
  });
  expect(joinTimelines(told, [seen, seen])).toMatchObject({
    turns: [{ at: 50_000, end: 60_000 }, ...told.turns],
    compactions: [150_000, 300_000],
  });
});

test("an alert that both know is one", () => {
  const alert = { at: 5, detector: "cycle", level: "warn", message: "again" } as const;
  const joined = joinTimelines(timeline({ alerts: [alert, { ...alert, at: 9 }] }), [timeline({ alerts: [alert] })]);
  expect(joined.alerts.map(({ at }) => at)).toEqual([5, 9]);
});

test("a list that was told, else the one that was seen", () => {
  const todo = (text: string) =>
    ({ key: "1", number: 1, text, status: "pending", isCurrent: true, spans: [] }) as const;
  const seen = timeline({ todos: [todo("seen")] });
  expect(joinTimelines(timeline({ todos: [todo("told")] }), [seen]).todos[0]?.text).toBe("told");
  expect(joinTimelines(EMPTY_TIMELINE, [seen]).todos[0]?.text).toBe("seen");
});
