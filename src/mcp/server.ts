import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  ProtocolError,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import type { NamedDialect, ToolDefinition } from "../app/calls/dialect-names.js";
import { GUIDANCE } from "../core/text/guidance-text.js";
import { promptText } from "../core/text/prompt-text.js";
import { isHookCall } from "./hook-tool.js";
import type { Calls } from "./tool-calls.js";
import { INVALID_PARAMS, unboxed } from "./wire.js";

/** Claude Code hides tools behind a search unless they say so; a checklist that has to be looked for is not kept. */
const META = { "anthropic/alwaysLoad": true };

/** Definitions are constants of this version, the same for everybody. */
const CACHE = { ttlMs: 60 * 60 * 1000, cacheScope: "public" } as const;

/** Ours speaks of our own tool; a foreign one may bring its agent's own guidance. */
function instructionsOf({ name, guidance }: NamedDialect): { readonly instructions?: string } {
  if (guidance !== undefined) return { instructions: guidance };
  return name === "milepost" ? { instructions: GUIDANCE } : {};
}

/** Traits are for hosts that know them; a model does not read them. */
function offered({ traits, isRetired: _, ...tool }: ToolDefinition): object {
  return { ...tool, _meta: traits === undefined ? META : { ...META, "milepost/traits": traits } };
}

/**
 * The low-level server: definitions are JSON Schema already, and dialects check arguments in words for a model. `later`
 * is called when the client has its tools.
 */
export function createServer(version: string, dialect: NamedDialect, calls: Calls, later: () => void): Server {
  const server = new Server(
    { name: "milepost", title: "Milepost", version },
    {
      capabilities: { tools: {} },
      ...instructionsOf(dialect),
      cacheHints: { "tools/list": CACHE, "server/discover": CACHE },
    },
  );
  const tools = dialect.offered.map(offered) as unknown as Tool[];
  server.setRequestHandler("tools/list", () => {
    // A client that has its tools goes on, and its next word is a call or a hook.
    setImmediate(() => {
      calls.prepare();
      later();
    });
    return { tools };
  });
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }): Promise<CallToolResult> => {
    const { name: tool, arguments: box, _meta: meta = {} } = params;
    // Since 2026 the client says its name with each call, before that once. The SDK has checked both.
    const envelope = mcpReq.envelope as { readonly [CLIENT_INFO_META_KEY]?: { readonly name: string } } | undefined;
    const clientName = envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
    const call = { tool, ...unboxed(box), meta, clientName };
    if (isHookCall(call)) return { content: [{ type: "text", text: await calls.hooks.answer(call) }] };
    if (!dialect.tools.some(({ name }) => name === tool)) {
      const hint = dialect.withheld.includes(tool) ? ". The person can offer it: milepost setup --tasks" : "";
      throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${promptText(tool)}${hint}`);
    }
    const { text, isError } = await calls.answer(call);
    // Only text: both Claude Code and Codex would show a model structured content instead of it.
    return { content: [{ type: "text", text }], isError };
  });
  return server;
}
