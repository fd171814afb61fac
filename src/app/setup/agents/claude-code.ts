import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, listAt } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOurLine, type Launch, plainCommand, serverCommand, shellCommand } from "../command-line.js";
import { guidanceEdit } from "../edits/guidance-block.js";
import { appendValue, removeValue, setValue, valueAt } from "../edits/json-document.js";
import { jsonEdit, type WireAbout } from "../edits/json-edit.js";
import { type Made, ourHooks, removeEmpty, unwireHooks, wireHooks } from "../edits/json-hooks.js";
import { jsonOrNone, serverIn, unwireServer, wireServer } from "../edits/json-server.js";
import type { Agent, FileEdit, Wired, Wish, World } from "./agent.js";
import { type HookRow, linesFor, wantedHooks, wiredHooks } from "./hook-rows.js";

export const HOOKS: readonly HookRow[] = [
  { event: "SessionStart", way: "start" },
  { event: "SessionEnd", way: "line" },
  { event: "UserPromptSubmit", way: "both" },
  // A call in progress. As a line for our own tool alone: the server is not told which session calls it.
  { event: "PreToolUse", way: "tool", lineMatcher: "mcp__milepost__.*", needsServer: true },
  // Without a line beside them: should the server be gone, the batch has all of its calls.
  { event: "PostToolUse", way: "tool" },
  { event: "PostToolUseFailure", way: "tool" },
  { event: "PostToolBatch", way: "both" },
  { event: "Notification", way: "both" },
  { event: "PermissionRequest", way: "both" },
  { event: "SubagentStart", way: "both" },
  { event: "SubagentStop", way: "both" },
  { event: "Stop", way: "both" },
  { event: "StopFailure", way: "both" },
  // Comes only with tasks of its own: never where setup has denied them, else once beside each call that completes one.
  { event: "TaskCompleted", way: "tool" },
  // None before or after a compaction: Claude Code would show each on the screen. The start that follows tells of it.
];

/** Names every tool of the server, so that the agent is not asked at every tick. */
const ALLOWED = "mcp__milepost";

/** Denied by name they are neither offered nor mentioned; the switches in the environment hide only some of them. */
const OWN_LIST = ["TaskCreate", "TaskGet", "TaskUpdate", "TaskList", "TodoWrite"];

const REMOVAL = "claude mcp remove -s user milepost";
const ALLOW = ["permissions", "allow"];
const DENY = ["permissions", "deny"];

/** It passes over a settings.json with a comment, and does not start over one in .claude.json. */
const READER = { title: "Claude Code", takesMark: true };

export const claudeCode: Agent = {
  name: "claude-code",
  title: READER.title,
  binary: "claude",
  folder,
  edits: (world) => [
    serverEdit(serverFile(world)),
    settingsEdit(settingsFile(world)),
    guidanceEdit(join(folder(world), "CLAUDE.md"), "TaskCreate and TaskUpdate, or TodoWrite,"),
  ],
  ownList(world, read) {
    const denied = namesAt(read(settingsFile(world)) ?? "", DENY);
    if (OWN_LIST.every((tool) => denied.includes(tool))) return undefined;
    return "Claude Code has its own list tools for some models (Task tools or TodoWrite).";
  },
  ownListHint: "Claude Code's own list tools are denied in settings.json: take them out of permissions.deny.",
  wired: (world, read) => wired(read(serverFile(world)) ?? "", read(settingsFile(world)) ?? ""),
  afterwards: [],
};

function folder({ environment, program }: World): string {
  return environment.CLAUDE_CONFIG_DIR || join(program.userFolder, ".claude");
}

function settingsFile(world: World): string {
  return join(folder(world), "settings.json");
}

/** Old installations keep it inside the folder; others beside it, unless a folder was named. */
function serverFile(world: World): string {
  const old = join(folder(world), ".config.json");
  if (existsSync(old)) return old;
  return join(world.environment.CLAUDE_CONFIG_DIR || world.program.userFolder, ".claude.json");
}

