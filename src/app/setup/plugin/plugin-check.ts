import { existsSync } from "node:fs";
import { join } from "node:path";
import { quoteForPosix } from "../../../core/text/shell-quote.js";
import type { Agent, World } from "../agents/agent.js";
import { readText } from "../config-file.js";
import { isTemporary } from "../durable-copy.js";
import { askServer, runLine } from "../probe.js";
import { checkHookAnswer, HOOK_INPUT, type WiringCheck, type WiringFinding } from "../wiring-check.js";
import { type InstalledPlugin, pluginNote } from "./installed-plugin.js";

/** Starts what a client would start of our plugin. */
export async function checkPlugin(world: World, agent: Agent, plugin: InstalledPlugin): Promise<WiringCheck> {
  const { server, hooks } = agent.wired(world, readText);
  const isTwice = server !== undefined || hooks.length > 0;
  const isOutdated = false;
  const notes = [
    ...(isTwice ? [pluginNote(agent, plugin, true)] : []),
    ...(plugin.folder !== undefined && isTemporary(plugin.folder, world)
      ? [
          `It is run in ${plugin.folder}, which will be swept. A copy that stays, and how to add it: npx milepost plugin`,
        ]
      : []),
  ];
  const script = plugin.folder === undefined ? undefined : join(plugin.folder, "milepost.cjs");
  if (script === undefined || !existsSync(script))
    return { isOutdated, works: [], notes, findings: [gone(agent, plugin)] };
  return { isOutdated, notes, ...(await tried(script, world, plugin)) };
}

function gone({ title }: Agent, { folder, removal }: InstalledPlugin): WiringFinding {
  const where = folder === undefined ? "it" : folder;
  const message = `${title} cannot find its plugin: ${where} is gone. Remove it: ${removal}; then add it again: npx milepost plugin`;
  return { code: "stale-path", level: "broken", message };
}

/** By the Node in the PATH, as clients do. */
async function tried(
  script: string,
  { environment }: World,
  { id }: InstalledPlugin,
): Promise<Pick<WiringCheck, "works" | "findings">> {
  const client = "milepost-doctor";
  const server = await askServer({ command: "node", args: [script, "mcp"], env: {} }, environment, { client });
  const hook = checkHookAnswer(await runLine(`node ${quoteForPosix(script)} hook`, HOOK_INPUT, environment));
  const works: string[] = [];
  const findings: WiringFinding[] = [];
  const failed = (code: string, what: string, why: string) =>
    findings.push({
      code,
      level: "broken",
      message: `The plugin ${id} starts its ${what}, but it fails: ${why.replace(/\.$/, "")}. Look: node --version`,
    });
  if (server.ok) works.push(`MCP server (tools: ${server.value.tools.join(", ")})`);
  else failed("server-failed", "MCP server", server.error.message);
  if (hook.ok) works.push(`hook (${hook.value})`);
  else failed("hook-failed", "hook", hook.error.message);
  return { works, findings };
}
