import { isObject, type JsonObject } from "../json.js";

// Arguments as one text that is the same whenever the call is the same. It is hashed, and never kept.

/** Say nothing of what the call does: ids of one request, limits of time and of output, a model's own remarks. */
const VOLATILE: readonly string[] = [
  ..."timeout timeout_ms timeoutMs timeout_seconds timeoutSeconds yield_time_ms max_output_tokens".split(" "),
  ..."nonce request_id requestId idempotency_key idempotencyKey trace_id traceId traceparent correlation_id".split(" "),
  ..."correlationId timestamp ts _meta meta call_id callId tool_use_id toolUseId tool_call_id toolCallId".split(" "),
  ..."explanation justification thought thoughts reasoning rationale _i".split(" "),
];

/** A model describes the same command in other words each time. Beside anything else it is part of what is asked. */
const DESCRIBED = ["command", "cmd", "script", "prompt", "query", "code"];

const DEEPEST = 12;
/** In all: whatever is behind is left out, and told by sizes alone. */
const MOST_VALUES = 2000;
const MOST_TEXT = 30_000;
const LONG = 16_000;
const EDGE = 6000;
const SAMPLES = 2000;

export function canonicalArguments(input: unknown): string {
  const writer = { parts: [] as string[], values: 0, length: 0 };
  write(writer, isDescribed(input) ? { ...input, description: undefined } : input, 0);
  return writer.parts.join("");
}

interface Writer {
  readonly parts: string[];
  values: number;
  length: number;
}

function isDescribed(input: unknown): input is object {
  return isObject(input) && "description" in input && DESCRIBED.some((field) => input[field] !== undefined);
}

function put(writer: Writer, part: string): void {
  writer.parts.push(part);
  writer.length += part.length;
}

function write(writer: Writer, value: unknown, depth: number): void {
  writer.values += 1;
  if (typeof value === "string") put(writer, JSON.stringify(shortened(value.trim())));
  else if (typeof value !== "object" || value === null) put(writer, String(value));
  else if (depth >= DEEPEST || isFull(writer)) put(writer, "(...)");
  else if (Array.isArray(value)) writeItems(writer, value, depth);
  else writeFields(writer, value as JsonObject, depth);
}

function isFull({ values, length }: Writer): boolean {
  return values > MOST_VALUES || length > MOST_TEXT;
}

function writeItems(writer: Writer, items: readonly unknown[], depth: number): void {
  put(writer, "[");
  for (const item of items) {
    if (isFull(writer)) break;
    write(writer, item, depth + 1);
    put(writer, ",");
  }
  put(writer, `]${items.length}`);
}

function writeFields(writer: Writer, value: JsonObject, depth: number): void {
  put(writer, "{");
  for (const field of Object.keys(value).sort()) {
    if (isFull(writer)) break;
    if (value[field] === undefined || VOLATILE.includes(field)) continue;
    put(writer, `${JSON.stringify(shortened(field))}:`);
    write(writer, value[field], depth + 1);
    put(writer, ",");
  }
  put(writer, "}");
}

/** A long text by its ends, its length and characters out of its middle: a file's content may have megabytes. */
function shortened(text: string): string {
  if (text.length <= LONG) return text;
  const step = Math.floor((text.length - 2 * EDGE) / SAMPLES);
  let middle = "";
  for (let at = EDGE; at < text.length - EDGE; at += step) middle += text.charAt(at);
  return `${text.slice(0, EDGE)}${middle}${text.slice(-EDGE)}(${text.length})`;
}
