import { isObject, objectAt, oneLine, parseJson } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { answerText } from "../claude/tool-results.js";

/** How a call ended, and in one line why it failed. */
export type Outcome = Pick<Extract<Fact, { type: "call.ended" }>, "status" | "problem">;

export const COMPLETED: Outcome = { status: "completed" };

export function failed(problem: unknown): Outcome {
  return { status: "failed", problem: oneLine(problem) };
}

/** A list was written only when the client says exactly this. */
const PLAN_WRITTEN = "Plan updated";

/** The text that the model was answered with. */
export function outputText(output: unknown): string {
  const content = isObject(output) ? output.content : output;
  return typeof content === "string" ? content.toWellFormed() : answerText(content).trim();
}

/** What these begin with was never done. They are the client's own words, whatever the tool. */
const REFUSALS = [
  "unsupported call: ",
  "unsupported custom tool call: ",
  "failed to parse function arguments: ",
  "exec_command failed for ",
  "write_stdin failed: ",
  "apply_patch verification failed: ",
  "exec command rejected by user",
  "patch rejected by user",
  "tool call error: ",
];
const CANCELLED = /^(?:Wall time: [\d.]+ seconds\n)?aborted(?: by user\b|$)/;
/** Code mode runs scripts, and `wait` tells how one went on. */
const SCRIPT_TOOLS = ["exec", "wait"];

/** How a call ended, as its answer to the model tells it: files of old versions have nothing else. */
export function outcomeOfOutput(tool: string, output: unknown): Outcome {
  const text = outputText(output);
  if (tool === "update_plan") return text === PLAN_WRITTEN ? COMPLETED : failed(text);
  if (CANCELLED.test(text)) return { status: "cancelled" };
  if (objectAt(output).success === false || REFUSALS.some((begin) => text.startsWith(begin))) return failed(text);
  if (SCRIPT_TOOLS.includes(tool)) return outcomeOfScript(text);
  return outcomeOfExit(exitCodeIn(text));
}

function outcomeOfScript(text: string): Outcome {
  if (text.startsWith("Script terminated")) return { status: "cancelled" };
  return text.startsWith("Script failed") ? failed(text) : COMPLETED;
}

export function outcomeOfExit(code: unknown): Outcome {
  return typeof code === "number" && code !== 0 ? failed(`exit code ${code}`) : COMPLETED;
}

const HEAD_MAX = 2000;
const JSON_MAX = 1024 * 1024;

/** Only above what the command itself wrote: that may be a log of other commands. */
function exitCodeIn(text: string): unknown {
  if (text.startsWith('{"output":')) return objectAt(objectAt(parseShort(text)).metadata).exit_code;
  const [head = ""] = text.slice(0, HEAD_MAX).split(/^(?:Output|Final output):/m, 1);
  const [, code] = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m.exec(head) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Undefined for what is not JSON text, or far too long. */
export function parseShort(text: unknown): unknown {
  return typeof text === "string" && text.length <= JSON_MAX ? parseJson(text) : undefined;
}
