import {
  CLIENT_INFO_META_KEY,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type JSONRPCResponse,
  SUBSCRIPTION_ID_META_KEY,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Input, Output } from "../app/command-definition.js";
import { jsonLine, LONGEST_LINE, readLines } from "../app/json-lines.js";
import { isObject, type JsonObject, objectAt } from "../core/json.js";
import { lossyMember } from "../core/text/json-parts.js";
import type { Greeting } from "./greeting.js";

/** Requests that may be under way at once. Whoever sends more has to read answers first, so memory stays bounded. */
const MOST_WAITING = 100;

/** A message a line. Answers what the SDK's transport drops or dies of, and knows when all requests are answered. */
export class Wire implements Transport {
  onclose?: () => void;
  onmessage?: Transport["onmessage"];
  readonly #output: Output;
  readonly #greeting: Greeting | undefined;
  /** Requests that were answered before this process was there. */
  readonly #answered = new Set<unknown>();
  readonly #waiting = new Set<unknown>();
  /** Requests of ours that the client has not answered. */
  readonly #asked = new Set<string | number>();
  #wake: (() => void)[] = [];
  /** As the client names itself: with its first message, before anybody answers it. */
  clientName: string | undefined;

  constructor(output: Output, greeting?: Greeting) {
    this.#output = output;
    this.#greeting = greeting;
  }

  async start(): Promise<void> {}

  /** Resolves at the end of the input. */
  async read(input: Input): Promise<void> {
    for (const { text, isAnswered } of this.#greeting?.early ?? []) await this.#take(text, isAnswered);
    for await (const { text } of readLines(input.bytes)) await this.#take(text, false);
  }

  /** Nobody will answer what we have asked: whoever waits for it goes on. */
  hangUp(): void {
    for (const id of [...this.#asked]) this.#hear({ jsonrpc: "2.0", id, error: GONE });
  }

  /** Only an answer to a request of ours, and only the first one. */
  #hear(message: JSONRPCResponse): void {
    if (message.id !== undefined && this.#asked.delete(message.id)) this.onmessage?.(message);
  }

  async #take(text: string | undefined, isAnswered: boolean): Promise<void> {
    const incoming = readMessage(text);
    if (incoming.type === "nothing") return;
    if (incoming.type === "problem") {
      const { id, code, text: message } = incoming;
      await this.#write({ jsonrpc: "2.0", id, error: { code, message } });
      return;
    }
    if (incoming.type === "answer") return this.#hear(incoming.message);
    await this.#room(incoming);
    if (isAnswered && incoming.type === "request") this.#answered.add(incoming.message.id);
    this.#greeting?.heard(text ?? "", incoming.message);
    this.clientName ??= nameIn(incoming.message);
    this.onmessage?.(incoming.message);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = !("method" in message);
    if (!isAnswer) this.#noteAsked(message);
    const line = jsonLine(message);
    if (isAnswer) this.#greeting?.sent(message, line);
    if (!isAnswer || !this.#answered.delete(message.id)) await this.#output.write(`${line}\n`);
    // A subscription stays open until the end; that it was taken is its first answer.
    this.#settle("method" in message ? message.params?._meta?.[SUBSCRIPTION_ID_META_KEY] : message.id);
  }

  /** Resolves when every request has been answered, and the answers are on their way. */
  async drained(): Promise<void> {
    while (this.#waiting.size > 0) await this.#change();
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  async #room(incoming: Incoming): Promise<void> {
    if (incoming.type === "request") {
      const { id } = incoming.message;
      // Also an id that is used again too early waits: its answers could not be told apart.
      while (this.#waiting.size >= MOST_WAITING || this.#waiting.has(id)) await this.#change();
      this.#waiting.add(id);
    }
    // The SDK does not answer what was cancelled.
    if (incoming.type === "notification" && incoming.message.method === "notifications/cancelled")
      this.#settle(incoming.message.params?.requestId);
  }

  /** What we have cancelled is not heard any more. */
  #noteAsked(message: JSONRPCRequest | JSONRPCNotification): void {
    if ("id" in message) this.#asked.add(message.id);
    else if (message.method === "notifications/cancelled") this.#asked.delete(message.params?.requestId as number);
  }

  #settle(id: unknown): void {
    if (!this.#waiting.delete(id)) return;
    for (const wake of this.#wake.splice(0)) wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #write(message: object): Promise<void> {
    return this.#output.write(`${jsonLine(message)}\n`);
  }
}

const PARSE_ERROR = -32700;
const INTERNAL_ERROR = -32603;
const GONE = { code: -32000, message: "The client has gone." };
const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

/** Null where the line does not tell which request it was. */
type Id = string | number | null;

/** What is on one line of input. A line that wants no answer from us is `nothing`. */
type Incoming =
  | { readonly type: "request"; readonly message: JSONRPCRequest }
  | { readonly type: "notification"; readonly message: JSONRPCNotification }
  | { readonly type: "answer"; readonly message: JSONRPCResponse }
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
  const isKnown = isToken(id);
  if (method === undefined && ("result" in rest || "error" in rest))
    return isKnown ? { type: "answer", message: readAnswer(id as string | number, rest) } : NOTHING;
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

/** The SDK drops an answer that it cannot read, and whoever asked would wait: it becomes an error. */
function readAnswer(id: string | number, { result, error }: JsonObject): JSONRPCResponse {
  if (isObject(result) && error === undefined) return { jsonrpc: "2.0", id, result };
  const { code, message } = objectAt(error);
  const isSound = Number.isSafeInteger(code) && typeof message === "string";
  const known = isSound ? { code: code as number, message } : { code: INTERNAL_ERROR, message: "No sound answer." };
  return { jsonrpc: "2.0", id, error: known };
}

/** The SDK drops a request with another one, unanswered, and the client would wait for ever. */
/** At `initialize`; since 2026 with each request. */
function nameIn({ params }: JSONRPCRequest | JSONRPCNotification): string | undefined {
  const { clientInfo, _meta: meta } = objectAt(params);
  const { name } = objectAt(clientInfo ?? objectAt(meta)[CLIENT_INFO_META_KEY]);
  return typeof name === "string" ? name : undefined;
}

function isSoundMeta(meta: unknown): boolean {
  return isObject(meta) && (meta.progressToken === undefined || isToken(meta.progressToken));
}

function isToken(value: unknown): boolean {
  return typeof value === "string" || Number.isSafeInteger(value);
}

type Known = Omit<JSONRPCRequest, "id">;

/** The SDK refuses arguments that are no object, and loses `__proto__`: in a box they reach the dialect as sent. */
function boxed(message: Known, line: string): Known {
  const { method, params } = message;
  if (method !== "tools/call" || !params) return message;
  const source = lossyMember(line, "params", "arguments");
  return { ...message, params: { ...params, arguments: { raw: params.arguments, source } } };
}

export function unboxed(box: JsonObject | undefined) {
  return { input: box?.raw, source: typeof box?.source === "string" ? box.source : undefined };
}

function problem(id: Id, code: number, text: string): Incoming {
  return { type: "problem", id, code, text };
}
