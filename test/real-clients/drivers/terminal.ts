import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { type HeadlessTerminal, loadTerminal } from "./clients.js";

/** A program in a pseudo-terminal of its own, and what a person would see of it. */
export interface TerminalApp {
  /** The visible rows. */
  screen(): string;
  /** All rows, those that scrolled away included. */
  history(): string;
  type(text: string): void;
  /** Resolves when the test holds for the screen, rejects with the screen after the limit. */
  see(what: RegExp | ((screen: string) => boolean), limitMs?: number): Promise<void>;
  /** The screen has said the same for this long. */
  quiet(ms?: number): Promise<void>;
  /** Asks with these keys, waits, and kills the process if it stays. */
  close(keys: readonly string[]): Promise<void>;
}

export interface TerminalRun {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export const KEYS = { enter: "\r", escape: "\x1b", interrupt: "\x03", down: "\x1b[B" } as const;

export const COLUMNS = 120;
export const ROWS = 40;
const LIMIT_MS = 60_000;
const LOOK_EVERY_MS = 50;
const QUIET_MS = 1500; // longer than a clock in seconds stands still
const BLINKING = /^[●○•◦]/gm; // the mark of a call that waits for the person
const END_MS = 8000;

/** util-linux `script` gives the pseudo-terminal, xterm draws what comes out of it. */
export function openTerminal({ command, args, cwd, env }: TerminalRun): TerminalApp {
  const terminal = loadTerminal({ cols: COLUMNS, rows: ROWS, scrollback: 5000, allowProposedApi: true });
  const line = `stty cols ${COLUMNS} rows ${ROWS}; exec ${[command, ...args].map(shellQuoted).join(" ")}`;
  const child = spawn("script", ["-qfec", line, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color", COLUMNS: String(COLUMNS), LINES: String(ROWS) },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  child.stdout.on("data", (data: Buffer) => terminal.write(data));
  child.stdin.on("error", () => undefined); // it may have ended by itself
  terminal.onData((answer) => child.stdin.write(answer)); // programs ask the terminal what it can do

  const app: TerminalApp = {
    screen: () => rows(terminal, terminal.buffer.active.baseY),
    history: () => rows(terminal, 0),
    type: (text) => void child.stdin.write(text),
    see: (what, limitMs) => until(app.screen, what, limitMs),
    quiet: (ms) => quietly(app.screen, ms),
    close: async (keys) => {
      for (const key of keys) {
        app.type(key);
        await Promise.race([ended, app.quiet(300)]);
      }
      await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
      if (child.exitCode === null) child.kill("SIGKILL");
      await ended;
      terminal.dispose();
    },
  };
  return app;
}

/** Resolves when the test holds for the screen, rejects with the screen after the limit. */
export function until(
  screen: () => string,
  what: Parameters<TerminalApp["see"]>[0],
  limitMs = LIMIT_MS,
): Promise<void> {
  const test = typeof what === "function" ? what : (text: string) => what.test(text);
  return holding(
    () => test(screen()),
    limitMs,
    () => `${what}\nis not what is on the screen:\n${screen()}`,
  );
}

/** Counts from now on: what was typed just now is not drawn yet. Texts, because a cursor may blink for ever. */
export function quietly(screen: () => string, ms = QUIET_MS): Promise<void> {
  let seen = { screen: "", at: Date.now() };
  const isQuiet = () => {
    const now = screen().replace(BLINKING, " ");
    if (now !== seen.screen) seen = { screen: now, at: Date.now() };
    return Date.now() - seen.at >= ms;
  };
  return holding(isQuiet, LIMIT_MS, () => `It goes on drawing:\n${screen()}`);
}

async function holding(holds: () => boolean, limitMs: number, complaint: () => string): Promise<void> {
  const end = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(complaint());
    await pause(LOOK_EVERY_MS);
  }
}

function rows(terminal: HeadlessTerminal, first: number): string {
  const buffer = terminal.buffer.active;
  const lines = Array.from({ length: buffer.length - first }, (_, row) => buffer.getLine(first + row));
  return lines
    .map((line) => line?.translateToString(true) ?? "")
    .join("\n")
    .trimEnd();
}

const shellQuoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;
