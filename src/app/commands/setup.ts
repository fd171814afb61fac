import { fail, type Result } from "../../core/result.js";
import { asSentence, inWords } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { choice, JSON_FLAG, toggle, type Values } from "../fields.js";
import { HOOK_WAYS } from "../settings/setting-words.js";
import { agentVersion } from "../setup/agent-version.js";
import type { Agent, World } from "../setup/agents/agent.js";
import { AGENTS, findAgents, isInstalled, worldOf } from "../setup/agents/wired-agents.js";
import { changeFiles, nobodyAnswered } from "../setup/change-files.js";
import { type Copy, type Durable, durableBundle } from "../setup/durable-copy.js";
import { storeSettings } from "../setup/launch.js";
import { askList, plannedOffers, withList } from "../setup/list-choice.js";
import { planWiring, pluggedPlan, type Subject, wiringOf } from "../setup/plan-wiring.js";
import type { AgentPlan } from "../setup/planned-changes.js";
import { givenStore, nextStep } from "../terminal/next-step.js";
import { shownPath, summaryText, wrapped } from "../terminal/setup-changes.js";

const NAMES = AGENTS.map(({ name }) => name);

const input = {
  agent: choice(NAMES, inWords(NAMES, "or")),
  todo: choice(["ours", "client"], "which list the model keeps; the other one is not offered"),
  tasks: toggle("offer the model our task tool, too (224 tokens in each request)"),
  noTasks: toggle("offer the task tool no longer"),
  plans: toggle("offer the model our plan tool, too (78 tokens in each request)"),
  noPlans: toggle("offer the plan tool no longer"),
  hooks: choice(HOOK_WAYS, "how hooks reach us: through our server, or each as a process (slower; needs no server)"),
  yes: toggle("ask nothing: keep the list of the last setup, else take ours"),
  dryRun: toggle("show the changes line by line, and make none"),
  guidance: toggle("with --todo client: add when to keep a list to CLAUDE.md, AGENTS.md or GEMINI.md"),
  noOwnList: toggle("older name of --todo ours"),
  json: JSON_FLAG,
};

type Flags = Values<typeof input>;

export const setup = defineCommand({
  details: `AGENT is ${NAMES.slice(0, 5).join(", ")},
${NAMES.slice(5).join(", ")}; without it, every agent that is found. Adds our todo tool (an MCP server, or an extension
of ours), hooks, and where the agent has them a status line and one permission to the agent's own files, and switches
the agent's own list off. Everything else in these files stays as it is. With --todo client the model gets no tool of
ours: hooks and status line show the agent's own list.

setup shows what it found and what would be added to which files, asks which list, and asks before it writes; d at that
question, or --dry-run, shows the changes line by line. With --yes it asks nothing. Run it again after an update, or
when Node has moved. milepost doctor checks it, milepost unsetup removes it.

--json: {"agents":[{"agent","todo","tasks","plans","hooks","changed":[{"file","backup"}],"notes":[...]}],
"changed":[{"file"}]}. It never asks: add --yes or --dry-run.`,
  examples: ["milepost setup", "milepost setup claude-code --todo client --dry-run"],
  words: ["agent"],
  input,
  async run(context, flags) {
    const world = worldOf(context);
    refuseForeignFolder(world.home);
    const talk = talkOf(context, flags, world);
    const found = findAgents(world, flags.agent);
    if (found.length === 0) return noAgent(world, talk);
    const plugged = found.flatMap((agent) => pluggedPlan(agent, world));
    const agents = found.filter(({ name }) => !plugged.some(({ agent }) => agent.name === name));
    const settings = storeSettings(world, context.store);
    if (!settings.ok) return settings;
    const wirings = await Promise.all(agents.map((agent) => wiringOf(agent, world, settings.value)));
    const earlier = (agent: Agent) => wirings.find((one) => one.agent === agent)?.chosen;
    const planned = plannedOffers(agents, flags, { earlier, again: talk.again });
    if (!planned.ok) return planned;
    if (flags.json) return converse(talk, { world, wirings, plugged, offers: planned.value });
    const notes = plugged.flatMap(({ agent, notes: said }) => said.map((note) => `${agent.title}: ${note}\n`));
    const said = wrapped(await foundText(found, world), context.output);
    await context.output.write(`${said}\n\n${notes.join("")}`);
    const told = plugged.map((plan) => ({ ...plan, notes: [] }));
    return converse(talk, { world, wirings, plugged: told, offers: planned.value });
  },
});

interface Talk {
  readonly context: CommandContext;
  readonly flags: Flags;
  readonly durable: Durable;
  /** How the person starts us. */
  readonly us: string;
  /** This command, with some flags changed. */
  readonly again: (changes: Partial<Flags>) => string;
}

