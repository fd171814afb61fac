import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { listAt, objectAt, parseJson, scalarText } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import { readLines } from "../json-lines.js";
import type { Environment } from "../store-place.js";
import type { ServerEntry } from "./agents/agent.js";
import { HOOK_TOOL } from "./edits/json-hooks.js";

/** Milliseconds. As long as a client waits for a hook of ours. */
const LIMIT = 10_000;

const LAST_WORDS = 2_000;

const SILENCE = "it did not answer";

/** Whether a program was given up, so that it need not be tried again. */
export function isSilence(message: string): boolean {
  return message.startsWith(SILENCE);
}

/** Runs a program without input, and without a shell. Its output, or why it is none; `limit` in milliseconds. */
export async function runProgram(
  program: string,
  args: readonly string[],
  { env, limit }: { readonly env: Environment; readonly limit: number },
): Promise<Result<string>> {
  return outputOf(spawn(program, args, { env, stdio: "pipe" }), "", limit);
}

/** Runs a command line the way a client does: by a shell, with JSON on its input. Its output, or why it is none. */
export async function runLine(line: string, input: string, env: Environment): Promise<Result<string>> {
  return outputOf(spawn(line, { shell: true, env, stdio: "pipe" }), input);
}

async function outputOf(child: ChildProcessWithoutNullStreams, input: string, limit = LIMIT): Promise<Result<string>> {
  const ended = watch(child, limit);
  child.stdin.end(input);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    out += text;
  });
  const end = await ended;
  return end === "" ? ok(out) : broken(end);
}

/** What a client asks a server: its tools by their names, and what a hook is answered. */
export interface ServerAnswer {
  readonly tools: readonly string[];
  readonly hook: string;
}

export interface ServerQuestion {
  /** The client that asks, by its own name: hooks of others are not answered. */
  readonly client: string;
  /** The arguments of a hook's call; without them none is made. */
  readonly hook?: Readonly<Record<string, string>> | undefined;
}

/** Says hello to a server, asks for its tools, and calls it as a hook does, or whether it is there. */
export async function askServer(
  entry: ServerEntry,
  env: Environment,
  question: ServerQuestion,
): Promise<Result<ServerAnswer>> {
  const child = spawn(entry.command, entry.args, { env: { ...env, ...entry.env }, stdio: "pipe" });
  const ended = watch(child);
  const failed = ended.then((end) => broken(end || "it exited before it answered"));
  try {
    return await Promise.race([talk(child, question), failed]);
  } finally {
    // A server ends when its input does, and closes its store properly; one that does not is ended.
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), LAST_WORDS);
    await ended;
    clearTimeout(timer);
  }
}

async function talk(
  child: ChildProcessWithoutNullStreams,
  { client, hook }: ServerQuestion,
): Promise<Result<ServerAnswer>> {
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const clientInfo = { name: client, title: "milepost doctor", version: "1" };
  let tools: readonly string[] = [];
  send({ id: 1, method: "initialize", params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo } });
  for await (const { text } of readLines(child.stdout)) {
    const { id, error, result } = objectAt(parseJson(text ?? ""));
    if (error !== undefined) return broken(`it answered with an error: ${JSON.stringify(error)}`);
    if (id === 1 && !isGreeting(result)) return broken("its answer to initialize is incomplete");
    if (id === 1) {
      send({ method: "notifications/initialized" });
      send({ id: 2, method: "tools/list" });
    }
    if (id === 2) tools = listAt(objectAt(result).tools).map((tool) => scalarText(objectAt(tool).name) ?? "?");
    // The first answers may come from the shell, which knows them from an earlier start: only this one is Node's.
    if (id === 2) send({ id: 3, ...lastQuestion(hook) });
    if (id === 3) return ok({ tools, hook: textOf(result) });
  }
  // How it ended says more than that it did: the watch knows.
  return new Promise(() => undefined);
}

function lastQuestion(hook: ServerQuestion["hook"]): object {
  return hook ? { method: "tools/call", params: { name: HOOK_TOOL.tool, arguments: hook } } : { method: "ping" };
}

function textOf(result: unknown): string {
  const [first] = listAt(objectAt(result).content);
  return scalarText(objectAt(first).text) ?? "";
}

/** Clients refuse a server that leaves one of these out. */
function isGreeting(result: unknown): boolean {
  const { protocolVersion, capabilities, serverInfo } = objectAt(result);
  return typeof protocolVersion === "string" && typeof capabilities === "object" && typeof serverInfo === "object";
}

/** Empty when all went well, else says how the process ended. Nothing waits for ever. */
function watch(child: ChildProcessWithoutNullStreams, limit = LIMIT): Promise<string> {
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    errors = `${errors}${text}`.slice(-2000);
  });
  // Whoever does not read its input closes it early; how it ended is what counts.
  child.stdin.on("error", () => undefined);
  const said = () => {
    const lines = errors.trim().split("\n");
    // Node's own last line is its version; what went wrong stands above it.
    const line = lines.find((one) => /^\w*Error\b|\[[\w-]+\]$/.test(one)) ?? lines.at(-1) ?? "";
    return line === "" ? "" : `: ${line}`;
  };
  return new Promise<string>((resolve) => {
    const timer = setTimeout(() => {
      resolve(`${SILENCE} within ${limit / 1000} s`);
      child.kill("SIGKILL");
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }, limit);
    const finish = (end: string) => {
      clearTimeout(timer);
      resolve(end);
    };
    child.once("error", (error) => finish(error.message));
    child.once("close", (code, signal) => finish(code === 0 ? "" : `it exited with ${code ?? signal}${said()}`));
  });
}

export function broken(message: string) {
  return fail({ code: "broken", message });
}
