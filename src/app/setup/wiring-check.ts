import { existsSync } from "node:fs";
import { parseJson, scalarText } from "../../core/json.js";
import { ok, type Result } from "../../core/result.js";
import { isFirstClient } from "../hooks/hook-input.js";
import { hasNoLists } from "../settings/lists-off.js";
import { type Offer, readSettings } from "../settings.js";
import type { Agent, Wired, World } from "./agents/agent.js";
import {
  launchFlaw,
  readCommand,
  readLine,
  serverCommand,
  shellCommand,
  toolsIn,
  type WrittenCommand,
} from "./command-line.js";
import { readText } from "./config-file.js";
import { looksForServer, withoutServer, withServer } from "./hook-lines.js";
import { bundleOfLauncher } from "./launch.js";
import { chosenOffer, settingsFileOf } from "./offer-settings.js";
import { askServer, broken, runLine } from "./probe.js";
import { readRecord } from "./setup-record.js";
import { SHELL_TEXT, shellFilesOf } from "./shell/shell-file.js";

export interface WiringFinding {
  readonly code: string;
  readonly level: "broken";
  /** A sentence, with what to do. */
  readonly message: string;
}

export interface WiringCheck {
  /** Another version wrote it, or other settings: it works, and setup would change it. */
  readonly isOutdated: boolean;
  /** What works. */
  readonly works: readonly string[];
  readonly findings: readonly WiringFinding[];
  /** What the person should know; nothing is broken. */
  readonly notes: readonly string[];
}

/** An event that no client has: our hook must take it in its stride. */
const HOOK_FIELDS = { hook_event_name: "Doctor", session_id: "doctor" };
export const HOOK_INPUT = JSON.stringify(HOOK_FIELDS);

/** Starts for real what the agent would start; undefined for one that has nothing of ours in its files. */
export async function checkWiring(world: World, agent: Agent): Promise<WiringCheck | undefined> {
  const wired = agent.wired(world, readText);
  const isNone = !wired.server && wired.hooks.length === 0 && wired.statusLine === undefined;
  return isNone && !isUnreadNow(world, agent) ? undefined : checkAgent(world, agent, wired);
}

/** What setup wrote into it is there, and has no effect: that is not the same as nothing. */
function isUnreadNow(world: World, agent: Agent): boolean {
  const records = readRecord(world.home);
  return agent.edits(world).some(({ file, flaw }) => records[file] && flaw?.(readText(file) ?? "") !== undefined);
}

async function checkAgent(world: World, agent: Agent, wired: Wired): Promise<WiringCheck> {
  const chosen = chosenOffer(readText(settingsFileOf(agent, world)), agent.name);
  const probes = probesOf(agent, wired, world);
  const ready = probes.filter(({ paths }) => gone(paths).length === 0);
  const tried = distinct(await Promise.all(ready.map((probe) => run(probe, agent))));
  const isOld = isOutdated(wired, world) || isBehind(agent, wired, world, chosen);
  const unread = unreadFiles(world, agent);
  // What an unread file has is as good as missing: why is all that has to be said.
  const gaps = unread.length > 0 ? [] : gapsIn(wired, chosen, isOld);
  const flaw = launchFlawOf(agent, wired, world);
  const untrusted = wired.hooks.length > 0 ? agent.untrusted?.(world, readText) : undefined;
  const sight = await seen(world, agent, wired);
  const behind = [
    ...(isOld ? ["An earlier version did this setup."] : []),
    ...otherShellFiles(wired).map((file) => `${file} is of another version of Milepost.`),
    ...(isOtherOffer(wired, chosen) ? [`The settings ${agent.name}.* are not what is wired.`] : []),
  ];
  return {
    isOutdated: behind.length > 0,
    notes: [
      ...behind,
      ...(flaw === undefined ? [] : [flaw]),
      ...(untrusted === undefined ? [] : [untrusted]),
      ...sight.notes,
    ],
    works: [...tried.filter((found) => typeof found === "string"), ...sight.works],
    findings: [
      ...gaps.map((gap) => finding("half-wired", agent, `is set up without ${gap}`)),
      ...sight.findings,
      ...unread,
      ...stalePaths(agent, probes),
      ...tried.filter((found) => typeof found !== "string"),
    ],
  };
}

/** Why the agent does not find what it is to start, although we do. */
function launchFlawOf(agent: Agent, { server }: Wired, { program: { platform } }: World): string | undefined {
  const launch = server && readCommand([server.command, ...server.args], "mcp");
  return launch && launchFlaw({ shellFile: "", isHomeFixed: false, ...launch, platform }, agent);
}

function gapsIn({ server, missing }: Wired, chosen: Offer | undefined, isOld: boolean): readonly string[] {
  return [
    ...(server || chosen?.todo === "client" ? [] : ["the MCP server"]),
    // An earlier version did not know them all: that is said once, and is no damage.
    ...(missing.length > 0 && !isOld ? [`the hooks for ${missing.join(", ")}`] : []),
  ];
}

