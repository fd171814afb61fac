import { BoundedMap } from "../bounded-map.js";
import { type Fields, fieldsOf, textOf } from "../host-values.js";
import type { MilepostServer, OfferedTool } from "../milepost-server.js";
import type { Message, PluginHooks, PluginInput } from "./opencode-api.js";
import {
  answeredCall,
  answerWith,
  askedFields,
  brokenTurn,
  callFields,
  failedCall,
  isOurs,
  offeredName,
  reminder,
  typedText,
  withoutOurServer,
  withoutOwnList,
} from "./plugin-facts.js";
import { MOST_SESSIONS, PluginSessions } from "./plugin-sessions.js";
import { TurnEnds } from "./turn-ends.js";

/** The tool that stands for its own list. */
const LIST = "todo";

/** Milepost in opencode's process: our tools, its events as hooks, and words to its model. */
export async function openPlugin(
  server: MilepostServer,
  { client }: Pick<PluginInput, "client">,
  { hasTools }: { readonly hasTools: boolean },
): Promise<PluginHooks> {
  const tools = hasTools ? await server.tools() : [];
  const sessions = new PluginSessions(server, client);
  const isListOurs = tools.some(({ name }) => name === LIST);
  return {
    tool: Object.fromEntries(tools.map((tool) => [offeredName(tool.name), ownTool(tool, server, sessions)])),
    async config(config) {
      if (isListOurs) config.permission = withoutOwnList(config.permission);
      if (config.mcp !== undefined) config.mcp = withoutOurServer(config.mcp);
    },
    async dispose() {
      server.close();
    },
    async "tool.definition"({ toolID }, definition) {
      const tool = tools.find(({ name }) => offeredName(name) === toolID);
      if (tool) definition.jsonSchema = tool.inputSchema;
    },
    ...turnHooks(sessions),
    ...callHooks(sessions),
  };
}

/** Its arguments are described by `tool.definition`: a plugin's own description would make each of them required. */
function ownTool({ name, description }: OfferedTool, server: MilepostServer, sessions: PluginSessions) {
  // What a host of servers tells its model of a server stands where opencode takes it from a plugin.
  const advice = name === LIST && server.instructions !== "" ? `\n\n${server.instructions}` : "";
  return {
    description: `${description}${advice}`,
    args: {},
    async execute(input: unknown, { sessionID, callID }: { readonly sessionID: string; readonly callID?: string }) {
      const place = await sessions.placeOf(sessionID);
      const turn = sessions.turnOf(sessionID);
      const { text, isError } = await server.call(name, input, { ...place, ...(callID && { call: callID }), turn });
      if (isError) throw new Error(text);
      return text;
    },
  };
}

type TurnHooks = Pick<
  PluginHooks,
  | "event"
  | "chat.message"
  | "experimental.text.complete"
  | "experimental.session.compacting"
  | "experimental.chat.messages.transform"
>;

function turnHooks(sessions: PluginSessions): TurnHooks {
  const last = new BoundedMap<string>(MOST_SESSIONS);
  const trigger = new BoundedMap<string>(MOST_SESSIONS);
  const ends = new TurnEnds();
  return {
    async event({ event: { type, properties } }) {
      const told = fieldsOf(properties);
      if (type === "session.created") sessions.made(fieldsOf(told.info));
      const id = textOf(told.sessionID) ?? textOf(fieldsOf(told.part).sessionID);
      if (id === undefined) return;
      const { type: kind, auto: isAuto } = fieldsOf(told.part);
      if (kind === "compaction") trigger.set(id, isAuto === false ? "manual" : "auto");
      if (type === "session.compacted") sessions.compacted(id);
      const event = ends.sift(id, { type, told });
      if (event) await tellEvent(sessions, id, { ...event, last });
    },
    async "chat.message"({ sessionID }, { message, parts }) {
      const { agent } = await sessions.placeOf(sessionID);
      sessions.prompted(sessionID, textOf(message.id));
      ends.begin(sessionID);
      last.delete(sessionID);
      // What a sub-agent is asked comes from no person.
      const prompt = { hook_event_name: "UserPromptSubmit", prompt: typedText(parts) };
      if (agent === undefined) await sessions.tell(sessionID, prompt);
      if (canTake(parts)) addPart(parts, { sessionID, messageID: message.id }, await sessions.words(sessionID));
    },
    async "experimental.text.complete"({ sessionID }, { text }) {
      last.set(sessionID, text);
    },
    async "experimental.session.compacting"({ sessionID }) {
      await sessions.tell(sessionID, { hook_event_name: "PreCompact", trigger: trigger.get(sessionID) ?? "auto" });
      sessions.sumUp(sessionID, true);
    },
    async "experimental.chat.messages.transform"(_, { messages }) {
      await addKept(sessions, messages);
    },
  };
}

