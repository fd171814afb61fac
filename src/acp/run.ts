import { type ChildProcess, spawn } from "node:child_process";
import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import type { Readable, Writable } from "node:stream";
import type { Host } from "../app/host.js";
import { processName } from "../app/session/process-life.js";
import { terminalText } from "../core/text/terminal-text.js";
import { type AcpLine, readLine } from "./acp-flags.js";
import { Passage } from "./passage.js";
import { RecorderLink } from "./recorder-link.js";

const EXIT_REFUSED = 1;
const EXIT_USAGE = 2;

/** Milliseconds: who looks right after the agent's end sees what it did; the rest is recorded without us. */
const RECORD_PATIENCE = 1000;

/** Milliseconds. Processes that the agent has left behind may hold its output open, and say nothing. */
const LINGER = 500;

/** The parts of the process that only this surface needs. */
export interface AcpProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  on(signal: NodeJS.Signals, heard: () => void): unknown;
  removeAllListeners(signal: NodeJS.Signals): unknown;
  kill(number: number, signal: NodeJS.Signals): unknown;
  readonly pid: number;
}

/** What ended the agent. */
interface AgentEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hasSpoken: boolean;
}

/** Sits between an editor and its agent. Returns the agent's exit code; dies as the agent died. */
export async function runAcp(host: Host, own: AcpProcess): Promise<number> {
  const line = readLine(host.arguments.slice(1));
  if (!line.ok) return refuse(host, line.error.message, line.error.code);
  const agent = await startAgent(line.value.command);
  if (!agent.isStarted) return refuse(host, agent.problem, "no-agent", EXIT_REFUSED);
  const asked = forwardSignals(own, agent.child);
  const end = await pass(host, own, agent.child, { ...line.value, asked });
  await explain(host, line.value.command, end);
  if (end.signal) {
    own.removeAllListeners(end.signal);
    own.kill(own.pid, end.signal);
    // Some signals do nothing to a process that nobody waits for.
    return 128 + (constants.signals[end.signal] ?? 0);
  }
  return end.code ?? 0;
}

type Started =
  | { readonly isStarted: true; readonly child: AgentProcess }
  | { readonly isStarted: false; readonly problem: string };

type AgentProcess = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

function startAgent([program, ...rest]: AcpLine["command"]): Promise<Started> {
  const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"] }) as AgentProcess;
  return new Promise((resolve) => {
    child.once("spawn", () => resolve({ isStarted: true, child }));
    child.once("error", ({ code, message }: NodeJS.ErrnoException) => {
      const why = (code !== undefined && whyNot(code, program)) || message;
      resolve({ isStarted: false, problem: `The agent ${program} cannot be started: ${why}.` });
    });
  });
}

function whyNot(code: string, program: string): string | undefined {
  if (code === "ENOENT") return "there is no such command";
  if (code !== "EACCES") return undefined;
  // Of a name alone it may also be a folder in PATH that says so.
  return /[/\\]/.test(program) ? "it may not be run" : "there is no such command that may be run";
}

/** `asked`: resolves when we are asked to end, and there is no agent any more to ask. */
type Passing = AcpLine & { readonly asked: Promise<void> };

async function pass(host: Host, own: AcpProcess, child: AgentProcess, line: Passing): Promise<AgentEnd> {
  let hasSpoken = false;
  child.stdout.once("data", () => {
    hasSpoken = true;
  });
  const ended = new Promise<Omit<AgentEnd, "hasSpoken">>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  let link: RecorderLink | undefined;
  const heard = (from: "editor" | "agent") => (chunk: Uint8Array) => link?.give(from, chunk);
  // Before anything is read: the recorder must see the first byte, but the agent does not wait for it.
  link = openLink(host, child, line, (text) => toEditor.say(text));
  const toEditor = new Passage(child.stdout, editorOutput(own.stdout), heard("agent"));
  new Passage(own.stdin, child.stdin, heard("editor"));
  const end = await ended;
  await Promise.race([toEditor.settle(LINGER), line.asked]);
  await link?.end(RECORD_PATIENCE);
  return { ...end, hasSpoken };
}

/** Undefined where it cannot be started: bytes pass all the same. */
function openLink(
  host: Host,
  { pid = 0 }: AgentProcess,
  { command, store, agent, showsList }: AcpLine,
  say: (line: string) => void,
): RecorderLink | undefined {
  const data = { command, process: processName(pid), store, agent, showsList };
  try {
    return new RecorderLink(host, { data, say });
  } catch {
    return undefined;
  }
}

/** Node writes into a pipe and waits; an editor that does not read must not keep us from hearing it. */
function editorOutput(standard: Writable): Writable {
  try {
    const found = fstatSync(1);
    if (found.isFIFO() || found.isSocket()) return new Socket({ fd: 1, readable: false, writable: true });
  } catch {
    // Closed: what is written fails there as it would here.
  }
  return standard;
}

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR2"] as const;

/** Who ends us means the agent. Resolves when it has ended before: then it is about us. */
function forwardSignals(own: AcpProcess, child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS)
      own.on(signal, () => {
        if (!child.kill(signal)) resolve();
      });
  });
}

/** The adapter of Codex is built on an older one, which ends at a key that setup writes for Codex itself. */
async function explain(host: Host, command: AcpLine["command"], { code, hasSpoken }: AgentEnd): Promise<void> {
  if (hasSpoken || !code || !command.some((word) => /(?:^|[\\/])codex-acp$/.test(word))) return;
  const hint = "If it cannot read features.code_mode: milepost acp -- codex-acp -c features.code_mode=false";
  await host.writeError(`milepost: The agent ended before it said anything. ${hint}\n`);
}

async function refuse(host: Host, message: string, code: string, exit = EXIT_USAGE): Promise<number> {
  await host.writeError(`milepost: ${terminalText(message)} [${code}]\n`);
  return exit;
}
