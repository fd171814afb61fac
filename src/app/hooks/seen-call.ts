import { isOurServer } from "../../core/call/call-event.js";
import { callMark, endFacts, startFacts } from "../../core/call/facts-of-call.js";
import { idAt, isObject } from "../../core/json.js";
import { redactStart } from "../../core/secrets/redact.js";
import { fitValue } from "../../core/value-limits.js";
import type { SeenCall } from "../calls/call-events.js";
import { isTaskTool, isTaskWrite } from "../session/client-facts.js";
import type { OfferingClient } from "../settings.js";
import { ownListDialect } from "./clients/own-lists.js";
import { exitInRollout } from "./command-exit.js";
import { type Fields, type HookInput, stringOf } from "./hook-input.js";

const MCP_TOOL = /^mcp__(.+?)__(.+)$/s;

/** Tools that keep the session's list: what they do is not the work itself. */
export function isListTool(client: OfferingClient, name: string): boolean {
  return ownListDialect(client, name) !== undefined || isTaskTool(name) || isOurServer(MCP_TOOL.exec(name)?.[1]);
}

/** What it refuses leaves the list unwritten. Our own `task` and `plan` keep something else; some only look. */
export function isListWrite(client: OfferingClient, name: string): boolean {
  const { tool, server } = toolNames(name);
  if (isOurServer(server)) return tool !== "task" && tool !== "plan";
  return isListTool(client, name) && (!isTaskTool(name) || isTaskWrite(name));
}

/** A tool of an MCP server has the server's name in its own. */
export function toolNames(name: string): Pick<SeenCall, "tool" | "server"> {
  const [, server, tool = name] = (name.startsWith("mcp__") ? MCP_TOOL.exec(name) : undefined) ?? [];
  return { tool: tool.slice(0, NAME_MAX), server: server?.slice(0, NAME_MAX) };
}

/** A call as a hook reports it. Arguments and results are not kept, except one line that names the subject. */
export function seenCall(hook: HookInput, told: SeenCall["status"]): SeenCall {
  const { fields, agent, client, checkPatterns } = hook;
  const name = stringOf(fields, "tool_name") ?? "";
  const { duration_ms: milliseconds, tool_input: input, tool_response: output } = fields;
  const call = callOf(fields);
  const error = stringOf(fields, "error");
  const exit = exitInRollout(hook, call);
  const hasFailed = told === "completed" && exit !== undefined && exit !== 0;
  const status = hasFailed ? "failed" : told;
  const { tool, server } = toolNames(name);
  const raw = { tool, server, input };
  const start = startFacts(raw, checkPatterns);
  const end = { output, error, status, exit, isBlind: client === "codex" };
  return {
    call,
    tool,
    server,
    agent,
    status,
    milliseconds: typeof milliseconds === "number" ? milliseconds : undefined,
    subject: isObject(input) ? subjectOf(input) : undefined,
    problem: oneLine(error ?? (hasFailed ? `exit code ${exit}` : undefined)),
    facts: { ...start, ...endFacts(raw, start, end, checkPatterns) },
    // The client has taken the call already: what is too deep or too large is marked, never refused.
    ...(isTaskTool(name) ? { input: fitValue(input), output: fitValue(output) } : undefined),
  };
}

/** The client's own id of a call; undefined when it is not a plain id, because events carry it. */
export function callOf(fields: Fields): string | undefined {
  return idAt(fields.tool_use_id);
}

/** What is known of a call when it begins. */
export function startedCall(fields: Fields) {
  const tool = stringOf(fields, "tool_name") ?? "";
  const { tool_input: input } = fields;
  const facts = callMark({ ...toolNames(tool), input });
  return { tool, subject: isObject(input) ? subjectOf(input) : undefined, facts };
}

const NAME_MAX = 100;
const LINE_MAX = 200;

const SUBJECTS = ["command", "file_path", "path", "notebook_path", "pattern", "url", "query", "description", "cmd"];

function subjectOf(input: Fields): string | undefined {
  const found = SUBJECTS.map((name) => input[name]).find((value) => typeof value === "string" || Array.isArray(value));
  return oneLine(Array.isArray(found) ? found.filter((part) => typeof part === "string").join(" ") : found);
}

function oneLine(value: unknown): string | undefined {
  return typeof value === "string"
    ? redactStart(value, 4 * LINE_MAX)
        .replace(/\s+/g, " ")
        .trim()
        .slice(0, LINE_MAX)
    : undefined;
}
