import { PLUGIN_SERVER } from "../../call/call-event.js";

/** Tools of ours that a text may name. */
export type OurTool = "todo" | "task" | "plan";

/** What the model of one client is offered. */
interface Offered {
  readonly todo: "ours" | "client";
  readonly tasks: boolean;
}

/** Clients that put the server's name before a tool's. */
const PREFIXES: Readonly<Record<string, string>> = {
  "claude-code": "mcp__milepost__",
  codex: "mcp__milepost.",
  "oh-my-pi": "mcp__milepost_",
  pi: "mcp__milepost_",
};

/**
 * How a model reaches a server's tools. `direct`: they are in its requests. `code`: it calls them out of code that it
 * writes. `search`: it looks for them first. `either`: one of these two, and nobody told which. `plugin`: in its
 * requests, under the name that Claude Code gives the server of our plugin.
 */
export type ToolWay = "direct" | "code" | "search" | "either" | "plugin";

/** A tool of our plugin's server, in Claude Code. */
export function pluginTool(tool: OurTool): string {
  return `mcp__${PLUGIN_SERVER}__${tool}`;
}

/** Our tool as the model of this client calls it. */
export function ourToolName(client: string, tool: OurTool, way: ToolWay = "direct"): string {
  const inCode = `tools.mcp__milepost__${tool} in exec`;
  switch (way) {
    case "direct":
      return `${Object.hasOwn(PREFIXES, client) ? PREFIXES[client] : ""}${tool}`;
    case "plugin":
      return pluginTool(tool);
    case "code":
      return inCode;
    case "search":
      return `${tool} of milepost (found by tool_search)`;
    case "either":
      return `${tool} of milepost (${inCode}, or found by tool_search)`;
  }
}

/** For a model that is not told of our tool by its client. */
export function wayText(client: string, way: ToolWay): string {
  return `Milepost: for a todo list that outlasts compaction, use ${ourToolName(client, "todo", way)}.`;
}

/**
 * The tool that changes a session's list, as its model calls it; undefined where it has none that we know of. `used`:
 * the client's own, once that has written the list.
 */
export function listToolName(
  client: string,
  used: string | undefined,
  { todo }: Offered,
  way?: () => ToolWay,
): string | undefined {
  return used ?? (todo === "ours" ? ourToolName(client, "todo", way?.()) : undefined);
}

/** Our task tool as the model calls it; undefined where it is not offered. */
export function taskToolName(client: string, { tasks }: Offered, way?: () => ToolWay): string | undefined {
  return tasks ? ourToolName(client, "task", way?.()) : undefined;
}
