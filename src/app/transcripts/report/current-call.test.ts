import { describe, expect, test } from "vitest";
import type { StateReport } from "../../../core/session/session-state.js";
import { currentCall } from "./current-call.js";

const call = { call: "c", tool: "Bash", title: "npm test", at: 1000, isAsking: false } as const;
const state = (name: StateReport["state"], reason: StateReport["reason"]) => ({ state: name, reason });

describe("who has a call that runs", () => {
  const rows: readonly (readonly [StateReport["state"], StateReport["reason"], boolean])[] = [
    ["running", "call-running", true],
    ["running", "in-turn", true],
    ["waiting", "permission", true],
    ["waiting", "question", false],
    ["waiting", "plan", false],
    ["idle", "turn-ended", false],
    ["stalled", "no-event", false],
    ["ended", "process-gone", false],
  ];
  test.each(rows)("%s, %s: %s", (name, reason, has) => {
    expect(currentCall([call], state(name, reason)) !== null).toBe(has);
  });
});

test.each([
  [
    "all of it",
    { progress: 0.5 },
    { tool: "Bash", subject: "npm test", since: "1970-01-01T00:00:01.000Z", progress: 0.5 },
  ],
  ["no time", { at: 0 }, { since: null, progress: null }],
  ["a time that is none", { at: 9e300 }, { since: null }],
  ["nobody knows what about", { title: undefined }, { subject: null }],
])("%s", (_, fields, then) => {
  expect(currentCall([{ ...call, ...fields }], state("running", "in-turn"))).toMatchObject(then);
});

test("nothing is open", () => expect(currentCall([], state("running", "in-turn"))).toBe(null));
