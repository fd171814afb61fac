import { resolve } from "node:path";
import { fail, ok, type Result } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { terminalText } from "../../core/text/terminal-text.js";
import { refuseForeignFolder } from "../../store/sqlite/real-path.js";
import { maskPassword } from "../../store/url.js";
import { type CommandContext, defineCommand } from "../command-definition.js";
import { choice, toggle, type Values } from "../fields.js";
import { HOOK_WAYS, type Offer } from "../settings.js";
import { agentVersion } from "../setup/agent-version.js";
import type { Agent, Wired, World } from "../setup/agents/agent.js";
import { AGENTS, findAgents, worldOf } from "../setup/agents/wired-agents.js";
import { changeFiles } from "../setup/change-files.js";
import { readText } from "../setup/config-file.js";
import { type Copy, type Durable, durableBundle } from "../setup/durable-copy.js";
import { launcherEdit, launcherFile, type StoreSettings, settingsOfLauncher, storeSettings } from "../setup/launch.js";
import { askList, type Offers, plannedOffers, withList } from "../setup/list-choice.js";
import { chosenOffer, offersEdit, settingsFileIn } from "../setup/offer-settings.js";
import { type AgentPlan, planOwn, planSetup, type Task } from "../setup/planned-changes.js";
import { installedPlugin, pluginNote } from "../setup/plugin/installed-plugin.js";
import { readRecord } from "../setup/setup-record.js";
import { isShellFile, shellFileEdit, shellFileIn } from "../setup/shell/shell-file.js";
import { summaryText } from "../terminal/setup-changes.js";

const NAMES = AGENTS.map(({ name }) => name);

const input = {
  agent: choice(NAMES, NAMES.join(" or ")),
  todo: choice(["ours", "client"], "which list the model keeps; the other one is not offered"),
  tasks: toggle("offer the model our task tool, too (224 tokens in each request)"),
  noTasks: toggle("offer it no longer"),
  hooks: choice(HOOK_WAYS, "how hooks reach us: through our server, or each as a process (slower; needs no server)"),
  yes: toggle("ask nothing: the list of the last setup, else ours"),
  dryRun: toggle("dry run: only show the changes"),
  guidance: toggle("with --todo client: add when to keep a list to CLAUDE.md or AGENTS.md"),
  noOwnList: toggle("the same as --todo ours"),
  json: toggle("print the result as JSON"),
};

type Flags = Values<typeof input>;

export const setup = defineCommand({
  details: `AGENT is ${NAMES.join(" or ")}; without it, every installed agent. Adds our todo tool (an MCP
server), hooks, a status line and one permission to the agent's own files, and switches the agent's own list off. With
--todo client the model gets no tool of ours: hooks and status line show the agent's own list. setup says what it found
and what would change, asks once which list, and shows every line on request; all else stays as it is. Run it again
after an update, or when Node has moved. milepost doctor checks it, unsetup removes it.
--json: {"agents":[{"agent","todo","tasks","hooks","changed":[{"file","backup"}],"notes":[...]}],
"changed":[{"file"}]}. It never asks: add --yes or --dry-run.`,
  examples: ["milepost setup", "milepost setup claude-code --todo client --dry-run"],
  words: ["agent"],
  input,
  async run(context, flags) {
    const world = worldOf(context);
    refuseForeignFolder(world.home);
    const found = findAgents(world, flags.agent);
    if (found.length === 0) return noAgent(world);
    const plugged = found.flatMap((agent) => pluggedPlan(agent, world));
    const agents = found.filter(({ name }) => !plugged.some(({ agent }) => agent.name === name));
    const settings = storeSettings(world, context.store);
    if (!settings.ok) return settings;
    const wirings = await Promise.all(agents.map((agent) => wiringOf(agent, world, settings.value)));
    const planned = plannedOffers(agents, flags, (agent) => wirings.find((one) => one.agent === agent)?.chosen);
    if (!planned.ok) return planned;
    if (flags.json) return converse(context, flags, { world, wirings, plugged, offers: planned.value });
    const notes = plugged.flatMap(({ agent, notes: said }) => said.map((note) => `${agent.title}: ${note}\n`));
    await context.output.write(`${await foundText(found, world)}${notes.join("")}`);
    const told = plugged.map((plan) => ({ ...plan, notes: [] }));
    return converse(context, flags, { world, wirings, plugged: told, offers: planned.value });
  },
});

/** One that has our plugin is left as it is. */
function pluggedPlan(agent: Agent, world: World): readonly AgentPlan[] {
  const plugin = installedPlugin(agent, world, readText);
  if (!plugin) return [];
  const { server, hooks } = agent.wired(world, readText);
  const isWired = server !== undefined || hooks.length > 0;
  return [{ agent, changes: [], notes: [pluginNote(agent, plugin, isWired)] }];
}

