import { agentVersion } from "./agent-version.js";
import type { Agent, World } from "./agents/agent.js";
import { AGENTS, isInstalled } from "./agents/wired-agents.js";
import { readText } from "./config-file.js";
import { installedPlugin } from "./plugin/installed-plugin.js";
import { checkPlugin } from "./plugin/plugin-check.js";
import { checkWiring, unreadFiles, type WiringCheck } from "./wiring-check.js";

/** Where an agent stands with us: one row for each that is on this machine, for setup's wiring and for our plugin. */
export interface AgentState {
  readonly agent: Agent["name"];
  readonly title: string;
  /** Null where it cannot be had at once. */
  readonly version: string | null;
  readonly state: "wired" | "not-wired" | "plugin" | "outdated" | "broken";
  /** What wires, updates or mends it; null where there is nothing to do, or no command for it. */
  readonly command: string | null;
  /** The plugin that brings the wiring, such as milepost@milepost. */
  readonly plugin: string | null;
  readonly works: readonly string[];
  readonly findings: WiringCheck["findings"];
  readonly notes: readonly string[];
}

/** Starts for real what each agent would start. An agent that is neither here nor wired has no row. */
export async function checkAgents(world: World, progress: (text: string) => void): Promise<readonly AgentState[]> {
  const states: AgentState[] = [];
  for (const agent of AGENTS) {
    const version = isInstalled(agent, world) ? agentVersion(agent, world) : undefined;
    progress(`Starting the MCP server and hooks of ${agent.title}`);
    const wiring = await checkWiring(world, agent);
    const plugin = installedPlugin(agent, world, readText);
    const checks = [
      ...(wiring ? [agentState(agent, wiring)] : []),
      ...(plugin ? [agentState(agent, await checkPlugin(world, agent, plugin), plugin.id)] : []),
    ];
    const rows = checks.length === 0 && version ? [notWired(agent, world)] : checks;
    const known = (await version) ?? null;
    states.push(...rows.map(({ agent: name, title, ...row }) => ({ agent: name, title, version: known, ...row })));
  }
  return states;
}

/** With what setup would stop at. */
function notWired(agent: Agent, world: World): Omit<AgentState, "version"> {
  const unread = unreadFiles(world, agent).map(({ message }) => message);
  const notes = [...unread, ...foreignFiles(world, agent)];
  const state = agentState(agent, undefined);
  return { ...state, command: notes.length > 0 ? null : state.command, notes };
}

/** In the place of files that setup writes as a whole. */
function foreignFiles(world: World, agent: Agent): readonly string[] {
  return agent.edits(world).flatMap(({ file, isOwnFile = false, unwire }) => {
    const text = isOwnFile ? readText(file) : undefined;
    if (text === undefined) return [];
    const left = unwire(text, undefined);
    const isForeign = left.ok && left.value.text === text;
    return isForeign ? [`${file} is not of setup. Move it away, then run milepost setup ${agent.name}.`] : [];
  });
}

const NOTHING: WiringCheck = { isOutdated: false, works: [], findings: [], notes: [] };

/** `check` is undefined for an agent without anything of ours. */
export function agentState(
  { name, title }: Pick<Agent, "name" | "title">,
  check: WiringCheck | undefined,
  plugin: string | null = null,
): Omit<AgentState, "version"> {
  const { isOutdated, ...parts } = check ?? NOTHING;
  const isBroken = parts.findings.length > 0;
  const whole = plugin === null ? "wired" : "plugin";
  const state = !check ? "not-wired" : isBroken ? "broken" : isOutdated ? "outdated" : whole;
  const codes = parts.findings.map(({ code }) => code);
  const isMended = isBroken && plugin === null && !codes.every((code) => BY_HAND.includes(code));
  const isRun = !check || isMended || state === "outdated";
  // Setup stops at a file that it cannot read: the finding says what comes first.
  const command = isRun && !codes.includes("unread-file") ? `milepost setup ${name}` : null;
  return { agent: name, title, state, command, plugin, ...parts };
}

/** Findings that setup cannot put right. */
const BY_HAND = ["unread-file", "refused-settings"];
