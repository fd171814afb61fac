import { expect, test } from "vitest";
import { parseDuration } from "./duration.js";

test.each([
  ["90", 90_000],
  ["90s", 90_000],
  ["1.5m", 90_000],
  ["2 h", 7_200_000],
  ["1d", 86_400_000],
  ["250ms", 250],
  // Half a millisecond is in no event: whoever asks for it gets a whole one.
  ["5000.5ms", 5001],
  ["5.0004s", 5000],
  ["-1s", undefined],
  ["1e3", undefined],
  ["", undefined],
  ["s", undefined],
])("%j is %s ms", (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});
