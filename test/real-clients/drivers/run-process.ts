import { spawn } from "node:child_process";

interface ProcessRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMs?: number;
}

export interface ProcessEnd {
  /** null: it had to be killed. */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
  /** When it was started and when it had ended, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
}

const USUAL_TIMEOUT_MS = 90_000;

/** Not spawnSync: the model of the process is served by this one. */
export function runProcess({ command, args, cwd, env, input, timeoutMs }: ProcessRun): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(command, args, { cwd, env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs ?? USUAL_TIMEOUT_MS);
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
      err += text;
    });
    child.stdin.on("error", () => undefined); // a process may end without reading
    child.stdin.end(input ?? "");
    child.once("error", reject);
    child.once("close", (exit) => {
      clearTimeout(timer);
      resolve({ exit, out, err, startedAt, endedAt: performance.now() });
    });
  });
}

/** The JSON lines of a client's output; clients mix in plain lines. */
export function jsonLines(text: string): unknown[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      return [];
    }
  });
}
