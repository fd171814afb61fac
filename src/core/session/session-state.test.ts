import { describe, expect, test } from "vitest";
import type { SessionView } from "./session-facts.js";
import { type SessionState, transcriptState, wiredState } from "./session-state.js";

// DESIGN.md, section 2: the table of session states, row by row, with its borders.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("known by its transcript alone", () => {
  const cases: { phase: SessionView["phase"]; quiet: number; is: SessionState }[] = [
    { phase: "working", quiet: 0, is: "running" },
    { phase: "working", quiet: 10 * MINUTE - 1, is: "running" },
    { phase: "working", quiet: 10 * MINUTE, is: "stalled" },
    { phase: "working", quiet: 24 * HOUR - 1, is: "stalled" },
    { phase: "working", quiet: 24 * HOUR, is: "ended" },
    { phase: "asking", quiet: 0, is: "waiting" },
    { phase: "asking", quiet: 11 * MINUTE, is: "waiting" },
    { phase: "asking", quiet: 24 * HOUR - 1, is: "waiting" },
    { phase: "asking", quiet: 24 * HOUR, is: "ended" },
    { phase: "resting", quiet: 0, is: "running" },
    { phase: "resting", quiet: 90 * SECOND - 1, is: "running" },
    { phase: "resting", quiet: 90 * SECOND, is: "idle" },
    { phase: "resting", quiet: 24 * HOUR - 1, is: "idle" },
    { phase: "resting", quiet: 24 * HOUR, is: "ended" },
    { phase: "new", quiet: 90 * SECOND - 1, is: "running" },
    { phase: "new", quiet: 90 * SECOND, is: "idle" },
    { phase: "new", quiet: 24 * HOUR, is: "ended" },
    // Clocks of two machines differ.
    { phase: "working", quiet: -HOUR, is: "running" },
    { phase: "resting", quiet: -HOUR, is: "running" },
  ];
  test.each(cases)("$phase, quiet for $quiet ms: $is", ({ phase, quiet, is }) => {
    expect(transcriptState(phase, quiet)).toBe(is);
  });
});

describe("wired by hooks", () => {
  const alive = { quiet: 0, hasOpenCall: false, isProcessGone: false };
  const cases: { told: "running" | "waiting" | "idle" | "ended"; facts?: Partial<typeof alive>; is: SessionState }[] = [
    { told: "running", is: "running" },
    { told: "running", facts: { quiet: 10 * MINUTE - 1 }, is: "running" },
    { told: "running", facts: { quiet: 10 * MINUTE }, is: "stalled" },
    { told: "running", facts: { quiet: 10 * MINUTE, hasOpenCall: true }, is: "running" },
    { told: "running", facts: { quiet: 30 * MINUTE - 1, hasOpenCall: true }, is: "running" },
    { told: "running", facts: { quiet: 30 * MINUTE, hasOpenCall: true }, is: "stalled" },
    { told: "running", facts: { isProcessGone: true }, is: "ended" },
    { told: "waiting", facts: { quiet: 48 * HOUR }, is: "waiting" },
    { told: "waiting", facts: { isProcessGone: true }, is: "ended" },
    { told: "idle", facts: { quiet: 48 * HOUR }, is: "idle" },
    { told: "idle", facts: { isProcessGone: true }, is: "ended" },
    { told: "ended", is: "ended" },
    { told: "ended", facts: { hasOpenCall: true }, is: "ended" },
  ];
  test.each(cases)("$told, $facts: $is", ({ told, facts, is }) => {
    expect(wiredState(told, { ...alive, ...facts })).toBe(is);
  });
});
