import { spawn } from "node:child_process";
import type { Environment } from "../store-place.js";

// Programs that the live view starts beside itself. None of them may hold it up: each has a time limit and an output
// limit, none has a shell, a terminal or an input.

export interface ShortProgram {
  readonly program: string;
  readonly words: readonly string[];
  readonly environment: Environment;
  /** Where it is started: never a folder that a program could be found in by accident. */
  readonly folder: string;
  readonly limitMs: number;
  /** So much of what it prints is kept; it is ended when it prints more. 0: nobody listens, and it may print. */
  readonly mostBytes: number;
  /** We may end before it does. */
  readonly mayOutlive?: boolean;
}

export type ShortRun =
  /** `code` is null where a signal ended it. */
  | { readonly how: "ended"; readonly code: number | null; readonly said: string; readonly isCut: boolean }
  /** The limit was reached, and it was killed. */
  | { readonly how: "late" }
  /** It could not be started. */
  | { readonly how: "missing" };

export type RunShort = (asked: ShortProgram) => Promise<ShortRun>;

export const runShort: RunShort = (asked) => {
  const { program, words, environment, folder, limitMs, mostBytes, mayOutlive = false } = asked;
  const child = spawn(program, words, {
    cwd: folder,
    env: { ...environment },
    stdio: ["ignore", mostBytes === 0 ? "ignore" : "pipe", "ignore"],
    windowsHide: true,
  });
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let size = 0;
    const finish = (run: ShortRun) => {
      clearTimeout(timer);
      // What it has started may hold the pipe open, and is not waited for.
      child.stdout?.destroy();
      resolve(run);
    };
    const said = (code: number | null, isCut: boolean): ShortRun => {
      return { how: "ended", code, said: Buffer.concat(parts).subarray(0, mostBytes).toString("utf8"), isCut };
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      finish({ how: "late" });
    }, limitMs);
    child.stdout?.on("data", (part: Buffer) => {
      parts.push(part);
      size += part.length;
      if (size <= mostBytes) return;
      child.kill("SIGKILL");
      finish(said(null, true));
    });
    child.once("error", () => finish({ how: "missing" }));
    child.once("close", (code) => finish(said(code, false)));
    if (mayOutlive) letGo(child, timer);
  });
};

/** Nothing of it keeps our process alive. */
function letGo(child: ReturnType<typeof spawn>, timer: NodeJS.Timeout): void {
  timer.unref();
  child.unref();
  // A pipe is a socket here, which the type does not say.
  const { stdout } = child;
  if (stdout && "unref" in stdout && typeof stdout.unref === "function") stdout.unref();
}
