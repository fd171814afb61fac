import { hookToolInput } from "../../hooks/hook-fields.js";
import type { FirstClient } from "../../hooks/hook-input.js";
import { readLine, shellCommand } from "../command-line.js";
import {
  HOOK_TOOL,
  type HookEntry,
  missingHooks,
  type OurHook,
  outdatedHooks,
  type WantedHook,
} from "../edits/json-hooks.js";
import type { Wired, Wish } from "./agent.js";

/**
 * How an event reaches us while our server hears hooks: `tool` is a call of the server, `both` a line beside it for a
 * server that is gone. For the others the client has no server yet, or no longer: `start` keeps what it is told for the
 * server, `line` starts us.
 */
type Way = "tool" | "both" | "start" | "line";

export interface HookRow {
  readonly event: string;
  readonly way: Way;
  /** Where lines are wired alone: for these tools only, because each costs a process. */
  readonly lineMatcher?: string;
  /** Wired only with a server of ours. */
  readonly needsServer?: boolean;
  /** Seconds, where the client allows less than we would. */
  readonly timeout?: number;
}

/** Seconds. A hook that takes longer is cut off by the client, and the agent waits no longer than this. */
const LINE_TIMEOUT = 10;
const TOOL_TIMEOUT = 5;

export interface HookLines {
  readonly hasServer: boolean;
  /** Hooks go through the server. */
  readonly isServed: boolean;
  readonly line: string;
  readonly guard: string;
  readonly start: string;
}

/** What the person's wish comes to. Without /bin/sh nobody could look for the server. */
export function linesFor({ launch, offer }: Wish): HookLines {
  const hasServer = offer.todo === "ours";
  return {
    hasServer,
    isServed: hasServer && offer.hooks !== "commands" && launch.platform !== "win32",
    line: shellCommand(launch, "hook"),
    guard: shellCommand(launch, "guard"),
    start: shellCommand(launch, "start"),
  };
}

export function wantedHooks(client: FirstClient, rows: readonly HookRow[], lines: HookLines): readonly WantedHook[] {
  return rows
    .filter(({ needsServer }) => lines.hasServer || needsServer !== true)
    .flatMap((row) => (lines.isServed ? servedHooks(client, row, lines) : [lineHook(row, lines.line)]));
}

function lineHook({ event, lineMatcher, timeout }: HookRow, command: string): WantedHook {
  const entry = lineEntry(command, timeout);
  return lineMatcher === undefined ? { event, entry } : { event, matcher: lineMatcher, entry };
}

function servedHooks(client: FirstClient, { event, way, timeout }: HookRow, lines: HookLines): WantedHook[] {
  const tool = toolEntry(client, event, timeout);
  const entries: Readonly<Record<Way, readonly HookEntry[]>> = {
    tool: [tool],
    both: [lineEntry(lines.guard, timeout), tool],
    start: [lineEntry(lines.start, timeout)],
    line: [lineEntry(lines.line, timeout)],
  };
  return entries[way].map((entry) => ({ event, entry }));
}

function lineEntry(command: string, timeout = LINE_TIMEOUT): HookEntry {
  return { type: "command", command, timeout };
}

function toolEntry(client: FirstClient, event: string, timeout = TOOL_TIMEOUT): HookEntry {
  const input = hookToolInput(client, event) ?? {};
  return { type: "mcp_tool", ...HOOK_TOOL, input, timeout: Math.min(timeout, TOOL_TIMEOUT) };
}

/** What of it is in the agent's file. */
export function wiredHooks(
  client: FirstClient,
  rows: readonly HookRow[],
  found: readonly OurHook[],
  hasServer: boolean,
): Pick<Wired, "hooks" | "toolHooks" | "hookCount" | "missing" | "outdated"> {
  const lines = found.flatMap((hook) => (hook.type === "command" ? [hook.command] : []));
  const toolHooks = found.flatMap(({ event, ...hook }) =>
    hook.type === "mcp_tool" ? [JSON.stringify([event, hook.input])] : [],
  );
  // A line that looks for a server is half of a wiring: alone it would keep quiet about what nobody hears.
  const isServed = toolHooks.length > 0 || lines.some((line) => readLine(line, "hook")?.folder !== undefined);
  const wanted = (withServer: boolean) =>
    wantedHooks(client, rows, { hasServer: withServer, isServed, line: "", guard: "", start: "" });
  return {
    hooks: [...new Set(lines)],
    toolHooks,
    hookCount: new Set(found.map(({ event }) => event)).size,
    missing: missingHooks(wanted(hasServer || isServed), found),
    outdated: outdatedHooks(wanted(true), found),
  };
}
