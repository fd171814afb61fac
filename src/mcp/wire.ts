import { type JSONRPCMessage, SUBSCRIPTION_ID_META_KEY, type Transport } from "@modelcontextprotocol/server";
import type { Input, Output } from "../app/command.js";
import { jsonLine, readLines } from "../app/json-lines.js";
import { type Incoming, readMessage } from "./message.js";

/** Requests that may be under way at once. Whoever sends more has to read answers first, so memory stays bounded. */
const MOST_WAITING = 100;

/** A message a line. Answers what the SDK's transport drops or dies of, and knows when all requests are answered. */
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
        await this.#room(incoming);
        this.onmessage?.(incoming.message);
      }
    }
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
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
