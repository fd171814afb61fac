import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import type { AcpSender, RecordingData } from "../app/acp/acp-recording.js";
import { type Frame, frameHead } from "../app/acp/record-frames.js";
import type { Host } from "../app/host.js";

/** Bytes that wait to be looked at. Past that some are passed on unseen: an agent is never slowed down by us. */
const MOST_WAITING = 48 * 1024 * 1024;

/** One thread for everything, and not too much memory: the bytes come first on a busy machine. */
const NODE_FLAGS = ["--v8-pool-size=0", "--max-old-space-size=768"];

interface LinkOptions {
  readonly data: Omit<RecordingData, "environment" | "userFolder">;
  /** A line for the editor. */
  readonly say: (line: string) => void;
}

/** The recording, in a process of its own: whatever happens to it, bytes pass here. */
export class RecorderLink {
  readonly #child: ChildProcess;
  readonly #pipe: Writable | null;
  readonly #ended: Promise<void>;
  #isOver = false;
  readonly #gaps = new Set<AcpSender>();

  constructor({ program, environment }: Host, { data, say }: LinkOptions) {
    this.#child = spawn(program.node, [...NODE_FLAGS, program.bundle, "acp-record"], {
      // What it prints must not get between two messages. A group of its own: Ctrl+C is for the agent.
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
      env: { ...environment },
    });
    this.#pipe = this.#child.stdin;
    this.#pipe?.on("error", () => this.#stop());
    this.#ended = new Promise((resolve) => {
      this.#child.on("error", () => this.#stop(resolve));
      this.#child.on("exit", () => this.#stop(resolve));
    });
    this.#child.stdout?.on("error", () => undefined);
    readLines(this.#child, say);
    this.#send({ type: "start", bytes: Buffer.from(JSON.stringify(data)) });
  }

  give(from: AcpSender, bytes: Uint8Array): void {
    if (this.#isOver || !this.#pipe) return;
    if (this.#pipe.writableLength + bytes.length > MOST_WAITING) {
      this.#gaps.add(from);
      return;
    }
    if (this.#gaps.delete(from)) this.#send({ type: "gap", from });
    this.#send({ type: "bytes", from, bytes });
  }

  /** Resolves when all is recorded; not later than after so many milliseconds: it goes on by itself. */
  async end(patience: number): Promise<void> {
    if (!this.#isOver) this.#send({ type: "end" });
    this.#pipe?.end();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([this.#ended, late]);
    clearTimeout(timer);
  }

  #send(frame: Frame): void {
    this.#pipe?.write(frameHead(frame));
    if ("bytes" in frame) this.#pipe?.write(frame.bytes);
  }

  #stop(done?: () => void): void {
    this.#isOver = true;
    done?.();
  }
}

function readLines({ stdout }: ChildProcess, say: (line: string) => void): void {
  let rest = "";
  stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) say(`${line}\n`);
  });
}
