import type { Plan } from "../../../core/plan/plan.js";
import { type Failure, ok, type Result } from "../../../core/result.js";
import type { CommandContext } from "../../command-definition.js";
import { text } from "../../fields.js";
import { agentShell } from "../../plans/agent-shell.js";
import { personOf } from "../../session/person-name.js";
import { readSettings } from "../../settings.js";
import { givenStore, nextStep, typedLine } from "../../terminal/next-step.js";

// Flags that several verbs take, and what is refused to all of them.

export const PLAN = { plan: text("PLAN", "id of a plan, or a beginning of it") };

export const AS = { as: text("WHO", "who does it (default: user@host)") };

export const HASH = {
  hash: text("HASH", "only if the text still has this hash (8 or more characters of it)", { check: wrongHash }),
};

function wrongHash(given: string): string | undefined {
  return /^[\da-f]{8,64}$/i.test(given) ? undefined : "use 8 to 64 characters of a hash, as plan show prints it";
}

/** An agent does not decide on plans, unless the person's own setting says so. */
export function refuseAgent({ environment, folder, line }: CommandContext): Failure | undefined {
  const agent = agentShell(environment);
  if (agent === undefined || readSettings(environment, folder).agentDecides) return undefined;
  const own = `A person runs it in a terminal of their own: ${typedLine(line)}`;
  return { code: "agent-shell", message: `This is the shell of ${agent}, and agents do not decide on plans. ${own}` };
}

/** Where an agent may decide, the record says that it was one. */
export function deciderOf({ environment }: CommandContext, as: string | undefined): Result<string> {
  const by = personOf(as);
  const agent = agentShell(environment);
  return by.ok && agent !== undefined ? ok(`${agent}, for ${by.value}`.slice(0, NAME_MAX)) : by;
}

const NAME_MAX = 300;

/** A refusal with the command that helps, where the plan was decided on already. */
export function withWay(failure: Failure, plan: Plan, context: CommandContext, isRejection: boolean): Failure {
  if (failure.code !== "plan-decided") return failure;
  const { id, status } = plan;
  const store = { store: givenStore(context) };
  const next =
    isRejection && status === "approved"
      ? `To take that back: ${nextStep(`plan reject ${id} --withdraw`, store)}`
      : `What was said: ${nextStep(`plan show ${id}`, store)}`;
  return { ...failure, message: `${failure.message} ${next}` };
}
