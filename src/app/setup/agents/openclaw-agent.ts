import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, listAt, objectAt } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
// @ts-expect-error: a text, which the build and the tests load as one
import extension from "../../../extension/openclaw/openclaw-plugin.js?text";
import { findNamedDialect } from "../../calls/dialect-names.js";
import type { Offer } from "../../settings.js";
import { serverCommand } from "../command-line.js";
import { appendValue, openJson, removeValue, setValue, valueAt } from "../edits/json-document.js";
import { jsonEdit } from "../edits/json-edit.js";
import { type Made, removeEmpty } from "../edits/json-hooks.js";
import { extensionEdit, isMarked, OWN_FILE, ownFileEdit, wiredExtension } from "../edits/own-file.js";
import type { Agent, FileEdit, ReadText, ToolSight, Wired, Wish, World } from "./agent.js";
import { AGENT_FOLDERS } from "./agent-folders.js";

const TEXT: string = extension;

/** Events of OpenClaw that our plugin tells of. */
const EVENTS = [
  "before_prompt_build",
  "before_tool_call",
  "after_tool_call",
  "after_compaction",
  "agent_end",
  "session_end",
];
/** Those of which it tells a plugin from outside only with the person's leave, which stands in its settings. */
const CONVERSATION = ["before_prompt_build", "agent_end"];

/** A card beside the session. Denied by name, it is not behind the search for tools either. */
const OWN_LIST = "progress_card";

const PLUGIN = "milepost";
const ENTRY = ["plugins", "entries", PLUGIN];
const SWITCHES = [
  [...ENTRY, "enabled"],
  [...ENTRY, "hooks", "allowConversationAccess"],
];
const NEW_ENTRY = { enabled: true, hooks: { allowConversationAccess: true } };
const ALLOW = ["plugins", "allow"];
const DENY = ["tools", "deny"];

/** In each of its own sets of tools, not only in that of all tools. */
const PROFILES = ["minimal", "coding", "messaging"];

const PREFIX = "milepost__";

export const openclaw: Agent = {
  name: "openclaw",
  title: "OpenClaw",
  binary: "openclaw",
  folder: stateFolder,
  edits: (world) => [
    extensionEdit(pluginFile(world), TEXT, (wish) => ({
      ...serverCommand(wish.launch, wish.offer),
      ...(wish.offer.todo === "client" && { hasTools: false }),
      tools: toolsFor(wish.offer),
    })),
    ownFileEdit({
      file: manifestFile(world),
      isOurs: isMarked,
      text: ({ offer }) => `${OWN_FILE}${manifest(offer)}`,
    }),
    settingsEdit(settingsFile(world)),
  ],
  ownList(world, read) {
    const isOff = denied(safeText(read(settingsFile(world)))).includes(OWN_LIST);
    return isOff ? undefined : "OpenClaw has a card of its own for steps (progress_card).";
  },
  ownListHint: "OpenClaw's own card is off: take progress_card out of tools.deny in openclaw.json.",
  wired,
  sight,
  serverClient: "milepost-openclaw",
  afterwards: ["A gateway of OpenClaw that runs takes the plugin when it is started again: openclaw gateway restart"],
};

function stateFolder({ environment, program }: World): string {
  return AGENT_FOLDERS.openclaw(environment, program.userFolder);
}

function settingsFile({ environment, program }: World): string {
  return AGENT_FOLDERS.openclawSettings(environment, program.userFolder);
}

/** Plugins lie beside the settings, unless a folder for its state is named. */
function pluginFolder(world: World): string {
  const { OPENCLAW_STATE_DIR: state, OPENCLAW_CONFIG_PATH: settings } = world.environment;
  const folder = settings && !state ? dirname(settingsFile(world)) : stateFolder(world);
  return join(folder, "extensions", PLUGIN);
}

function pluginFile(world: World): string {
  return join(pluginFolder(world), "index.js");
}

function manifestFile(world: World): string {
  return join(pluginFolder(world), "openclaw.plugin.json");
}

/** It asks for them before our server could answer. */
function toolsFor({ todo, tasks, plans = false }: Offer): readonly object[] {
  const { offered = [] } = findNamedDialect("milepost", { withTasks: tasks, withPlans: plans }) ?? {};
  const wanted = todo === "ours" ? offered : offered.filter(({ name }) => name !== "todo");
  return wanted.map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }));
}

function manifest(offer: Offer): string {
  const tools = toolsFor(offer).map((tool) => `${PREFIX}${objectAt(tool).name}`);
  const described = {
    id: PLUGIN,
    name: "Milepost",
    description: "Todo list, tasks and progress of sessions",
    activation: { onStartup: true },
    contracts: { tools, agentToolResultMiddleware: ["openclaw"] },
    toolMetadata: Object.fromEntries(tools.map((tool) => [tool, { profiles: PROFILES }])),
    configSchema: { type: "object", additionalProperties: false },
  };
  return `${JSON.stringify(described, undefined, 2)}\n`;
}

function settingsEdit(file: string): FileEdit {
  const edit = jsonEdit({
    file,
    reader: { title: "OpenClaw", takesMark: true, takesComments: true, takesCommas: true },
    wire: (text, wish, { made }) => wireSettings(text, wish, made),
    unwire: (text, made) => giveBack(unwireEntry(text, made), made),
    made: (before, after) =>
      SWITCHES.filter((path) => valueIn(before, path) !== true && valueIn(after, path) === true).map(nameOf),
  });
  return {
    ...edit,
    // It reads JSON5, of which we read a part.
    flaw: (text) =>
      edit
        .flaw?.(text)
        ?.replace(/^is not JSON (.*)$/, "is not JSON with comments $1, and Milepost reads no other JSON5"),
    withFlaw: "OpenClaw may read it, Milepost cannot.",
  };
}