function noAgent(world: World) {
  const places = AGENTS.map(
    (agent) => `${agent.title} (the folder ${agent.folder(world)}, the command ${agent.binary})`,
  );
  const anyway = `To set one up anyway: milepost setup ${NAMES[0]}`;
  return fail("no-agent", `No agent was found. Looked for ${places.join(" and ")}. ${anyway}`);
}

/** An agent as an earlier setup left it, and where it is to find its store. */
interface Wiring {
  readonly agent: Agent;
  readonly store: StoreSettings;
  readonly notes: readonly string[];
  readonly settingsFile: string;
  /** Undefined: nobody has said which list. */
  readonly chosen: Offer | undefined;
  readonly isDirectRefused: boolean;
}

async function wiringOf(agent: Agent, world: World, settings: StoreSettings): Promise<Wiring> {
  const { value: store, notes } = withEarlier(settings, agent, world);
  const settingsFile = settingsFileIn(store.MILEPOST_HOME ?? world.home);
  const chosen = chosenOffer(readText(settingsFile), agent.name);
  const isDirectRefused = (await agent.ask?.(world))?.takesDirect === false;
  return { agent, store, settingsFile, chosen, isDirectRefused, notes };
}

/** A store that was named at the first setup is meant at the next, too: else an update would take the lists away. */
function withEarlier(
  settings: StoreSettings,
  agent: Agent,
  world: World,
): { readonly value: StoreSettings; readonly notes: readonly string[] } {
  const { MILEPOST_STORE: earlier, ...place } = settingsOfLauncher(agent.wired(world, readText));
  const named = Object.keys(settings).length > 0 ? settings : place;
  if (earlier === undefined || settings.MILEPOST_STORE !== undefined) return { value: named, notes: [] };
  const note = `The store of the last setup is kept: ${maskPassword(earlier)}. --store selects another.`;
  return { value: { ...named, MILEPOST_STORE: earlier }, notes: [note] };
}

async function foundText(agents: readonly Agent[], world: World): Promise<string> {
  const versions = await Promise.all(agents.map((agent) => agentVersion(agent, world)));
  const names = agents.map(({ title }, index) => [title, versions[index]].filter(Boolean).join(" "));
  return `Found ${terminalText(names.join(" and "))}.\n\n`;
}

interface Subject {
  readonly world: World;
  readonly wirings: readonly Wiring[];
  /** Agents that have our plugin. */
  readonly plugged: readonly AgentPlan[];
  readonly offers: Offers;
}

/** What it comes to is shown first, for the list that was chosen or is likely; then which list, then whether. */
async function converse(context: CommandContext, flags: Flags, subject: Subject): Promise<Result<undefined>> {
  const { world, wirings } = subject;
  const durable = durableBundle(world);
  const preparation =
    wirings.length === 0 ? undefined : durable.copy && { text: copyText(durable.copy), run: durable.copy.run };
  // Who runs a cached package has no command of ours.
  const us = durable.bundle === world.program.bundle ? "milepost" : "npx milepost";
  const undecided = wirings.filter(({ chosen }) => !chosen).map(({ agent }) => agent);
  const isSaid = flags.todo !== undefined || flags.noOwnList || flags.yes || flags.json || flags.dryRun;
  let { offers } = subject;
  let isShown = false;
  if (!isSaid && undecided.length > 0 && context.input.isTerminal) {
    const plans = planAll({ ...subject, offers }, durable, flags);
    if (!plans.ok) return plans;
    const view = { output: context.output, userFolder: world.program.userFolder };
    await context.output.write(`${preparation?.text ?? ""}${summaryText(plans.value, view)}`);
    const isAll = undecided.length === wirings.length;
    const todo = await askList(context, { isAll, agents: undecided, hasTasks: flags.tasks });
    if (todo === undefined) return fail("needs-yes", `Nothing was changed: nobody answered. ${UNASKED}`);
    isShown = todo === "ours";
    offers = withList(offers, undecided, todo);
  }
  return changeFiles(context, flags, {
    home: world.home,
    plan: () => planAll({ ...subject, offers }, durable, flags),
    isShown,
    unasked: UNASKED,
    ending: `Done. Sessions that start from now on are wired. Look: ${us}   Undo: ${us} unsetup`,
    about: (name) =>
      wirings.map(({ agent }) => (agent.name === name ? offers[agent.name] : undefined)).find(Boolean) ?? {},
    ...(preparation ? { preparation } : undefined),
  });
}

const UNASKED = "Add --yes, with --todo ours or --todo client; --dry-run shows every line.";

