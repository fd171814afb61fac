import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { type ClientConnection, client, ndJsonStream } from "@agentclientprotocol/sdk";
import { cleanEnvironment } from "../mcp-process.js";

// An editor on the protocol's own SDK, in front of an agent: directly, or with `milepost acp` in between.

export const command = fileURLToPath(new URL("../../dist/milepost.cjs", import.meta.url));
const fakeAgent = fileURLToPath(new URL("fake-agent.mjs", import.meta.url));

export type Step = Readonly<Record<string, unknown>>;

export interface EditorOptions {
  readonly home?: string;
  readonly flags?: readonly string[];
  readonly agent?: readonly string[];
  readonly environment?: NodeJS.ProcessEnv;
  readonly isDirect?: boolean;
}

export class Editor {
  readonly home: string;
  readonly log: string;
  readonly process: ChildProcess;
  readonly updates: Step[] = [];
  readonly asked: unknown[] = [];
  readonly connection: ClientConnection;
  readonly #sent: Buffer[] = [];
  readonly #received: Buffer[] = [];

  constructor(options: EditorOptions = {}) {
    const { flags = [], agent = [process.execPath, fakeAgent], environment = {}, isDirect = false } = options;
    this.home = options.home ?? mkdtempSync(join(tmpdir(), "milepost-acp-"));
    this.log = join(this.home, "agent");
    const words = isDirect ? [...agent] : [process.execPath, command, "acp", ...flags, "--", ...agent];
    const env = cleanEnvironment({
      MILEPOST_HOME: this.home,
      HOME: this.home,
      FAKE_AGENT_LOG: this.log,
      FAKE_AGENT_SERVER: JSON.stringify([process.execPath, command, "mcp"]),
      ...environment,
    });
    const [file = "", ...rest] = words;
    this.process = spawn(file, rest, { env, stdio: ["pipe", "pipe", "inherit"], cwd: this.home });
    this.connection = client({ name: "editor" })
      .onRequest("session/request_permission", ({ params }) => {
        this.asked.push(params);
        return { outcome: { outcome: "selected", optionId: "yes" } };
      })
      .onNotification("session/update", ({ params }) => {
        this.updates.push(params.update as unknown as Step);
      })
      .connect(this.#stream());
    this.connection.closed.catch(() => undefined);
  }

  #stream() {
    const { stdin, stdout } = this.process;
    if (!stdin || !stdout) throw new Error("no pipes");
    stdout.on("data", (chunk: Buffer) => this.#received.push(chunk));
    stdin.on("error", () => undefined);
    const tee = new Writable({
      write: (chunk: Buffer, _, done) => {
        this.#sent.push(Buffer.from(chunk));
        stdin.write(chunk, done);
      },
    });
    const output = Writable.toWeb(tee) as WritableStream<Uint8Array>;
    const input = Readable.toWeb(stdout) as unknown as ReadableStream<Uint8Array>;
    return ndJsonStream(output, input);
  }

  async open(how: "new" | "load" = "new"): Promise<void> {
    const { agent } = this.connection;
    await agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const place = { cwd: this.home, mcpServers: [] };
    if (how === "new") await agent.request("session/new", place);
    else await agent.request("session/load", { sessionId: "fake-session", ...place });
  }

  async prompt(steps: readonly Step[]): Promise<string> {
    const prompt = [{ type: "text" as const, text: JSON.stringify(steps) }];
    const answer = await this.connection.agent.request("session/prompt", { sessionId: "fake-session", prompt });
    return (answer as { stopReason: string }).stopReason;
  }

  async close(): Promise<number | null> {
    const ended = once(this.process, "close");
    this.process.stdin?.end();
    const [code] = await ended;
    return code as number | null;
  }

  /** What the editor wrote and read, and what the agent read and wrote. */
  bytes() {
    const agent = (name: string) => readFileSync(`${this.log}.${name}`);
    return {
      editor: { sent: Buffer.concat(this.#sent), received: Buffer.concat(this.#received) },
      agent: { read: agent("in"), wrote: agent("out") },
    };
  }
}
