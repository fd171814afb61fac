import { expect, test } from "vitest";
import { likelyPlan, matchPlans } from "./match-plans.js";

const PLANS = [
  { id: "k7qm-x3v9d", text: "# Fix the login" },
  { id: "k7qm-4fzb2", text: "# Fix the rounding" },
  { id: "dsec-k7revv", text: "# Tell the users" },
];
const [LOGIN, ROUNDING, USERS] = PLANS.map(({ id }) => id);

test.each([
  ["k7qm-x3v9d", [LOGIN]],
  ["K7QM-X3V9D", [LOGIN]],
  [" x3v9d ", [LOGIN]],
  ["k7qm", [LOGIN, ROUNDING]],
  ["k7", []],
  ["k7q", [LOGIN, ROUNDING]],
  ["k7qm-", [LOGIN, ROUNDING]],
  ["d", []],
  ["dse", [USERS]],
  ["v9d", []],
  ["", []],
  ["-", []],
])("%j means %j", (typed, ids) => {
  expect(matchPlans(PLANS, typed).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ["1", LOGIN],
  ["#2", ROUNDING],
  ["4", undefined],
  ["k7qm-x3v9e", LOGIN],
  ["4fzb3", ROUNDING],
  ["login", LOGIN],
  ["LOGIN", LOGIN],
  ["fix the", undefined],
  ["us", undefined],
  ["", undefined],
  ["wombat", undefined],
])("%j may have been meant as %j", (typed, id) => {
  expect(likelyPlan(PLANS, typed)).toBe(id);
});
