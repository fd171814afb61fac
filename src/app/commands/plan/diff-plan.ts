import type { Plan } from "../../../core/plan/plan.js";
import { readPlanEvent } from "../../../core/plan/plan-events.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { unifiedDiff } from "../../../core/text/line-diff.js";
import { terminalText } from "../../../core/text/terminal-text.js";
import type { EventStore } from "../../../store/event-store.js";
import { type CommandContext, defineCommand } from "../../command-definition.js";
import { text } from "../../fields.js";
import { findPlan } from "../../plans/find-plan.js";
import { reportPlan } from "../../plans/plan-report.js";
import { planStream } from "../../plans/plan-views.js";
import { diffRows } from "../../terminal/diff-rows.js";
import { givenStore, nextStep } from "../../terminal/next-step.js";
import { storeToRead } from "../../transcripts/store-to-read.js";
import { PLAN } from "./plan-flags.js";

export const diffPlan = defineCommand({
  details: `Lines of a plan that are not in another one, with + before them, and those that are only in the other one,
with -. The other one is OTHER; else the text as it was proposed, where a person has edited it; else the plan that it
replaces.`,
  examples: ["milepost plan diff nt54-9u2wr", "milepost plan diff nt54-9u2wr nt54-ansvg"],
  words: ["plan", "other"],
  input: { ...PLAN, other: text("PLAN", "the earlier plan") },
  async run(context, { plan: typed, other: asked }) {
    const found = await findPlan(context, typed);
    if (!found.ok) return found;
    const { plan } = found.value;
    const other = await otherText(context, plan, asked);
    if (!other.ok) return other;
    const diff = unifiedDiff(other.value.text, plan.text);
    return ok({ plan: reportPlan(plan), other: reportPlan(other.value), diff });
  },
  show({ plan, other }, output) {
    const name = other.id === plan.id ? "as it was proposed" : `plan ${terminalText(other.id)}`;
    const rows = diffRows(other.text, plan.text, output);
    const said = rows.length === 0 ? ["The texts are the same."] : rows.map((row) => `  ${row}`);
    return `${[`Plan ${terminalText(plan.id)}, compared with ${name}:`, ...said].join("\n")}\n`;
  },
});

async function otherText(context: CommandContext, plan: Plan, asked: string | undefined): Promise<Result<Plan>> {
  if (asked === undefined && plan.isEdited) {
    const proposed = await asProposed(await storeToRead(context), plan);
    if (proposed) return ok(proposed);
  }
  const name = asked ?? plan.supersedes;
  if (name === undefined) return fail("refused", alone(context, plan));
  const found = await findPlan(context, name);
  return found.ok ? ok(found.value.plan) : found;
}

function alone(context: CommandContext, { id }: Plan): string {
  const show = nextStep(`plan show ${id}`, { store: givenStore(context) });
  return `Plan ${id} replaces no other plan, and nobody has edited it. The whole text: ${show}`;
}

/** Undefined where the history is not kept that far back. */
async function asProposed(store: EventStore, plan: Plan): Promise<Plan | undefined> {
  const pages = await store.read({ stream: planStream(plan.id) });
  if (!pages.ok) return undefined;
  for await (const { events } of pages.value) {
    const read = events.map(({ type, data }) => readPlanEvent(type, data));
    const proposed = read.find((event) => event?.type === "plan.proposed");
    if (proposed) return { ...plan, text: proposed.text, hash: proposed.hash };
  }
  return undefined;
}
