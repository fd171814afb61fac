import { type Failure, fail, ok, type Result } from "../../core/result.js";
import type { CommandContext } from "../command-definition.js";
import { jsonLine } from "../json-lines.js";
import { planText, reportText } from "../terminal/setup-changes.js";
import { type AgentReport, applyPlans } from "./apply-changes.js";
import type { AgentPlan } from "./planned-changes.js";
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
}

/** Shows the exact change, asks, makes it and says what was done. Nothing is written unless all of it can be. */
export async function changeFiles(context: CommandContext, flags: ChangeFlags, work: Work): Promise<Result<undefined>> {
  const { output } = context;
  const first = work.plan();
  if (!first.ok) return first;
  const isQuiet = !work.preparation && first.value.every(({ changes }) => changes.length === 0);
  const isOnlyLook = isQuiet || flags.dryRun;
  // Who is asked has to know it before the answer, not after it.
  const isAsked = !isOnlyLook && !flags.yes && !flags.json;
  if (!flags.json)
    await output.write(`${work.preparation?.text ?? ""}${planText(first.value, output, { withNotes: isAsked })}`);
  const refusal = isOnlyLook ? undefined : await ask(context, flags);
  if (refusal) return fail(refusal);
  // Time has passed while the person read, and a running agent writes to its files: what counts is how they are now.
  const last = isOnlyLook ? first : work.plan();
  if (!last.ok) return last;
  if (!isOnlyLook) work.preparation?.run();
  const reports = isOnlyLook
    ? last.value.map(plannedReport)
    : applyPlans(last.value, { home: work.home, record: readRecord(work.home), time: new Date() });
  await output.write(
    flags.json
      ? `${jsonLine({ agents: reports })}\n`
      : reportText(last.value, reports, { output, ...flags, withNotes: !isAsked }),
  );
  return ok(undefined);
}

async function ask({ confirm }: CommandContext, { yes, json }: ChangeFlags): Promise<Failure | undefined> {
  if (yes) return undefined;
  const answer = json ? undefined : await confirm("Change these files?");
  if (answer === true) return undefined;
  return answer === undefined
    ? { code: "needs-yes", message: "Nothing was changed: confirmation needs a terminal, or --yes." }
    : { code: "not-confirmed", message: "Nothing was changed." };
}

function plannedReport({ agent, changes, notes }: AgentPlan): AgentReport {
  return { agent: agent.name, changed: changes.map(({ config: { file } }) => ({ file })), notes };
}
