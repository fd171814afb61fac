import { expect, test } from "vitest";
import { NO_PLAN, type Plan } from "../../core/plan/plan.js";
import type { SeenPlan } from "../../core/session/observation.js";
import { evolveView, newView, type SessionView } from "../../core/session/session-facts.js";
import { currentPlan } from "./current-plan.js";
import { planHash, planId } from "./plan-id.js";

const viewOf = (...plans: SeenPlan[]): SessionView =>
  plans.reduce(
    (view, plan) => evolveView(view, { type: "plan.changed", session: "s1", plan, at: 1000 }),
    newView("s1"),
  );
const seen = (key: string, fields: Partial<SeenPlan> = {}): SeenPlan => ({
  key,
  text: `# ${key}`,
  status: "proposed",
  ...fields,
});
const stored = (key: string, fields: Partial<Plan> = {}): Plan => ({
  ...NO_PLAN,
  id: planId("s1", key),
  status: "proposed",
  text: `# ${key}`,
  hash: planHash(`# ${key}`),
  session: "s1",
  ...fields,
});
const approved = { isApproved: true, hash: planHash("# a"), by: "ann", via: "command", at: 5 } as const;

type Row = readonly [string, SessionView, Plan | undefined, Partial<Plan> | undefined];
const id = (key: string) => planId("s1", key);

const ROWS: readonly Row[] = [
  ["nobody knows of one", viewOf(), undefined, undefined],
  ["the transcript alone", viewOf(seen("a")), undefined, { id: id("a"), status: "proposed", session: "s1" }],
  ["the store alone", viewOf(), stored("a"), stored("a")],
  ["both, undecided", viewOf(seen("a")), stored("a"), { id: id("a"), status: "proposed" }],
  [
    "a rejection that only the transcript knows",
    viewOf(seen("a", { status: "rejected", reason: "Why?" })),
    stored("a"),
    { id: id("a"), status: "rejected", decision: expect.objectContaining({ via: "client", reason: "Why?" }) },
  ],
  [
    "a decision that only the store knows",
    viewOf(seen("a")),
    stored("a", { status: "approved", decision: approved }),
    { status: "approved", decision: approved },
  ],
  [
    "a text that the person changed in the client's dialogue",
    viewOf(seen("a", { status: "approved", text: "# a, shorter", isEdited: true })),
    stored("a"),
    { status: "approved", text: "# a, shorter", hash: planHash("# a, shorter"), isEdited: true },
  ],
  ["a later one in the transcript", viewOf(seen("a"), seen("b")), stored("a"), { id: id("b") }],
  ["one that the client knows nothing of", viewOf(seen("a")), stored("z"), { id: id("z") }],
  ["one that is being written", viewOf(seen("a", { status: "draft" })), undefined, undefined],
  ["one before that", viewOf(seen("a"), seen("b", { status: "draft" })), undefined, { id: id("a") }],
];

test.each(ROWS)("%s", (_, view, plan, expected) => {
  const found = currentPlan(view, plan);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(expected);
});

test("secrets are in no plan, and the hash is that of what is shown", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  const found = currentPlan(viewOf(seen("a", { text: `# Use ${secret}` })), undefined);
  expect(found?.text).not.toContain(secret);
  expect(found?.hash).toBe(planHash(found?.text ?? ""));
});
