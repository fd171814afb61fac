import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const WORKER = join(root, ".cache", "worker.mjs");

/** A process of Node that says lines, and can be told some. */
export class NodeProcess {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: string[] = [];
  errors = "";
  readonly #ended: Promise<unknown>;
  #wake: (() => void) | undefined;

  constructor(args: readonly string[], environment: NodeJS.ProcessEnv = process.env) {
    this.process = spawn(process.execPath, args, { stdio: "pipe", env: environment });
    this.#ended = once(this.process, "close");
    this.process.on("close", () => this.#wake?.());
    this.process.stdin.on("error", () => undefined);
    createInterface({ input: this.process.stdout }).on("line", (line) => {
      this.lines.push(line);
      this.#wake?.();
    });
    this.process.stderr.on("data", (chunk) => {
      this.errors += chunk;
    });
  }

  /** The n-th line it says. */
  async line(index: number): Promise<string> {
    for (;;) {
      const line = this.lines[index];
      if (line !== undefined) return line;
      if (this.process.exitCode !== null || this.process.signalCode !== null)
        throw new Error(`The worker ended: ${this.errors}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  tell(line: string): void {
    this.process.stdin.write(`${line}\n`);
  }

  kill(): void {
    this.process.kill("SIGKILL");
  }

  async end(): Promise<{ readonly exit: number | null; readonly lines: readonly string[]; readonly errors: string }> {
    await this.#ended;
    return { exit: this.process.exitCode, lines: this.lines, errors: this.errors };
  }
}

/** A worker process of worker.ts. */
export class Worker extends NodeProcess {
  constructor(job: string, url: string, ...numbers: readonly number[]) {
    super([WORKER, job, url, ...numbers.map(String)]);
  }
}

/** All at once: none starts before the last is ready. */
export async function together(workers: readonly NodeProcess[]): Promise<void> {
  await Promise.all(workers.map((worker) => worker.line(0)));
  for (const worker of workers) worker.tell("go");
}