/** Several lines start the same hook: what they have to say is said once. */
function distinct(found: readonly (string | WiringFinding)[]): readonly (string | WiringFinding)[] {
  return [...new Map(found.map((one) => [typeof one === "string" ? one : one.message, one])).values()];
}

/** Hooks name the tools that the settings say: somebody has changed these, and the agent's files are as they were. */
function isOtherOffer({ server, toolHooks, isHooksOnly = false }: Wired, chosen: Offer | undefined): boolean {
  if (!server || !chosen) return false;
  const isServed = toolHooks.length > 0;
  const { tasks, plans } = toolsIn(server.args);
  const isOtherTools = chosen.tasks !== tasks || (chosen.plans ?? false) !== plans;
  return isHooksOnly !== (chosen.todo === "client") || isOtherTools || (isServed && chosen.hooks === "commands");
}

/** Earlier versions wired hooks as commands only; those of other agents are nothing else. */
function isBehind(
  { name }: Agent,
  { server, toolHooks, hooks }: Wired,
  { program }: World,
  chosen: Offer | undefined,
): boolean {
  if (!isFirstClient(name) || program.platform === "win32") return false;
  return server !== undefined && chosen?.hooks !== "commands" && toolHooks.length === 0 && hooks.length > 0;
}

/** Whether the model is told of our tool, and whether the agent starts at all with the files that it has. */
async function seen(world: World, agent: Agent, wired: Wired): Promise<Omit<WiringCheck, "isOutdated">> {
  const sight = wired.server ? agent.sight?.(world, readText) : undefined;
  if (!sight) return { works: [], notes: [], findings: [] };
  const { takesDirect = true, refusal, notes = [] } = (await agent.ask?.(world)) ?? {};
  const isTooOld = sight.hidden !== undefined && !takesDirect;
  const refused = `${agent.title} does not start with its settings: ${refusal?.replace(/\.$/, "")}. Look: ${agent.binary} mcp list`;
  return {
    works: sight.works === undefined ? [] : [sight.works],
    notes: [
      ...(isTooOld ? [`${sight.hidden}. This version cannot: update ${agent.title}, then run milepost setup.`] : []),
      ...sight.notes,
      ...notes,
    ],
    findings: [
      ...(sight.hidden !== undefined && takesDirect ? [broke("hidden-tool", agent, sight.hidden)] : []),
      ...(refusal === undefined ? [] : [{ code: "refused-settings", level: "broken" as const, message: refused }]),
    ],
  };
}

/** Files that the agent passes over: what setup put there, or would put there, has no effect. */
export function unreadFiles(world: World, agent: Agent): readonly WiringFinding[] {
  return agent.edits(world).flatMap(({ file, flaw, withFlaw = "Nothing in it has an effect." }) => {
    const why = flaw?.(readText(file) ?? "");
    if (why === undefined) return [];
    const step = `Fix it, then run milepost setup ${agent.name}.`;
    return [{ code: "unread-file", level: "broken", message: `${file} ${why}. ${withFlaw} ${step}` }];
  });
}

/** What setup writes today starts quietly when Node or Milepost have moved; what it wrote before does not. */
function isOutdated({ server, hooks, statusLine, outdated }: Wired, { program: { platform } }: World): boolean {
  const isOld = (line: string, surface: "hook" | "statusline") => {
    const written = readLine(line, surface);
    return written !== undefined && lineNow(written, surface, platform) !== line;
  };
  const launch = server && readCommand([server.command, ...server.args], "mcp");
  const { shellFile = "" } = launch ?? {};
  const args = launch && serverCommand({ ...launch, platform, shellFile }, toolsIn(server.args)).args;
  return (
    outdated.length > 0 ||
    hooks.some((line) => isOld(line, "hook")) ||
    (statusLine !== undefined && isOld(statusLine, "statusline")) ||
    (args !== undefined && args.join("\n") !== server?.args.join("\n"))
  );
}

/** Undefined for what this version writes otherwise. */
function lineNow(written: WrittenCommand, surface: "hook" | "statusline", platform: string): string | undefined {
  const { shellFile = "", isHomeFixed = false, verb = surface, words } = written;
  if (platform !== "win32" && shellFile === "") return undefined;
  return shellCommand({ ...written, platform, shellFile, isHomeFixed }, verb, words);
}

/** What lines name and this version did not write. One that is gone is found with the lines. */
function otherShellFiles(wired: Wired): readonly string[] {
  return shellFilesOf(wired).filter((file) => ![undefined, SHELL_TEXT].includes(readText(file)));
}

/** What has to be there for it. */
function pathsOf(launch: WrittenCommand | undefined): readonly string[] {
  if (!launch) return [];
  const bundle = bundleOfLauncher(launch.script);
  return [launch.node, launch.script, launch.shellFile, bundle].filter((path) => path !== undefined);
}

