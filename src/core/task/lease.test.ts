import { expect, test } from "vitest";
import { backoff, clampTtl, isRenewalDue, LEASE } from "./lease.js";
import { NO_TASK } from "./task.js";

test.each([
  [1, 30],
  [2, 60],
  [3, 120],
  [7, 1920],
  [8, 3600],
  [9, 3600],
  [1_000_000, 3600],
  [0, 30],
])("after %i failures it rests for %i seconds", (failures, seconds) => {
  expect(backoff(failures)).toBe(seconds * 1000);
});

const TEN_YEARS = 10 * 365 * 24 * 3_600_000;

test.each([
  [LEASE.shortest, undefined, LEASE.shortest],
  [LEASE.longest, undefined, LEASE.longest],
  [LEASE.shortest - 1, undefined, LEASE.shortest],
  [LEASE.longest + 1, undefined, LEASE.longest],
  [TEN_YEARS, undefined, LEASE.longest],
  [0, undefined, LEASE.shortest],
  [-1, undefined, LEASE.shortest],
  [Number.POSITIVE_INFINITY, undefined, LEASE.longest],
  [Number.NaN, undefined, LEASE.session],
  [200, 200, 200],
  [199, 200, 200],
  // No event could keep a fraction, so nobody would know of the claim.
  [5000.5, undefined, 5001],
])("a lease of %d ms, at least %d, lasts %d", (ttl, shortest, lasts) => {
  expect(clampTtl(ttl, shortest)).toBe(lasts);
});

test.each([
  [0, false],
  [99, false],
  [100, true],
  [5000, true],
])("after %i of 300 ms a renewal is due: %s", (elapsed, isDue) => {
  const lease = { owner: "a", fence: 1, until: 1300, ttl: 300, since: 1000 };
  expect(isRenewalDue({ ...NO_TASK, lease }, 1000 + elapsed)).toBe(isDue);
});

test("what nobody holds is not renewed", () => {
  expect(isRenewalDue(NO_TASK, 1e12)).toBe(false);
});
