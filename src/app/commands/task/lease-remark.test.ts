import { expect, test } from "vitest";
import { leaseRemark } from "./lease-remark.js";

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
