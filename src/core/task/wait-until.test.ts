import { expect, test } from "vitest";
import { dueAt, isMeant, isWait, type Wait, wakerAt } from "./wait-until.js";

const timer: Wait = { kind: "timer", at: 100 };
const event: Wait = { kind: "event", topic: "t", correlation: "c" };
const manual: Wait = { kind: "manual" };

test.each<readonly [Wait, number | undefined, string | undefined]>([
  [timer, 100, "timer"],
  [{ ...timer, at: 101 }, 101, undefined],
  [{ ...timer, at: 101, timeout: 50 }, 50, "timeout"],
  [{ ...timer, timeout: 500 }, 100, "timer"],
  [event, undefined, undefined],
  [{ ...event, timeout: 100 }, 100, "timeout"],
  [manual, undefined, undefined],
  [{ ...manual, timeout: 101 }, 101, undefined],
])("%j is due at %s; at 100 it is ended by %s", (wait, due, waker) => {
  expect(dueAt(wait)).toBe(due);
  expect(wakerAt(wait, 100)).toBe(waker);
});

test.each([
  [event, { topic: "t", correlation: "c" }, true],
  [event, { topic: "t" }, true],
  [event, { topic: "t", correlation: "d" }, false],
  [event, { topic: "T", correlation: "c" }, false],
  [{ kind: "event", topic: "t" } as const, { topic: "t", correlation: "d" }, true],
  [timer, { topic: "t" }, false],
])("%j is meant by %j: %s", (wait, signal, isIt) => {
  expect(isMeant(wait, signal)).toBe(isIt);
});

test.each([
  [timer, true],
  [event, true],
  [manual, true],
  [{ kind: "timer" }, false],
  [{ kind: "timer", at: -1 }, false],
  [{ kind: "event" }, false],
  [{ kind: "constructor" }, false],
  [{ kind: "manual", timeout: 1.5 }, false],
  [null, false],
  ["timer", false],
])("%j is a wait: %s", (value, isIt) => {
  expect(isWait(value)).toBe(isIt);
});
