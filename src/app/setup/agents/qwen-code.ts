import { join } from "node:path";
import { isObject, listAt } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOurCommand, serverCommand, shellCommand } from "../command-line.js";
import { appendValue, openJson, removeValue, setValue, valueAt } from "../edits/json-document.js";
import { jsonEdit } from "../edits/json-edit.js";
import {
  type Made,
  missingHooks,
  ourHooks,
  outdatedHooks,
  removeEmpty,
  unwireHooks,
  type WantedHook,
  wireHooks,
} from "../edits/json-hooks.js";
import type { Agent, FileEdit, ServerEntry, Wired, Wish, World } from "./agent.js";

/**
 * No batches: its protocol for editors tells of none. Before a call only for our own tools, called by their names or
 * through its bridge: the server is not told which session calls it, and each hook costs a process.
 */
const EVENTS: readonly (readonly [event: string, matcher?: string])[] = [
  ["SessionStart"],
  ["SessionEnd"],
  ["UserPromptSubmit"],
  ["PreToolUse", "^(mcp__milepost__.*|tool_call)$"],
  ["PostToolUse"],
  ["PostToolUseFailure"],
  ["PermissionRequest"],
  ["SubagentStart"],
  ["SubagentStop"],
  ["PreCompact"],
  ["Stop"],
  ["StopFailure"],
];

/** Seconds. */
const TIMEOUT = 10;

/** Denied by name it is not offered, wherever it is switched on: a project has settings of its own. */
const OWN_LIST = "todo_write";

const SERVER = ["mcpServers", "milepost"];
const DENY = ["permissions", "deny"];
const SWITCH = ["tools", "todoWrite", "enabled"];

export const qwenCode: Agent = {
  name: "qwen",
  title: "Qwen Code",
  binary: "qwen",
  folder,
  edits: (world) => [settingsEdit(settingsFile(world))],
  ownList(world, read) {
    const text = safeText(read(settingsFile(world)));
    const isOff = valueAt(text, SWITCH) !== true || denied(text).includes(OWN_LIST);
    return isOff ? undefined : "Qwen Code has a list tool of its own, which is switched on (todo_write).";
  },
  ownListHint: "Qwen Code's own list tool is off until tools.todoWrite.enabled is true in settings.json.",
  wired: (world, read) => wired(safeText(read(settingsFile(world)))),
  afterwards: [],
};

function folder({ environment, program }: World): string {
  return environment.QWEN_HOME || join(program.userFolder, ".qwen");
}

function settingsFile(world: World): string {
  return join(folder(world), "settings.json");
}

function settingsEdit(file: string): FileEdit {
  const edit = jsonEdit({
    file,
    reader: { title: "Qwen Code", takesMark: true },
    wire: (text, wish, { made }) => wireSettings(text, file, wish, made),
    unwire: (text, made) => giveBack(unwireServer(unwireHooks(text, made), made), made),
  });
  // It reads comments, too.
  return { ...edit, flaw: (text) => (openJson(text).ok ? undefined : edit.flaw?.(text)) };
}

function wireSettings(text: string, file: string, wish: Wish, made: Made): Result<string> {
  const flaw = shapeFlaw(text);
  if (flaw) return fail({ code: "bad-config", message: flaw });
  const hooked = wireHooks(text, wantedHooks(wish));
  if (!hooked.ok) return hooked;
  if (wish.offer.todo === "client") return ok(giveBack(unwireServer(hooked.value, made), made));
  const served = wireServer(hooked.value, file, serverCommand(wish.launch, wish.offer));
  if (!served.ok || denied(served.value).includes(OWN_LIST)) return served;
  return ok(appendValue(served.value, DENY, OWN_LIST));
}

function shapeFlaw(text: string): string | undefined {
  const [servers, permissions, deny] = [["mcpServers"], ["permissions"], DENY].map((path) => valueAt(text, path));
  if (servers !== undefined && !isObject(servers)) return `has an "mcpServers" that is not an object`;
  if (permissions !== undefined && !isObject(permissions)) return `has "permissions" of an unknown shape`;
  return deny === undefined || Array.isArray(deny) ? undefined : `has "permissions.deny" of an unknown shape`;
}

function wantedHooks({ launch, offer }: Pick<Wish, "launch" | "offer">): readonly WantedHook[] {
  const command = shellCommand(launch, "hook", ["qwen"]);
  return eventsFor(offer.todo === "ours").map(([event, matcher]) => ({
    event,
    ...(matcher !== undefined && { matcher }),
    entry: { type: "command", command, timeout: TIMEOUT },
  }));
}

/** Without our server there is no tool of ours to tell of. */
function eventsFor(hasServer: boolean): typeof EVENTS {
  return EVENTS.filter(([, matcher]) => hasServer || matcher === undefined);
}

/** Trusted, as a person would be asked at every tick; and in the list of tools from the start, not behind a search. */
const ENTRY = { trust: true, alwaysLoadTools: true };

function wireServer(text: string, file: string, entry: Pick<ServerEntry, "command" | "args">): Result<string> {
  const server = valueAt(text, SERVER);
  if (server === undefined) return ok(setValue(text, SERVER, { ...entry, ...ENTRY }));
  if (!isOurServer(server))
    return fail({
      code: "foreign-server",
      message: `Nothing was changed: ${file} has a server milepost that setup did not add. Remove it: qwen mcp remove --scope user milepost`,
    });
  const changed = (["command", "args"] as const).filter(
    (key) => JSON.stringify(server[key]) !== JSON.stringify(entry[key]),
  );
  return ok(changed.reduce((next, key) => setValue(next, [...SERVER, key], entry[key]), text));
}

function unwireServer(text: string, made: Made): string {
  return isOurServer(valueAt(text, SERVER)) ? removeEmpty(removeValue(text, SERVER), ["mcpServers"], made) : text;
}

function isOurServer(server: unknown): server is Pick<ServerEntry, "command" | "args"> {
  return isObject(server) && Array.isArray(server.args) && isOurCommand([server.command, ...server.args], "mcp");
}

/** Its own list tool is denied no longer. When nobody remembers who denied it, it may be the person: it stays so. */
function giveBack(text: string, made: Made): string {
  const place = made?.includes(`${DENY.join("/")}=${OWN_LIST}`) ? denied(text).indexOf(OWN_LIST) : -1;
  if (place < 0) return text;
  return removeEmpty(removeEmpty(removeValue(text, [...DENY, place]), DENY, made), DENY.slice(0, 1), made);
}

function denied(text: string): readonly unknown[] {
  return listAt(valueAt(text, DENY));
}

function safeText(text = ""): string {
  return openJson(text).ok ? text : "{}";
}

function wired(text: string): Wired {
  const server = valueAt(text, SERVER);
  const hooks = ourHooks(text);
  const env = isObject(server) && isObject(server.env) ? (server.env as ServerEntry["env"]) : {};
  const isOurs = isOurServer(server);
  const wanted = (hasServer: boolean) =>
    eventsFor(hasServer).map(
      ([event, matcher]): WantedHook => ({
        event,
        ...(matcher !== undefined && { matcher }),
        entry: { type: "command", command: "", timeout: TIMEOUT },
      }),
    );
  return {
    server: isOurs ? { command: server.command, args: server.args, env } : undefined,
    hooks: [...new Set(hooks.flatMap((hook) => (hook.type === "command" ? [hook.command] : [])))],
    toolHooks: [],
    hookCount: new Set(hooks.map(({ event }) => event)).size,
    missing: missingHooks(wanted(isOurs), hooks),
    outdated: outdatedHooks(wanted(true), hooks),
  };
}
