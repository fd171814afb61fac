import { join } from "node:path";
import { isObject } from "../../../core/json.js";
import { fail, ok, type Result } from "../../../core/result.js";
import { isOurCommand, shellCommand } from "../command-line.js";
import { guidanceEdit } from "../edits/guidance-block.js";
import { openJson } from "../edits/json-document.js";
import { badFile, jsonEdit } from "../edits/json-edit.js";
import { missingHooks, ourHooks, unwireHooks, type WantedHook, wireHooks } from "../edits/json-hooks.js";
import { addTable, parseToml, removeTable, replaceToml, tomlAt } from "../edits/toml-document.js";
import { statementsOf } from "../edits/toml-statements.js";
import type { Agent, Edited, FileEdit, ServerEntry, Wired, Wish, World } from "./agent.js";

/** Codex gives the end of a session three seconds, and complains at every start about more. */
const HOOKS: readonly WantedHook[] = [
  { event: "SessionStart" },
  { event: "SessionEnd", timeout: 3 },
  { event: "UserPromptSubmit" },
  // What it asks the person: no other hook tells.
  { event: "PreToolUse", matcher: "request_user_input" },
  { event: "PostToolUse" },
  { event: "PermissionRequest" },
  { event: "Stop" },
  { event: "Interrupt", timeout: 3 },
  { event: "SubagentStart" },
  { event: "SubagentStop" },
  { event: "PreCompact" },
  { event: "PostCompact" },
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
    guidanceEdit(join(folder(world), "AGENTS.md")),
  ],
  ownList: (world, read) =>
    tomlAt(read(configFile(world)) ?? "", OWN_LIST) === true
      ? "Codex has its own list tool (update_plan is enabled in config.toml)."
      : undefined,
  wired: (world, read) => wired(read(configFile(world)) ?? "", read(hooksFile(world)) ?? ""),
  untrusted(world, read) {
    const state = tomlAt(read(configFile(world)) ?? "", ["hooks", "state"]);
    const known = isObject(state) ? Object.keys(state) : [];
    if (known.some((key) => key.startsWith(`${hooksFile(world)}:`))) return undefined;
    return "Codex skips the hooks until you trust them: start codex once, and trust them.";
  },
  afterwards: [
    "Codex runs new or changed hooks only after you trust them: it asks at its next start. codex exec never asks.",
  ],
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
    wire: (text, { launch }) => wireHooks(text, HOOKS, shellCommand(launch, "hook")),
    unwire: unwireHooks,
  });
}

function configEdit(file: string): FileEdit {
  return {
    file,
    wire(text, wish) {
      const parsed = parseToml(text ?? "");
      if (!parsed.ok) return badFile(file, parsed.error.message);
      const wired = wireServer(text ?? "", file, wish);
      if (!wired.ok) return wired;
      const next = wish.isOwnListOff ? switchOff(wired.value) : { text: wired.value, notes: [] };
      return ok({ ...next, text: next.text === "" ? text : next.text });
    },
    unwire(text) {
      const parsed = parseToml(text);
      if (!parsed.ok) return badFile(file, parsed.error.message);
      const rest = isOurServer(tomlAt(text, SERVER)) ? removeTable(text, SERVER) : text;
      return rest === undefined ? byHand(file, "removed") : ok({ text: switchOn(rest), notes: [] });
    },
  };
}

function wireServer(text: string, file: string, { launch }: Wish): Result<string> {
  const entry = { command: launch.node, args: [launch.script, "mcp"] };
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

function switchOff(text: string): Edited {
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
    hooks: [...new Set(hooks.map(({ command }) => command))],
    missing: missingHooks(HOOKS, hooks),
  };
}