const nameOf = (path: readonly string[]) => path.join("/");

function wireSettings(text: string, { offer }: Wish, made: Made): Result<string> {
  const flaw = shapeFlaw(text);
  if (flaw) return fail({ code: "bad-config", message: flaw });
  const entered = wireEntry(text);
  const allowed = listAt(valueAt(entered, ALLOW));
  // An empty list allows all, any other one only what it names.
  const loaded = allowed.length === 0 || allowed.includes(PLUGIN) ? entered : appendValue(entered, ALLOW, PLUGIN);
  if (offer.todo === "client") return ok(giveBack(loaded, made));
  return ok(denied(loaded).includes(OWN_LIST) ? loaded : appendValue(loaded, DENY, OWN_LIST));
}

function shapeFlaw(text: string): string | undefined {
  const objects = [["plugins"], ["plugins", "entries"], ENTRY, [...ENTRY, "hooks"], ["tools"]];
  const odd =
    objects.find((path) => isOdd(valueAt(text, path), isObject)) ??
    [ALLOW, DENY].find((path) => isOdd(valueAt(text, path), Array.isArray));
  return odd && `has "${odd.join(".")}" of an unknown shape`;
}

function isOdd(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value !== undefined && !isRight(value);
}

/** What a person has switched off stays off: doctor says so. */
function wireEntry(text: string): string {
  if (valueAt(text, ENTRY) === undefined) return setValue(text, ENTRY, NEW_ENTRY);
  return SWITCHES.reduce((next, path) => (valueAt(next, path) === undefined ? setValue(next, path, true) : next), text);
}

/** Where nobody remembers, ours is the entry that is just as setup writes it: any other one may be the person's. */
function unwireEntry(text: string, made: Made): string {
  if (made === undefined && !isDeepStrictEqual(valueAt(text, ENTRY), NEW_ENTRY)) return text;
  const isOurs = (name: string) => made?.includes(name) ?? true;
  const off = SWITCHES.filter((path) => isOurs(nameOf(path)) && valueAt(text, path) === true);
  const left = off.reduce((next, path) => removeValue(next, path), text);
  const around = [[...ENTRY, "hooks"], ENTRY, ["plugins", "entries"]];
  const place = isOurs(`${nameOf(ALLOW)}=${PLUGIN}`) ? listAt(valueAt(left, ALLOW)).indexOf(PLUGIN) : -1;
  const unlisted = place < 0 ? left : removeValue(left, [...ALLOW, place]);
  return [...around, ["plugins"]].reduce((next, path) => removeEmpty(next, path, made), unlisted);
}

/** Its own card is denied no longer. When nobody remembers who denied it, it may be the person: it stays so. */
function giveBack(text: string, made: Made): string {
  const place = made?.includes(`${nameOf(DENY)}=${OWN_LIST}`) ? denied(text).indexOf(OWN_LIST) : -1;
  if (place < 0) return text;
  return removeEmpty(removeEmpty(removeValue(text, [...DENY, place]), DENY, made), ["tools"], made);
}

function denied(text: string): readonly unknown[] {
  return listAt(valueAt(text, DENY));
}

function safeText(text = ""): string {
  return openJson(text).ok ? text : "{}";
}

function valueIn(text: string, path: readonly string[]): unknown {
  return valueAt(safeText(text), path);
}

function wired(world: World, read: ReadText): Wired {
  const found = wiredExtension(read(pluginFile(world)), EVENTS.length, TEXT);
  const text = safeText(read(settingsFile(world)));
  const isTold = SWITCHES.every((path) => valueAt(text, path) !== undefined);
  const isLoaded = isMarked(read(manifestFile(world)) ?? "");
  const missing = isLoaded ? (isTold ? [] : CONVERSATION) : EVENTS;
  return { ...found, missing: found.server ? missing : [] };
}

/** Why OpenClaw would not load the plugin, or not offer its tool, as far as its settings say. */
function sight(world: World, read: ReadText): ToolSight {
  const text = safeText(read(settingsFile(world)));
  const allowed = listAt(valueAt(text, ALLOW));
  const [enabled, access] = SWITCHES.map((path) => valueAt(text, path));
  const tools = listAt(valueAt(text, ["tools", "allow"]));
  const reasons: readonly (readonly [isSo: boolean, why: string])[] = [
    [valueAt(text, ["plugins", "enabled"]) === false, "plugins.enabled is false"],
    [listAt(valueAt(text, ["plugins", "deny"])).includes(PLUGIN), "plugins.deny names it"],
    [allowed.length > 0 && !allowed.includes(PLUGIN), "plugins.allow does not name it"],
    [enabled === false, "plugins.entries.milepost.enabled is false"],
  ];
  const why = reasons.find(([isSo]) => isSo)?.[1];
  const isOut =
    tools.length > 0 && !["*", PLUGIN, `${PREFIX}todo`, "group:plugins"].some((name) => tools.includes(name));
  return {
    notes: [
      ...(why === undefined ? [] : [`OpenClaw does not load our plugin: ${why} in openclaw.json.`]),
      ...(access === false
        ? ["OpenClaw tells our plugin of no prompt: its hooks.allowConversationAccess in openclaw.json is false."]
        : []),
      ...(isOut ? ["OpenClaw's models do not see our tool: tools.allow in openclaw.json does not name milepost."] : []),
    ],
  };
}
