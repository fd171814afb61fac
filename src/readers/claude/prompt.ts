import { isObject, type JsonObject, listAt, objectAt, parseJson, textAt } from "../../core/json.js";

/** A user line that answers no call: who speaks in it, and what. */
export interface Prompt {
  /** `command`: may or may not lead to a turn. `note`: the client's own. `summary`: what a compaction leaves. */
  readonly kind: "person" | "command" | "local" | "note" | "summary" | "interruption";
  readonly text: string;
}

/** Undefined when the line holds answers of tools. */
export function promptAt(record: JsonObject, content: unknown): Prompt | undefined {
  const blocks = listAt(content);
  if (blocks.some(isAnswer)) return undefined;
  const text = typeof content === "string" ? content : textOf(blocks);
  return { kind: kindOf(record, text), text };
}

export function isAnswer(block: unknown): boolean {
  return objectAt(block).type === "tool_result";
}

/** What the client puts beside a person's words is not what they said; alone it is all there is. */
function textOf(blocks: readonly unknown[]): string {
  const texts = blocks.flatMap((block) => textAt(objectAt(block).text) ?? []);
  const said = texts.filter((text) => !NOTE.test(text));
  return (said.length > 0 ? said : texts).join("\n");
}

const COMMAND = /^\s*<command-(?:name|message)>/;
/** What a command printed: it was done by the client alone. */
const LOCAL = /^\s*<(?:local-command-std(?:out|err)|bash-(?:input|stdout|stderr))>/;
/** Clients report background work, and their own remarks, as if a person had typed them. */
const NOTE =
  /^\s*<(?:local-command-caveat|task-notification|system-reminder|ide_opened_file|ide_selection|teammate-message|user-memory-input)\b/;
const INTERRUPTION = /^\[Request interrupted by user/;

function kindOf(record: JsonObject, text: string): Prompt["kind"] {
  if (record.isCompactSummary === true) return "summary";
  if (INTERRUPTION.test(text)) return "interruption";
  if (COMMAND.test(text)) return "command";
  if (LOCAL.test(text)) return "local";
  if (record.isMeta === true || record.isVisibleInTranscriptOnly === true || NOTE.test(text)) return "note";
  return "person";
}

const LONG = 4096;
const HEAD = 400;
const SNAPSHOT = ',"attachment":{"type":"prompt_snapshot"';
const BEHIND_SNAPSHOT = '},"type":"attachment",';

/** A copy of the whole prompt: half the bytes of a transcript, and only its place in the conversation matters. */
export function skimPromptSnapshot(line: Buffer): JsonObject | undefined {
  if (line.length < LONG) return undefined;
  const from = line.subarray(0, HEAD).indexOf(SNAPSHOT);
  const to = from < 0 ? -1 : line.lastIndexOf(BEHIND_SNAPSHOT);
  if (to < from || from < 0) return undefined;
  const record = parseJson(`${line.toString("utf8", 0, from)}${line.toString("utf8", to + 1)}`);
  return isObject(record) ? record : undefined;
}
