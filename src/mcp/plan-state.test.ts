import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonLine } from "../app/json-lines.js";
import { FORM_TIME, PlanStates, type StateSubject } from "./plan-state.js";

const SUBJECT: StateSubject = {
  plan: "abcd-efgh2",
  hash: "5f".repeat(32),
  caller: ["s1", undefined, "probe"],
  input: "# Plan",
  method: "tools/call",
};

describe("a state is taken once, for what it was made", () => {
  test("the first time", () => {
    const states = new PlanStates();
    const opened = states.open(states.seal(SUBJECT), SUBJECT);
    expect(opened).toMatchObject({ ok: true, value: { plan: SUBJECT.plan, hash: SUBJECT.hash } });
  });

  test.each<[string, Partial<StateSubject>, string]>([
    ["another session", { caller: ["s2", undefined, "probe"] }, "other-caller"],
    ["a sub-agent", { caller: ["s1", "a1", "probe"] }, "other-caller"],
    ["another client", { caller: ["s1", undefined, "other"] }, "other-caller"],
    ["another plan's text", { input: "# Another" }, "other-input"],
    ["no text", { input: undefined }, "other-input"],
    ["another method", { method: "prompts/get" }, "forged"],
  ])("not for %s, and then still for its own", (_, other, problem) => {
    const states = new PlanStates();
    const state = states.seal(SUBJECT);
    expect(states.open(state, { ...SUBJECT, ...other })).toEqual({ ok: false, error: problem });
    expect(states.open(state, SUBJECT).ok).toBe(true);
  });

  test("not twice, not too late, not after a restart", () => {
    let now = 1000;
    const states = new PlanStates(() => now);
    const [first, second] = [states.seal(SUBJECT), states.seal(SUBJECT)];
    states.open(first, SUBJECT);
    expect(states.open(first, SUBJECT)).toEqual({ ok: false, error: "used" });
    now += FORM_TIME;
    expect(states.open(second, SUBJECT)).toEqual({ ok: false, error: "expired" });
    now -= FORM_TIME;
    expect(states.open(second, SUBJECT)).toEqual({ ok: false, error: "used" });
    expect(new PlanStates().open(states.seal(SUBJECT), SUBJECT)).toEqual({ ok: false, error: "forged" });
  });

  test.each(["", ":", "eyJhcHByb3ZlZCI6dHJ1ZX0=", `abcd-efgh2:${"0".repeat(64)}`, "\0", "💥".repeat(1000)])(
    "not a text that we never wrote: %j",
    (state) => {
      expect(new PlanStates().open(state, SUBJECT)).toEqual({ ok: false, error: "forged" });
    },
  );
});

test("nor with any change to it", () => {
  const states = new PlanStates();
  const state = states.seal(SUBJECT);
  fc.assert(
    fc.property(fc.nat(state.length - 1), fc.string({ maxLength: 3 }), fc.nat(2), (at, put, cut) => {
      const changed = state.slice(0, at) + put + state.slice(at + cut);
      fc.pre(changed !== state);
      expect(states.open(changed, SUBJECT)).toEqual({ ok: false, error: "forged" });
    }),
  );
  expect(states.open(state, SUBJECT).ok).toBe(true);
});

test("it is written as it is: nothing in it looks like a secret", () => {
  const states = new PlanStates();
  for (let index = 0; index < 50; index += 1) {
    const requestState = states.seal({ ...SUBJECT, input: String(index) });
    expect(JSON.parse(jsonLine({ requestState }))).toEqual({ requestState });
  }
});

test("questions that nobody answers are forgotten, the oldest first", () => {
  const states = new PlanStates();
  const [first, ...others] = Array.from({ length: 1001 }, () => states.seal(SUBJECT));
  expect(states.open(first ?? "", SUBJECT)).toEqual({ ok: false, error: "used" });
  expect(states.open(others[0] ?? "", SUBJECT).ok).toBe(true);
});
