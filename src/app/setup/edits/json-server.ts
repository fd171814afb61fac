import { isObject, objectAt } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import type { ServerEntry, Wired } from "../agents/agent.js";
import { isOurCommand } from "../command-line.js";
import { openJson, removeValue, setValue, valueAt } from "./json-document.js";
import { type Made, missingHooks, type OurHook, outdatedHooks, removeEmpty, type WantedHook } from "./json-hooks.js";

// Our MCP server in an agent's JSON file: most agents have it in `mcpServers`, as a command with arguments.

const SERVERS = ["mcpServers"];
const SERVER = [...SERVERS, "milepost"];

type ServerLaunch = Pick<ServerEntry, "command" | "args">;

/** One server as it is to be: `options` are an agent's own, and written with a new entry only. */
export interface WantedServer {
  readonly file: string;
  readonly launch: ServerLaunch;
  readonly options: Readonly<Record<string, unknown>>;
  /** With which command of the agent a person takes out a server of that name. */
  readonly removal: string;
}

export function wireServer(text: string, { file, launch, options, removal }: WantedServer): Result<string> {
  const servers = valueAt(text, SERVERS);
  if (servers !== undefined && !isObject(servers))
    return fail({ code: "bad-config", message: `has an "mcpServers" that is not an object` });
  const server = servers?.milepost;
  if (server === undefined) return ok(setValue(text, SERVER, { ...options, ...launch }));
  if (!isOurServer(server))
    return fail({
      code: "foreign-server",
      message: `Nothing was changed: ${file} has a server milepost that setup did not add. Remove it: ${removal}`,
    });
  const changed = (["command", "args"] as const).filter(
    (key) => JSON.stringify(server[key]) !== JSON.stringify(launch[key]),
  );
  return ok(changed.reduce((next, key) => setValue(next, [...SERVER, key], launch[key]), text));
}

export function unwireServer(text: string, made: Made): string {
  return isOurServer(valueAt(text, SERVER)) ? removeEmpty(removeValue(text, SERVER), SERVERS, made) : text;
}

/** Undefined where there is none, or somebody else's. */
export function serverIn(text: string): ServerEntry | undefined {
  const server = valueAt(jsonOrNone(text), SERVER);
  if (!isOurServer(server)) return undefined;
  return { command: server.command, args: server.args, env: objectAt(server.env) as ServerEntry["env"] };
}

/** A text that is broken has nothing of ours. */
export function jsonOrNone(text = ""): string {
  return openJson(text).ok ? text : "{}";
}

/** What of ours there is, for an agent whose hooks are commands. */
export function wiredCommands(
  server: ServerEntry | undefined,
  hooks: readonly OurHook[],
  wanted: readonly WantedHook[],
): Wired {
  return {
    server,
    hooks: [...new Set(hooks.flatMap((hook) => (hook.type === "command" ? [hook.command] : [])))],
    toolHooks: [],
    hookCount: new Set(hooks.map(({ event }) => event)).size,
    missing: missingHooks(wanted, hooks),
    outdated: outdatedHooks(wanted, hooks),
  };
}

function isOurServer(server: unknown): server is ServerLaunch & { readonly env?: unknown } {
  return isObject(server) && Array.isArray(server.args) && isOurCommand([server.command, ...server.args], "mcp");
}
