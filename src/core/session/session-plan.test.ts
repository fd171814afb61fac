import { describe, expect, test } from "vitest";
import { listWith } from "../../../test/readers/session-reports.js";
import type { PlanStatus } from "../plan/plan.js";
import type { SessionEvent } from "./events.js";
import { evolveForeignChange, evolveListChange, evolveSession, NEW_SESSION, type Session } from "./session.js";
import { endedPlan, isSessionPlan, unfinishedPlan } from "./session-plan.js";

const changed = (status: PlanStatus, plan = "p"): SessionEvent => ({ type: "plan.changed", plan, title: "T", status });
const finished: SessionEvent = { type: "plan.finished", plan: "p" };
const sessionAfter = (...events: readonly (SessionEvent | "list")[]): Session =>
  events.reduce<Session>(
    (session, event) => (event === "list" ? evolveListChange(session) : evolveSession(session, event)),
    NEW_SESSION,
  );

const ROWS: readonly (readonly [name: string, session: Session, isUnfinished: boolean, isEnded: boolean])[] = [
  ["no plan", sessionAfter("list"), false, false],
  ["a proposed one", sessionAfter(changed("proposed"), "list"), false, false],
  ["a rejected one", sessionAfter(changed("rejected"), "list"), false, false],
  ["an approved one, and no list since", sessionAfter("list", changed("approved")), true, false],
  ["an approved one, and a list", sessionAfter(changed("approved"), "list"), true, true],
  ["a finished one", sessionAfter(changed("approved"), "list", finished), false, false],
  ["a finished one, and another list", sessionAfter(changed("approved"), "list", finished, "list"), false, false],
  ["the next one", sessionAfter(changed("approved"), "list", finished, changed("approved", "q"), "list"), true, true],
  ["one that is replaced", sessionAfter(changed("approved"), changed("superseded")), false, false],
  [
    "one before it, taken back",
    sessionAfter(changed("approved", "o"), changed("approved"), changed("rejected", "o"), "list"),
    ...([true, true] as const),
  ],
  ["one before it, told late", sessionAfter(changed("approved"), changed("superseded", "o"), "list"), true, true],
];

test.each(ROWS)("%s", (_, session, isUnfinished, isEnded) => {
  expect(unfinishedPlan(session) !== undefined).toBe(isUnfinished);
  expect(endedPlan(session, listWith("a.", "b-")) !== undefined).toBe(isEnded);
  expect(endedPlan(session, listWith("a.", "b"))).toBeUndefined();
});

describe("plan and list are two states", () => {
  test("a person's own change of the list is no sign that the agent has begun", () => {
    expect(evolveForeignChange(sessionAfter(changed("approved"))).plan?.isBegun).toBe(false);
  });

  test("the end of another plan changes nothing", () => {
    const session = sessionAfter(changed("approved", "q"), "list", finished);
    expect(session.plan).toEqual({ plan: "q", title: "T", status: "approved", isBegun: true, isFinished: false });
    expect(isSessionPlan(session.plan)).toBe(true);
  });
});
