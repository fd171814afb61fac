#!/usr/bin/env node
import { existsSync, readSync, writeSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { appendLog } from "../app/append-log.js";
import { guessed } from "../app/calls/call-events.js";
import { failureOf, traceOf } from "../app/escaped-error.js";
import { processName } from "../app/session/process-life.js";
import { homeFolder } from "../app/store-place.js";
import { loadCode } from "./code-cache.js";
import { createHost, leaveTerminal } from "./process-host.js";

// The only file that touches `process`. It stays small: each surface is a bundle of its own that loads when asked for.

/** Written in by the build. */
declare const MILEPOST_VERSION: string;
declare const MILEPOST_HELP: string;

const OLDEST_NODE = [20, 19] as const;

function isOldNode(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  return major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
}

const EXIT_TROUBLE = 3;

/** What nobody has caught: one line, like every error. */
function complainAndExit(error: unknown, { code, message } = failureOf(error)): never {
  const trace = traceOf(error, process.env);
  leaveTerminal(process);
  try {
    // Synchronous: the process ends here. A file name may hold anything; an error is one line.
    writeSync(2, `milepost: ${message.replace(/\p{Cc}/gu, "\ufffd")} [${code}]\n${trace ? `${trace}\n` : ""}`);
  } finally {
    process.exit(EXIT_TROUBLE);
  }
}

/** Node 22 calls its SQLite experimental on every start; we have checked the one we use. */
function silenceSqlite(): void {
  // PostgreSQL's client writes what will change in it to whoever runs us.
  Object.assign(process, { noDeprecation: true });
  const { emitWarning } = process;
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (!String(warning).includes("SQLite is an experimental")) emitWarning.call(process, warning, ...rest);
  }) as typeof emitWarning;
}

declare const __dirname: string;

/** Names from the root on that mean another folder in each process, such as /proc/self/cwd. */
const OF_PROCESS = /^\/(?:proc|dev\/fd)\//;

/**
 * Where compiled code is kept, which is run as it is: only below a folder that was named from the root on. A relative
 * one would be looked for wherever an agent happens to work, and a repository could bring its own.
 */
function cacheFolder(): string | undefined {
  try {
    const home = homeFolder(process.env);
    return isAbsolute(home) && !OF_PROCESS.test(resolve(home)) ? join(home, "cache") : undefined;
  } catch {
    // Nobody knows where this user's folder is.
    return undefined;
  }
}

const SQLITE = "node:sqlite";

/** Node 20 takes half a millisecond to say it. */
function noSqlite(): never {
  throw new Error(`This Node has no ${SQLITE}`);
}

/** A surface, a file beside this one. `keep` makes its next start faster; `use`: see `CodePlace`. */
function loadSurface<Surface>(
  name: string,
  folder: string | undefined,
  use: string = name,
): { readonly surface: Surface; readonly keep: () => void } {
  const { exports, keep } = loadCode(join(__dirname, `${name}.cjs`), {
    folder,
    use,
    user: process.getuid?.(),
    platform: `${MILEPOST_VERSION}-${process.version}-${process.platform}-${process.arch}`,
    require: (module) => (module === SQLITE && !process.getBuiltinModule?.(SQLITE) ? noSqlite() : require(module)),
  });
  return { surface: exports as Surface, keep };
}

/** Commands that are run often: each keeps the code that it runs, and no more. */
const OFTEN = ["todo", "task", "sessions", "watch"];

function loadCommandLine(name: string | undefined) {
  const use = OFTEN.find((often) => often === name) ?? "cli";
  return loadSurface<typeof import("../cli/run.js")>("cli", cacheIfThere(), use);
}

/** A person's commands make no folder for it: what only looks around leaves nothing behind. */
function cacheIfThere(): string | undefined {
  const folder = cacheFolder();
  return folder !== undefined && existsSync(dirname(folder)) ? folder : undefined;
}

function hostOf() {
  return createHost(process, { version: MILEPOST_VERSION, bundle: __filename, fail: failOutput });
}