function planAll(
  { world, wirings, plugged, offers }: Subject,
  durable: Durable,
  flags: Flags,
): Result<readonly AgentPlan[]> {
  const records = readRecord(world.home);
  const tasks = wirings.map((wiring) =>
    taskOf(wiring, world, { durable, flags, offer: offerOf(offers, wiring.agent) }),
  );
  const plans = planSetup(world, tasks, records);
  if (!plans.ok) return plans;
  const edits = [...new Set(wirings.map(({ settingsFile }) => settingsFile))].map((file) => {
    const here = wirings.filter(({ settingsFile }) => settingsFile === file);
    const values = here.map(({ agent }) => [agent.name, offerOf(offers, agent)]);
    return offersEdit(file, readText(file), Object.fromEntries(values));
  });
  const own = planOwn({ settings: edits, shellFiles: shellFileEdits(wirings, world) }, records);
  if (!own.ok) return own;
  const described = plans.value.map((plan, index) => {
    const wiring = wirings[index];
    return wiring ? describedPlan(plan, wiring, { world, offer: offerOf(offers, wiring.agent) }) : plan;
  });
  return ok([...plugged, ...described, { ...own.value, comesTo: ownParts(own.value) }]);
}

/** Windows has no /bin/sh. */
function shellFileEdits(wirings: readonly Wiring[], world: World) {
  const files = new Set(wirings.map(({ store }) => shellFileIn(homeOf(store, world))));
  return [...files].map((file) => shellFileEdit(file, world.program.platform !== "win32"));
}

/** The folder of ours that the agent's hooks will use. */
function homeOf({ MILEPOST_HOME }: StoreSettings, { home }: World): string {
  return resolve(MILEPOST_HOME ?? home);
}

function ownParts({ changes }: AgentPlan): string {
  const has = (isMeant: (file: string) => boolean) => changes.some(({ config }) => isMeant(config.file));
  return [
    ...(has((file) => !isShellFile(file)) ? ["which list"] : []),
    ...(has(isShellFile) ? ["what agents start"] : []),
  ].join(", ");
}

function offerOf(offers: Offers, { name }: Agent): Offer {
  return offers[name] ?? { todo: "ours", tasks: false };
}

function taskOf(
  { agent, store, notes, isDirectRefused }: Wiring,
  world: World,
  { durable, flags, offer }: { readonly durable: Durable; readonly flags: Flags; readonly offer: Offer },
): Task {
  const { node, platform } = world.program;
  const file = launcherFile(world, agent);
  const script = Object.keys(store).length > 0 ? file : durable.bundle;
  const shellFile = shellFileIn(homeOf(store, world));
  const launch = { node, script, platform, shellFile, isHomeFixed: store.MILEPOST_HOME !== undefined };
  const wish = { launch, guidance: flags.guidance, offer, isDirectRefused };
  return { agent, wish, launcher: launcherEdit(file, durable.bundle, store), notes };
}

function copyText({ from, to }: Copy): string {
  const moved = `It is copied to ${terminalText(to)}, and agents start the copy.`;
  return `Milepost runs from a temporary folder (${terminalText(from)}).\n${moved}\n\n`;
}

function isOtherHooks(before: Wired, after: Wired): boolean {
  const all = ({ hookCount, hooks, toolHooks }: Wired) => [hookCount, ...hooks, ...toolHooks].join("\n");
  return all(before) !== all(after);
}

/** What the agent has in the end, and what the person should know. */
function describedPlan(
  plan: AgentPlan,
  { agent, chosen }: Wiring,
  { world, offer }: { readonly world: World; readonly offer: Offer },
): AgentPlan {
  const planned = new Map(plan.changes.map(({ config, after }) => [config.file, after]));
  const read = (file: string) => (planned.has(file) ? planned.get(file) : readText(file));
  const wired = agent.wired(world, read);
  const isOwnOff = agent.ownList(world, read) === undefined;
  const wasOwnOff = agent.ownList(world, readText) === undefined;
  const parts = [
    ...(wired.server ? [`1 MCP server${offer.tasks ? " with task" : ""}`] : []),
    `${counted(wired.hookCount, "hook")}${wired.server && wired.toolHooks.length === 0 ? " as commands" : ""}`,
    ...(wired.statusLine === undefined ? [] : ["status line"]),
    ...(wired.server && agent.sight?.(world, read).works ? ["tool made visible"] : []),
    ...(isOwnOff === wasOwnOff ? [] : [isOwnOff ? "own list off" : "own list on"]),
  ];
  // Versions before the choice offered it to every model.
  const isTaskGone = offer.todo === "ours" && !offer.tasks && !chosen && agent.wired(world, readText).server;
  const notes = [
    ...plan.notes,
    ...(offer.todo === "client" && isOwnOff ? [agent.ownListHint] : []),
    ...(isTaskGone ? ["The model is offered task no longer: it costs tokens in each request. --tasks keeps it."] : []),
  ];
  const isTold = isOtherHooks(agent.wired(world, readText), wired) || agent.untrusted?.(world, read) !== undefined;
  return { ...plan, comesTo: parts.join(", "), afterwards: isTold ? agent.afterwards : [], notes };
}