function talkOf(context: CommandContext, flags: Flags, world: World): Talk {
  const durable = durableBundle(world);
  // Who runs a cached package has no command of ours.
  const us = durable.bundle === world.program.bundle ? "milepost" : "npx milepost";
  const again = (changes: Partial<Flags>) => {
    const { agent, yes, ...rest } = { ...flags, ...changes };
    const words = agent === undefined ? "setup" : `setup ${agent}`;
    return nextStep(words, { ...rest, store: givenStore(context), yes }).replace("milepost", us);
  };
  return { context, flags, durable, us, again };
}

function noAgent(world: World, { again }: Talk) {
  const commands = inWords(
    AGENTS.map(({ binary }) => binary),
    "or",
  );
  const folders = inWords(
    AGENTS.map((agent) => shownPath(agent.folder(world), world.program.userFolder)),
    "or",
  );
  const anyway = `To wire one for later: ${again({ agent: NAMES[0] })}`;
  return fail("no-agent", `No agent was found: no command ${commands}, and no folder ${folders}. ${anyway}`);
}

async function foundText(agents: readonly Agent[], world: World): Promise<string> {
  const found = agents.filter((agent) => isInstalled(agent, world));
  const versions = await Promise.all(found.map((agent) => agentVersion(agent, world)));
  const names = found.map(({ title }, index) => [title, versions[index]].filter(Boolean).join(" "));
  const others = agents.filter((agent) => !found.includes(agent)).map(({ title }) => title);
  const sentences = [
    ...(names.length > 0 ? [`Found ${inWords(names)}.`] : []),
    ...others.map((title) => `${title} was not found here: it is wired for when it is installed.`),
  ];
  return terminalText(sentences.join(" "));
}

/** What it comes to is shown first, for the list that was chosen or is likely; then which list, then whether. */
async function converse(talk: Talk, subject: Subject): Promise<Result<undefined>> {
  const { context, flags, durable, us } = talk;
  const { world, wirings } = subject;
  const preparation =
    wirings.length === 0 ? undefined : durable.copy && { text: copyText(durable.copy), run: durable.copy.run };
  const unasked = talk.again({ yes: true });
  const undecided = wirings.filter(({ chosen }) => !chosen).map(({ agent }) => agent);
  const isSaid = flags.todo !== undefined || flags.noOwnList || flags.yes || flags.json || flags.dryRun;
  let { offers } = subject;
  let isShown = false;
  if (!isSaid && undecided.length > 0 && context.input.isTerminal) {
    const plans = planOrOthers(talk, { ...subject, offers });
    if (!plans.ok) return plans;
    const view = { output: context.output, userFolder: world.program.userFolder };
    await context.output.write(`${preparation?.text ?? ""}${summaryText(plans.value, view)}`);
    const isAll = undecided.length === wirings.length;
    const tools = [...(flags.tasks ? ["task"] : []), ...(flags.plans ? ["plan"] : [])];
    const todo = await askList(context, { isAll, agents: undecided, tools });
    if (todo === undefined) return fail(nobodyAnswered(unasked));
    isShown = todo === "ours";
    offers = withList(offers, undecided, todo);
  }
  return changeFiles(context, flags, {
    home: world.home,
    plan: () => planOrOthers(talk, { ...subject, offers }),
    isShown,
    unasked,
    ending: {
      said: "Done. New sessions are wired.",
      next: [`Look: ${us}`, `Check: ${us} doctor`, `Undo: ${us} unsetup`],
    },
    idle: { said: idleText(subject), next: [`Check: ${us} doctor`] },
    about: (name) =>
      wirings.map(({ agent }) => (agent.name === name ? offers[agent.name] : undefined)).find(Boolean) ?? {},
    ...(preparation ? { preparation } : undefined),
  });
}

/** A file of one agent stops everything; the others can be wired by their names. */
function planOrOthers({ flags, durable, again }: Talk, subject: Subject): Result<readonly AgentPlan[]> {
  const plans = planWiring(subject, durable, flags);
  if (plans.ok) return plans;
  const others = subject.wirings.filter((wiring) => planWiring({ ...subject, wirings: [wiring] }, durable, flags).ok);
  const [{ agent } = { agent: undefined }] = others;
  if (!agent) return plans;
  const { code, message } = plans.error;
  return fail(code, `${asSentence(message)} To wire only ${agent.title}: ${again({ agent: agent.name })}`);
}

function idleText({ wirings, plugged }: Subject): string {
  const titles = [...plugged, ...wirings].map(({ agent }) => agent.title);
  return `Nothing to change: ${inWords(titles)} ${titles.length > 1 ? "are" : "is"} wired.`;
}

function copyText({ from, to }: Copy): string {
  const moved = `It is copied to ${terminalText(to)}, and agents start the copy.`;
  return `Milepost runs from a temporary folder (${terminalText(from)}).\n${moved}\n\n`;
}
