import { join } from "node:path";
import { objectAt, parseJson } from "../../../core/json.js";
import { ok, type Result } from "../../../core/result.js";
import { type HookWords, type Launch, serverCommand, shellCommand, type Verb } from "../command-line.js";
import { guidanceEdit } from "../edits/guidance-block.js";
import { openJson, removeValue, setValue, valueAt } from "../edits/json-document.js";
import { jsonEdit, type WireAbout } from "../edits/json-edit.js";
import { type Made, ourHooks, unwireHooks, type WantedHook, wasMark, wireHooks } from "../edits/json-hooks.js";
import { jsonOrNone, serverIn, unwireServer, wiredCommands, wireServer } from "../edits/json-server.js";
import { gateSight } from "../edits/server-gate.js";
import type { Agent, FileEdit, Wired, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";

/** Not before a tool: it names no call there, and each costs a process. Nor `PreCompress`, which tells nothing. */
const EVENTS = ["SessionStart", "BeforeAgent", "AfterTool", "AfterAgent", "Notification", "SessionEnd"];
/** Not on Windows: without a shell that looks whether there was a compaction, each request would start Node. */
const BEFORE_REQUEST = "BeforeModel";

/** Milliseconds. */
const TIMEOUT = 10_000;

/** Shown while a hook runs, in place of its command. */
const NAME = "milepost";

/** Otherwise a person is asked at each tick of a list, and without a terminal each call is refused. */
const OPTIONS = { trust: true };
const REMOVAL = "gemini mcp remove --scope user milepost";
const OWN_LIST = ["useWriteTodos"];
/** What setup did to that switch, as it is remembered; and what it was before. */
const SWITCHED = "useWriteTodos";
const WAS = wasMark(SWITCHED);

const GATE = { title: "Gemini CLI", isEmptyNone: false, takesPatterns: false };
const READER = { title: "Gemini CLI", takesMark: false, takesComments: true };

export const gemini: Agent = {
  name: "gemini",
  title: READER.title,
  binary: "gemini",
  folder,
  edits: (world) => [settingsEdit(settingsFile(world)), guidanceEdit(join(folder(world), "GEMINI.md"), "write_todos")],
  ownList(world, read) {
    if (valueIn(read(settingsFile(world)), OWN_LIST) === false) return undefined;
    return "Gemini CLI has its own list tool for some models (write_todos).";
  },
  ownListHint: "Gemini CLI's own list tool is off: take useWriteTodos out of settings.json.",
  wired: (world, read) => wired(read(settingsFile(world)) ?? "", world.program.platform),
  untrusted(world, read) {
    const { enabled, disabled } = objectAt(valueIn(read(settingsFile(world)), ["hooksConfig"]));
    if (enabled === false) return "Gemini CLI runs no hooks: hooksConfig.enabled is false in settings.json.";
    const isNamed = Array.isArray(disabled) && disabled.includes(NAME);
    return isNamed ? "Gemini CLI skips our hooks: hooksConfig.disabled in settings.json names them." : undefined;
  },
  sight: (world, read) => gateSight(read(settingsFile(world)), GATE),
  takesVariables: true,
  afterwards: ["Gemini CLI starts servers and hooks only in folders that you trust: it asks when it is started there."],
};

function folder({ environment, program }: World): string {
  return AGENT_FOLDERS.gemini(environment, program.userFolder);
}

function settingsFile(world: World): string {
  return join(folder(world), "settings.json");
}

function valueIn(text: string | undefined, path: readonly string[]): unknown {
  return text !== undefined && openJson(text).ok ? valueAt(text, path) : undefined;
}

function settingsEdit(file: string): FileEdit {
  return jsonEdit({
    file,
    reader: READER,
    wire: (text, wish, about) => wireSettings(text, file, wish, about),
    unwire: unwireSettings,
    made(before, after) {
      if (valueIn(after, OWN_LIST) !== false) return [];
      const was = valueIn(before, OWN_LIST);
      if (was === false) return [];
      return was === undefined ? [SWITCHED] : [`${WAS}${JSON.stringify(was)}`];
    },
  });
}

function wireSettings(text: string, file: string, { launch, offer }: Wish, { made }: WireAbout): Result<string> {
  const isOurs = offer.todo === "ours";
  const hooked = wireHooks(text, wantedHooks(launch));
  if (!hooked.ok) return hooked;
  if (!isOurs) return ok(giveBack(unwireServer(hooked.value, made), made, isWired(text, made)));
  const next = setOnce(hooked.value, OWN_LIST, false);
  return wireServer(next, { file, launch: serverCommand(launch, offer), options: OPTIONS, removal: REMOVAL });
}

function setOnce(text: string, path: readonly string[], value: unknown): string {
  return valueAt(text, path) === value ? text : setValue(text, path, value);
}

function wantedHooks(launch: Launch): readonly WantedHook[] {
  const entry = (verb: Verb, words: HookWords) =>
    ({ type: "command", name: NAME, command: shellCommand(launch, verb, words), timeout: TIMEOUT }) as const;
  return [
    ...EVENTS.map((event) => ({ event, entry: entry("hook", ["gemini"]) })),
    ...(launch.platform === "win32" ? [] : [{ event: BEFORE_REQUEST, entry: entry("compacted", ["gemini"]) }]),
  ];
}

function unwireSettings(text: string, made: Made): string {
  return giveBack(unwireServer(unwireHooks(text, made), made), made, isWired(text, made));
}

/** Without hooks of ours, a switch that is off is the person's own. */
function isWired(text: string, made: Made): boolean {
  return made !== undefined || ourHooks(text).length > 0;
}

/** Its own list tool is as it was. When nobody remembers who switched it off, it may be the person: it stays so. */
function giveBack(text: string, made: Made, isOurs: boolean): string {
  if (!isOurs || valueAt(text, OWN_LIST) !== false) return text;
  const was = made?.find((place) => place.startsWith(WAS));
  if (was !== undefined) return setValue(text, OWN_LIST, parseJson(was.slice(WAS.length)));
  return made?.includes(SWITCHED) ? removeValue(text, OWN_LIST) : text;
}

function wired(settings: string, platform: string): Wired {
  const text = jsonOrNone(settings);
  const wanted = wantedHooks({ node: "", script: "", platform, shellFile: "", isHomeFixed: false });
  return wiredCommands(serverIn(text), ourHooks(text), wanted);
}
