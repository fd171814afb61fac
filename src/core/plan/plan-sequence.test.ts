import { describe, expect, test } from "vitest";
import type { KnownPlan, SeenPlan } from "../session/observation.js";
import { mergePlans, plansUpTo } from "./plan-sequence.js";

/** `ab`: plans with the keys a and b. A capital has been approved. */
const plans = (keys: string) =>
  [...keys].map((key): KnownPlan => {
    const status = key === key.toLowerCase() ? "proposed" : "approved";
    return { key: key.toLowerCase(), text: key, status, at: 1 };
  });
const texts = (seen: readonly SeenPlan[]) => seen.map(({ text }) => text).join("");

describe("up to the current plan", () => {
  test.each([
    ["the first", "", "a", "a"],
    ["the next", "a", "b", "ab"],
    ["the same one is decided", "ab", "B", "aB"],
    ["somebody goes back", "abc", "a", "a"],
    ["nothing is left", "abc", "", ""],
    ["the ninth", "abcdefgh", "i", "bcdefghi"],
  ])("%s", (_, before, plan, after) => {
    expect(texts(plansUpTo(plans(before), plans(plan)[0] ?? null, 2))).toBe(after);
  });

  test("each has its times", () => {
    const statuses = ["draft", "proposed", "proposed", "rejected", "rejected", "approved"] as const;
    const told = statuses.reduce<readonly KnownPlan[]>(
      (before, status, at) => plansUpTo(before, { key: "k", text: "P", status }, at + 1),
      [],
    );
    expect(told).toEqual([{ key: "k", text: "P", status: "approved", at: 1, decidedAt: 6 }]);
    const rejected = plansUpTo(plans("a"), { key: "a", text: "P", status: "rejected" }, 5);
    expect(plansUpTo(rejected, { key: "a", text: "P", status: "rejected" }, 9)).toEqual(rejected);
    expect(rejected).toMatchObject([{ at: 1, decidedAt: 5 }]);
  });
});

describe("of two transcripts", () => {
  test.each([
    ["only one tells", "", "ab", "ab"],
    ["the other tells nothing", "ab", "", "ab"],
    ["what both know", "AB", "ab", "AB"],
    ["an earlier part", "cd", "ab", "abcd"],
    ["an earlier part with a plan of both", "bc", "ab", "abc"],
    ["what was taken back stays away", "a", "abc", "a"],
    ["the last eight", "efgh", "abcd0", "bcd0efgh"],
  ])("%s", (_, own, other, both) => {
    expect(texts(mergePlans(plans(own), plans(other)))).toBe(both);
  });
});