interface SessionEvent {
  readonly type: string;
  readonly told: Fields;
  /** What each model said last. */
  readonly last: ReadonlyMap<string, string>;
}

async function tellEvent(sessions: PluginSessions, id: string, { type, told: by, last }: SessionEvent): Promise<void> {
  const fields = eventFields(type, by, last.get(id));
  if (!fields) return;
  const { agent } = await sessions.placeOf(id);
  const isEnd = agent !== undefined && (type === "session.idle" || type === "session.error");
  if (!isEnd || type === "session.error") await sessions.tell(id, fields, textOf(fields.tool_use_id));
  // The end of a sub-agent's work, a bad one too, is an event of the session that it works for.
  if (isEnd) await sessions.tell(id, { ...fields, hook_event_name: "SubagentStop" });
}

function eventFields(type: string, told: Fields, last: string | undefined): Fields | undefined {
  if (type === "session.error") return brokenTurn(told.error);
  // Nothing can be asked at the end of a turn, whoever is there.
  if (type === "session.idle") return { hook_event_name: "Stop", last_assistant_message: last, is_unattended: true };
  if (type !== "message.part.updated") return askedFields(type, told);
  const failed = failedCall(fieldsOf(told.part));
  return failed && { hook_event_name: "PostToolUseFailure", ...callFields(failed), error: failed.error };
}

/** Where no part has an id, words wait for the next place. */
function canTake(parts: readonly Fields[]): boolean {
  return textOf(parts.at(-1)?.id) !== undefined;
}

/** It lies in the database with the prompt, and opencode's own screen does not show it. */
function addPart(parts: Fields[], place: Fields, words: readonly string[]): void {
  const last = textOf(parts.at(-1)?.id);
  if (words.length === 0 || last === undefined) return;
  const text = reminder(words);
  // Parts are in the order of their ids.
  const part = { ...place, id: `${last}0`, type: "text", text, synthetic: true };
  if (!parts.some((other) => other.text === text)) parts.push(part);
}

/**
 * Words behind a call, and where no prompt comes: behind a compaction. They are in no message that opencode keeps,
 * where a person would see them, but in this request and in each later one that has the same message.
 */
async function addKept(sessions: PluginSessions, messages: readonly Message[]): Promise<void> {
  const asked = messages.findLast(({ info }) => info.role === "user");
  const [sessionID, message] = [textOf(asked?.info.sessionID), textOf(asked?.info.id)];
  if (sessionID === undefined || message === undefined) return;
  // Whoever sums up passes no words on: they wait for the next request.
  if (sessions.isSummedUp(sessionID)) sessions.sumUp(sessionID, false);
  else sessions.keep(message, await sessions.words(sessionID));
  for (const { info, parts } of messages) {
    const words = sessions.kept(info.id);
    if (words) addPart(parts, { sessionID, messageID: info.id }, words);
    for (const [at, part] of parts.entries()) {
      const behind = sessions.kept(part.callID);
      if (behind) parts[at] = answerWith(part, reminder(behind));
    }
  }
}

type CallHooks = Pick<PluginHooks, "tool.execute.before" | "tool.execute.after">;

function callHooks(sessions: PluginSessions): CallHooks {
  return {
    async "tool.execute.before"({ tool, sessionID, callID }, { args }) {
      // Our own server knows of its calls.
      if (isOurs(tool)) return;
      const fields = callFields({ tool, call: callID, input: args });
      const refusal = await sessions.ask(sessionID, { hook_event_name: "PreToolUse", ...fields });
      if (refusal !== "") throw new Error(refusal);
    },
    async "tool.execute.after"({ tool, sessionID, callID, args }, answer) {
      await sessions.tell(sessionID, answeredCall({ tool, call: callID, input: args }, answer), callID);
    },
  };
}
