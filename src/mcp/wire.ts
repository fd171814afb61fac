import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import type { Input, Output } from "../app/command.js";
import { jsonLine, readLines } from "../app/json-lines.js";
import { readMessage } from "./message.js";

/** Requests that may be under way at once. Whoever sends more has to read answers first, so memory stays bounded. */
const MOST_WAITING = 100;

/**
 * One message a line, in and out. It answers what the SDK's own transport drops or dies of (no JSON, a batch, a line
 * of a gigabyte), slows down with a slow reader, and knows when every request has its answer.
 */
export class Wire implements Transport {
  onclose?: () => void;
  onmessage?: Transport["onmessage"];
  readonly #output: Output;
  readonly #waiting = new Set<unknown>();
  #wake: (() => void)[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  async start(): Promise<void> {}

  /** Resolves at the end of the input. */
  async read(input: Input): Promise<void> {
    for await (const { text } of readLines(input.bytes)) {
      const incoming = readMessage(text);
      if (incoming.type === "problem") {
        const { id, code, text: message } = incoming;
        await this.#write({ jsonrpc: "2.0", id, error: { code, message } });
      } else if (incoming.type !== "nothing") {
        this.#note(incoming.message);
        this.onmessage?.(incoming.message);
      }
      while (this.#waiting.size >= MOST_WAITING) await this.#change();
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if (!("method" in message)) this.#settle(message.id);
  }

  /** Resolves when every request has been answered, and the answers are on their way. */
  async drained(): Promise<void> {
    while (this.#waiting.size > 0) await this.#change();
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  #note({ method, params, ...message }: JSONRPCRequest | JSONRPCNotification): void {
    // A cancelled request is not answered, and a subscription stays open until the end.
    if (method === "notifications/cancelled") this.#settle(params?.requestId);
    else if ("id" in message && method !== "subscriptions/listen") this.#waiting.add(message.id);
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
