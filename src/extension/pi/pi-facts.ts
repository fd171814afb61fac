import { contentText, type Fields, fieldsOf } from "../host-values.js";
import type { Context, HostEvent } from "./pi-host.js";

// Events of oh-my-pi and pi in the words of our hooks. Pure.

/** It hands its own modules to an extension; pi does not. Both may load one file: one variable names both folders. */
export function isOhMyPi(host: object): boolean {
  return "pi" in host;
}

/** Our tools have the names that oh-my-pi itself gives those of a server. */
const OURS = "mcp__milepost_";

/** What a model calls one of our tools by. */
export function nameOfOurs(tool: string): string {
  return `${OURS}${tool}`;
}

/** A hook names a server's tool with two underscores. */
function hookName(name: string): string {
  return name.startsWith(OURS) ? `mcp__milepost__${name.slice(OURS.length)}` : name;
}

/** oh-my-pi writes to a device to call a tool that is behind it, and then tells of that call, too. */
const DEVICE = "xd://";

/** oh-my-pi's own list: beside ours it would confuse the model. */
export const OWN_LIST = "todo";

/** Undefined for a call that is told of otherwise. */
export function callFields({ toolName, toolCallId, input }: HostEvent): Fields | undefined {
  if (typeof toolName !== "string") return undefined;
  const { path } = fieldsOf(input);
  if (toolName === "write" && typeof path === "string" && path.startsWith(DEVICE)) return undefined;
  return { tool_name: hookName(toolName), tool_use_id: toolCallId, tool_input: input };
}

/** By a person. */
const STOPPED = /(?:^|[\n[])(?:Command|Operation|Eval cell) aborted\]?\s*$/;

const EXIT = /Command exited with code (-?\d{1,9})\s*$/;

/** The end of a call, with how a command ended where one of the two ways to tell it does. */
export function resultFields(event: HostEvent): Fields | undefined {
  const called = callFields(event);
  if (!called) return undefined;
  const text = contentText(event.content);
  const { exitCode, phases } = fieldsOf(event.details);
  const told = typeof exitCode === "number" ? exitCode : Number(EXIT.exec(text.slice(-200))?.[1] ?? Number.NaN);
  const exit = event.toolName === "bash" && Number.isSafeInteger(told) ? told : undefined;
  const answered = { ...called, tool_response: exit === undefined ? text : { stdout: text, exitCode: exit } };
  // Who goes by what the model asked for does not know what the person did, nor what was there before us.
  const list = event.toolName === OWN_LIST && Array.isArray(phases) ? { tool_list: phases } : undefined;
  if (event.isError !== true && !exit) return { hook_event_name: "PostToolUse", ...answered, ...list };
  const error = exit ? `exit code ${exit}` : text;
  const stopped = !exit && STOPPED.test(text.slice(-200)) ? { is_interrupt: true } : undefined;
  return { hook_event_name: "PostToolUseFailure", ...answered, error, ...stopped };
}

/** How the agent's last reply ended, and its words. */
export function endFields({ messages }: HostEvent): Fields {
  const last = (Array.isArray(messages) ? messages : []).map(fieldsOf).findLast(({ role }) => role === "assistant");
  const words = contentText(last?.content);
  if (last?.stopReason === "aborted") return { hook_event_name: "Interrupt" };
  if (last?.stopReason === "error")
    return {
      hook_event_name: "StopFailure",
      error: String(last.errorMessage ?? "error"),
      last_assistant_message: words,
    };
  return { hook_event_name: "Stop", last_assistant_message: words };
}

/** A session that has messages already goes on. */
export function sourceOf({ sessionManager }: Context, reason: unknown): string {
  if (reason === "new") return "clear";
  if (reason === "fork") return "fork";
  return sessionManager.getEntries().some(({ type }) => type === "message") ? "resume" : "startup";
}

/** oh-my-pi's /clear: the session goes on, and its model knows nothing. No event tells of it. */
const RESET = "reset_boundary";

export function resetsIn({ sessionManager }: Context): number {
  return sessionManager.getEntries().filter(({ type }) => type === RESET).length;
}

/** What cut the conversation last, where nothing that we wrote down since says what is open. */
export function lostIn({ sessionManager }: Context): "compact" | "clear" | undefined {
  const entries = sessionManager.getEntries();
  const at = entries.findLastIndex(({ type }) => type === "compaction" || type === RESET);
  if (at < 0 || entries.slice(at).some(({ details }) => fieldsOf(details).hasDigest === true)) return undefined;
  return entries[at]?.type === RESET ? "clear" : "compact";
}

/** A message says the same is open; headings say why it is told. */
export function isAmong(messages: readonly unknown[], digest: string): boolean {
  const open = digest.slice(digest.indexOf("\n") + 1);
  return open !== "" && messages.some((message) => contentText(fieldsOf(message).content).includes(open));
}

const OF_SESSION = /(?:^|[\\/])\d{4}-\d\d-\d\dT[\dZ-]+_[^\\/]+\.jsonl$/;
/** oh-my-pi's sub-agents end with it. */
const ENDS_AGENT = "yield";

/** A sub-agent of oh-my-pi is a session of its own, with our extension in it. Its file lies beside its session's. */
export function isSubAgent({ sessionManager }: Context, tools: readonly string[]): boolean {
  const file = sessionManager.getSessionFile?.();
  return tools.includes(ENDS_AGENT) || (file !== undefined && !OF_SESSION.test(file));
}

const PROGRESS = /\b(\d+\/\d+)(?: now (#\d+ [^\n]*))?/;
const MOST_SHOWN = 60;

/** How far the list is, for a person, out of what our tool answers; undefined where that does not tell. */
export function progressIn(answer: string): string | undefined {
  const [, done, now = ""] = PROGRESS.exec(answer) ?? [];
  if (done === undefined) return undefined;
  const shown = [...now].filter((sign) => sign >= " " && sign !== "\x7f").join("");
  return `todo ${done} ${shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN - 1)}…` : shown}`.trim();
}