interface Probe {
  readonly name: string;
  readonly code: string;
  readonly paths: readonly string[];
  /** Says what was seen, or what went wrong. */
  try(): Promise<Result<string>>;
}

function probesOf(
  { name, serverClient: client = name }: Agent,
  { server, isHooksOnly, hooks, toolHooks, statusLine }: Wired,
  { environment }: World,
): readonly Probe[] {
  const serverProbe = server && {
    name: "MCP server",
    code: "server-failed",
    paths: pathsOf(readCommand([server.command, ...server.args], "mcp")),
    async try(): Promise<Result<string>> {
      const isHeard = toolHooks.length > 0;
      const answer = await askServer(server, environment, { client, hook: isHeard ? HOOK_FIELDS : undefined });
      if (!answer.ok) return answer;
      const { tools, hook } = answer.value;
      if (tools.length === 0 && !hasNoLists(readSettings(environment), client)) return broken("it offers no tools");
      const heard = isHeard ? checkHookAnswer(ok(hook)) : ok("");
      const offered = tools.length === 0 ? "no tools: list.off" : `tools: ${tools.join(", ")}`;
      const works = isHooksOnly ? "hooks only" : offered;
      return heard.ok ? ok(works) : broken(`a hook's call of it fails: ${heard.error.message}`);
    },
  };
  const hookProbes = hooks.map((line) => ({
    name: "hook",
    code: "hook-failed",
    paths: pathsOf(readLine(line, "hook")),
    try: () => tryHook(line, environment),
  }));
  const lineProbe = statusLine !== undefined && {
    name: "status line",
    code: "statusline-failed",
    paths: pathsOf(readLine(statusLine, "statusline")),
    try: () => runLine(statusLine, HOOK_INPUT, environment),
  };
  return [...(serverProbe ? [serverProbe] : []), ...hookProbes, ...(lineProbe ? [lineProbe] : [])];
}

/** A client without a server: the line becomes Node. With one there is nothing to do for a line that looks for it. */
async function tryHook(line: string, environment: World["environment"]): Promise<Result<string>> {
  const folder = readLine(line, "hook")?.folder;
  if (folder === undefined) return checkHookAnswer(await runLine(line, HOOK_INPUT, environment));
  const answer = checkHookAnswer(await runLine(withoutServer(line), HOOK_INPUT, environment));
  if (!answer.ok || !looksForServer(line)) return answer;
  const quiet = await runLine(withServer(line, folder), HOOK_INPUT, { ...environment, MILEPOST_HOME: folder });
  if (!quiet.ok || quiet.value === "") return quiet.ok ? answer : quiet;
  return broken("it starts Node although the server is there");
}

const UNREADABLE = "it reports a problem that cannot be read";

/** One JSON object, with the store it found, or what hinders it. Silence is what a broken hook has to say. */
export function checkHookAnswer(ran: Result<string>): Result<string> {
  if (!ran.ok) return ran;
  const answer = parseJson(ran.value);
  if (answer === undefined) return broken("it did not answer; see milepost.log in Milepost's own folder");
  if (typeof answer !== "object" || answer === null) return broken("its answer is not a JSON object");
  if ("systemMessage" in answer) return broken(scalarText(answer.systemMessage) ?? UNREADABLE);
  const store = "store" in answer ? scalarText(answer.store) : undefined;
  return store !== undefined ? ok(`store ${store}`) : broken("it does not say which store it uses");
}

function gone(paths: readonly string[]): readonly string[] {
  return paths.filter((path) => !existsSync(path));
}

/** One finding for all that miss the same files. */
function stalePaths(agent: Agent, probes: readonly Probe[]): readonly WiringFinding[] {
  const missing = probes.map(({ name, paths }) => ({ name, files: gone(paths).join(", ") }));
  const files = new Set(missing.flatMap((one) => (one.files === "" ? [] : one.files)));
  return [...files].map((file) => {
    const names = new Set(missing.filter((one) => one.files === file).map(({ name }) => name));
    return finding("stale-path", agent, `cannot find its ${[...names].join(", ")}: ${file} not found`);
  });
}

/** A word on what works, or a finding. */
async function run({ name, code, try: attempt }: Probe, agent: Agent): Promise<string | WiringFinding> {
  const tried = await attempt();
  if (!tried.ok)
    return finding(code, agent, `starts its ${name}, but it fails: ${tried.error.message.replace(/\.$/, "")}`);
  return name === "status line" ? name : `${name} (${tried.value})`;
}

function finding(code: string, agent: Agent, what: string): WiringFinding {
  return broke(code, agent, `${agent.title} ${what}`);
}

function broke(code: string, { name }: Agent, what: string): WiringFinding {
  return { code, level: "broken", message: `${what}. Run milepost setup ${name}.` };
}
