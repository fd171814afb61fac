import { Client, type ClientOptions, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import type { Host } from "../src/app/host.js";
import { runMcp } from "../src/mcp/run.js";
import type { Reply } from "./mcp-process.js";

// The MCP server without a process: the same code from the first byte to the last, and lines in memory. For tests about
// what is said; starts, signals and pipes are tested with real processes.

interface Started {
  /** Flags of `milepost mcp`. */
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
}

/** Numbers of processes that are not there: each server is another one. */
let servers = 4_100_000;

export class McpInProcess implements Transport {
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  /** Everything that the server has written. */
  readonly lines: Reply[] = [];
  readonly ended: Promise<number>;
  #given: Uint8Array[] = [];
  #wake: (() => void)[] = [];
  #isOver = false;
  #half = "";
  #ids = 0;
  #written: (() => void)[] = [];

  constructor({ args, environment, folder }: Started) {
    servers += 1;
    const host: Host = {
      arguments: ["mcp", ...args],
      environment,
      folder,
      clientProcess: `test:${process.pid}`,
      ownProcess: `test:${servers}`,
      isRunning: () => false,
      version: "1.0.0",
      program: { node: "", bundle: "", userFolder: folder, temporaryFolder: folder, platform: "linux" },
      input: { bytes: this.#bytes(), isTerminal: false },
      output: { write: async (text) => this.#take(text), isTerminal: false, hasColor: false, columns: 80 },
      writeError: async () => undefined,
      isErrorTerminal: false,
      interrupted: () => new AbortController().signal,
      sleep: () => new Promise(() => undefined),
    };
    this.ended = runMcp(host);
  }

  async start(): Promise<void> {}

  async send(message: object): Promise<void> {
    this.#given.push(Buffer.from(`${JSON.stringify(message)}\n`));
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** A request written by hand; without a client of the SDK. */
  async ask(method: string, params: object): Promise<Reply> {
    this.#ids += 1;
    const id = `q${this.#ids}`;
    await this.send({ jsonrpc: "2.0", id, method, params });
    return this.line((line) => line.id === id);
  }

  /** The first line that fits; it may be there already. */
  async line(fits: (line: Reply) => boolean): Promise<Reply> {
    for (;;) {
      const found = this.lines.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#written.push(resolve));
    }
  }

  /** The client goes away. */
  async close(): Promise<void> {
    this.#isOver = true;
    for (const wake of this.#wake.splice(0)) wake();
    await this.ended;
    this.onclose?.();
  }

  async *#bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      yield* this.#given.splice(0);
      if (this.#isOver) return;
      if (this.#given.length === 0) await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  #take(text: string): void {
    const lines = `${this.#half}${text}`.split("\n");
    this.#half = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line);
      this.lines.push(message);
      this.onmessage?.(message as JSONRPCMessage);
    }
    for (const wake of this.#written.splice(0)) wake();
  }
}

/** The MCP SDK's own client, connected. */
export async function connected(server: McpInProcess, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: "probe", version: "1" }, options);
  await client.connect(server);
  return client;
}