function serverEdit(file: string): FileEdit {
  return jsonEdit({
    file,
    reader: READER,
    wire: (text, { launch, offer }, { made }) =>
      offer.todo === "ours"
        ? wireServer(text, { file, launch: serverCommand(launch, offer), options: { type: "stdio" }, removal: REMOVAL })
        : ok(unwireServer(text, made)),
    unwire: unwireServer,
  });
}

function settingsEdit(file: string): FileEdit {
  return jsonEdit({ file, reader: READER, wire: wireSettings, unwire: unwireSettings });
}

function wireSettings(text: string, wish: Wish, { notes, made }: WireAbout): Result<string> {
  for (const path of [["permissions"], ALLOW, DENY]) {
    const value = valueAt(text, path);
    if (value !== undefined && (path.length === 1 ? !isObject(value) : !Array.isArray(value)))
      return fail({ code: "bad-config", message: `has "${path.join(".")}" of an unknown shape` });
  }
  const isOurs = wish.offer.todo === "ours";
  const hooked = wireHooks(text, wantedHooks("claude-code", HOOKS, linesFor(wish)));
  if (!hooked.ok) return hooked;
  let next = wireStatusLine(hooked.value, wish.launch, notes);
  if (!isOurs) return ok(isWired(text, made) ? giveBack(next, made) : next);
  for (const [path, names] of [[ALLOW, [ALLOWED]] as const, [DENY, OWN_LIST] as const])
    for (const name of names) if (!namesAt(next, path).includes(name)) next = appendValue(next, path, name);
  return ok(next);
}

function wireStatusLine(text: string, launch: Launch, notes: string[]): string {
  const command = shellCommand(launch, "statusline");
  const line = valueAt(text, ["statusLine"]);
  if (line === undefined) return setValue(text, ["statusLine"], { type: "command", command });
  if (!isOurStatusLine(line)) {
    notes.push(
      `Your own status line is kept. To show progress in it, make it run: ${plainCommand(launch, "statusline")}`,
    );
    return text;
  }
  return line.command === command ? text : setValue(text, ["statusLine", "command"], command);
}

function isOurStatusLine(line: unknown): line is { readonly command: string } {
  return isObject(line) && isOurLine(line.command, "statusline");
}

function unwireSettings(text: string, made: Made): string {
  let next = unwireHooks(text, made);
  if (isOurStatusLine(valueAt(next, ["statusLine"]))) next = removeValue(next, ["statusLine"]);
  return isWired(text, made) ? giveBack(next, made) : next;
}

/** Without hooks of ours, names in the lists are the person's own. */
function isWired(text: string, made: Made): boolean {
  return made !== undefined || ourHooks(text).length > 0;
}

/** Our tool is allowed no longer, and the agent's own list tools are denied no longer. */
function giveBack(text: string, made: Made): string {
  const next = removeNames(text, ALLOW, [ALLOWED], made);
  // When nobody remembers who denied them, five names in our order are ours.
  const denied = namesAt(next, DENY);
  const first = denied.indexOf(OWN_LIST[0]);
  const isRow = OWN_LIST.every((tool, index) => denied[first + index] === tool);
  return made || isRow ? removeNames(next, DENY, OWN_LIST, made) : next;
}

function removeNames(text: string, path: readonly string[], names: readonly string[], made: Made): string {
  let next = text;
  for (const name of names.filter((item) => made?.includes(`${path.join("/")}=${item}`) ?? true)) {
    const place = namesAt(next, path).indexOf(name);
    if (place >= 0) next = removeValue(next, [...path, place]);
  }
  return next === text ? text : removeEmpty(removeEmpty(next, path, made), path.slice(0, 1), made);
}

function namesAt(text: string, path: readonly string[]): readonly unknown[] {
  return listAt(valueAt(text, path));
}

function wired(servers: string, settings: string): Wired {
  const server = serverIn(servers);
  const text = jsonOrNone(settings);
  const statusLine = valueAt(text, ["statusLine"]);
  return {
    server,
    statusLine: isOurStatusLine(statusLine) ? statusLine.command : undefined,
    ...wiredHooks("claude-code", HOOKS, ourHooks(text), server !== undefined),
  };
}
