import { isOurServer } from "../../../core/call/call-event.js";
import { idAt, objectAt, sessionAt, textAt } from "../../../core/json.js";
import { bareAnswer, copilotTool, exitIn } from "../../../readers/copilot/copilot-answer.js";
import { LIST_TOOL, partsOf, ranBefore, writingQuery } from "../../../readers/copilot/copilot-list.js";
import { type Fields, stringOf } from "../hook-input.js";
import type { ClientHooks } from "./client-hooks.js";

/** Its events, by the word behind our command: what it sends does not name them. */
const EVENTS: Readonly<Record<string, (fields: Fields) => Fields | undefined>> = {
  sessionStart: ({ source }) => ({ hook_event_name: "SessionStart", source: source === "resume" ? source : "startup" }),
  // The prompt of a sub-agent is its agent's.
  userPromptSubmitted: (fields) =>
    ofMain(fields, { hook_event_name: "UserPromptSubmit", prompt: stringOf(fields, "prompt") }),
  preMcpToolCall: readServerCall,
  postToolUse: readCall,
  postToolUseFailure: readFailure,
  // What was said last is not told, nor whether a person sits there.
  agentStop: (fields) =>
    ofMain(fields, {
      ...{ hook_event_name: "Stop", stop_hook_active: fields.stop_hook_active },
      is_unattended: true,
    }),
  subagentStart: (fields) => ({ hook_event_name: "SubagentStart", ...agentOf(fields) }),
  subagentStop: (fields) => ({
    ...{ hook_event_name: "SubagentStop", ...agentOf(fields) },
    ...{ last_assistant_message: fields.response, stop_hook_active: fields.stop_hook_active },
  }),
  preCompact: ({ trigger }) => ({ hook_event_name: "PreCompact", trigger }),
  notification: readNotification,
  sessionEnd: ({ reason }) => ({ hook_event_name: "SessionEnd", reason }),
};

export const copilotHooks: ClientHooks = {
  read(fields, event = "") {
    const told = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(fields) : undefined;
    return told && { ...whereOf(fields), cwd: fields.cwd, ...told };
  },
  answer({ event }, text) {
    if (event === "Stop") return JSON.stringify({ decision: "block", reason: text });
    return ANSWERED.includes(event) ? JSON.stringify({ additionalContext: text }) : "";
  },
  // Before a compaction it takes no words; what is said with a call behind it is not in what is cut away.
  whenSaid: ({ event }) => (event === "PreCompact" ? "twice" : undefined),
  reply: ({ event, session, agent, fields }) =>
    event === SERVER_CALL ? JSON.stringify({ metaToUse: metaOf(session, agent, fields) }) : undefined,
};

/** What a notice is answered, it takes for a person's next prompt. */
const ANSWERED = ["SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SubagentStart"];

/** A call in a sub-agent comes from a session of that one's own. */
function whereOf(fields: Fields): Fields {
  const agent = stringOf(fields, "agentId");
  if (agent === undefined || fields.sessionId !== agent) return { session_id: fields.sessionId };
  return { session_id: sessionAt(fields.parentAgentId) ?? agent, agent_id: agent };
}

function ofMain(fields: Fields, told: Fields): Fields | undefined {
  return stringOf(fields, "agentId") === undefined ? told : undefined;
}

function agentOf({ agentId, agentType }: Fields): Fields {
  return { agent_id: agentId, agent_type: agentType };
}

/** No event of anybody's: the server is told whose call it is, and records it. */
const SERVER_CALL = "ServerCall";

function readServerCall({ serverName, toolCallId, _meta }: Fields): Fields | undefined {
  if (!isOurServer(textAt(serverName))) return undefined;
  return { hook_event_name: SERVER_CALL, tool_use_id: toolCallId, meta: _meta };
}

function metaOf(session: string, agent: string | undefined, { meta, tool_use_id }: Fields): Fields {
  const call = idAt(tool_use_id);
  return {
    ...objectAt(meta),
    "milepost/session": session,
    ...(agent !== undefined && { "milepost/agent": agent }),
    ...(call !== undefined && { "milepost/call": call }),
  };
}

/** It tells no id of a call. */
function readCall(fields: Fields): Fields {
  const { name, called } = calledIn(fields);
  const text = textAt(objectAt(fields.toolResult).textResultForLlm) ?? "";
  const exit = exitIn(name, text);
  const output = bareAnswer(text);
  const answered = { tool_response: exit === undefined ? output : { stdout: output, exitCode: exit } };
  if (exit) return { hook_event_name: "PostToolUseFailure", ...called, ...answered, error: `exit code ${exit}` };
  if (name !== LIST_TOOL) return { hook_event_name: "PostToolUse", ...called, ...answered };
  return { hook_event_name: "PostToolUse", ...called, ...answered, tool_input: listInput(fields) };
}

/** What SQL has run before it was refused is in the list. */
function readFailure(fields: Fields): Fields {
  const { name, called } = calledIn(fields);
  const error = stringOf(fields, "error") ?? "";
  const query = name === LIST_TOOL ? stringOf(objectAt(fields.toolArgs), "query") : undefined;
  const ran = query === undefined ? undefined : writingQuery(ranBefore(query, error));
  if (ran === undefined) return { hook_event_name: "PostToolUseFailure", ...called, error };
  return {
    hook_event_name: "PostToolUse",
    ...called,
    tool_response: error,
    tool_input: { description: "", query: ran },
  };
}

function calledIn(fields: Fields) {
  const name = stringOf(fields, "toolName") ?? "";
  const { tool, server } = copilotTool(name);
  const called = { tool_name: server === undefined ? name : `mcp__${server}__${tool}`, tool_input: fields.toolArgs };
  return { name, called };
}

/** Without it there is nothing to write: its other tables are not the list. */
function listInput({ toolArgs }: Fields): Fields | undefined {
  const query = writingQuery(objectAt(toolArgs).query);
  const written = query === undefined ? "" : partsOf(query).join(";\n");
  return written === "" ? undefined : { description: "", query: written };
}

/** A person is asked; other notices tell of what has ended. */
function readNotification(fields: Fields): Fields | undefined {
  const kind = stringOf(fields, "notification_type") ?? "";
  if (!["permission_prompt", "elicitation_dialog"].includes(kind)) return undefined;
  return { hook_event_name: "Notification", notification_type: kind, message: stringOf(fields, "message") };
}
