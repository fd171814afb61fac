import { isObject, type JsonObject, objectAt, textAt } from "../../../core/json.js";
import {
  bareAnswer,
  geminiTool,
  partsText,
  shellExit,
  withoutHookContext,
} from "../../../readers/gemini/gemini-answer.js";
import { type Fields, type HookInput, listOf, stringOf } from "../hook-input.js";
import type { ClientHooks } from "./client-hooks.js";

/** Gemini CLI's events that say what others say by another name. */
const EVENTS: Readonly<Record<string, (fields: Fields) => Fields | undefined>> = {
  SessionStart: (fields) => fields,
  SessionEnd: (fields) => fields,
  BeforeAgent: (fields) => ({
    hook_event_name: "UserPromptSubmit",
    prompt: withoutHookContext(stringOf(fields, "prompt") ?? ""),
  }),
  AfterTool: readCall,
  // Nobody is told whether a person sits there, and a question at the end would be shown to them as an error.
  AfterAgent: (fields) => ({
    hook_event_name: "Stop",
    last_assistant_message: stringOf(fields, "prompt_response"),
    stop_hook_active: fields.stop_hook_active,
    is_unattended: true,
  }),
  Notification: readNotification,
  BeforeModel: readRequest,
};

const KEPT = ["session_id", "cwd"];

/**
 * `PreCompress` is announced before each request, whether it is compacted or not: it tells nothing. That there was a
 * compaction is told by a request whose history begins with its summary. Setup's line for that event asks us only once
 * about each summary (`compacted` in milepost.sh).
 */
export const geminiHooks: ClientHooks = {
  read(fields) {
    const event = stringOf(fields, "hook_event_name") ?? "";
    const told = Object.hasOwn(EVENTS, event) ? EVENTS[event]?.(fields) : undefined;
    return told && { hook_event_name: event, ...Object.fromEntries(KEPT.map((name) => [name, fields[name]])), ...told };
  },
  answer({ event, fields }, text) {
    const { [REQUEST]: request } = fields;
    if (isObject(request)) return JSON.stringify({ hookSpecificOutput: { llm_request: withWords(request, text) } });
    const told = ANSWERED[event];
    if (told === undefined) return "";
    return JSON.stringify({ hookSpecificOutput: { hookEventName: told, additionalContext: text } });
  },
  whenSaid({ event, fields }: HookInput) {
    if (event === "Stop") return "later";
    // What is put into a request is gone with it, and what a resumed session is told at its start may not arrive.
    return event === "SessionStart" && stringOf(fields, "source") !== "startup" ? "twice" : undefined;
  },
};

/** Where it takes words for its model. */
const ANSWERED: Readonly<Record<string, string | undefined>> = {
  SessionStart: "SessionStart",
  UserPromptSubmit: "BeforeAgent",
  PostToolUse: "AfterTool",
  PostToolUseFailure: "AfterTool",
};

/** It tells no id of a call, and of its end one event, however it ended. */
function readCall(fields: Fields): Fields {
  const { tool_input, tool_response } = fields;
  const name = stringOf(fields, "tool_name") ?? "";
  const { server_name, tool_name } = objectAt(fields.mcp_context);
  const { tool, server } = geminiTool(name, { server: textAt(server_name), tool: textAt(tool_name) });
  const { llmContent, error } = objectAt(tool_response);
  const output = bareAnswer(partsText(llmContent));
  const exit = shellExit(tool, output);
  const called = { tool_name: server === undefined ? name : `mcp__${server}__${tool}`, tool_input };
  const answered = { tool_response: exit === undefined ? output : { stdout: output, exitCode: exit } };
  if (!isObject(error) && !exit) return { hook_event_name: "PostToolUse", ...called, ...answered };
  const problem = exit ? `exit code ${exit}` : textAt(objectAt(error).message) || output;
  return { hook_event_name: "PostToolUseFailure", ...called, ...answered, error: problem };
}

/** It has one kind so far: a tool waits for a person's permission. */
function readNotification(fields: Fields): Fields | undefined {
  if (fields.notification_type !== "ToolPermission") return undefined;
  return { notification_type: "permission_prompt", message: stringOf(fields, "message") };
}

const REQUEST = "compacted_request";
/** With which the model is made to take the summary that stands before it. */
const TAKEN = "Got it. Thanks for the additional context!";
const MOST_BEFORE_SUMMARY = 4;

function readRequest({ llm_request }: Fields): Fields | undefined {
  const messages = listOf(objectAt(llm_request), "messages").slice(0, MOST_BEFORE_SUMMARY);
  const at = messages.findIndex(({ role, content }) => role === "model" && partsText(content).startsWith(TAKEN));
  if (at < 1) return undefined;
  return { hook_event_name: "SessionStart", source: "compact", [REQUEST]: { messages: messages.slice(0, at) } };
}

/** The first messages of the request, up to the summary, which the words stand behind; the others stay as they are. */
function withWords({ messages }: JsonObject, text: string): JsonObject {
  const before = listOf({ messages }, "messages");
  const last = before.at(-1);
  const words = `<hook_context>${text.replace(/</g, "&lt;").replace(/>/g, "&gt;")}</hook_context>`;
  const summary = { role: "user", content: `${partsText(last?.content)}\n\n${words}` };
  return { messages: [...before.slice(0, -1), summary] };
}
