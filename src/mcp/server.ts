import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type ClientCapabilities,
  type ElicitRequestFormParams,
  type InputRequiredResult,
  ProtocolError,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { isPlanTool, type NamedDialect, type ToolDefinition } from "../app/calls/dialect-names.js";
import { promptText } from "../core/text/prompt-text.js";
import { isHookCall } from "./hook-tool.js";
import type { Asking, PlanReply } from "./plan-approval.js";
import type { Calls } from "./tool-calls.js";
import { INVALID_PARAMS, unboxed } from "./wire.js";

interface Envelope {
  readonly [CLIENT_INFO_META_KEY]?: { readonly name: string };
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities;
}

/** Claude Code hides tools behind a search unless they say so; a checklist that has to be looked for is not kept. */
const META = { "anthropic/alwaysLoad": true };

/** Definitions are constants of this version, the same for everybody. */
const CACHE = { ttlMs: 60 * 60 * 1000, cacheScope: "public" } as const;

/** Traits are for hosts that know them; a model does not read them. */
function offered({ traits, isRetired: _, ...tool }: ToolDefinition): object {
  return { ...tool, _meta: traits === undefined ? META : { ...META, "milepost/traits": traits } };
}

export interface ServerParts {
  readonly version: string;
  readonly dialect: NamedDialect;
  readonly calls: Calls;
  /** `modern`: since 2026 a call that needs a person ends with a form. */
  readonly era: "modern" | "legacy";
  /** Called when the client has its tools. */
  readonly later: () => void;
}

/** The low-level server: definitions are JSON Schema already, and dialects check arguments in words for a model. */
export function createServer({ version, dialect, calls, era, later }: ServerParts): Server {
  const server = new Server(
    { name: "milepost", title: "Milepost", version },
    {
      capabilities: { tools: {} },
      ...(dialect.instructions === undefined ? undefined : { instructions: dialect.instructions }),
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
  server.setRequestHandler(
    "tools/call",
    async ({ params }, { mcpReq }): Promise<CallToolResult | InputRequiredResult> => {
      const { name: tool, arguments: box, _meta: meta = {} } = params;
      // Since 2026 the client says its name with each call, before that once. The SDK has checked both.
      const envelope = mcpReq.envelope as Envelope | undefined;
      const clientName = envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name;
      const call = { tool, ...unboxed(box), meta, clientName };
      if (isHookCall(call)) return { content: [{ type: "text", text: await calls.hooks.answer(call) }] };
      if (!dialect.tools.some(({ name }) => name === tool)) {
        const withheld = dialect.withheld.find(({ name }) => name === tool);
        const hint = withheld ? `. The person can offer it: milepost setup ${withheld.flag}` : "";
        throw new ProtocolError(INVALID_PARAMS, `Unknown tool: ${promptText(tool)}${hint}`);
      }
      if (isPlanTool(dialect.name, tool)) {
        const able = envelope ? envelope[CLIENT_CAPABILITIES_META_KEY] : server.getClientCapabilities();
        const way = !hasForms(able) ? "none" : era === "modern" ? "later" : "now";
        return planResult(await calls.answerPlan(call, askingOf(mcpReq, way, server.getNegotiatedProtocolVersion())));
      }
      const { text, isError } = await calls.answer(call);
      // Only text: both Claude Code and Codex would show a model structured content instead of it.
      return { content: [{ type: "text", text }], isError };
    },
  );
  return server;
}

/** Before there were kinds of forms, to have them at all meant these. */
function hasForms({ elicitation }: ClientCapabilities = {}): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

function askingOf(request: ServerContext["mcpReq"], way: Asking["way"], revision: string | undefined): Asking {
  const { signal, inputResponses: answers } = request;
  const state: unknown = request.requestState();
  return {
    way,
    revision,
    signal,
    state,
    answers,
    ask: (form, options) =>
      request.send({ method: "elicitation/create", params: form as unknown as ElicitRequestFormParams }, options),
  };
}

function planResult(reply: PlanReply): CallToolResult | InputRequiredResult {
  if (reply.type === "answer") {
    const { text, isError } = reply.answer;
    return { content: [{ type: "text", text }], isError };
  }
  const { form, state } = reply;
  const approval = { method: "elicitation/create", params: form as unknown as ElicitRequestFormParams } as const;
  return { resultType: "input_required", inputRequests: { approval }, requestState: state };
}
