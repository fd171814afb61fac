import { resolve } from "node:path";
import { ok, type Result } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { maskPassword } from "../../store/url.js";
import { isFirstClient } from "../hooks/hook-input.js";
import { hasNoLists } from "../settings/lists-off.js";
import { type Offer, readSettings } from "../settings.js";
import type { Agent, Wired, World } from "./agents/agent.js";
import { readText } from "./config-file.js";
import type { Durable } from "./durable-copy.js";
import { isGuidanceFile } from "./edits/guidance-block.js";
import { launcherEdit, launcherFile, type StoreSettings, settingsOfLauncher } from "./launch.js";
import type { Offers } from "./list-choice.js";
import { chosenOffer, offersEdit, settingsFileIn } from "./offer-settings.js";
import { type AgentPlan, planOwn, planSetup, type Task } from "./planned-changes.js";
import { installedPlugin, pluginNote } from "./plugin/installed-plugin.js";
import { readRecord } from "./setup-record.js";
import { isShellFile, shellFileEdit, shellFileIn } from "./shell/shell-file.js";

// What setup would change, for the agents that were found and the list that was chosen. Nothing is written here.

/** One that has our plugin is left as it is. */
export function pluggedPlan(agent: Agent, world: World): readonly AgentPlan[] {
  const plugin = installedPlugin(agent, world, readText);
  if (!plugin) return [];
  const { server, hooks } = agent.wired(world, readText);
  const isWired = server !== undefined || hooks.length > 0;
  return [{ agent, changes: [], notes: [pluginNote(agent, plugin, isWired)] }];
}

/** An agent as an earlier setup left it, and where it is to find its store. */
export interface Wiring {
  readonly agent: Agent;
  readonly store: StoreSettings;
  readonly notes: readonly string[];
  readonly settingsFile: string;
  /** Undefined: nobody has said which list. */
  readonly chosen: Offer | undefined;
  readonly isDirectRefused: boolean;
}

export async function wiringOf(agent: Agent, world: World, settings: StoreSettings): Promise<Wiring> {
  const { value: store, notes } = withEarlier(settings, agent, world);
  const settingsFile = settingsFileIn(store.MILEPOST_HOME ?? world.home);
  const chosen = chosenOffer(readText(settingsFile), agent.name);
  const answer = await agent.ask?.(world);
  const isDirectRefused = answer?.takesDirect === false;
  const all = [...notes, ...(answer?.notes ?? []), ...offNotes(agent, world, store)];
  return { agent, store, settingsFile, chosen, isDirectRefused, notes: all };
}

/** It is wired all the same: hooks, tasks and plans are not lists. */
function offNotes({ name, title }: Agent, world: World, store: StoreSettings): readonly string[] {
  const { environment } = world;
  if (!hasNoLists(readSettings({ ...environment, MILEPOST_HOME: homeOf(store, world) }), name)) return [];
  return [`Todo lists of ${title} are switched off: no todo tool is offered. Look: milepost config list.off`];
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

interface PlanFlags {
  readonly guidance: boolean;
}

export interface Subject {
  readonly world: World;
  readonly wirings: readonly Wiring[];
  /** Agents that have our plugin. */
  readonly plugged: readonly AgentPlan[];
  readonly offers: Offers;
}

export function planWiring(
  { world, wirings, plugged, offers }: Subject,
  durable: Durable,
  flags: PlanFlags,
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
  const comesTo = own.value.changes.length > 0 ? { comesTo: ownParts(own.value) } : {};
  return ok([...plugged, ...described, { ...own.value, ...comesTo }]);
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
    ...(has((file) => !isShellFile(file)) ? ["settings"] : []),
    ...(has(isShellFile) ? ["the script that agents start"] : []),
  ].join(", ");
}

function offerOf(offers: Offers, { name }: Agent): Offer {
  return offers[name] ?? { todo: "ours", tasks: false };
}

function taskOf(
  { agent, store, notes, isDirectRefused }: Wiring,
  world: World,
  { durable, flags, offer }: { readonly durable: Durable; readonly flags: PlanFlags; readonly offer: Offer },
): Task {
  const { node, platform } = world.program;
  const file = launcherFile(world, agent);
  const script = Object.keys(store).length > 0 ? file : durable.bundle;
  const shellFile = shellFileIn(homeOf(store, world));
  const launch = { node, script, platform, shellFile, isHomeFixed: store.MILEPOST_HOME !== undefined };
  const wish = { launch, guidance: flags.guidance, offer, isDirectRefused };
  const isInVain = flags.guidance && !agent.edits(world).some((edit) => isGuidanceFile(edit.file));
  const said = isInVain ? [...notes, NO_GUIDANCE] : notes;
  return { agent, wish, launcher: launcherEdit(file, durable.bundle, store), notes: said };
}

const NO_GUIDANCE =
  "--guidance adds nothing: setup knows no file of its instructions. The text for one: milepost guidance --help";

function withTools({ tasks, plans }: Offer): string {
  const tools = [...(tasks ? ["task"] : []), ...(plans ? ["plan"] : [])];
  return tools.length === 0 ? "" : ` with ${tools.join(" and ")}`;
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
  const stays = agent.ownList(world, read);
  const isOwnOff = stays === undefined;
  const wasOwnOff = agent.ownList(world, readText) === undefined;
  const parts = [
    ...(wired.server && !wired.isHooksOnly ? [`1 MCP server${withTools(offer)}`] : []),
    `${counted(wired.hookCount, "hook")}${wired.server && wired.toolHooks.length === 0 ? " as commands" : ""}`,
    ...(wired.statusLine === undefined ? [] : ["status line"]),
    ...(wired.server && agent.sight?.(world, read).works ? ["tool made visible"] : []),
    ...(isOwnOff === wasOwnOff ? [] : [isOwnOff ? "own list off" : "own list on"]),
  ];
  // Versions before the choice offered it to every model of the two agents that they wired.
  const isOld = isFirstClient(agent.name) && agent.wired(world, readText).server !== undefined;
  const isTaskGone = isOld && offer.todo === "ours" && !offer.tasks && !chosen;
  const notes = [
    ...plan.notes,
    ...(offer.todo === "client" && isOwnOff ? [agent.ownListHint] : []),
    ...(offer.todo === "ours" && stays !== undefined && plan.changes.length > 0 ? [stays] : []),
    ...(isTaskGone ? ["The model is offered task no longer: it costs tokens in each request. --tasks keeps it."] : []),
  ];
  const isTold = isOtherHooks(agent.wired(world, readText), wired) || agent.untrusted?.(world, read) !== undefined;
  return { ...plan, comesTo: parts.join(", "), afterwards: isTold ? agent.afterwards : [], notes };
}
