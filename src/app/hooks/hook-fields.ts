import { isObject, parseJson } from "../../core/json.js";
import type { Fields, FirstClient } from "./hook-input.js";

/** The fields of a hook that reach the server: a hook that calls a tool sends only what its wiring names. */

const CALL = ["tool_name", "tool_use_id", "tool_input"];
const AGENT = ["agent_id", "agent_type"];

const COMMON: Readonly<Record<FirstClient, readonly string[]>> = {
  "claude-code": ["session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "agent_id", "agent_type"],
  // Only what every hook has: Codex drops a call without a word when one of its fields is not there. Which agent
  // it is (`agent_id` is such a field) says the call itself.
  codex: ["session_id", "transcript_path", "cwd", "turn_id", "model"],
};

/** What an event has besides. One that is not here is not heard this way. */
const EVENTS: Readonly<Record<FirstClient, Readonly<Record<string, readonly string[]>>>> = {
  "claude-code": {
    UserPromptSubmit: ["prompt", "source"],
    PreToolUse: CALL,
    PostToolUse: [...CALL, "tool_response", "duration_ms"],
    PostToolUseFailure: [...CALL, "error", "is_interrupt", "duration_ms"],
    PostToolBatch: ["tool_calls"],
    Notification: ["notification_type", "message"],
    PermissionRequest: ["tool_name", "tool_input"],
    SubagentStart: [],
    SubagentStop: ["stop_hook_active", "last_assistant_message"],
    Stop: ["stop_hook_active", "last_assistant_message", "background_tasks", "session_crons"],
    StopFailure: ["error", "last_assistant_message"],
    TaskCompleted: ["task_id"],
    PreCompact: ["trigger"],
    PostCompact: ["trigger"],
  },
  codex: {
    UserPromptSubmit: ["permission_mode", "prompt"],
    PreToolUse: ["permission_mode", ...CALL],
    PostToolUse: ["permission_mode", ...CALL, "tool_response"],
    PermissionRequest: ["permission_mode", "tool_name", "tool_input"],
    SubagentStart: ["permission_mode", ...AGENT],
    SubagentStop: ["permission_mode", ...AGENT, "stop_hook_active", "last_assistant_message"],
    Stop: ["permission_mode", "stop_hook_active", "last_assistant_message"],
    Interrupt: ["permission_mode"],
    PreCompact: ["trigger"],
    PostCompact: ["trigger"],
  },
};

/** The `input` of a hook's tool call in the wiring: a client fills in a field where its name stands in braces. */
export function hookToolInput(client: FirstClient, event: string): Readonly<Record<string, string>> | undefined {
  const own = Object.hasOwn(EVENTS[client], event) ? EVENTS[client][event] : undefined;
  if (!own) return undefined;
  return Object.fromEntries(["hook_event_name", ...COMMON[client], ...own].map((name) => [name, `\${${name}}`]));
}

/** Fields that are no text. */
const TYPED: Readonly<Record<string, (text: string) => unknown>> = {
  tool_input: valueIn,
  tool_response: valueIn,
  tool_calls: valueIn,
  background_tasks: valueIn,
  session_crons: valueIn,
  duration_ms: numberIn,
  stop_hook_active: flagIn,
  is_interrupt: flagIn,
};

/** Where an empty text says something: a sub-agent that ends without a kind is the client's own. */
const EMPTY: Readonly<Record<string, readonly string[]>> = { SubagentStop: ["agent_type"] };

/**
 * The fields as a command reads them on its input: what Claude Code filled in as text becomes what it was. Codex keeps
 * the types of values that are one field and nothing else.
 */
export function readToolInput(input: unknown): Fields {
  if (!isObject(input)) return {};
  if (typeof input.turn_id === "string") return input;
  const event = typeof input.hook_event_name === "string" ? input.hook_event_name : "";
  const kept = Object.hasOwn(EMPTY, event) ? EMPTY[event] : [];
  const fields = Object.entries(input).flatMap(([name, value]) => {
    if (value === "" && !kept?.includes(name)) return [];
    const read = typeof value === "string" && Object.hasOwn(TYPED, name) ? TYPED[name]?.(value) : value;
    return [[name, read] as const];
  });
  return Object.fromEntries(fields);
}

/** An object or a list was filled in as JSON; a text as it is, also one that looks like a number. */
function valueIn(text: string): unknown {
  return /^\s*[[{]/.test(text) ? (parseJson(text) ?? text) : text;
}

function numberIn(text: string): unknown {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

function flagIn(text: string): unknown {
  return text === "true" ? true : text === "false" ? false : text;
}
