import { describe, expect, test } from "vitest";
import type { SeenPlan } from "../session/observation.js";
import { mergePlans, plansUpTo } from "./seen-plans.js";

/** `ab`: plans with the keys a and b. A capital has been approved. */
const plans = (keys: string) =>
  [...keys].map((key): SeenPlan => {
    const status = key === key.toLowerCase() ? "proposed" : "approved";
    return { key: key.toLowerCase(), text: key, status };
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
    expect(texts(plansUpTo(plans(before), plans(plan)[0] ?? null))).toBe(after);
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
