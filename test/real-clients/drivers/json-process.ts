import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

// A client that talks in JSON lines over its standard streams, as editors run it.

export interface JsonProcess {
  send(message: object): void;
  /** The first message from now on that the test holds for; rejects when the process ends or is late. */
  receive(isIt: (message: Message) => boolean, what: string): Promise<Message>;
  close(): Promise<void>;
}

export type Message = Readonly<Record<string, unknown>>;

interface JsonRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Sees every message first. */
  readonly hear: (message: Message) => void;
}

const LIMIT_MS = 60_000;
const END_MS = 8000;

export function openJsonProcess({ command, args, cwd, env, hear }: JsonRun): JsonProcess {
  const child = spawn(command, args, { cwd, env: { ...env }, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Set<(message: Message) => void>();
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  child.stdin.on("error", () => undefined); // it may have ended by itself
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (!line.startsWith("{")) return;
    const message: Message = JSON.parse(line);
    hear(message);
    for (const listen of [...waiting]) listen(message);
  });
  return {
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    receive: (isIt, what) => {
      const heard = new Promise<Message>((resolve) => {
        const listen = (message: Message) => {
          if (!isIt(message)) return;
          waiting.delete(listen);
          resolve(message);
        };
        waiting.add(listen);
      });
      const late = Promise.race([ended, pause(LIMIT_MS, undefined, { ref: false })]).then((): never => {
        throw new Error(`${command} never sent ${what}.\n${err}`);
      });
      late.catch(() => undefined); // the one that lost
      return Promise.race([heard, late]);
    },
    close: () => closeProcess(child, ended),
  };
}

async function closeProcess(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.stdin?.end();
  await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
  if (child.exitCode === null) child.kill("SIGKILL");
  await ended;
}
