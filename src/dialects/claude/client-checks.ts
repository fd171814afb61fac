import { isObject, type JsonObject, own } from "../../core/json.js";
import type { ToolInput } from "../dialect.js";

/** What the client itself has to say about a call, before any tool has run. */
export function toolUseError(text: string): string {
  return `<tool_use_error>${text}</tool_use_error>`;
}

export function invalid(text: string): string {
  return toolUseError(`InputValidationError: ${text}`);
}

/** The input as an object, or the text that is not JSON. The client spreads whatever the model sent into an object. */
export function readInput(input: ToolInput): JsonObject | string {
  if ("value" in input) return rawInput(input.value) ?? spread(input.value);
  if (input.text === "") return {};
  const value = parseJson(input.text);
  return value === undefined ? input.text : spread(value);
}

/** A complaint for each of a million characters helps nobody, and costs gigabytes. */
const MOST_SPREAD = 10_000;

function spread(value: unknown): JsonObject {
  return { ...Object(typeof value === "string" ? value.slice(0, MOST_SPREAD) : value) };
}

/** The client's own mark for arguments that it could not parse. */
function rawInput(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const mark = own(value, "__unparsedToolInput");
  const raw = isObject(mark) ? own(mark, "raw") : undefined;
  return typeof raw === "string" ? raw : undefined;
}

/** Undefined when it is no JSON; one byte order mark in front is forgiven. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

const MOST_RAW = 200;

export function unparsed(tool: string, raw: string): string {
  const cut = raw.slice(0, MOST_RAW);
  const sent = raw.length > MOST_RAW && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return [
    `${tool} was called with input that could not be parsed as JSON.`,
    `You sent (first ${sent.length} of ${raw.length} bytes): ${sent}`,
    "Common causes: unescaped backslashes in file paths (use / or \\\\), unescaped control characters, or truncated output. Retry with valid JSON.",
  ].join("\n");
}
