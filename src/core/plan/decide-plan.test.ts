import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decidePlan, observeVerdict, type PlanCommand, type PlanVerdict } from "./decide-plan.js";
import { NO_PLAN, type Plan } from "./plan.js";
import { evolvePlan, type PlanEvent, readPlanEvent } from "./plan-events.js";

/** Not SHA-256: what a hash is made of is no business of these rules. */
const hashOf = (text: string) => `hash-of-${text.toLowerCase()}`;
const propose = (text = "A"): PlanCommand => ({
  ...{ type: "propose", id: "p", text, hash: hashOf(text), session: "s1" },
  ...{ client: "codex", folder: "/work", supersedes: undefined },
});
const edit = (text: string, seen?: string): PlanCommand => ({ type: "edit", text, hash: hashOf(text), seen });
const verdict = (type: "approve" | "reject", more: Partial<PlanVerdict> = {}): PlanVerdict => ({
  type,
  by: "ann",
  via: "command",
  ...more,
});
const approve = (more?: Partial<PlanVerdict>) => verdict("approve", more);
const reject = (more?: Partial<PlanVerdict>) => verdict("reject", more);
const supersede: PlanCommand = { type: "supersede", by: "q" };
const withdraw = reject({ isWithdrawal: true });

/** The plan after these commands, and the events they came to; commands that are refused change nothing. */
function outcome(commands: readonly PlanCommand[]): { readonly plan: Plan; readonly events: readonly PlanEvent[] } {
  let plan: Plan = NO_PLAN;
  const events: PlanEvent[] = [];
  for (const [at, command] of commands.entries()) {
    const decided = decidePlan(plan, command);
    if (!decided.ok) continue;
    events.push(...decided.value);
    plan = decided.value.reduce((one, event) => evolvePlan(one, event, at), plan);
  }
  return { plan, events };
}

type Row = readonly [name: string, given: readonly PlanCommand[], when: PlanCommand, then: readonly string[] | string];

const ROWS: readonly Row[] = [
  ["a plan is proposed", [], propose(), ["plan.proposed"]],
  ["the same proposal, told twice", [propose()], propose(), []],
  ["nothing can be done to a plan that nobody proposed", [], approve(), "no-plan"],
  ["nor edited", [], edit("B"), "no-plan"],
  ["nor replaced", [], supersede, "no-plan"],
  ["a proposed plan is edited", [propose()], edit("B"), ["plan.edited"]],
  ["the same text is no edit", [propose()], edit("A"), []],
  ["an edit of another text than the person had before them", [propose()], edit("B", hashOf("C")), "plan-changed"],
  ["a decided plan is not edited", [propose(), approve()], edit("B"), "plan-decided"],
  ["a person approves", [propose()], approve(), ["plan.approved"]],
  ["or rejects", [propose()], reject({ reason: "Why?" }), ["plan.rejected"]],
  ["one decision: the second approval", [propose(), approve()], approve(), "plan-decided"],
  ["one decision: a rejection after it", [propose(), approve()], reject(), "plan-decided"],
  ["one decision: an approval after a rejection", [propose(), reject()], approve(), "plan-decided"],
  ["an approval is taken back", [propose(), approve()], withdraw, ["plan.rejected"]],
  ["what was taken back is not approved again", [propose(), approve(), withdraw], approve(), "plan-decided"],
  ["a rejection cannot be taken back", [propose(), reject()], withdraw, "plan-decided"],
  ["an approval of the text that was seen", [propose()], approve({ seen: hashOf("A") }), ["plan.approved"]],
  ["of its first characters", [propose()], approve({ seen: "HASH-OF-" }), ["plan.approved"]],
  ["not of too few", [propose()], approve({ seen: "hash-of" }), "plan-changed"],
  ["not of the text before an edit", [propose(), edit("B")], approve({ seen: hashOf("A") }), "plan-changed"],
  ["asked in its own session", [propose()], approve({ session: "s1" }), ["plan.approved"]],
  ["asked in another session", [propose()], approve({ session: "s2" }), "other-session"],
  ["a replaced plan is not approved", [propose(), supersede], approve(), "plan-superseded"],
  ["nor is an approval of it taken back", [propose(), approve(), supersede], withdraw, "plan-superseded"],
  ["replaced twice", [propose(), supersede], supersede, []],
];

test.each(ROWS)("%s", (_, given, when, then) => {
  const decided = decidePlan(outcome(given).plan, when);
  expect(decided.ok ? decided.value.map(({ type }) => type) : decided.error.code).toEqual(then);
});

