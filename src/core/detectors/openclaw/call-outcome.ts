import { isObject, type JsonObject, listAt, objectAt } from "../../json.js";
import { failureShape } from "./failure-shape.js";
import { type LoopRules, SINCE } from "./loop-rules.js";
import { errorText, missingTool, type Sha256, stableText } from "./stable-text.js";
import { withoutNonces, withoutVolatileIds } from "./volatile-parts.js";

/** What came of a call, as far as loops go. */
export interface LoopOutcome {
  /** The same for the same outcome; absent where nothing came back. */
  readonly hash?: string;
  /** The call was refused because it is a loop. */
  readonly isVeto?: true;
  /** An error, or a write that changed nothing. */
  readonly isFutile?: true;
  /** The tool that is not there. */
  readonly missing?: string;
  /** Of a command that failed: the same for the same failure, times and numbers of tries left out. */
  readonly failure?: string;
}

export interface ToolCallAnswer {
  readonly tool: string;
  readonly args?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A call that looks whether another one is over. */
export function isPollCall(tool: string, args: unknown): boolean {
  const { action } = objectAt(args);
  return tool === "command_status" || (tool === "process" && (action === "poll" || action === "log"));
}

export function loopOutcome(call: ToolCallAnswer, rules: LoopRules, sha256: Sha256): LoopOutcome {
  const digest = (value: unknown) => sha256(stableText(value));
  const { error, result } = call;
  if (error !== undefined) {
    const missing = rules.month >= SINCE.runs ? missingTool(error) : undefined;
    return { hash: `error:${digest(errorText(error))}`, isFutile: true, ...(missing && { missing }) };
  }
  if (result === undefined) return {};
  if (!isObject(result)) return { hash: digest(result) };
  if (rules.month >= SINCE.sends && isVeto(result)) return rules.month >= SINCE.churn ? { isVeto: true } : {};
  const read = rules.month >= SINCE.churn ? objectAt(withoutNonces(result)) : result;
  if (rules.month >= SINCE.churn && call.tool === "write" && objectAt(read.details).changed === false)
    return { hash: digest({ status: "unchanged" }), isFutile: true };
  const hash = digest(outcomeParts(call, read, rules));
  const failure = rules.month >= SINCE.churn && call.tool === "exec" ? failureShape(commandEnd(read)) : undefined;
  return failure === undefined ? { hash } : { hash, failure: digest(failure) };
}

function isVeto(result: JsonObject): boolean {
  const { status, deniedReason } = objectAt(result.details);
  return status === "blocked" && deniedReason === "tool-loop";
}

/** What of an answer is hashed: for some tools less than all of it. */
function outcomeParts({ tool, args }: ToolCallAnswer, result: JsonObject, rules: LoopRules): unknown {
  const details = objectAt(result.details);
  const text = resultText(result);
  const command = tool === "exec" && rules.month >= SINCE.runs ? commandParts(result) : undefined;
  if (command) return command;
  const { action } = objectAt(args);
  const isPoll = tool === "process" && isPollCall(tool, args);
  if (isPoll && action === "poll")
    return { action, status: details.status, ...orNull(details, ["exitCode", "exitSignal", "aggregated"]), text };
  if (isPoll) {
    const parts = ["totalLines", "totalChars", "truncated", "exitCode", "exitSignal"];
    return { action, status: details.status, ...orNull(details, parts), text };
  }
  if (rules.month >= SINCE.sends && isSend(tool, action)) return withoutVolatileIds(details);
  return { details, text };
}

function orNull(details: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, details[name] ?? null]));
}

/** The text of an answer; pictures are left out. */
function resultText({ content }: JsonObject): string {
  return listAt(content)
    .flatMap((block) =>
      isObject(block) && typeof block.type === "string" && typeof block.text === "string" ? [block.text] : [],
    )
    .join("\n")
    .trim();
}

function commandEnd(result: JsonObject) {
  const { status, exitCode, timedOut, aggregated } = objectAt(result.details);
  const output = (typeof aggregated === "string" && aggregated.trim()) || resultText(result);
  return { status, exitCode: typeof exitCode === "number" ? exitCode : null, timedOut: timedOut === true, output };
}

function commandParts(result: JsonObject): JsonObject | undefined {
  const { status, tail, reason, host, command, warningText } = objectAt(result.details);
  const words = (value: unknown) => (typeof value === "string" ? value : null);
  if (status === "running") return { status, tail: words(tail) ?? "" };
  if (status === "completed" || status === "failed") return commandEnd(result);
  if (status === "approval-pending" || status === "approval-unavailable")
    return {
      status,
      reason: words(reason),
      host: words(host),
      command: words(command) ?? "",
      warningText: words(warningText) ?? "",
    };
  return undefined;
}

const SEND_ACTIONS: readonly unknown[] = [
  "send",
  "broadcast",
  "reply",
  "thread-reply",
  "sendWithEffect",
  "sendAttachment",
  "upload-file",
  "sticker",
  "poll",
];

/** Every message that is sent has a new id, and is no progress. */
function isSend(tool: string, action: unknown): boolean {
  return tool === "sessions_send" || (tool === "message" && SEND_ACTIONS.includes(action));
}
