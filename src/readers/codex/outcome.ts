import { isObject, objectAt, oneLine, parseJson, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { answerText } from "../claude/tool-results.js";

/** How a call ended, and in one line why it failed. */
export type Outcome = Pick<Extract<Fact, { type: "call.ended" }>, "status" | "problem">;

/** How a call ended, and with what. */
export interface CallAnswer {
  readonly outcome: Outcome;
  readonly output?: unknown;
  /** What is told beside the output, or in its place. */
  readonly error?: string | undefined;
  readonly exit?: number | undefined;
}

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
export function answerOfOutput(tool: string, output: unknown): CallAnswer {
  const text = outputText(output);
  const { body, code } = partsOf(text);
  // What stands above an output also tells whether the command still runs; JSON around it tells only the time.
  const told = text.startsWith(JSON_OUTPUT) ? body : text;
  return { outcome: outcomeOf(tool, output, text, code), output: told, exit: exitAt(code) };
}

/** An answer without what the client writes above it. */
export function bareOutput(output: unknown): string {
  return partsOf(outputText(output)).body;
}

function outcomeOf(tool: string, output: unknown, text: string, code: unknown): Outcome {
  if (tool === "update_plan") return text === PLAN_WRITTEN ? COMPLETED : failed(text);
  if (CANCELLED.test(text)) return { status: "cancelled" };
  if (objectAt(output).success === false || REFUSALS.some((begin) => text.startsWith(begin))) return failed(text);
  if (SCRIPT_TOOLS.includes(tool)) return outcomeOfScript(text);
  return outcomeOfExit(code);
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

const JSON_OUTPUT = '{"output":';

interface OutputParts {
  /** What the command itself wrote. */
  readonly body: string;
  readonly code?: unknown;
}

const HEAD = /^(?:Chunk ID|Wall time|Exit code|Process |Script |Total output lines|Original token count)/;
const OUTPUT = /^(?:Output|Final output):\n?/m;

/** An exit code stands only above what the command itself wrote: that may be a log of other commands. */
function partsOf(text: string): OutputParts {
  if (text.startsWith(JSON_OUTPUT)) {
    const { output, metadata } = objectAt(parseShort(text));
    return { body: textAt(output) ?? "", code: objectAt(metadata).exit_code };
  }
  const begin = text.slice(0, HEAD_MAX);
  const mark = OUTPUT.exec(begin);
  const head = mark ? begin.slice(0, mark.index) : begin;
  const [, code] = /^(?:Process exited with code|Exit code:) (-?\d{1,10})$/m.exec(head) ?? [];
  const body = mark && HEAD.test(text) ? text.slice(mark.index + mark[0].length) : text;
  return code === undefined ? { body } : { body, code: Number(code) };
}

export function exitAt(code: unknown): number | undefined {
  return Number.isSafeInteger(code) ? (code as number) : undefined;
}

/** Undefined for what is not JSON text, or far too long. */
export function parseShort(text: unknown): unknown {
  return typeof text === "string" && text.length <= JSON_MAX ? parseJson(text) : undefined;
}
