import type { CommandContext } from "../command-definition.js";
import { givenStore, nextStep } from "../terminal/next-step.js";
import { resumeCommand } from "../transcripts/report/resume-command.js";
import { AGENTS, worldOf } from "./agents/wired-agents.js";
import { readText } from "./config-file.js";
import { installedPlugin } from "./plugin/installed-plugin.js";

interface Unreported {
  readonly id: string;
  readonly client: string;
  /** Where it works; empty where nobody tells. */
  readonly folder: string;
}

/**
 * What makes a session report to us that does not: an agent reads its hooks when it starts, so one that was wired since
 * only has to be started again. Undefined for an agent that has no hooks of ours.
 */
export function stepToReport(context: CommandContext, session: Unreported): string | undefined {
  const { client } = session;
  const agent = AGENTS.find(({ name }) => name === client);
  if (!agent) return undefined;
  const world = worldOf(context);
  const { hooks, toolHooks } = agent.wired(world, readText);
  const isWired = hooks.length + toolHooks.length > 0 || installedPlugin(agent, world, readText) !== undefined;
  const resume = resumeOf(session);
  // What our own server has named nobody can resume; a new session reports by itself.
  const again = resume === null ? `begin a new session of ${agent.title}` : `start it again: ${resume}`;
  return isWired ? again : `wire it and start it again: milepost setup ${client}`;
}

/** Why hooks do not report a session, and what to do: the end of a sentence that begins with what comes of it. */
export function unreported(context: CommandContext, session: Unreported): string {
  const { id } = session;
  const step = stepToReport(context, session);
  if (step !== undefined) return `no hook reports session ${id}. To change that, ${step}`;
  const resume = resumeOf(session);
  if (resume !== null) return `no hook reports session ${id}. Say it there: ${resume}`;
  const look = nextStep("todo list", { session: id, store: givenStore(context) });
  return `session ${id} is of no agent that reads messages. Its list: ${look}`;
}

function resumeOf({ id, client, folder }: Unreported): string | null {
  return resumeCommand({ id, agent: client, parent: null, folder });
}
