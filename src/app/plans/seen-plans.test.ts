import { describe, expect, test } from "vitest";
import { NO_PLAN, type Plan } from "../../core/plan/plan.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { planHash, planId } from "./plan-id.js";
import { joinPlans, seenPlans } from "./seen-plans.js";

type SeenPlan = SessionView["plans"][number];
const view = (...plans: readonly SeenPlan[]) => ({ id: "s1", agent: "codex", folder: "/web", plans, at: 5 });
const seen = (key: string, status: SeenPlan["status"], more: Partial<SeenPlan> = {}): SeenPlan => {
  return { key, text: `# ${key}`, status, at: 0, ...more };
};
const stored = (key: string, more: Partial<Plan> = {}): Plan => {
  const text = `# ${key}`;
  return { ...NO_PLAN, id: planId("s1", key), text, hash: planHash(text), status: "proposed", ...more };
};
const short = ({ id, status, supersedes, supersededBy }: Plan) => {
  const nameOf = (one: string | undefined) => ["a", "b", "c"].find((key) => planId("s1", key) === one);
  return [nameOf(id), status, nameOf(supersedes), nameOf(supersededBy)].filter((part) => part !== undefined).join(" ");
};

describe("what a transcript tells of plans", () => {
  test.each([
    ["a proposed one", [seen("a", "proposed")], ["a proposed"]],
    ["no draft, and no empty one", [seen("a", "draft"), seen("b", "proposed", { text: " \n" })], []],
    ["a later one replaces it", [seen("a", "proposed"), seen("b", "proposed")], ["a superseded b", "b proposed a"]],
    ["a rejected one stays so", [seen("a", "rejected"), seen("b", "proposed")], ["a rejected", "b proposed a"]],
    ["an approved one may be finished", [seen("a", "approved"), seen("b", "proposed")], ["a approved", "b proposed"]],
  ])("%s", (_name, plans, then) => {
    expect(seenPlans(view(...plans), "ann").map(({ plan }) => short(plan))).toEqual(then);
  });

  test("each has the times of its own lines, and not that of the last one", () => {
    const plans = [
      seen("a", "rejected", { at: 1, decidedAt: 2 }),
      seen("b", "approved", { at: 3, decidedAt: 4 }),
      seen("c", "proposed"),
    ];
    const times = seenPlans(view(...plans), "ann").map(({ plan }) => [plan.proposedAt, plan.decision?.at]);
    expect(times).toEqual([
      [1, 2],
      [3, 4],
      [5, undefined],
    ]);
  });

  test("who decided, how and why, without secrets", () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    const told = seen("a", "rejected", { text: `# Use ${secret}`, reason: `not ${secret}` });
    const [known] = seenPlans(view(told), "ann");
    expect(known?.plan.decision).toMatchObject({ isApproved: false, by: "ann", via: "client", at: 5 });
    expect(JSON.stringify(known)).not.toContain("ghp_0123");
    expect(known?.plan.hash).toBe(planHash(known?.plan.text ?? ""));
    expect(known?.proposal).toMatchObject({ session: "s1", client: "codex", folder: "/web", key: "a", at: 5 });
  });
});

describe("what store and transcript know together", () => {
  const decision = { isApproved: true, hash: "h", by: "bob", via: "command", at: 1 } as const;
  test.each([
    ["each plan once", [stored("a")], [seen("a", "proposed")], ["a proposed"]],
    ["the client's decision, which the store has not", [stored("a")], [seen("a", "rejected")], ["a rejected"]],
    ["the store's decision", [stored("a", { status: "approved", decision })], [seen("a", "rejected")], ["a approved"]],
    ["the plan before", [stored("b")], [seen("a", "rejected"), seen("b", "proposed")], ["b proposed a", "a rejected"]],
    ["a later plan", [stored("a")], [seen("a", "proposed"), seen("b", "proposed")], ["b proposed a", "a superseded b"]],
    [
      "those that wait first, then the newest",
      [stored("a", { status: "approved", proposedAt: 9 })],
      [seen("b", "proposed")],
      ["b proposed", "a approved"],
    ],
  ])("%s", (_name, plans, told, then) => {
    expect(joinPlans(plans, seenPlans(view(...told), "ann")).map(({ plan }) => short(plan))).toEqual(then);
  });

  test("an edit in the client's dialogue is the text that was approved", () => {
    const told = seenPlans(view(seen("a", "approved", { text: "# better", isEdited: true })), "ann");
    const [known] = joinPlans([stored("a")], told);
    expect(known?.plan).toMatchObject({
      status: "approved",
      text: "# better",
      hash: planHash("# better"),
      isEdited: true,
    });
    expect(known?.proposal).toBeUndefined();
  });
});
