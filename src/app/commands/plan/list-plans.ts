import { PLAN_STATUSES } from "../../../core/plan/plan.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { screenText } from "../../../core/text/terminal-text.js";
import { type CommandContext, defineCommand, type Given } from "../../command-definition.js";
import { choice, number, text, toggle } from "../../fields.js";
import { findPlan } from "../../plans/find-plan.js";
import { knownPlans, plansOfSession } from "../../plans/known-plans.js";
import { type PlanReport, reportPlan } from "../../plans/plan-report.js";
import type { KnownPlan } from "../../plans/seen-plans.js";
import { findSession } from "../../session/find/find-session.js";
import { isSameProject } from "../../session/find/this-project.js";
import { nextStep } from "../../terminal/next-step.js";
import { paint } from "../../terminal/paint.js";
import { planDetail, planTable } from "../../terminal/plan-rows.js";
import { PLAN } from "./plan-flags.js";

/** How many are shown to a person who does not say. */
const USUAL = 20;

const STATUSES = PLAN_STATUSES.filter((status) => status !== "draft");

export const listPlans = defineCommand({
  details: `Plans of all projects: those that wait for a decision, then the newest. They come from Milepost's store and
from transcripts of Claude Code and Codex: of the last day, and of the newest sessions.`,
  examples: ["milepost plan", "milepost plan list --status proposed --here", "milepost plan list --session acc5a7"],
  input: {
    session: text("SESSION", "only plans of this session: its id, or a prefix of it"),
    status: choice(STATUSES, "only plans with this status"),
    here: toggle("only plans of this project"),
    limit: number("N", "maximum number of plans (default: 20; JSON: all)", { least: 1 }),
  },
  async run(context, { session, status, here, limit }) {
    const known = await plansFor(context, session);
    if (!known.ok) return known;
    const plans = known.value
      .map(({ plan }) => plan)
      .filter((plan) => status === undefined || plan.status === status)
      .filter(({ folder }) => !here || isSameProject(folder, context.folder));
    return ok({ plans: plans.slice(0, limit).map(reportPlan) });
  },
  show({ plans }, output, given) {
    if (plans.length === 0) return `${nothingFound(given)}\n`;
    const shown = given.limit === undefined ? plans.slice(0, USUAL) : plans;
    const rows = planTable(shown, output, Date.now());
    const footer = [...moreRows(plans.length - shown.length, given), ...decisionRows(shown, given)];
    return `${[...rows, ...footer.map((row) => paint(output, "dim", row))].join("\n")}\n`;
  },
});

async function plansFor(context: CommandContext, session: string | undefined): Promise<Result<readonly KnownPlan[]>> {
  if (session === undefined) return ok(await knownPlans(context));
  const found = await findSession(context, { session });
  return found.ok ? ok(await plansOfSession(context, found.value)) : found;
}

const FILTERS = ["session", "status", "here"] as const;

function nothingFound(given: Given): string {
  const isPicky = FILTERS.some((flag) => given[flag] !== undefined && given[flag] !== false);
  if (isPicky) return `No plan fits. All plans: ${nextStep("plan list", given, ["store"])}`;
  return "No plans yet. An agent's plan is here as soon as it is proposed: in plan mode, or with the plan tool.";
}

function moreRows(more: number, given: Given): readonly string[] {
  if (more <= 0) return [];
  return [`${more} more: ${nextStep(`plan list --limit ${more + USUAL}`, given, [...FILTERS, "store"])}`];
}

function decisionRows([first]: readonly PlanReport[], given: Given): readonly string[] {
  if (!first) return [];
  const show = nextStep(`plan show ${first.id}`, given, ["store"]);
  return [first.status === "proposed" ? `To read and decide: ${show}` : `To read one: ${show}`];
}

export const showPlan = defineCommand({
  details: `The whole text of a plan, and who decided on it, how, when and why. While it waits for a decision, the
commands that decide follow; --hash in them binds the approval to the text that you read. --raw prints the text as it is
stored into a file or a pipe.`,
  examples: ["milepost plan show 9u2wr", "milepost plan show nt54-9u2wr --raw > plan.md"],
  words: ["plan"],
  input: { ...PLAN, raw: toggle("only the text, as it is stored") },
  async run(context, { plan: typed }) {
    const found = await findPlan(context, typed);
    return found.ok ? ok({ plan: reportPlan(found.value.plan) }) : fail(found.error);
  },
  show({ plan }, output, given) {
    if (given.raw !== true) return `${planDetail(plan, output, given, Date.now()).join("\n")}\n`;
    if (!output.isTerminal) return plan.text;
    return `${screenText(plan.text).trimEnd()}\n`;
  },
});
