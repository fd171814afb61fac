import { expect, test } from "vitest";
import { leaseRemark, parseDuration } from "./duration.js";

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

const [SECOND, HOUR] = [1000, 3_600_000];

test.each([
  ["2s", 5 * SECOND, "--ttl 2s is too short: a lease lasts 5s to 24h. This one lasts 5s."],
  ["-1h", 5 * SECOND, "--ttl -1h is too short: a lease lasts 5s to 24h. This one lasts 5s."],
  ["3d", 24 * HOUR, "--ttl 3d is too long: a lease lasts 5s to 24h. This one lasts 24h."],
  ["10m", 30 * 60 * SECOND, "--ttl 10m would end the lease earlier: it keeps its 30m."],
  ["5s", 5 * SECOND, undefined],
  ["24h", 24 * HOUR, undefined],
  ["1h", HOUR - 10, undefined],
])("a lease that was asked for as %s, and lasts %d ms", (asked, left, remark) => {
  expect(leaseRemark(asked, left, 5 * SECOND)).toBe(remark);
});
