import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

// `milepost hook` as a client runs it: the built command, a real process, one JSON text on standard input.

export const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));

export interface Run {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
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

/** The log, as the command line prints it. */
export async function eventsOf(environment: NodeJS.ProcessEnv): Promise<readonly Logged[]> {
  const { out } = await run(["events"], "", environment);
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export interface Logged {
  readonly stream: string;
  readonly type: string;
  readonly data: { readonly [field: string]: unknown };
}
