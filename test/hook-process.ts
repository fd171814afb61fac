import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Ran, runWarm } from "./warm-command.js";

// `milepost hook` as a client runs it: the built command, a real process, one JSON text on standard input.

export const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));

export interface Run extends Ran {
  readonly milliseconds: number;
}

/** Nothing of the machine that runs the tests may name a session, a store or a setting. */
export function clean(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:MILEPOST|CLAUDE|CODEX|XDG)_/.test(name));
  return { ...Object.fromEntries(inherited), ...more };
}

export function run(args: readonly string[], input: string | Buffer, environment: NodeJS.ProcessEnv): Promise<Run> {
  const start = performance.now();
  const child = spawn(process.execPath, [bin, ...args], { env: environment });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  // A child that ends before it has read everything is its own affair.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  return new Promise((resolve) =>
    child.on("close", (exit) => resolve({ exit, out, err, milliseconds: performance.now() - start })),
  );
}

export const hook = (fields: unknown, environment: NodeJS.ProcessEnv): Promise<Run> =>
  run(["hook"], typeof fields === "string" ? fields : JSON.stringify(fields), environment);

/** A command of which only the effect or the answer counts. */
export function command(args: readonly string[], input: string, environment: NodeJS.ProcessEnv): Ran {
  return runWarm(args, { input, folder: process.cwd(), environment });
}

/** The log, as the command line prints it. */
export async function eventsOf(environment: NodeJS.ProcessEnv): Promise<readonly Logged[]> {
  return command(["events"], "", environment)
    .out.split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export interface Logged {
  readonly stream: string;
  readonly type: string;
  readonly data: { readonly [field: string]: unknown };
}
