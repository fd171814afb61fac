import { HOOKS as CLAUDE_HOOKS } from "../agents/claude-code.js";
import { HOOKS as CODEX_HOOKS } from "../agents/codex-cli.js";
import { type HookLines, wantedHooks } from "../agents/hook-rows.js";
import { serverCommand, shellCommand, type Verb } from "../command-line.js";
import type { WantedHook } from "../edits/json-hooks.js";
import { SHELL_TEXT } from "../shell/shell-file.js";
import { commandFiles } from "./plugin-commands.js";

// The plugin of both clients: the same wiring as setup's, in files that the build writes beside our bundles. Nobody
// knows the machine then, so every path goes by what the client says about the plugin's folder.

/** Where clients look for them, below the plugin's folder; what they hold. */
export type PluginFiles = Readonly<Record<string, string>>;

export interface PluginAbout {
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

export const PLUGIN = "milepost";
/** `milepost@milepost`: the plugin, and the marketplace that has it alone. */
export const PLUGIN_ID = `${PLUGIN}@${PLUGIN}`;

const SCRIPT = "milepost.cjs";
const SHELL_FILE = "milepost.sh";

export function pluginFiles(about: PluginAbout): PluginFiles {
  const { version, description, license } = about;
  const author = { name: "Milepost" };
  const plugin = { name: PLUGIN, version, description, author, license };
  const listing = { name: PLUGIN, source: "./", description, version };
  return {
    ".claude-plugin/marketplace.json": json({ name: PLUGIN, owner: author, description, plugins: [listing] }),
    ".claude-plugin/plugin.json": json(plugin),
    ".mcp.json": json({ mcpServers: { [PLUGIN]: CLAUDE_SERVER } }),
    "hooks/hooks.json": json({ hooks: claudeHooks() }),
    ".codex-plugin/plugin.json": json({ ...plugin, hooks: "./hooks/codex.json", mcpServers: "./codex-mcp.json" }),
    "hooks/codex.json": json({ hooks: codexHooks() }),
    "codex-mcp.json": json({ mcpServers: { [PLUGIN]: codexServer(version) } }),
    [SHELL_FILE]: SHELL_TEXT,
    ...commandFiles(),
  };
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Node by its name: an absolute path would be that of the machine that built it. */
const CLAUDE_SERVER = { command: "node", args: [`\${CLAUDE_PLUGIN_ROOT}/${SCRIPT}`, "mcp"] };

/** Variables that say where the store is: Codex hands a server few others than those that are named. */
const FORWARDED = ["CODEX_HOME", "MILEPOST_HOME", "MILEPOST_STORE", "XDG_STATE_HOME", "LOCALAPPDATA"];

/**
 * Codex fills in nothing, and with a folder of its own the server would not run in that of the session. But it copies
 * a plugin to a place that is known.
 */
function codexServer(version: string): object {
  const root = `root="\${CODEX_HOME:-$HOME/.codex}/plugins/cache/${PLUGIN}/${PLUGIN}/${version}"`;
  const { command, args } = serverCommand(LAUNCH, { tasks: false });
  const words = args.map((word) => (word.startsWith(STAND_IN) ? `"$root${word.slice(STAND_IN.length)}"` : word));
  return { command, args: ["-c", `${root}; exec ${command} ${words.join(" ")}`], env_vars: FORWARDED };
}

type Groups = Readonly<Record<string, readonly object[]>>;

/** As Claude Code calls the server of a plugin, where a hook names it; Codex calls it by its own name. */
const CLAUDE_NAME = `plugin:${PLUGIN}:${PLUGIN}`;

/** Seconds. A command may wait for a store that is in use. */
const SLASH_TIMEOUT = 30;

function claudeHooks(): Groups {
  const slash = { type: "command", command: LINES.line.replace(" hook ", " slash "), timeout: SLASH_TIMEOUT };
  return {
    ...groupsOf(wantedHooks("claude-code", CLAUDE_HOOKS, LINES), CLAUDE_NAME),
    UserPromptExpansion: [{ matcher: `${PLUGIN}:.*`, hooks: [slash] }],
  };
}

function codexHooks(): Groups {
  return groupsOf(wantedHooks("codex", CODEX_HOOKS, LINES), PLUGIN);
}

function groupsOf(wanted: readonly WantedHook[], server: string): Groups {
  const events = [...new Set(wanted.map(({ event }) => event))];
  const entry = (hook: WantedHook) => (hook.entry.type === "mcp_tool" ? { ...hook.entry, server } : hook.entry);
  return Object.fromEntries(
    events.map((event) => [event, [{ hooks: wanted.filter((hook) => hook.event === event).map(entry) }]]),
  );
}

/** Both clients tell a plugin's hooks where it is, by this variable of Claude Code. */
const ROOT = "$CLAUDE_PLUGIN_ROOT";
/** Needs no quotes. */
const STAND_IN = "/plugin";
const LAUNCH = {
  node: "node",
  script: `${STAND_IN}/${SCRIPT}`,
  platform: "linux",
  shellFile: `${STAND_IN}/${SHELL_FILE}`,
  // The file goes by the environment: a plugin is in no folder of ours.
  isHomeFixed: false,
};

const LINES: HookLines = {
  hasServer: true,
  isServed: true,
  line: pluginLine("hook"),
  guard: pluginLine("guard"),
  start: pluginLine("start"),
};

function pluginLine(verb: Verb): string {
  return shellCommand(LAUNCH, verb).replaceAll(/\/plugin(\/\S+)/g, (_path, file) => `"${ROOT}${file}"`);
}
