import type { JSONRPCNotification, JSONRPCRequest } from "@modelcontextprotocol/server";
import { LONGEST_LINE } from "../app/json-lines.js";
import { isObject, type JsonObject } from "../core/json.js";
import { lossyMember } from "../core/text/json-parts.js";

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

/** Null where the line does not tell which request it was. */
type Id = string | number | null;

/** What is on one line of input. A line that wants no answer from us is `nothing`. */
export type Incoming =
  | { readonly type: "request"; readonly message: JSONRPCRequest }
  | { readonly type: "notification"; readonly message: JSONRPCNotification }
  | { readonly type: "problem"; readonly id: Id; readonly code: number; readonly text: string }
  | { readonly type: "nothing" };

const NOTHING: Incoming = { type: "nothing" };

/** Undefined: a line too long to keep. The SDK would drop what it cannot read, unanswered. */
export function readMessage(line: string | undefined): Incoming {
  if (line === undefined)
    return problem(null, INVALID_REQUEST, `A message can have at most ${LONGEST_LINE / 1024 / 1024} MiB.`);
  if (line.trim() === "") return NOTHING;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return problem(null, PARSE_ERROR, "This line is not JSON.");
  }
  if (Array.isArray(value))
    return problem(null, INVALID_REQUEST, "Batches are not supported: send one message per line.");
  return isObject(value) ? readObject(value, line) : problem(null, INVALID_REQUEST, "A message must be a JSON object.");
}

function readObject({ jsonrpc, id, method, params, ...rest }: JsonObject, line: string): Incoming {
  const isKnown = typeof id === "string" || Number.isSafeInteger(id);
  // The server sends no requests, so nobody can answer one.
  if (method === undefined && ("result" in rest || "error" in rest)) return NOTHING;
  if (jsonrpc !== "2.0" || typeof method !== "string" || (id !== undefined && !isKnown))
    return problem(isKnown ? (id as Id) : null, INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.");
  const isNotification = id === undefined;
  if (params !== undefined && !isObject(params))
    return isNotification ? NOTHING : problem(id as Id, INVALID_PARAMS, "params must be an object.");
  const meta = isObject(params) && "_meta" in params ? params._meta : {};
  if (!isSoundMeta(meta))
    return isNotification ? NOTHING : problem(id as Id, INVALID_PARAMS, "params._meta is invalid.");
  const known = { jsonrpc: "2.0" as const, method, ...(params === undefined ? undefined : { params }) };
  // What is beside the known members would make the SDK drop the message, unanswered.
  return isNotification
    ? { type: "notification", message: known }
    : { type: "request", message: { ...boxed(known, line), id: id as string | number } };
}

/** The SDK drops a request with another one, unanswered, and the client would wait for ever. */
function isSoundMeta(meta: unknown): boolean {
  if (!isObject(meta)) return false;
  const { progressToken } = meta;
  return progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken);
}

type Known = Omit<JSONRPCRequest, "id">;

/** The SDK refuses arguments that are no object, and loses `__proto__`: in a box they reach the dialect as sent. */
function boxed(message: Known, line: string): Known {
  const { method, params } = message;
  if (method !== "tools/call" || !params) return message;
  const source = lossyMember(line, "params", "arguments");
  return { ...message, params: { ...params, arguments: { raw: params.arguments, source } } };
}

interface Unboxed {
  readonly input: unknown;
  readonly source?: string;
}

export function unboxed(box: { readonly [key: string]: unknown } | undefined): Unboxed {
  return { input: box?.raw, ...(typeof box?.source === "string" ? { source: box.source } : undefined) };
}

function problem(id: Id, code: number, text: string): Incoming {
  return { type: "problem", id, code, text };
}
