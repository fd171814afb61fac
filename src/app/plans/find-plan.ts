import type { Plan } from "../../core/plan/plan.js";
import { planTitle } from "../../core/plan/plan-outline.js";
import { type Failure, fail, ok, type Result } from "../../core/result.js";
import { counted, cutCodePoints } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import type { CommandContext } from "../command-definition.js";
import { findSession } from "../session/find/find-session.js";
import { projectOf } from "../session/session-mention.js";
import { givenStore, nextStep, sameLine, typedLine } from "../terminal/next-step.js";
import { storeToRead } from "../transcripts/store-to-read.js";
import { knownPlans, plansOfSession } from "./known-plans.js";
import { askedId, likelyPlan, matchPlans } from "./match-plans.js";
import { isPlanId } from "./plan-id.js";
import { readPlan } from "./plans.js";
import type { KnownPlan } from "./seen-plans.js";

// Which plan a person means: the same for every verb. Where that is none, or several, a command that works is told.

/** `isDecision`: only plans that wait for one are offered to whoever names none. */
export async function findPlan(
  context: CommandContext,
  typed: string | undefined,
  isDecision = false,
): Promise<Result<KnownPlan>> {
  if (typed === undefined) return fail(await unnamed(context, isDecision));
  const asked = askedId(typed);
  const stored = isPlanId(asked) ? await readPlan(await storeToRead(context), asked) : undefined;
  if (stored) return ok((await withTranscript(context, stored)) ?? { plan: stored });
  const plans = await knownPlans(context, asked);
  const matches = matchPlans(
    plans.map(({ plan }) => plan),
    typed,
  );
  const found = plans.find(({ plan }) => plan === matches[0]);
  if (found && matches.length === 1) return ok(found);
  return fail(matches.length > 1 ? several(context, typed, matches) : await unknown(context, typed, plans));
}

/** What its client's own dialogue said may be in the transcript alone. */
async function withTranscript(context: CommandContext, { id, session }: Plan): Promise<KnownPlan | undefined> {
  const found = session === undefined ? undefined : await findSession(context, { session });
  if (!found?.ok) return undefined;
  return (await plansOfSession(context, found.value)).find(({ plan }) => plan.id === id);
}

const MOST_NAMED = 5;

async function unnamed(context: CommandContext, isDecision: boolean): Promise<Failure> {
  const plans = (await knownPlans(context)).map(({ plan }) => plan);
  const wanted = isDecision ? plans.filter(({ status }) => status === "proposed") : plans;
  const [first] = wanted;
  if (!first) return { code: "bad-usage", message: `PLAN is required: ${noPlans(context, isDecision)}` };
  const what = isDecision ? `${counted(wanted.length, "plan")} to decide on` : counted(wanted.length, "plan");
  const [command = "", ...words] = context.line;
  const again = typedLine([command, first.id, ...words]);
  return { code: "bad-usage", message: `PLAN is required; ${what}: ${namesOf(wanted)}. Did you mean: ${again}` };
}

function noPlans(context: CommandContext, isDecision: boolean): string {
  const all = nextStep("plan list", { store: givenStore(context) });
  return `no plan ${isDecision ? "waits for a decision" : "is known"}. All plans: ${all}`;
}

function several(context: CommandContext, typed: string, matches: readonly Plan[]): Failure {
  const again = sameLine(context.line, typed, matches[0]?.id ?? "");
  const message = `${counted(matches.length, "plan")} begin with ${typed}: ${namesOf(matches)}. Did you mean: ${again}`;
  return { code: "bad-usage", message };
}

const TITLE_MAX = 40;

function namesOf(plans: readonly Plan[]): string {
  const names = plans.slice(0, MOST_NAMED).map(({ id, text, folder }) => {
    const title = cutCodePoints(terminalText(planTitle(text)), TITLE_MAX);
    return `${id} (${[title, projectOf(folder)].filter((part) => part !== null).join(", ")})`;
  });
  return plans.length > MOST_NAMED ? `${names.join(", ")}, and ${plans.length - MOST_NAMED} more` : names.join(", ");
}

async function unknown(context: CommandContext, typed: string, plans: readonly KnownPlan[]): Promise<Failure> {
  const store = { store: givenStore(context) };
  const near = likelyPlan(
    plans.map(({ plan }) => plan),
    typed,
  );
  const again = near && sameLine(context.line, typed, near);
  const all = `All plans: ${nextStep("plan list", store)}`;
  const next = again ? `Did you mean: ${again}` : ((await ofSession(context, typed)) ?? all);
  return { code: "unknown-plan", message: `No plan is called ${typed}. ${next}` };
}

/** Ids of sessions are on the screen, too. */
async function ofSession(context: CommandContext, typed: string): Promise<string | undefined> {
  const found = typed.length < SESSION_MIN ? undefined : await findSession(context, { session: typed });
  if (!found?.ok) return undefined;
  const flags = { session: typed, store: givenStore(context) };
  return `It is a session. Its plans: ${nextStep("plan list", flags)}`;
}

const SESSION_MIN = 4;
