import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Sandbox } from "./sandbox.js";

export interface AcpMessage {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly sessionId?: string;
    readonly update?: { readonly sessionUpdate?: string; readonly entries?: readonly object[] };
    readonly options?: readonly { readonly optionId: string; readonly kind: string }[];
  };
  readonly result?: { readonly sessionId?: string; readonly stopReason?: string };
  readonly error?: { readonly message: string };
}

/** An editor that says yes to everything, in front of a real agent. Messages are written by hand: agents send more than the protocol has. */
export class AcpEditor {
  readonly messages: AcpMessage[] = [];
  readonly #child;
  readonly #waiting = new Map<number | string, (message: AcpMessage) => void>();
  #ids = 0;
  errors = "";

  constructor(words: readonly string[], sandbox: Sandbox, env: Record<string, string>) {
    const [file = "", ...rest] = words;
    this.#child = spawn(file, rest, { cwd: sandbox.project, env: { ...sandbox.env, ...env }, stdio: "pipe" });
    this.#child.stderr.on("data", (chunk) => {
      this.errors += chunk;
    });
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
  }

  #hear(line: string): void {
    let message: AcpMessage;
    try {
      message = JSON.parse(line) as AcpMessage;
    } catch {
      return;
    }
    this.messages.push(message);
    const { id, method, params } = message;
    if (method === undefined) {
      if (id !== undefined) this.#waiting.get(id)?.(message);
    } else if (method === "session/request_permission") {
      const allowed = params?.options?.find(({ kind }) => kind.startsWith("allow"));
      this.#send({ id, result: { outcome: { outcome: "selected", optionId: allowed?.optionId } } });
    } else if (id !== undefined) this.#send({ id, error: { code: -32601, message: "not supported" } });
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  async ask(method: string, params: object): Promise<AcpMessage> {
    this.#ids += 1;
    const id = this.#ids;
    const answer = new Promise<AcpMessage>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      this.#child.once("close", () => reject(new Error(`The agent ended: ${this.errors.slice(-2000)}`)));
    });
    this.#send({ id, method, params });
    const message = await answer;
    if (message.error && method !== "session/prompt") throw new Error(`${method}: ${message.error.message}`);
    return message;
  }

  /** The session's id. */
  async open(folder: string, mcpServers: readonly object[], session?: string): Promise<string> {
    await this.ask("initialize", { protocolVersion: 1, clientCapabilities: { fs: {}, terminal: false } });
    const place = { cwd: folder, mcpServers };
    const { result } = await this.ask(session === undefined ? "session/new" : "session/load", {
      ...place,
      ...(session !== undefined && { sessionId: session }),
    });
    return session ?? result?.sessionId ?? "";
  }

  prompt(session: string, text: string): Promise<AcpMessage> {
    return this.ask("session/prompt", { sessionId: session, prompt: [{ type: "text", text }] });
  }

  plans(): readonly (readonly object[])[] {
    return this.messages.flatMap(({ params }) =>
      params?.update?.sessionUpdate === "plan" ? [params.update.entries ?? []] : [],
    );
  }

  async close(): Promise<void> {
    const ended = once(this.#child, "close");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGTERM"), 5000);
    await ended;
    clearTimeout(timer);
  }
}
