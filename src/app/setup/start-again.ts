import type { CommandContext } from "../command-definition.js";
import { givenStore, nextStep } from "../terminal/next-step.js";
import { resumeCommand } from "../transcripts/report/resume-command.js";
import { AGENTS, worldOf } from "./agents/wired-agents.js";
import { readText } from "./config-file.js";
import { installedPlugin } from "./plugin/installed-plugin.js";

/**
 * What makes a session report to us that does not: an agent reads its hooks when it starts, so one that was wired since
 * only has to be started again. Undefined for an agent that has no hooks of ours.
 */
export function stepToReport(context: CommandContext, session: string, client: string): string | undefined {
  const agent = AGENTS.find(({ name }) => name === client);
  if (!agent) return undefined;
  const world = worldOf(context);
  const { hooks, toolHooks } = agent.wired(world, readText);
  const isWired = hooks.length + toolHooks.length > 0 || installedPlugin(agent, world, readText) !== undefined;
  const resume = resumeCommand({ id: session, agent: client, parent: null });
  return isWired ? `start it again: ${resume}` : `wire it and start it again: milepost setup ${client}`;
}

/** Why hooks do not report a session, and what to do: the end of a sentence that begins with what comes of it. */
export function unreported(context: CommandContext, session: string, client: string): string {
  const step = stepToReport(context, session, client);
  if (step !== undefined) return `no hook reports session ${session}. To change that, ${step}`;
  const resume = resumeCommand({ id: session, agent: client, parent: null });
  if (resume !== null) return `no hook reports session ${session}. Say it there: ${resume}`;
  const look = nextStep("todo list", { session, store: givenStore(context) });
  return `session ${session} is of no agent that reads messages. Its list: ${look}`;
}
