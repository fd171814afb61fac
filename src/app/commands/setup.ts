import * as z from "zod";
import { fail, ok, type Result } from "../../core/result.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { maskPassword } from "../../store/url.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import type { Agent, World } from "../setup/agents/agent.js";
import { AGENTS, findAgents, worldOf } from "../setup/agents/wired-agents.js";
import { changeFiles } from "../setup/change-files.js";
import { readText } from "../setup/config-file.js";
import { type Copy, type Durable, durableBundle } from "../setup/durable-copy.js";
import { launcherEdit, launcherFile, type StoreSettings, settingsOfLauncher, storeSettings } from "../setup/launch.js";
import { type AgentPlan, planSetup, type Task } from "../setup/planned-changes.js";
import { readRecord } from "../setup/setup-record.js";

const NAMES = AGENTS.map(({ name }) => name);

const input = z.object({
  agent: z.enum(NAMES).optional().describe(NAMES.join(" or ")),
  yes: z.boolean().default(false).describe("do not ask for confirmation"),
  dryRun: z.boolean().default(false).describe("dry run: only show the changes"),
  guidance: z.boolean().default(false).describe("add advice on when to keep a list to CLAUDE.md or AGENTS.md"),
  ownList: z.boolean().default(true).describe("disable the agent's own list tool: two lists confuse a model"),
  json: z.boolean().default(false).describe("print the result as JSON"),
});

type Flags = z.output<typeof input>;

export const setup = defineCommand({
  details: `AGENT is ${NAMES.join(" or ")}; without it, every installed agent. Adds our tools (an MCP server),
hooks, a status line and one permission to the agent's own files. The exact changes are shown first; everything else
stays as it is. Run it again after an update, or when Node has moved. milepost doctor checks it, unsetup removes it.
--json: {"agents":[{"agent","changed":[{"file","backup"}],"notes":[...]}]}. It never asks: add --yes or --dry-run.`,
  words: ["agent"],
  input,
  async run(context, flags) {
    const world = worldOf(context);
    refuseForeignFolder(world.home);
    const agents = findAgents(world, flags.agent);
    if (agents.length === 0) return noAgent(world);
    const durable = durableBundle(world);
    const tasks = await tasksFor(context, world, agents, { durable, flags });
    if (!tasks.ok) return tasks;
    return changeFiles(context, flags, {
      home: world.home,
      plan() {
        const plans = planSetup(world, tasks.value, readRecord(world.home));
        return plans.ok ? ok(plans.value.map((plan) => withNotes(plan, world))) : plans;
      },
      ...(durable.copy ? { preparation: { text: copyText(durable.copy), run: durable.copy.run } } : undefined),
    });
  },
});

function noAgent(world: World) {
  const places = AGENTS.map(
    (agent) => `${agent.title} (the folder ${agent.folder(world)}, the command ${agent.binary})`,
  );
  const anyway = `To set one up anyway: milepost setup ${NAMES[0]}`;
  return fail("no-agent", `No agent was found. Looked for ${places.join(" and ")}. ${anyway}`);
}

async function tasksFor(
  context: CommandContext,
  world: World,
  agents: readonly Agent[],
  { durable, flags }: { readonly durable: Durable; readonly flags: Flags },
): Promise<Result<readonly Task[]>> {
  const settings = storeSettings(world, context.store);
  if (!settings.ok) return settings;
  const { node, platform } = world.program;
  const tasks: Task[] = [];
  for (const agent of agents) {
    const file = launcherFile(world, agent);
    const { value, notes } = withEarlier(settings.value, agent, world);
    const script = Object.keys(value).length > 0 ? file : durable.bundle;
    const isOwnListOff = !flags.ownList || (await wantsOwnListOff(context, world, agent, flags));
    const isDirectRefused = (await agent.ask?.(world))?.takesDirect === false;
    const wish = { launch: { node, script, platform }, guidance: flags.guidance, isOwnListOff, isDirectRefused };
    tasks.push({ agent, wish, launcher: launcherEdit(file, durable.bundle, value), notes });
  }
  return ok(tasks);
}

/** A store that was named at the first setup is meant at the next, too: else an update would take the lists away. */
function withEarlier(settings: StoreSettings, agent: Agent, world: World) {
  const { MILEPOST_STORE: earlier, ...place } = settingsOfLauncher(agent.wired(world, readText));
  const named = Object.keys(settings).length > 0 ? settings : place;
  if (earlier === undefined || settings.MILEPOST_STORE !== undefined) return { value: named, notes: [] };
  const note = `The store of the last setup is kept: ${maskPassword(earlier)}. --store selects another.`;
  return { value: { ...named, MILEPOST_STORE: earlier }, notes: [note] };
}

/** Asked once, when the agent is wired for the first time. */
async function wantsOwnListOff(context: CommandContext, world: World, agent: Agent, flags: Flags): Promise<boolean> {
  const ownList = agent.ownList(world, readText);
  if (ownList === undefined || flags.yes || flags.json || flags.dryRun || agent.wired(world, readText).server)
    return false;
  return (await context.confirm(`${ownList} Two lists confuse a model. Disable it?`)) === true;
}

function copyText({ from, to }: Copy): string {
  const moved = `It is copied to ${terminalText(to)}, and agents start the copy.`;
  return `Milepost runs from a temporary folder (${terminalText(from)}).\n${moved}\n\n`;
}

function withNotes(plan: AgentPlan, world: World): AgentPlan {
  const { agent, changes, notes } = plan;
  const planned = new Map(changes.map(({ config, after }) => [config.file, after]));
  const ownList = agent.ownList(world, (file) => (planned.has(file) ? planned.get(file) : readText(file)));
  return {
    ...plan,
    notes: [
      ...(changes.length > 0 ? agent.afterwards : []),
      ...notes,
      ...(ownList === undefined ? [] : [`${ownList} Two lists confuse a model: add --no-own-list to disable it.`]),
    ],
  };
}
