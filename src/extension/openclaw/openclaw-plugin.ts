import { resolve } from "node:path";
import { type Launch, MilepostServer, type OfferedTool } from "../milepost-server.js";
import { HeardSessions } from "./heard-sessions.js";
import {
  type EndedCall,
  type EndedRun,
  type EventPlace,
  OWN_PREFIX,
  type SessionEnd,
  type ToolResult,
  withWords,
} from "./plugin-events.js";

// Our plugin in OpenClaw: the tools of our server, offered to the model directly, and what happens in sessions, told to
// that server as hooks tell it. As tools of a server they would be behind a search, and their answers inside a warning.

/** Setup writes it above this text; `tools`: what the model is offered. */
declare const MILEPOST_LAUNCH: Launch & { readonly tools: readonly OfferedTool[] };

/** As much of OpenClaw as is used here. */
interface PluginApi {
  registerTool(make: (place: EventPlace) => object | null, options: { readonly name: string }): void;
  registerAgentToolResultMiddleware(
    handle: (event: EndedCall & { readonly result: ToolResult }, place: EventPlace) => Promise<object | undefined>,
    options: { readonly runtimes: readonly string[] },
  ): void;
  registerService(service: { readonly id: string; start(): void; stop(): void }): void;
  on<Event>(name: string, handle: (event: Event, place: EventPlace) => unknown): void;
}

interface BuiltPrompt {
  readonly prompt: string;
  readonly currentUserMessage?: string;
  readonly messages?: readonly unknown[];
}

interface ToolEvent {
  readonly toolName: string;
  readonly params: unknown;
  readonly toolCallId?: string;
  readonly result?: unknown;
  readonly error?: string;
  readonly durationMs?: number;
}

interface Shared {
  readonly server: MilepostServer;
  readonly sessions: HeardSessions;
}

/** OpenClaw loads a plugin several times, and takes its parts from different ones: they have one server. */
const SHARED = Symbol.for("milepost.openclaw");
const holder = globalThis as { [SHARED]?: Shared | undefined };

function shared(): Shared {
  holder[SHARED] ??= open();
  return holder[SHARED];
}

function open(): Shared {
  const server = new MilepostServer("openclaw", MILEPOST_LAUNCH, resolve());
  return { server, sessions: new HeardSessions((fields) => server.hook(fields)) };
}

/** Loaded anew it may be of another version. */
function close(): void {
  holder[SHARED]?.server.close();
  holder[SHARED] = undefined;
}

/** Loaded by OpenClaw. */
export default {
  id: "milepost",
  name: "Milepost",
  description: "Todo list, tasks and progress of sessions",
  register(api: PluginApi): void {
    for (const tool of MILEPOST_LAUNCH.tools) offer(api, tool);
    hear(api);
    api.registerService({ id: "milepost", start: () => undefined, stop: close });
  },
};

function offer(api: PluginApi, { name: tool, title, description, inputSchema }: OfferedTool): void {
  const name = `${OWN_PREFIX}${tool}`;
  const make = ({ sessionId: session }: EventPlace) => {
    if (session === undefined) return null;
    const execute = async (call: string, input: unknown) => {
      const { server, sessions } = shared();
      const { text, isError } = await server.call(tool, input, { session, call, turn: sessions.runOf(session) });
      return { content: [{ type: "text", text }], details: isError ? { status: "error", error: text } : {} };
    };
    return { name, label: title, description, parameters: inputSchema, catalogMode: "direct-only", execute };
  };
  api.registerTool(make, { name });
}

function hear(api: PluginApi): void {
  api.on<BuiltPrompt>("before_prompt_build", async ({ prompt, currentUserMessage, messages = [] }, place) => {
    const words = await shared().sessions.prompted(currentUserMessage ?? prompt, messages.length > 0, place);
    return words === "" ? undefined : { prependContext: words };
  });
  api.on<ToolEvent>("before_tool_call", async ({ toolName, params, toolCallId }, place) => {
    const reason = await shared().sessions.called(toolName, params, toolCallId, place);
    return reason === "" ? undefined : { block: true, blockReason: reason };
  });
  api.registerAgentToolResultMiddleware(
    async (event, place) => {
      const words = await shared().sessions.answered(event, place);
      return words === "" ? undefined : { result: withWords(event.result, words) };
    },
    { runtimes: ["openclaw"] },
  );
  api.on<ToolEvent>("after_tool_call", ({ params: args, ...event }, place) =>
    shared().sessions.ended({ ...event, args }, place),
  );
  api.on("after_compaction", (_event, place) => shared().sessions.compacted(place));
  api.on<EndedRun>("agent_end", (event, place) => shared().sessions.stopped(event, place));
  api.on<EventPlace & SessionEnd>("session_end", (event, place) =>
    shared().sessions.left(event, { ...event, ...place }),
  );
}