test("a decision says who, how, when, why and on which text", () => {
  expect(outcome([propose(), reject({ reason: "Too much" })]).plan).toMatchObject({
    status: "rejected",
    decision: { isApproved: false, hash: hashOf("A"), by: "ann", via: "command", at: 1, reason: "Too much" },
  });
});

describe("what a log may say, whoever wrote it", () => {
  const proposed = outcome([propose()]).plan;
  const other = { type: "plan.approved", hash: hashOf("C"), by: "x", via: "client" } as const;

  test("an approval of another text is none", () => {
    expect(evolvePlan(proposed, other, 1)).toEqual(proposed);
  });

  test("an edit takes an approval away", () => {
    const { plan } = outcome([propose(), approve()]);
    const edited = evolvePlan(plan, { type: "plan.edited", text: "B", hash: hashOf("B") }, 2);
    expect(edited).toMatchObject({ status: "proposed", decision: undefined, isEdited: true });
  });

  test.each([
    ["plan.approved", { hash: "h", by: "x", via: "telepathy" }],
    ["plan.approved", { hash: "h", via: "client" }],
    ["plan.proposed", { id: "p", text: 7 }],
    ["plan.blessed", { hash: "h" }],
    ["constructor", {}],
  ])("%s %j is passed over", (type, data) => {
    expect(readPlanEvent(type, data)).toBeUndefined();
  });
});

describe("what a client's own dialogue said", () => {
  const seen = { text: "A", hash: hashOf("A") };
  const types = (plan: Plan, by: PlanVerdict, text = seen) => observeVerdict(plan, by, text).map(({ type }) => type);

  test.each([
    ["of a proposed plan", [propose()], approve(), ["plan.approved"]],
    ["the same as is known", [propose(), approve()], approve(), []],
    ["against what was decided elsewhere: the agent acts on it", [propose(), reject()], approve(), ["plan.approved"]],
    ["of a replaced one", [propose(), supersede], approve(), []],
    ["of one that nobody knows", [], approve(), []],
  ] as const)("%s", (_, given, by, expected) => {
    expect(types(outcome(given).plan, by)).toEqual(expected);
  });

  test("a text that was changed there comes before the approval", () => {
    const text = { text: "B", hash: hashOf("B") };
    expect(types(outcome([propose()]).plan, approve(), text)).toEqual(["plan.edited", "plan.approved"]);
  });
});

const texts = fc.constantFrom("A", "B", "C");
const commands: fc.Arbitrary<PlanCommand> = fc.oneof(
  texts.map(propose),
  fc.tuple(texts, fc.option(texts)).map(([text, seen]) => edit(text, seen === null ? undefined : hashOf(seen))),
  fc
    .record({
      type: fc.constantFrom("approve" as const, "reject" as const),
      seen: fc.option(texts.map(hashOf), { nil: undefined }),
      session: fc.constantFrom(undefined, "s1", "s2"),
      isWithdrawal: fc.boolean(),
    })
    .map(({ type, ...more }) => verdict(type, more)),
  fc.constant(supersede),
);

test("any commands: one decision on a text, none outlives an edit, and the log tells the same", () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 25 }), (all) => {
      const { plan, events } = outcome(all);
      const decided = events.flatMap((event) =>
        event.type === "plan.approved" || event.type === "plan.rejected" ? [`${event.type} ${event.hash}`] : [],
      );
      expect(new Set(decided).size).toBe(decided.length);
      expect(decided.filter((one) => one.startsWith("plan.approved")).length).toBeLessThanOrEqual(1);
      if (plan.status === "approved") expect(plan.decision).toMatchObject({ isApproved: true, hash: plan.hash });
      if (plan.decision?.isApproved) expect(plan.decision.hash).toBe(plan.hash);
      const last = events.findLastIndex(({ type }) => type === "plan.edited");
      const approvedBefore = events.slice(0, Math.max(0, last)).some(({ type }) => type === "plan.approved");
      expect(approvedBefore).toBe(false);
      const read = events.map(({ type, ...data }) => readPlanEvent(type, JSON.parse(JSON.stringify(data))));
      const again = read.reduce<Plan>((one, event) => (event ? evolvePlan(one, event, 0) : one), NO_PLAN);
      const timeless = ({ decision, ...rest }: Plan) => ({ ...rest, proposedAt: 0, decision: { ...decision, at: 0 } });
      expect(timeless(again)).toEqual(timeless(plan));
    }),
  );
});
