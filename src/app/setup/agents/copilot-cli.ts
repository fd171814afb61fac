import { join } from "node:path";
import { listAt, objectAt } from "../../../core/json.js";
import { ok } from "../../../core/result.js";
import { isOurLine, type Launch, serverCommand, shellCommand } from "../command-line.js";
import { valueAt } from "../edits/json-document.js";
import { jsonEdit, type WireAbout } from "../edits/json-edit.js";
import { ourHooks, type WantedHook } from "../edits/json-hooks.js";
import { jsonOrNone, serverIn, unwireServer, wiredCommands, wireServer } from "../edits/json-server.js";
import { OWN_MARK, ownFileEdit } from "../edits/own-file.js";
import type { Agent, FileEdit, ReadText, Wired, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";

/** Calls that begin are told only of our own server: each hook costs a process, and none of them has a call's id. */
const EVENTS = [
  "sessionStart",
  "userPromptSubmitted",
  "postToolUse",
  "postToolUseFailure",
  "preCompact",
  "notification",
  "subagentStart",
  "subagentStop",
  "agentStop",
  "sessionEnd",
];
/** The server is told whose call it is. */
const BEFORE_CALL = { event: "preMcpToolCall", matcher: "milepost/.*" };

/** Nobody wants to be asked at every tick of a list. Plain in each shell: it needs nothing of ours. */
const ALLOW_LINE = `echo '{"permissionDecision":"allow"}'`;
const ALLOW = {
  matcher: "milepost-(todo|task|plan)",
  hooks: [{ type: "command", command: ALLOW_LINE, timeout: 10 }],
};

/** Seconds. */
const TIMEOUT = 10;

/** All of its tools, and in each request: not behind a search. */
const OPTIONS = { type: "local", tools: ["*"], deferTools: "never" };
const REMOVAL = "copilot mcp remove milepost";
const READER = { title: "GitHub Copilot CLI", takesMark: true, takesComments: true, takesCommas: true };

export const copilot: Agent = {
  name: "copilot",
  title: "Copilot CLI",
  binary: "copilot",
  folder,
  edits: (world) => [serversEdit(serversFile(world)), hooksEdit(hooksFile(world))],
  // No setting takes it away from the model, only a word at each start.
  ownList: () => "Copilot CLI keeps todos with its sql tool, which has no switch.",
  ownListHint: "Copilot CLI's own todos are two tables of its sql tool.",
  wired,
  untrusted(world, read) {
    const { disableAllHooks } = objectAt(valueAt(jsonOrNone(read(join(folder(world), "settings.json"))), []));
    return disableAllHooks === true
      ? "Copilot CLI runs no hooks: disableAllHooks is true in settings.json."
      : undefined;
  },
  afterwards: [],
};

function folder({ environment, program }: World): string {
  return AGENT_FOLDERS.copilot(environment, program.userFolder);
}

function serversFile(world: World): string {
  return join(folder(world), "mcp-config.json");
}

function hooksFile(world: World): string {
  return join(folder(world), "hooks", "milepost.json");
}

function serversEdit(file: string): FileEdit {
  return jsonEdit({
    file,
    reader: READER,
    wire: (text, { launch, offer }, { made }: WireAbout) =>
      offer.todo === "ours"
        ? wireServer(text, { file, launch: serverCommand(launch, offer), options: OPTIONS, removal: REMOVAL })
        : ok(unwireServer(text, made)),
    unwire: unwireServer,
  });
}

/** A file of its own: it reads each one in that folder, and lets a person switch off all of one. */
function hooksEdit(file: string): FileEdit {
  return ownFileEdit({ file, isOurs: isOurHooks, text: hooksText });
}

/** It says so itself, or has nothing but commands of ours. */
function isOurHooks(text: string): boolean {
  const { description, hooks } = objectAt(valueAt(jsonOrNone(text), []));
  if (description === OWN_MARK) return true;
  const commands = Object.values(objectAt(hooks))
    .flatMap(listAt)
    .map(objectAt)
    .flatMap((group) => listAt(group.hooks));
  const isOurs = (command: unknown) => isOurLine(command, "hook") || command === ALLOW_LINE;
  return commands.length > 0 && commands.every((hook) => isOurs(objectAt(hook).command));
}

function hooksText({ launch, offer }: Wish): string {
  const wanted = wantedHooks(launch, offer.todo === "ours");
  const lines = wanted.map(({ event, matcher, entry }) => [event, [{ ...(matcher && { matcher }), hooks: [entry] }]]);
  const allow = offer.todo === "ours" ? { preToolUse: [ALLOW] } : undefined;
  const hooks = { ...Object.fromEntries(lines), ...allow };
  return `${JSON.stringify({ description: OWN_MARK, version: 1, hooks }, undefined, 2)}\n`;
}

/** Without our server there is no call of ours to tell of. */
function wantedHooks(launch: Launch, hasServer: boolean): readonly WantedHook[] {
  const events = [...EVENTS.map((event) => ({ event })), ...(hasServer ? [BEFORE_CALL] : [])];
  return events.map((one) => ({
    ...one,
    entry: { type: "command", command: shellCommand(launch, "hook", ["copilot", one.event]), timeout: TIMEOUT },
  }));
}

function wired(world: World, read: ReadText): Wired {
  const server = serverIn(read(serversFile(world)) ?? "");
  const hooks = ourHooks(jsonOrNone(read(hooksFile(world))));
  const { platform } = world.program;
  const launch = { node: "", script: "", platform, shellFile: "", isHomeFixed: false };
  return wiredCommands(server, hooks, wantedHooks(launch, server !== undefined));
}
