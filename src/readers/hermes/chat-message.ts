import { isObject, type JsonObject, listAt, objectAt, oneLine, textAt } from "../../core/json.js";
import type { Fact } from "../../core/session/observation.js";
import { DIGEST_HEADER } from "../../dialects/hermes/hermes-digest.js";
import { isTodoCall } from "./history.js";

/** What a message says: a text, or a list of parts. */
export function textOf({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .map((part) => (typeof part === "string" ? part : (textAt(objectAt(part).text) ?? "")))
    .join("\n")
    .trim();
}

/** Epoch seconds, or an ISO time in old files. */
export function momentOf(time: unknown): number | undefined {
  const milliseconds =
    typeof time === "number" ? time * 1000 : typeof time === "string" ? Date.parse(time) : Number.NaN;
  return milliseconds > 0 && milliseconds < LAST_MOMENT ? Math.floor(milliseconds) : undefined;
}

/** The last day of a Date. */
const LAST_MOMENT = 8.64e15;

/**
 * Blocks that a compaction leaves behind in a person's name: the list, under its header or its oldest one, and a
 * summary.
 */
const LIST_HEADERS = [DIGEST_HEADER, "[Your task list was preserved across context compression]"];
const SUMMARY = /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)\b/;

/** What a compaction leaves behind, each once. */
export type CompactionSign = "list" | "summary";

export interface PersonsMessage {
  /** What the person said, without what was put behind it. */
  readonly words: string;
  readonly sign: CompactionSign | undefined;
}

export function personsMessage(message: JsonObject): PersonsMessage {
  const text = textOf(message);
  if (SUMMARY.test(text)) return { words: "", sign: "summary" };
  const header = LIST_HEADERS.map((one) => text.indexOf(one)).find((at) => at === 0 || text.startsWith("\n\n", at - 2));
  if (header === undefined || header < 0) return { words: text, sign: undefined };
  return { words: text.slice(0, header).trimEnd(), sign: "list" };
}

type Outcome = Pick<Extract<Fact, { type: "call.ended" }>, "status" | "problem">;

const COMPLETED: Outcome = { status: "completed" };
const ANSWER_MAX = 1024 * 1024;

/** How a call ended, as far as its answer tells. */
export function outcomeOf(message: JsonObject): Outcome {
  const text = textOf(message);
  if (text.startsWith("Error executing tool '")) return failed(text);
  const answer = isObject(message.content) ? message.content : jsonIn(text);
  const { success, ok, error, content } = answer;
  const code = answer.exit_code ?? answer.returncode;
  const isFailed = success === false || ok === false || (Boolean(error) && content === undefined);
  if (isFailed) return failed(error ?? text);
  return Number.isInteger(code) && code !== 0 ? failed(`exit code ${code}`) : COMPLETED;
}

function failed(problem: unknown): Outcome {
  return { status: "failed", problem: oneLine(problem) };
}

function jsonIn(text: unknown): JsonObject {
  if (typeof text !== "string" || !text.startsWith("{") || text.length > ANSWER_MAX) return {};
  try {
    return objectAt(JSON.parse(text));
  } catch {
    return {};
  }
}

const NAME_MAX = 100;
const SUBJECTS = ["command", "path", "query", "pattern", "url", "goal", "question", "code", "name", "action"];

/** A call as it is told when it starts. */
export function noteOf(call: JsonObject): Omit<Extract<Fact, { type: "call.started" }>, "type" | "call"> {
  const { name, arguments: input } = objectAt(call.function);
  const tool = oneLine(name, NAME_MAX) ?? "unknown";
  const fields = isObject(input) ? input : jsonIn(input);
  const subject = SUBJECTS.map((field) => oneLine(fields[field])).find((text) => text !== undefined);
  const isAsking = tool === "clarify";
  return { tool, subject, isAsking, isWork: !isAsking && !isTodoCall(call, "any") };
}
