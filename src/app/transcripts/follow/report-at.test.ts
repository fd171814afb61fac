import fc from "fast-check";
import { expect, test } from "vitest";
import { planWith, reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionEvent } from "../../../core/session/events.js";
import { evolveSession, NEW_SESSION, type Session } from "../../../core/session/session.js";
import type { SessionReport } from "../session-report.js";
import { changedTasks, needsLook, reportAfter, reportAt, withToldTasks } from "./report-after.js";

const EVENTS: readonly SessionEvent[] = [
  { type: "session.started", source: "startup", client: "c", process: "m:1" },
  { type: "session.started", source: "compact", client: "c" },
  { type: "session.ended", reason: "exit" },
  { type: "turn.started", isStop: false },
  { type: "turn.ended" },
  { type: "turn.ended", background: 1 },
  { type: "person.awaited", for: "question", text: "Which?" },
  { type: "person.awaited", for: "permission_prompt" },
  { type: "person.answered" },
  { type: "client-task.created", id: "1", subject: "a" },
  { type: "client-task.updated", id: "1", status: "completed" },
  { type: "client-task.deleted", id: "1" },
  { type: "client-tasks.seen", tasks: [{ id: "2", subject: "b", status: "pending" }], isAll: true },
  { type: "task.taken", list: "l", task: 3, fence: 1, subject: "c" },
  { type: "task.left", list: "l", task: 3 },
  { type: "goal.changed", goal: { text: "G", status: "active" } },
  { type: "goal.changed", goal: null },
  { type: "plan.changed", plan: "abcd-efghi", title: "P", status: "proposed" },
  { type: "plan.changed", plan: "abcd-efghi", title: "P", status: "rejected" },
];

const stepTo = (after: Session, at: number, before = NEW_SESSION) => ({ before, after, at });

function compared({ state, waitingFor, compactions, goal, plan, tasks }: SessionReport) {
  const byId = [...tasks].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, status }) => [id, status]);
  return { state, waitingFor, compactions, goal, plan: plan?.status, tasks: byId };
}

test("step by step one comes to what a look shows", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 20 }), (events) => {
      const shown = reportWith({}, { plan: planWith() });
      let session = NEW_SESSION;
      let report = reportAt(shown, session, stepTo(session, 1000));
      for (const [index, event] of events.entries()) {
        const [before, at] = [session, 2000 + index];
        session = evolveSession(before, event, at);
        report = reportAfter(report, stepTo(session, at, before), { plan: planWith() });
        expect(compared(report)).toEqual(compared(reportAt(shown, session, stepTo(session, at))));
      }
    }),
    { numRuns: 30 },
  );
});

const asked = evolveSession(
  evolveSession(NEW_SESSION, { type: "turn.started", isStop: false }, 2000),
  { type: "person.awaited", for: "question" },
  2001,
);

test("a session is met as it was, also where a later look shows more", () => {
  const later = reportWith({ compactions: 2, goal: { text: "G", status: "active" } }, { state: "idle" });
  expect(reportAt(later, asked, stepTo(asked, 2001))).toMatchObject({ state: "waiting", compactions: 0, goal: null });
  // What a transcript has told is not the log's.
  const read = { ...later, transcript: "/t.jsonl" };
  expect(reportAt(read, asked, stepTo(asked, 2001))).toMatchObject({ state: "waiting", compactions: 2 });
  expect(reportAt(read, NEW_SESSION, stepTo(NEW_SESSION, 2001))).toEqual(read);
});

test("only a look knows what is asked where hooks did not say, and a plan that is new", () => {
  const [own, read] = [reportWith(), reportWith({}, { transcript: "/t.jsonl" })];
  const planned: Session = {
    ...NEW_SESSION,
    plan: { plan: "p", title: "P", status: "proposed", isBegun: false, isFinished: false },
  };
  expect(needsLook(own, stepTo(asked, 2001))).toBe(false);
  expect(needsLook(read, stepTo(asked, 2001))).toBe(true);
  expect(needsLook(read, stepTo(asked, 2001, asked))).toBe(false);
  expect(needsLook(own, stepTo(planned, 2001))).toBe(true);
  expect(needsLook(own, stepTo(planned, 2001, planned))).toBe(false);
});

test("a task that was told from the log is not taken back by a transcript that is behind", () => {
  const tasks = (...all: readonly (readonly [string, "pending" | "completed"])[]) =>
    reportWith({
      tasks: all.map(([id, status]) => ({ id, subject: id, status, blocks: [], blockedBy: [], at: 0 })),
    });
  const [told, shown] = [tasks(["1", "completed"]), tasks(["1", "pending"], ["2", "pending"], ["3", "pending"])];
  const kept = withToldTasks(told, shown, (id) => id !== "2");
  expect(kept.tasks.map(({ id, status }) => [id, status])).toEqual([
    ["2", "pending"],
    ["1", "completed"],
  ]);
  expect(withToldTasks(told, shown, () => false)).toBe(shown);
  expect(changedTasks(shown, kept)).toEqual(["1", "3"]);
});
