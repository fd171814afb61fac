import { contentText, type Fields, fieldsOf, textOf } from "../host-values.js";

// What OpenClaw tells a plugin, in the words of a hook. Pure.

/** How our tools are called there: as OpenClaw itself names the tool of a server, so that readers know whose it is. */
export const OWN_PREFIX = "milepost__";

/** Whose event it is, as far as it says so. */
export interface EventPlace {
  readonly sessionId?: string;
  readonly sessionKey?: string;
  readonly runId?: string;
  readonly workspaceDir?: string;
  readonly trigger?: string;
  readonly inputProvenance?: { readonly kind?: string };
}

export interface ToolResult {
  readonly content?: readonly unknown[];
  readonly details?: unknown;
}

/** A call at its end, in the shape of each of the two ways to hear of it. */
export interface EndedCall {
  readonly toolCallId?: string;
  readonly toolName: string;
  readonly args: unknown;
  readonly result?: unknown;
  readonly isError?: boolean;
  readonly error?: string;
  readonly durationMs?: number | undefined;
}

/** The tool behind which most others are; `id` is the name of the real one, or that name behind where it comes from. */
const WRAPPER = "tool_call";
/** The real call inside of such a one is announced, too, under an id that no transcript has. */
const INNER = /^tool_search_code:/;

export function isInner(call: string | undefined): boolean {
  return call !== undefined && INNER.test(call);
}

/** The tool that a model meant, and what that one got; a server's tool as hooks name it. */
export function realCall(tool: string, input: unknown): { readonly tool_name: string; readonly tool_input: unknown } {
  const { id, ...rest } = fieldsOf(input);
  const isWrapped = tool === WRAPPER && typeof id === "string";
  const name = isWrapped ? id.slice(id.lastIndexOf(":") + 1).trim() : tool;
  return { tool_name: /^.+?__./s.test(name) ? `mcp__${name}` : name, tool_input: isWrapped ? innerInput(rest) : input };
}

/** Models write it in other places than `args`, too, and OpenClaw takes that. */
function innerInput({ args, input, ...beside }: Fields): unknown {
  const nested = args ?? input;
  return nested == null || Object.keys(nested).length === 0 ? beside : nested;
}

/** What ended, as a hook tells of it. */
export function endedFields({ toolCallId, toolName, args, result, isError, error, durationMs }: EndedCall): Fields {
  const { content, details } = realResult(toolName, fieldsOf(result));
  const { status, error: told, exitCode } = fieldsOf(details);
  const isBad = typeof exitCode === "number" && exitCode !== 0;
  const hasFailed = isError === true || error !== undefined || status === "error" || isBad;
  const answer = contentText(content);
  const said = typeof told === "string" ? told : isBad && isError !== true ? `exit code ${exitCode}` : answer;
  return {
    hook_event_name: hasFailed ? "PostToolUseFailure" : "PostToolUse",
    ...realCall(toolName, args),
    tool_use_id: toolCallId,
    tool_response: { content: [{ type: "text", text: answer }], details: { exitCode } },
    ...(hasFailed && { error: error ?? said }),
    ...(durationMs !== undefined && { duration_ms: durationMs }),
  };
}

/** A person's words; or that something else has woken the agent: a timer, another session. */
export function promptFields(prompt: string, { trigger = "user", inputProvenance, runId }: EventPlace): Fields {
  const isPerson = trigger === "user" && (inputProvenance?.kind ?? "external_user") === "external_user";
  return {
    hook_event_name: "UserPromptSubmit",
    prompt,
    ...(runId !== undefined && { prompt_id: runId }),
    ...(!isPerson && { source: "system" }),
  };
}

export interface EndedRun {
  readonly messages?: readonly unknown[];
  readonly success?: boolean;
  readonly error?: string;
}

/** Nobody is told whether a person sits there, and a question at the end would take the place of the answer. */
export function runFields({ messages = [], success, error }: EndedRun, { runId }: EventPlace): Fields {
  const turn = runId === undefined ? undefined : { prompt_id: runId };
  // That the model's API refused, or its reply was cut off, is said of the reply alone: the run has succeeded then.
  const last = fieldsOf(messages.map(fieldsOf).findLast(({ role }) => role === "assistant"));
  const hasFailed = error !== undefined || (success !== false && last.stopReason === "error");
  if (hasFailed) return { hook_event_name: "StopFailure", error: error ?? textOf(last.errorMessage) ?? "", ...turn };
  if (success === false || last.stopReason === "aborted") return { hook_event_name: "Interrupt", ...turn };
  return { hook_event_name: "Stop", last_assistant_message: contentText(last.content), is_unattended: true, ...turn };
}

/** Why a session ended; `nextSessionId` may be the same one. */
export interface SessionEnd {
  readonly reason?: unknown;
  readonly nextSessionId?: unknown;
}

/** A person wants to begin anew. OpenClaw itself takes its card away then, and nothing else that it keeps. */
const ANEW: readonly unknown[] = ["new", "reset"];

/** In the words of a hook. */
export function endReason({ reason }: SessionEnd): unknown {
  return ANEW.includes(reason) ? "clear" : reason;
}

/** Ends after which the session goes on: the gateway starts again, or only its history became shorter. */
const GOES_ON = ["shutdown", "restart", "compaction"];

export function isOver(reason: unknown): boolean {
  return typeof reason !== "string" || !GOES_ON.includes(reason);
}

/** The result with words of ours behind it; without words the same one. */
export function withWords<T extends ToolResult>(result: T, words: string): T {
  return words === "" ? result : { ...result, content: [...(result.content ?? []), { type: "text", text: words }] };
}

export function joined(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** What a wrapped tool answered lies beside the text that the model reads of it. */
function realResult(tool: string, result: Fields): ToolResult {
  const { result: inside } = fieldsOf(result.details);
  return (tool === WRAPPER && inside !== undefined ? fieldsOf(inside) : result) as ToolResult;
}
