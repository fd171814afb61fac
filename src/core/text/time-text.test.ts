import { expect, test } from "vitest";
import { agoText, clockText, leftText, momentText } from "./time-text.js";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

test.each([
  [-5, "0s"],
  [5 * SECOND - 40, "5s"],
  [MINUTE - 1, "1m"],
  [30 * MINUTE - 3 * SECOND, "30m"],
  [HOUR - 1, "1h"],
  [90 * MINUTE, "90m"],
  [24 * HOUR - 1, "24h"],
  [72 * HOUR, "3d"],
])("what is left of a time is rounded up: %d is %s", (milliseconds, text) => {
  expect(leftText(milliseconds)).toBe(text);
});

test.each([
  [-5, "0s ago"],
  [59_999, "59s ago"],
  [MINUTE, "1m ago"],
  [HOUR - 1, "59m ago"],
  [25 * HOUR, "1d ago"],
  [1000 * 24 * HOUR, "1000d ago"],
])("what is over is rounded down: %d is %s", (milliseconds, text) => {
  expect(agoText(milliseconds)).toBe(text);
});

/** In the time zone of whoever runs this. */
const local = (...parts: [number, number, number, number, number, number]) => new Date(...parts).getTime();

test.each([
  [local(2026, 0, 31, 9, 5, 7), "2026-01-31 09:05:07"],
  [local(2026, 10, 16, 23, 59, 59), "2026-11-16 23:59:59"],
  [Number.NaN, "the end of time"],
  [9e15, "the end of time"],
])("a moment: %d is %s", (at, text) => {
  expect(momentText(at)).toBe(text);
});

test("a moment of JSON is the same moment", () => {
  const at = local(2026, 0, 31, 9, 5, 7);
  expect(momentText(new Date(at).toISOString())).toBe(momentText(at));
});

test("the day is said where it is another one", () => {
  const now = local(2026, 0, 31, 12, 0, 0);
  expect(clockText(local(2026, 0, 31, 9, 5, 7), now)).toBe("09:05");
  expect(clockText(local(2026, 0, 30, 9, 5, 7), now)).toBe("2026-01-30 09:05");
});
