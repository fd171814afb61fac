import {
  firstLine,
  isObject,
  type JsonObject,
  listAt,
  objectAt,
  oneLine,
  parseJson,
  textAt,
  timeAt,
} from "../../core/json.js";
import { DIGEST_HEADER } from "../../dialects/hermes/hermes-digest.js";
import type { CallNote } from "../codex/call-records.js";
import { COMPLETED, failed, type Outcome } from "../codex/outcome.js";
import { isTodoCall } from "./history.js";

/** What a message says: a text, or a list of parts. */
export function textOf({ content }: JsonObject): string {
  if (typeof content === "string") return content;
  return listAt(content)
    .map((part) => (typeof part === "string" ? part : (textAt(objectAt(part).text) ?? "")))
    .join("\n")
    .trim();
}

/** The last day of a Date. */
const LAST_MOMENT = 8.64e15;

/** Epoch seconds, or an ISO time in old files. */
export function momentOf(time: unknown): number | undefined {
  const milliseconds = (typeof time === "number" ? time * 1000 : timeAt(time)) ?? 0;
  return milliseconds > 0 && milliseconds < LAST_MOMENT ? Math.floor(milliseconds) : undefined;
}

/** A compaction leaves the list, under its header or an older one, and a summary: both in the person's name. */
const LIST_HEADERS = [DIGEST_HEADER, "[Your task list was preserved across context compression]"];
const SUMMARY = /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)\b/;

export type CompactionSign = "list" | "summary";

/** What the person said, without what was put behind it. */
export function personsMessage(message: JsonObject): { words: string; sign: CompactionSign | undefined } {
  const text = textOf(message);
  if (SUMMARY.test(text)) return { words: "", sign: "summary" };
  const header = LIST_HEADERS.map((one) => text.indexOf(one)).find((at) => at === 0 || text.startsWith("\n\n", at - 2));
  if (header === undefined || header < 0) return { words: text, sign: undefined };
  return { words: text.slice(0, header).trimEnd(), sign: "list" };
}

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

function jsonIn(text: unknown): JsonObject {
  const isShort = typeof text === "string" && text.startsWith("{") && text.length <= ANSWER_MAX;
  return objectAt(isShort ? parseJson(text) : undefined);
}

const NAME_MAX = 100;
const SUBJECTS = ["command", "path", "query", "pattern", "url", "goal", "question", "code", "name", "action"];

export function noteOf(call: JsonObject): CallNote {
  const { name, arguments: input } = objectAt(call.function);
  const tool = oneLine(name, NAME_MAX) ?? "unknown";
  const fields = isObject(input) ? input : jsonIn(input);
  const subject = firstLine(fields, SUBJECTS);
  const isAsking = tool === "clarify";
  return { tool, subject, isAsking, isWork: !isAsking && !isTodoCall(call, "any") };
}
