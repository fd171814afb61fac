import { isObject, parseJson } from "../../core/json.js";
import type { Fields, HookInput } from "./hook-input.js";

/** The fields of a hook that reach the server: a hook that calls a tool sends only what its wiring names. */
type Client = HookInput["client"];

const CALL = ["tool_name", "tool_use_id", "tool_input"];

const COMMON: Readonly<Record<Client, readonly string[]>> = {
  "claude-code": ["session_id", "transcript_path", "cwd", "prompt_id", "permission_mode", "agent_id", "agent_type"],
  codex: ["session_id", "transcript_path", "cwd", "turn_id", "model", "permission_mode", "agent_id", "agent_type"],
};

/** What an event has besides. One that is not here is not heard this way. */
const EVENTS: Readonly<Record<Client, Readonly<Record<string, readonly string[]>>>> = {
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
    PreCompact: ["trigger"],
    PostCompact: ["trigger"],
  },
  codex: {
    UserPromptSubmit: ["prompt"],
    PreToolUse: CALL,
    PostToolUse: [...CALL, "tool_response"],
    PermissionRequest: ["tool_name", "tool_input"],
    SubagentStart: [],
    SubagentStop: ["stop_hook_active", "last_assistant_message"],
    Stop: ["stop_hook_active", "last_assistant_message"],
    Interrupt: [],
    PreCompact: ["trigger"],
    PostCompact: ["trigger"],
  },
};

/** The `input` of a hook's tool call in the wiring: a client fills in a field where its name stands in braces. */
export function hookToolInput(client: Client, event: string): Readonly<Record<string, string>> | undefined {
  const own = Object.hasOwn(EVENTS[client], event) ? EVENTS[client][event] : undefined;
  if (!own) return undefined;
  return Object.fromEntries(["hook_event_name", ...COMMON[client], ...own].map((name) => [name, `\${${name}}`]));
}

/** Fields that are no text for the client, which fills them in as text. */
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

/** The fields as a command reads them on its input: what the client filled in becomes what it was. */
export function readToolInput(input: unknown): Fields {
  if (!isObject(input)) return {};
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
