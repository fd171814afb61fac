import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, objectAt, parseJson } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { wayOf } from "../../session/tool-way.js";
import { isOurCommand, serverCommand } from "../command-line.js";
import { refuseFile } from "../config-file.js";
import { guidanceEdit } from "../edits/guidance-block.js";
import { openJson } from "../edits/json-document.js";
import { jsonEdit } from "../edits/json-edit.js";
import { ourHooks, unwireHooks, wireHooks } from "../edits/json-hooks.js";
import { addTable, parseToml, removeTable, replaceToml, tomlAt } from "../edits/toml-document.js";
import { statementsOf } from "../edits/toml-statements.js";
import { isSilence, runProgram } from "../probe.js";
import type { Agent, AgentAnswer, FileEdit, ReadText, ServerEntry, ToolSight, Wired, Wish, World } from "./agent.js";
import { adapterNotes } from "./codex-adapter.js";
import { configuredModel, hidesTool, isDirect, madeForDirect, makeDirect, undoDirect } from "./direct-tool.js";
import { type HookRow, linesFor, wantedHooks, wiredHooks } from "./hook-rows.js";

/** Codex gives the end of a session and an interruption three seconds, and complains at every start about more. */
export const HOOKS: readonly HookRow[] = [
  { event: "SessionStart", way: "start" },
  // It refuses a call of a server here, and says so at every start.
  { event: "SessionEnd", way: "line", timeout: 3 },
  { event: "UserPromptSubmit", way: "both" },
  // A call in progress. As a line only for what it asks the person: no other hook tells.
  { event: "PreToolUse", way: "tool", lineMatcher: "request_user_input" },
  { event: "PostToolUse", way: "both" },
  { event: "PermissionRequest", way: "both" },
  { event: "Stop", way: "both" },
  { event: "Interrupt", way: "both", timeout: 3 },
  { event: "SubagentStart", way: "both" },
  { event: "SubagentStop", way: "both" },
  { event: "PreCompact", way: "both" },
];

const SERVER = ["mcp_servers", "milepost"];
const OWN_LIST = ["tools", "update_plan", "enabled"];
/** Behind the switch, so that the file itself says what to go back to. */
const SWITCHED = " # milepost: was true";

export const codex: Agent = {
  name: "codex",
  title: "Codex",
  binary: "codex",
  folder,
  edits: (world) => [
    configEdit(configFile(world)),
    hooksEdit(hooksFile(world)),
    guidanceEdit(join(folder(world), "AGENTS.md"), "update_plan"),
  ],
  ownList: (world, read) =>
    tomlAt(read(configFile(world)) ?? "", OWN_LIST) === true
      ? "Codex has its own list tool (update_plan is enabled in config.toml)."
      : undefined,
  ownListHint: "Codex offers its own list tool only with [tools.update_plan] enabled = true in config.toml.",
  wired: (world, read) => wired(read(configFile(world)) ?? "", read(hooksFile(world)) ?? ""),
  untrusted(world, read) {
    const state = tomlAt(read(configFile(world)) ?? "", ["hooks", "state"]);
    const known = isObject(state) ? Object.keys(state) : [];
    if (known.some((key) => key.startsWith(`${hooksFile(world)}:`))) return undefined;
    return "Codex skips the hooks until you trust them: start codex once, and trust them.";
  },
  ask,
  sight,
  afterwards: ["Codex runs new or changed hooks only after you trust them: start codex once. codex exec never asks."],
};

function folder({ environment, program }: World): string {
  return environment.CODEX_HOME || join(program.userFolder, ".codex");
}

function configFile(world: World): string {
  return join(folder(world), "config.toml");
}

function hooksFile(world: World): string {
  return join(folder(world), "hooks.json");
}

function hooksEdit(file: string): FileEdit {
  return jsonEdit({
    file,
    // It passes over all hooks of a file with a comment or a byte order mark; config.toml may have both.
    reader: { title: "Codex", takesMark: false },
    wire: (text, wish) => wireHooks(text, wantedHooks("codex", HOOKS, linesFor(wish))),
    unwire: unwireHooks,
  });
}

function configEdit(file: string): FileEdit {
  return {
    file,
    wire(text, wish, made) {
      const parsed = parseToml(text ?? "");
      if (!parsed.ok) return refuseFile(file, parsed.error.message);
      if (wish.offer.todo === "client") return text === undefined ? ok({ text, notes: [] }) : this.unwire(text, made);
      const wired = wireServer(text ?? "", file, wish);
      if (!wired.ok) return wired;
      const direct = wireDirect(wired.value, wish);
      const next = switchOff(direct.text);
      return ok({ text: next.text === "" ? text : next.text, notes: [...direct.notes, ...next.notes] });
    },
    unwire(text, made) {
      const parsed = parseToml(text);
      if (!parsed.ok) return refuseFile(file, parsed.error.message);
      const hidden = undoDirect(text, made);
      const rest = isOurServer(tomlAt(hidden, SERVER)) ? removeTable(hidden, SERVER) : hidden;
      return rest === undefined ? byHand(file, "removed") : ok({ text: switchOn(rest), notes: [] });
    },
    made: (before, after) => madeForDirect(before ?? "", after),
    flaw(text) {
      const parsed = parseToml(text);
      return parsed.ok ? undefined : parsed.error.message;
    },
  };
}

function wireDirect(text: string, { isDirectRefused }: Wish): { readonly text: string; readonly notes: string[] } {
  if (isDirectRefused && !isDirect(text))
    return {
      text,
      notes: [
        "This version of Codex cannot be told to show todo to every model. Update it, then run: milepost setup codex",
      ],
    };
  const direct = makeDirect(text);
  if (direct !== undefined) return { text: direct, notes: [] };
  return {
    text,
    notes: [
      `Add "mcp__milepost" to features.code_mode.direct_only_tool_namespaces in config.toml by hand: setup cannot edit it as it is written.`,
    ],
  };
}

