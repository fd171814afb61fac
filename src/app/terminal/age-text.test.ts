import { expect, test } from "vitest";
import { leftText } from "./age-text.js";

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
