import { basename, dirname, join, resolve } from "node:path";
import { parseJson } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { parseStoreUrl } from "../../store/url.js";
import { readPlain } from "../read-plain.js";
import type { ChosenStore } from "../store-place.js";
import type { Agent, FileEdit, Wired, World } from "./agents/agent.js";
import { readCommand, readLine } from "./command-line.js";
import { checksum } from "./setup-record.js";

// Agents start us with their own environment: Codex passes few variables to a server, a Windows shell cannot set any
// before a command, and a store address may hold a password that must not be in an agent's files. So the store goes
// into a small launcher file that only the person can read, and agents start that file.

/** What has to be set so that whoever is started finds the store that setup saw. */
export type StoreSettings = Readonly<Record<string, string>>;

export function storeSettings({ environment, home }: World, store: ChosenStore): Result<StoreSettings> {
  const settings: Record<string, string> = {};
  if (environment.MILEPOST_HOME || environment.XDG_STATE_HOME) settings.MILEPOST_HOME = resolve(home);
  if (store.isOwnFolder) return ok(settings);
  const place = parseStoreUrl(store.url);
  if (place.type === "memory")
    return fail({
      code: "no-shared-store",
      message: "The store memory: cannot be shared with agents. Pass a file or a server to --store, or leave it out.",
    });
  settings.MILEPOST_STORE = place.type === "file" ? resolve(place.path) : place.url;
  return ok(settings);
}

export function launcherFolder(home: string): string {
  return join(resolve(home), WIRING);
}

/** The folder in Milepost's own where what agents start is. */
export const WIRING = "wiring";

/** What an agent starts instead of the bundle, when there is something to set; one for each folder it may use. */
export function launcherFile(world: World, agent: Agent): string {
  const folder = agent.folder(world);
  const isUsual = folder === agent.folder({ ...world, environment: {} });
  const end = isUsual ? "" : `-${checksum(resolve(folder)).slice(0, 8)}`;
  return join(launcherFolder(world.home), `milepost-${agent.name}${end}.cjs`);
}

export function launcherEdit(file: string, bundle: string, settings: StoreSettings): FileEdit {
  const rows = Object.entries(settings).map(([name, value]) => `env.${name} = ${JSON.stringify(value)};`);
  const text = [
    "// Written by milepost setup: the agent uses the store that was named then. Run setup again to change it.",
    "const { env, argv, exit, stdin } = process;",
    ...rows,
    "try {",
    `  require(${JSON.stringify(bundle)});`,
    "} catch (error) {",
    ...WHEN_GONE,
    "}",
    "",
  ].join("\n");
  return {
    file,
    wire: () => ok({ text: rows.length > 0 ? text : undefined, notes: [] }),
    unwire: () => ok({ text: undefined, notes: [] }),
  };
}

/** Clients show what cannot be started: a server that offers nothing is not shown. milepost doctor tells. */
const WHEN_GONE = [
  "  // Milepost has moved: nothing of it may disturb the agent. milepost doctor tells.",
  '  if (argv[2] !== "mcp") exit(0);',
  '  if (error.code !== "MODULE_NOT_FOUND") throw error;',
  '  const { createInterface } = require("node:readline");',
  '  createInterface({ input: stdin }).on("line", (line) => {',
  "    const { id, method, params } = JSON.parse(line);",
  '    const serverInfo = { name: "milepost", version: "0" };',
  "    const greeting = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };",
  '    const nothing = method === "tools/call" ? { content: [] } : { tools: [] };',
  '    const result = method === "initialize" ? greeting : nothing;',
  '    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));',
  "  });",
];

/** What an agent's launcher sets now: whoever runs setup again need not name the store again. */
export function settingsOfLauncher(wired: Wired): StoreSettings {
  const rows = launcherText(scriptOf(wired)).matchAll(/^env\.(MILEPOST_\w+) = (".*");$/gm);
  const settings = Array.from(rows, ([, name = "", value = ""]) => [name, textOf(value)] as const);
  return Object.fromEntries(settings.filter(([, value]) => value !== ""));
}

/** The file of ours that a launcher loads; undefined for what is no launcher. */
export function bundleOfLauncher(script: string): string | undefined {
  const [, bundle] = /^ {2}require\((".*")\);$/m.exec(launcherText(script)) ?? [];
  return bundle === undefined ? undefined : textOf(bundle);
}

function scriptOf({ server, hooks }: Wired): string {
  const found = server ? readCommand([server.command, ...server.args], "mcp") : readLine(hooks[0], "hook");
  return found?.script ?? "";
}

function launcherText(script: string): string {
  if (basename(dirname(script)) !== WIRING) return "";
  try {
    return readPlain(script);
  } catch {
    return "";
  }
}

/** Empty for what somebody has changed by hand into something that is no text any more. */
function textOf(json: string): string {
  const value = parseJson(json);
  return typeof value === "string" ? value : "";
}