function failOutput(error: NodeJS.ErrnoException): never {
  // A reader that has seen enough (`| head`) is no error of ours.
  if (error.code === "EPIPE") process.exit();
  complainAndExit(error, { code: "io-error", message: `The output cannot be written: ${error.message}` });
}

/** Read synchronously: Node's stream for standard input takes 4 ms to start. */
function readInput(): string {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.allocUnsafe(INPUT_PART);
    try {
      const length = readSync(0, part);
      if (length === 0) return Buffer.concat(parts).toString("utf8");
      parts.push(part.subarray(0, length));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EOF") return Buffer.concat(parts).toString("utf8");
      if (code !== "EAGAIN") throw error;
      // A non-blocking pipe without data yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

const INPUT_PART = 65_536;

/** Only what failed before anything was read comes here. Long words go all the same: one may be a token. */
function plainLine(text: string): string {
  return text
    .slice(0, 1000)
    .replace(/[^ -~]/g, " ")
    .replace(/[^\s/\\:'"]{24,}/g, "...");
}

function giveUp(name: string, error: unknown): never {
  try {
    const { code, message } = failureOf(error);
    appendLog(process.env, name, plainLine(`${message} [${code}]`));
  } finally {
    process.exit(0);
  }
}

/** Hooks that an agent waits for again and again: each keeps the code that it runs, and no more. */
const FREQUENT = ["PreToolUse", "PostToolUse", "PostToolBatch", "UserPromptSubmit", "Stop"];
const EVENT = '"hook_event_name"';

/** A guess will do: what was not kept is compiled. */
function useOfHook(input: string): string {
  const at = input.indexOf(EVENT);
  const told = input.slice(at, at + EVENT.length + 30);
  return at < 0 ? "hook" : (FREQUENT.find((event) => told.includes(`"${event}"`))?.toLowerCase() ?? "hook");
}

/** For hooks, which an agent waits for: no streams, nothing is closed, and the exit code is always 0. */
async function answerAgent(name: "hook" | "statusline"): Promise<void> {
  // Another exit code than 0 is shown by the client, and 2 blocks it.
  process.on("uncaughtException", (error) => giveUp(name, error));
  silenceSqlite();
  const input = readInput();
  const use = name === "hook" ? useOfHook(input) : name;
  const { surface, keep } = loadSurface<typeof import("../hook/run.js")>("hook", cacheFolder(), use);
  const { env } = process;
  const world = {
    environment: env,
    read: () => input,
    words: name === "hook" ? process.argv.slice(3) : [],
    // Claude Code says which process it is; a shell may be in between, and then our parent is another one each time.
    process: Number(env.CLAUDE_PID) ? processName(Number(env.CLAUDE_PID)) : guessed(processName(process.ppid)),
  };
  const answer = await (name === "hook" ? surface.runHook(world) : surface.runStatusline(world));
  try {
    if (answer !== "") writeSync(1, `${answer}\n`);
  } catch {
    // The client has gone.
  }
  keep();
  process.exit(0);
}

/** For the commands of our plugin: what was typed comes as a hook's JSON, and the output goes back as one. */
async function answerSlash(): Promise<void> {
  process.on("uncaughtException", (error) => giveUp("slash", error));
  silenceSqlite();
  const { surface, keep } = loadCommandLine("todo");
  writeSync(1, await surface.runSlash(hostOf(), readInput()));
  keep();
}

/** What needs nothing but this file. */
function answerAtOnce(words: readonly string[]): string | undefined {
  const [word = ""] = words.length === 1 ? words : [];
  if (["--version", "-V", "-v"].includes(word)) return `${MILEPOST_VERSION}\n`;
  return ["--help", "-h", "help"].includes(word) ? MILEPOST_HELP : undefined;
}

/** For a shell that completes a line: nothing but candidates reaches the terminal, and the exit code is always 0. */
async function answerShell(): Promise<void> {
  process.on("uncaughtException", () => process.exit(0));
  silenceSqlite();
  const { surface, keep } = loadSurface<typeof import("../complete/run.js")>("complete", cacheIfThere());
  const { arguments: words, environment, folder, program } = hostOf();
  const world = {
    arguments: words.slice(1),
    environment,
    folder,
    get userFolder() {
      return program.userFolder;
    },
  };
  writeSync(1, await surface.runComplete(world));
  keep();
  process.exit(0);
}

/** For those that an agent or an editor starts, and that go on until it ends. */
async function serveAgent(name: "mcp" | "acp" | "acp-record"): Promise<void> {
  const folder = name === "acp" ? cacheIfThere() : cacheFolder();
  const { surface, keep } = loadSurface<AgentSurface>(name, folder);
  const code = await (name === "mcp"
    ? surface.runMcp(hostOf())
    : name === "acp"
      ? surface.runAcp(hostOf(), process)
      : surface.runRecorder(hostOf(), (number, signal) => process.kill(number, signal)));
  keep();
  // Everything is written and closed; only the open standard input would keep the process.
  process.exit(code);
}

type AgentSurface = typeof import("../mcp/run.js") &
  typeof import("../acp/run.js") &
  typeof import("../acp-record/run.js");

/** A line that is completed may have any flag in it, --help among them. */
function isCompleting([, , name, first]: readonly string[]): boolean {
  return name === "complete" && (first === "--" || first === "--line");
}

/** `milepost --store URL acp -- AGENT`: our flag may stand before the command, and the agent's are not ours. */
function acpFirst(words: readonly string[]): readonly string[] {
  const at = words[0] === "--store" ? 2 : words[0]?.startsWith("--store=") ? 1 : 0;
  return at > 0 && words[at] === "acp" ? ["acp", ...words.slice(0, at), ...words.slice(at + 1)] : words;
}

async function main(): Promise<void> {
  if (isCompleting(process.argv)) return answerShell().catch(() => process.exit(0));
  const words = acpFirst(process.argv.slice(2));
  process.argv.splice(2, words.length, ...words);
  // Behind `--` stands somebody else's command, with flags of its own.
  const ours = words.includes("--") ? words.slice(0, words.indexOf("--")) : words;
  const isHelp = ours.includes("--help") || ours.includes("-h");
  const name = isHelp ? undefined : words[0];
  if (name === "slash") return answerSlash().catch((error: unknown) => giveUp(name, error));
  if (name === "hook" || name === "statusline") return answerAgent(name).catch((error: unknown) => giveUp(name, error));
  if (isOldNode()) {
    process.stderr.write(
      `milepost: Node ${OLDEST_NODE.join(".")} or newer is needed, this is ${process.versions.node}. [old-node]\n`,
    );
    process.exitCode = 2;
    return;
  }
  process.on("uncaughtException", (error) => complainAndExit(error));
  const answer = answerAtOnce(words);
  if (answer !== undefined) return hostOf().output.write(answer);
  silenceSqlite();
  if (name === "mcp" || name === "acp" || name === "acp-record") return serveAgent(name);
  const host = hostOf();
  if (isForView(words) && host.output.isTerminal && process.env.TERM !== "dumb") {
    const { surface, keep } = loadSurface<typeof import("../tui/run.js")>("tui", cacheIfThere());
    const code = await surface.runTui(host);
    if (code !== undefined) {
      keep();
      // Folders that are watched and the keyboard would keep the process.
      process.exit(code);
    }
  }
  const { surface, keep } = loadCommandLine(words[0]);
  process.exitCode = await surface.runCli(host);
  keep();
}

/** Lines that may open the live view. It reads their flags itself, and leaves wrong ones to the command line. */
function isForView([name = "watch", ...flags]: readonly string[]): boolean {
  const isPlain = flags.some((flag) => ["--help", "-h", "--json", "--follow", "--fast"].includes(flag));
  return (name === "watch" || name === "demo") && !isPlain;
}

main().catch((error: unknown) => complainAndExit(error));
