import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { CommandContext } from "../command-definition.js";
import { jsonLine } from "../json-lines.js";
import { diffText, type Ending, noteText, reportText, summaryText } from "../terminal/setup-changes.js";
import { type AgentReport, applyPlans } from "./apply-changes.js";
import { type AgentPlan, SETTINGS_OWNER } from "./planned-changes.js";
import { readRecord } from "./setup-record.js";

export interface ChangeFlags {
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
}

export interface Work {
  readonly home: string;
  plan(): Result<readonly AgentPlan[]>;
  /** What has to be there before files point to it. */
  readonly preparation?: { readonly text: string; run(): void };
  /** The person has read the summary already. */
  readonly isShown?: boolean;
  /** The command that makes these changes without a question. */
  readonly unasked: string;
  /** The last line, when something was changed, and when there was nothing to change. */
  readonly ending: Ending;
  readonly idle: Ending;
  /** Added to the JSON of each agent. */
  about?(agent: string): object;
}

/** Says what would change, asks, makes it and says what was done. Nothing is written unless all of it can be. */
export async function changeFiles(context: CommandContext, flags: ChangeFlags, work: Work): Promise<Result<undefined>> {
  const { output, program } = context;
  const first = work.plan();
  if (!first.ok) return first;
  const isQuiet = !work.preparation && first.value.every(({ changes }) => changes.length === 0);
  const isOnlyLook = isQuiet || flags.dryRun;
  // Who is asked has to know it before the answer, not after it.
  const isAsked = !isOnlyLook && !flags.yes && !flags.json;
  const view = { output, userFolder: program.userFolder };
  if (!flags.json && !isQuiet) {
    const summary = work.isShown ? "" : `${work.preparation?.text ?? ""}${summaryText(first.value, view)}`;
    const diff = flags.dryRun ? diffText(first.value, { ...view, isWhole: true }) : "";
    await output.write(`${summary}${diff}${isAsked ? noteText(first.value, output) : ""}`);
  }
  const refusal = isOnlyLook ? undefined : await ask(context, flags, work, first.value);
  if (refusal) return fail(refusal);
  // Time has passed while the person read, and a running agent writes to its files: what counts is how they are now.
  const last = isOnlyLook ? first : work.plan();
  if (!last.ok) return last;
  if (!isOnlyLook) work.preparation?.run();
  const reports = isOnlyLook
    ? last.value.map(plannedReport)
    : applyPlans(last.value, { home: work.home, record: readRecord(work.home), time: new Date() });
  const ending = isQuiet ? work.idle : flags.dryRun ? DRY_RUN : work.ending;
  await output.write(
    flags.json ? jsonReport(last.value, reports, work) : reportText(last.value, reports, { ...view, ending, isAsked }),
  );
  return ok(undefined);
}

const DRY_RUN: Ending = { said: "Dry run: nothing was changed.", next: [] };

export function nobodyAnswered(command: string): Failure {
  return { code: "needs-yes", message: `Nothing was changed: nobody answered. To make these changes: ${command}` };
}

async function ask(
  { ask: question, output, program: { userFolder } }: CommandContext,
  { yes, json }: ChangeFlags,
  { unasked }: Work,
  plans: readonly AgentPlan[],
): Promise<Failure | undefined> {
  if (yes) return undefined;
  for (;;) {
    const answer = json ? undefined : (await question("Make these changes? [y]es, [d]iff, [n]o:"))?.trim();
    if (answer === undefined) return nobodyAnswered(unasked);
    if (/^y(?:es)?$/i.test(answer)) return undefined;
    if (/^no?$/i.test(answer)) return { code: "not-confirmed", message: "Nothing was changed." };
    const isDiff = /^d(?:iff)?$/i.test(answer);
    await output.write(
      isDiff
        ? diffText(plans, { output, userFolder, isWhole: false })
        : "Type y to make them, d to see them line by line, n to stop.\n",
    );
  }
}

function plannedReport({ agent, changes, notes }: AgentPlan): AgentReport {
  return { agent: agent.name, changed: changes.map(({ config: { file } }) => ({ file })), notes };
}

/** Agents as ever; what was changed of our own beside them. */
function jsonReport(plans: readonly AgentPlan[], reports: readonly AgentReport[], work: Work): string {
  const rows = reports.map(({ agent, changed, notes }, index) => {
    const afterwards = changed.length > 0 ? (plans[index]?.afterwards ?? []) : [];
    return { agent, ...work.about?.(agent), changed, notes: [...notes, ...afterwards] };
  });
  const own = reports.filter(({ agent }) => agent === SETTINGS_OWNER.name);
  const agents = rows.filter(({ agent }) => agent !== SETTINGS_OWNER.name);
  return `${jsonLine({ agents, changed: own.flatMap(({ changed }) => changed) })}\n`;
}
