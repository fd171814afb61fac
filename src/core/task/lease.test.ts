import { expect, test } from "vitest";
import { backoff, checkTtl, isRenewalDue, LEASE } from "./lease.js";
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

test.each([
  [LEASE.shortest, undefined, true],
  [LEASE.longest, undefined, true],
  [LEASE.shortest - 1, undefined, false],
  [LEASE.longest + 1, undefined, false],
  [200, 200, true],
  [199, 200, false],
  [Number.NaN, undefined, false],
  [Number.POSITIVE_INFINITY, undefined, false],
  [-5000, undefined, false],
  // No event could keep it, so nobody would know of the claim.
  [5000.5, undefined, false],
])("a lease of %d ms, at least %d: %s", (ttl, shortest, isFine) => {
  expect(checkTtl(ttl, shortest)?.code).toBe(isFine ? undefined : "bad-lease");
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
