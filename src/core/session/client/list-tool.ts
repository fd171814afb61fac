/** Tools of ours that a text may name. */
export type OurTool = "todo" | "task";

/** What the model of one client is offered. */
interface Offered {
  readonly todo: "ours" | "client";
  readonly tasks: boolean;
}

/** Clients that put the server's name before a tool's. */
const PREFIXES: Readonly<Record<string, string>> = { "claude-code": "mcp__milepost__", codex: "mcp__milepost__" };

/** Our tool as the model of this client calls it. */
export function ourToolName(client: string, tool: OurTool): string {
  return `${Object.hasOwn(PREFIXES, client) ? PREFIXES[client] : ""}${tool}`;
}

/**
 * The tool that changes a session's list, as its model calls it; undefined where it has none that we know of. `used`:
 * the client's own, once that has written the list.
 */
export function listToolName(client: string, used: string | undefined, { todo }: Offered): string | undefined {
  return used ?? (todo === "ours" ? ourToolName(client, "todo") : undefined);
}

/** Our task tool as the model calls it; undefined where it is not offered. */
export function taskToolName(client: string, { tasks }: Offered): string | undefined {
  return tasks ? ourToolName(client, "task") : undefined;
}
