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
import type { ToldCall } from "../codex/call-records.js";
import { type CallAnswer, COMPLETED, exitAt, failed } from "../codex/outcome.js";
import { holdCall } from "../held-call.js";
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

/** How a call ended, and with what, as far as its answer tells. */
export function answerOf(message: JsonObject): CallAnswer {
  const text = textOf(message);
  if (text.startsWith("Error executing tool '")) return { outcome: failed(text), output: text };
  const answer = isObject(message.content) ? message.content : jsonIn(text);
  const { success, ok, error, content, output } = answer;
  const exit = exitAt(answer.exit_code ?? answer.returncode);
  const problem = textAt(error);
  const told = { output: output ?? (problem === undefined ? text : undefined), error: problem, exit };
  const isFailed = success === false || ok === false || (Boolean(error) && content === undefined);
  if (isFailed) return { outcome: failed(error ?? text), ...told };
  return { outcome: exit === undefined || exit === 0 ? COMPLETED : failed(`exit code ${exit}`), ...told };
}

function jsonIn(text: unknown): JsonObject {
  const isShort = typeof text === "string" && text.startsWith("{") && text.length <= ANSWER_MAX;
  return objectAt(isShort ? parseJson(text) : undefined);
}

const NAME_MAX = 100;
const SUBJECTS = ["command", "path", "query", "pattern", "url", "goal", "question", "code", "name", "action"];

export function callOf(call: JsonObject): ToldCall {
  const { name, arguments: given } = objectAt(call.function);
  const tool = oneLine(name, NAME_MAX) ?? "unknown";
  const fields = isObject(given) ? given : jsonIn(given);
  const isAsking = tool === "clarify";
  const held = holdCall({ ...namedOf(tool), input: fields });
  const isWork = !isAsking && !isTodoCall(call, "any");
  const note = { tool, subject: firstLine(fields, SUBJECTS), isAsking, isWork, facts: held.start };
  return { note, held };
}

const MCP_TOOL = /^mcp__?(milepost)__?(.+)$/s;

/** Hermes joins the names of server and tool; only ours is told apart. */
function namedOf(name: string): { readonly tool: string; readonly server?: string } {
  const [, server, tool] = MCP_TOOL.exec(name) ?? [];
  return server === undefined || tool === undefined ? { tool: name } : { tool, server };
}

/** A call of the list's tool that asks for no change: it has no todos. */
export function isListRead(call: JsonObject): boolean {
  const { name, arguments: given } = objectAt(call.function);
  const fields = isObject(given) ? given : jsonIn(given);
  const inner = name === "tool_call" ? fields.arguments : fields;
  const { todos, items } = isObject(inner) ? inner : jsonIn(inner);
  return todos == null && items == null;
}
