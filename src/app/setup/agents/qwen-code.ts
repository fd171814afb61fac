import { join } from "node:path";
import { isObject, listAt } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { serverCommand, shellCommand } from "../command-line.js";
import { appendValue, removeValue, valueAt } from "../edits/json-document.js";
import { jsonEdit } from "../edits/json-edit.js";
import { type Made, ourHooks, removeEmpty, unwireHooks, type WantedHook, wireHooks } from "../edits/json-hooks.js";
import { jsonOrNone, serverIn, unwireServer, wiredCommands, wireServer } from "../edits/json-server.js";
import { gateSight } from "../edits/server-gate.js";
import type { Agent, FileEdit, Wired, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";

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

/** Trusted, as a person would be asked at every tick; and in the list of tools from the start, not behind a search. */
const OPTIONS = { trust: true, alwaysLoadTools: true };
const REMOVAL = "qwen mcp remove --scope user milepost";
const GATE = { title: "Qwen Code", isEmptyNone: true, takesPatterns: true };
const DENY = ["permissions", "deny"];
const SWITCH = ["tools", "todoWrite", "enabled"];

export const qwenCode: Agent = {
  name: "qwen",
  title: "Qwen Code",
  binary: "qwen",
  folder,
  edits: (world) => [settingsEdit(settingsFile(world))],
  ownList(world, read) {
    const text = jsonOrNone(read(settingsFile(world)));
    const isOff = valueAt(text, SWITCH) !== true || denied(text).includes(OWN_LIST);
    return isOff ? undefined : "Qwen Code has a list tool of its own, which is switched on (todo_write).";
  },
  ownListHint: "Qwen Code's own list tool is off until tools.todoWrite.enabled is true in settings.json.",
  wired: (world, read) => wired(jsonOrNone(read(settingsFile(world)))),
  untrusted(world, read) {
    const isOff = valueAt(jsonOrNone(read(settingsFile(world))), ["disableAllHooks"]) === true;
    return isOff ? "Qwen Code runs no hooks: disableAllHooks is true in settings.json." : undefined;
  },
  sight: (world, read) => gateSight(read(settingsFile(world)), GATE),
  takesVariables: true,
  afterwards: [],
};

function folder({ environment, program }: World): string {
  return AGENT_FOLDERS.qwen(environment, program.userFolder);
}

function settingsFile(world: World): string {
  return join(folder(world), "settings.json");
}

function settingsEdit(file: string): FileEdit {
  return jsonEdit({
    file,
    reader: { title: "Qwen Code", takesMark: true, takesComments: true },
    wire: (text, wish, { made }) => wireSettings(text, file, wish, made),
    unwire: (text, made) => giveBack(unwireServer(unwireHooks(text, made), made), made),
  });
}

function wireSettings(text: string, file: string, wish: Wish, made: Made): Result<string> {
  const flaw = shapeFlaw(text);
  if (flaw) return fail({ code: "bad-config", message: flaw });
  const hooked = wireHooks(text, wantedHooks(wish));
  if (!hooked.ok) return hooked;
  if (wish.offer.todo === "client") return ok(giveBack(unwireServer(hooked.value, made), made));
  const served = wireServer(hooked.value, {
    file,
    launch: serverCommand(wish.launch, wish.offer),
    options: OPTIONS,
    removal: REMOVAL,
  });
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

/** Its own list tool is denied no longer. When nobody remembers who denied it, it may be the person: it stays so. */
function giveBack(text: string, made: Made): string {
  const place = made?.includes(`${DENY.join("/")}=${OWN_LIST}`) ? denied(text).indexOf(OWN_LIST) : -1;
  if (place < 0) return text;
  return removeEmpty(removeEmpty(removeValue(text, [...DENY, place]), DENY, made), DENY.slice(0, 1), made);
}

function denied(text: string): readonly unknown[] {
  return listAt(valueAt(text, DENY));
}

function wired(text: string): Wired {
  const server = serverIn(text);
  const wanted = eventsFor(server !== undefined).map(
    ([event, matcher]): WantedHook => ({
      event,
      ...(matcher !== undefined && { matcher }),
      entry: { type: "command", command: "", timeout: TIMEOUT },
    }),
  );
  return wiredCommands(server, ourHooks(text), wanted);
}
