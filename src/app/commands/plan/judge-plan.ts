import { decidePlan, type PlanVerdict } from "../../../core/plan/decide-plan.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { counted } from "../../../core/text/length.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import { type CommandContext, defineCommand, type Given } from "../../command-definition.js";
import { many, text, toggle, type Values } from "../../fields.js";
import { findPlan } from "../../plans/find-plan.js";
import { type PlanReport, reportPlan } from "../../plans/plan-report.js";
import { judgeScript, proposeScript } from "../../plans/plan-writes.js";
import { readPlan } from "../../plans/plans.js";
import { type Seeded, type SeedPlaces, seedPlaces, seedScript } from "../../plans/seed-work.js";
import type { KnownPlan } from "../../plans/seen-plans.js";
import { givenStore, nextStep } from "../../terminal/next-step.js";
import { WHERE } from "../task/task-flags.js";
import { AS, deciderOf, HASH, PLAN, refuseAgent, withWay } from "./plan-flags.js";

const WORDS = {
  words: many(text("TEXT", "what the agent should know, quoted or not", { mayBeEmpty: true })),
  reason: text("TEXT", "the same, as a flag", { mayBeEmpty: true }),
};

interface Decided extends Seeded {
  readonly plan: PlanReport;
  /** Its agent hears of it with its next step. */
  readonly told: boolean;
}

export const approvePlan = defineCommand({
  details: `Binds your approval to the plan's text: id, hash, who and when. It starts nothing and ticks nothing; the
agent is told with its next step, if it reports to Milepost. Words behind the id are told with it. A dialogue that the
agent's own client shows stays open: answer it there.

--todos adds the plan's steps to the session's list, --tasks to a task list; all of it happens, or nothing.`,
  examples: [
    "milepost plan approve 9u2wr",
    "milepost plan approve 9u2wr --todos",
    'milepost plan approve 9u2wr "Use tabs"',
  ],
  words: ["plan", "words"],
  input: {
    ...PLAN,
    ...WORDS,
    ...HASH,
    todos: toggle("add its steps to the session's todo list"),
    tasks: toggle("add its steps to the task list"),
    ...WHERE,
    ...AS,
  },
  async run(context, { plan: typed, hash, todos, tasks, list, ...input }) {
    const named = await nameFor(context, typed, input);
    if (!named.ok) return named;
    const { known, verdict } = named.value;
    const { by } = verdict;
    const approval = { ...verdict, type: "approve", seen: hash ?? known.plan.hash } as const;
    const early = decidePlan(known.plan, approval);
    if (!early.ok) return fail(withWay(early.error, known.plan, context, false));
    const places = await seedPlaces(context, known.plan, { todos, tasks, list, by });
    return places.ok ? judge(context, known, approval, places.value) : places;
  },
  show: showDecision,
});

export const rejectPlan = defineCommand({
  details: `The agent is told with its next step, with your reason, if it reports to Milepost: words behind the id, or
--reason. A rejected plan stays rejected; a changed one is a new plan. --withdraw takes an approval back.`,
  examples: [
    "milepost plan reject 9u2wr Keep the old column for one release",
    'milepost plan reject 9u2wr --reason "Too much at once"',
  ],
  words: ["plan", "words"],
  input: { ...PLAN, ...WORDS, ...HASH, withdraw: toggle("take an approval back"), ...AS },
  async run(context, { plan: typed, hash, withdraw, ...input }) {
    const named = await nameFor(context, typed, input, withdraw);
    if (!named.ok) return named;
    const { known, verdict } = named.value;
    const { plan } = known;
    if (withdraw && plan.status === "proposed") {
      const reject = nextStep(`plan reject ${plan.id}`, { store: givenStore(context) });
      return fail(
        "refused",
        `Plan ${plan.id} is not approved, so there is nothing to take back. To reject it: ${reject}`,
      );
    }
    const rejection = { ...verdict, type: "reject", seen: hash ?? plan.hash, isWithdrawal: withdraw } as const;
    const early = decidePlan(plan, rejection);
    if (!early.ok) return fail(withWay(early.error, plan, context, true));
    return judge(context, known, rejection, { steps: [], by: verdict.by });
  },
  show: showDecision,
});

type Words = Values<typeof WORDS & typeof AS>;

/** The plan that is meant, by whom it is decided, and with which words. */
async function nameFor(
  context: CommandContext,
  typed: string | undefined,
  { words, reason, as }: Words,
  isOpen = false,
) {
  const refused = refuseAgent(context);
  if (refused) return fail(refused);
  const by = deciderOf(context, as);
  if (!by.ok) return by;
  const said = [...(words ?? []), ...(reason === undefined ? [] : [reason])].join(" ").trim();
  if (said.length > REASON_MAX) return fail("bad-text", `A reason has at most ${REASON_MAX} characters.`);
  const found = await findPlan(context, typed, !isOpen);
  if (!found.ok) return found;
  const verdict = { by: by.value, via: "command", ...(said === "" ? undefined : { reason: said }) } as const;
  return ok({ known: found.value, verdict });
}

const REASON_MAX = 2000;

/** One commit: a plan that only a transcript knows comes into the store, is decided, and its steps are written. */
async function judge(
  context: CommandContext,
  { plan: { id }, proposal }: KnownPlan,
  verdict: PlanVerdict,
  places: SeedPlaces,
): Promise<Result<Decided>> {
  const { store } = await context.open("write");
  const done = await store.commit<Decided>(function* (transaction) {
    const taken = proposal && (yield* proposeScript(transaction, proposal));
    if (taken && !taken.ok) return taken;
    const judged = yield* judgeScript(transaction, { ...verdict, id }, taken?.value);
    if (!judged.ok) return judged;
    const { plan, writes } = judged.value;
    const seeded = yield* seedScript(transaction, plan, places);
    if (!seeded.ok) return seeded;
    const { todos, tasks, writes: own } = seeded.value;
    const told = writes.some(({ stream }) => stream.startsWith("session:"));
    return ok({ writes: [...writes, ...own], answer: { plan: reportPlan(plan), told, todos, tasks } });
  });
  if (done.ok) return done;
  // Somebody else was faster.
  const now = await readPlan(store, id);
  return now ? fail(withWay(done.error, now, context, verdict.type === "reject")) : done;
}

function showDecision({ plan, told, todos, tasks }: Decided, _: unknown, given: Given): string {
  const { id, status, title, session, hash } = plan;
  const done = status === "approved" ? "Approved" : "Rejected";
  const rows = [
    `${done}: plan ${id} ${terminalText(title)} (hash ${hash.slice(0, HASH_SHOWN)})`,
    ...(todos.length === 0 ? [] : [`Added ${counted(todos.length, "todo")} to the session's list.`]),
    ...(tasks.length === 0 ? [] : [addedTasks(tasks, given)]),
    ...(session === null ? [] : [told ? TOLD : UNTOLD]),
  ];
  return `${rows.join("\n")}\n`;
}

const HASH_SHOWN = 8;
const TOLD = "Its agent is told with its next step.";
const UNTOLD = "Its session does not report to Milepost, so tell its agent yourself.";

function addedTasks(tasks: Seeded["tasks"], given: Given): string {
  const [first] = tasks;
  const list = { list: given.list ?? first?.list, store: given.store };
  return `Added ${counted(tasks.length, "task")}: ${nextStep("task list", list)}`;
}