function wireServer(text: string, file: string, { launch, offer }: Wish): Result<string> {
  const entry = serverCommand(launch, offer);
  const server = tomlAt(text, SERVER);
  if (server === undefined) {
    const added = addTable(text, SERVER, entry);
    return added === undefined ? byHand(file, "added") : ok(added);
  }
  if (!isOurServer(server))
    return fail({
      code: "foreign-server",
      message: `Nothing was changed: ${file} has a server milepost that setup did not add. Remove it: codex mcp remove milepost`,
    });
  const changed = (["command", "args"] as const).filter(
    (key) => JSON.stringify(server[key]) !== JSON.stringify(entry[key]),
  );
  const updated = changed.reduce<string | undefined>(
    (next, key) => next && replaceToml(next, [...SERVER, key], entry[key]),
    text,
  );
  return updated === undefined ? byHand(file, "updated") : ok(updated);
}

function byHand(file: string, what: string) {
  return fail({
    code: "bad-config",
    message: `Nothing was changed: [mcp_servers.milepost] in ${file} cannot be ${what} without changing other lines. Do it by hand.`,
  });
}

function isOurServer(server: unknown): server is Pick<ServerEntry, "command" | "args"> {
  return isObject(server) && Array.isArray(server.args) && isOurCommand([server.command, ...server.args], "mcp");
}

function switchOff(text: string): { readonly text: string; readonly notes: readonly string[] } {
  if (tomlAt(text, OWN_LIST) !== true) return { text, notes: [] };
  const switched = replaceToml(text, OWN_LIST, false);
  const rows = switched === undefined ? undefined : ownListRows(switched);
  if (switched === undefined || !rows)
    return {
      text,
      notes: [`Set ${OWN_LIST.join(".")} = false in config.toml by hand: setup cannot edit it as it is written.`],
    };
  const end = switched.slice(rows.start, rows.end).trimEnd().length + rows.start;
  return { text: `${switched.slice(0, end)}${SWITCHED}${switched.slice(end)}`, notes: [] };
}

function switchOn(text: string): string {
  const rows = ownListRows(text);
  if (!rows || !text.slice(rows.start, rows.end).trimEnd().endsWith(SWITCHED)) return text;
  const place = text.indexOf(SWITCHED, rows.start);
  const without = text.slice(0, place) + text.slice(place + SWITCHED.length);
  return replaceToml(without, OWN_LIST, true) ?? text;
}

function ownListRows(text: string) {
  return statementsOf(text).find(
    ({ type, path }) => type === "pair" && path.every((key, index) => key === OWN_LIST[index]),
  )?.rows;
}

function wired(config: string, hooksText: string): Wired {
  const server = tomlAt(config, SERVER);
  const hooks = openJson(hooksText).ok ? ourHooks(hooksText) : [];
  const env = isObject(server) && isObject(server.env) ? (server.env as ServerEntry["env"]) : {};
  return {
    server: isOurServer(server) ? { command: server.command, args: server.args, env } : undefined,
    ...wiredHooks("codex", HOOKS, hooks, isOurServer(server)),
  };
}

/** Milliseconds. A person waits for it, and without an answer the key is taken to be known. */
const ASK_LIMIT = 4000;

/** Codex refuses to start over a key that it does not know: so it is asked, before the key is in its file. */
async function ask(world: World): Promise<AgentAnswer> {
  const [answer, notes] = await Promise.all([askCodex(world), adapterNotes(world, DIRECT_KEY)]);
  return { ...answer, notes };
}

const DIRECT_KEY = `features.code_mode.direct_only_tool_namespaces=["mcp__milepost"]`;

async function askCodex({ environment }: World): Promise<AgentAnswer> {
  const about = { env: environment, limit: ASK_LIMIT };
  const list = (...flags: string[]) => runProgram("codex", ["mcp", "list", ...flags], about);
  const withKey = await list("-c", DIRECT_KEY);
  if (withKey.ok || isSilence(withKey.error.message)) return { takesDirect: true };
  const without = await list();
  if (without.ok) return { takesDirect: false };
  return { takesDirect: true, ...(isMissing(without.error.message) ? {} : { refusal: without.error.message }) };
}

function isMissing(message: string): boolean {
  return /\bENOENT\b|\bEACCES\b/.test(message);
}

function sight(world: World, read: ReadText): ToolSight {
  const config = read(configFile(world)) ?? "";
  const model = configuredModel(config);
  const title = model === undefined ? "Codex" : `Codex (${model})`;
  const models = objectAt(parseJson(read(join(folder(world), "models_cache.json")) ?? ""));
  const isShown = isDirect(config) || wayOf(models, model) === "direct";
  const hiding = profilesOf(world).filter((file) => hidesTool(read(file) ?? ""));
  return {
    ...(isShown
      ? { works: `${title}: todo is offered directly` }
      : { hidden: `${title}: todo is not offered directly, and most models do not look for it` }),
    notes: hiding.map(
      (file) =>
        `The profile ${file} hides todo: add "mcp__milepost" to its direct_only_tool_namespaces, or remove them.`,
    ),
  };
}

/** `codex --profile NAME` puts NAME.config.toml on top of the first. */
function profilesOf(world: World): readonly string[] {
  const place = folder(world);
  const names = existsSync(place) ? readdirSync(place) : [];
  return names.filter((name) => name.endsWith(".config.toml")).map((name) => join(place, name));
}
