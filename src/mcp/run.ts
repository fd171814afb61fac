import type { Host } from "../app/host.js";

/** The MCP server on stdio. Returns the exit code when the client has gone. */
export async function runMcp(host: Host): Promise<number> {
  await host.writeError("not yet\n");
  return 1;
}
