import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

// `milepost mcp` as a client runs it: the built command, a real process, JSON-RPC lines written by hand.

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));

export interface Surroundings {
  readonly args?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** What the client calls itself. */
  readonly client?: string;
  /** Words that start it in place of Node and our file. */
  readonly launch?: readonly [string, ...string[]];
}

/** Nothing of the machine that runs the tests may name a session or a store. */
export function cleanEnvironment(more: NodeJS.ProcessEnv = {}): Record<string, string> {
  const { CLAUDE_CODE_SESSION_ID: _, CLAUDE_PROJECT_DIR: __, MILEPOST_STORE: ___, ...inherited } = process.env;
  const entries = Object.entries({ ...inherited, ...more }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Record<string, string>;
}

export const command = (args: readonly string[] = []) => ({ command: process.execPath, args: [bin, "mcp", ...args] });

export interface Reply {
  readonly id?: number | string | null;
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text: string }[];
    readonly isError?: boolean;
    readonly [key: string]: unknown;
  };
  readonly error?: { readonly code: number; readonly message: string };
  readonly method?: string;
}

const LEGACY = { protocolVersion: "2025-11-25", capabilities: {} };

export class McpProcess {
  readonly process: ChildProcessWithoutNullStreams;
  readonly replies: Reply[] = [];
  /** Lines that are no protocol; a process that is killed may leave half a line. */
  readonly garbage: string[] = [];
  errors = "";
  readonly #closed: Promise<unknown>;
  #wake: (() => void)[] = [];
  #ids = 0;

  constructor({ args = [], environment = {}, cwd, launch }: Surroundings = {}) {
    const usual = command(args);
    const [file, ...words] = launch ?? [usual.command, ...usual.args];
    const place = cwd === undefined ? {} : { cwd };
    this.process = spawn(file, words, { env: cleanEnvironment(environment), stdio: "pipe", ...place });
    this.#closed = once(this.process, "close").then(() => this.#changed());
    this.process.stdin.on("error", () => undefined);
    this.process.stderr.on("data", (chunk) => {
      this.errors += chunk;
    });
    createInterface({ input: this.process.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
      this.#take(line);
      this.#changed();
    });
  }

  /** A server that has been greeted as clients did before 2026. */
  static async greeted(surroundings: Surroundings = {}): Promise<McpProcess> {
    const server = new McpProcess(surroundings);
    await server.ask("initialize", { ...LEGACY, clientInfo: { name: surroundings.client ?? "raw", version: "1" } });
    server.tell("notifications/initialized");
    return server;
  }

  write(line: string | Buffer): void {
    this.process.stdin.write(line);
    this.process.stdin.write("\n");
  }

  tell(method: string, params?: object): void {
    this.write(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  ask(method: string, params?: object): Promise<Reply> {
    this.#ids += 1;
    const id = `q${this.#ids}`;
    this.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return this.reply((reply) => reply.id === id);
  }

  /** The text that the model reads, and whether it is an error. */
  async todo(input: unknown, _meta?: object): Promise<readonly [string | undefined, boolean | undefined]> {
    return this.call("todo", input, _meta);
  }

  async call(
    name: string,
    input: unknown,
    _meta?: object,
  ): Promise<readonly [string | undefined, boolean | undefined]> {
    const { result } = await this.ask("tools/call", { name, arguments: input, ...(_meta ? { _meta } : undefined) });
    return [result?.content?.[0]?.text, result?.isError];
  }

  /** The first reply that fits, from `since` on; it may be there already. */
  async reply(fits: (reply: Reply) => boolean, since = 0): Promise<Reply> {
    for (;;) {
      const found = this.replies.slice(since).find(fits);
      if (found) return found;
      if (this.process.exitCode !== null || this.process.signalCode !== null)
        throw new Error(`The server has ended: ${this.errors}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
  }

  /** The reply to the next line that cannot be told by an id. */
  nextProblem(line: string | Buffer): Promise<Reply> {
    const since = this.replies.length;
    this.write(line);
    return this.reply((reply) => reply.id === null, since);
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.process.kill(signal);
    else this.process.stdin.end();
    await this.#closed;
    return this.process.exitCode;
  }

  #take(line: string): void {
    try {
      this.replies.push(JSON.parse(line));
    } catch {
      this.garbage.push(line);
    }
  }

  #changed(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
