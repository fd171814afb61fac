import { readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import type { ReadStream } from "node:tty";
import pty from "@lydell/node-pty";
import { type Cell, cellsOf } from "./screen-cells.js";
import { bytesOf, type Key, wheelBytes } from "./terminal-keys.js";
import { type Modes, watchedScreen } from "./watched-screen.js";

// A program at a real terminal: a pseudo-terminal on the one side, and on the other what a person would see there.

export interface TerminalOptions {
  readonly command: string;
  readonly arguments?: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly columns: number;
  readonly rows: number;
  readonly folder: string;
  /** The person wants no colours. */
  readonly isPlain?: boolean;
}

interface Exit {
  readonly code: number;
  /** The number of the signal that ended it; 0 for none. */
  readonly signal: number;
}

/** What somebody waits for: a text on the screen, or anything that its rows show. */
export type Wanted = string | ((rows: readonly string[]) => boolean);

export interface Terminal {
  readonly pid: number;
  /** By the clock of `performance`. */
  readonly startedAt: number;
  /** All that was written so far. */
  readonly raw: string;
  /** What the terminal itself has sent: answers to questions that were written to it. */
  readonly answered: string;
  /** One text for each row, without the blanks at its end. */
  screen(): readonly string[];
  /** One row, cell by cell: the right half of a wide character has no text and no width. */
  cells(row: number): readonly Cell[];
  modes(): Modes;
  type(text: string): void;
  press(key: Key, times?: number): void;
  /** A turn of the wheel over a place, counted from 0. */
  wheel(direction: "up" | "down", row: number, column: number): void;
  resize(columns: number, rows: number): void;
  signal(name: NodeJS.Signals): void;
  /** Milliseconds from this call until the bytes came that made it true; 0 where it is true already. */
  until(wanted: Wanted, within?: number): Promise<number>;
  /** Until nothing was written for so long, from now on. */
  quiet(milliseconds?: number): Promise<void>;
  /** When it has ended, and all that it wrote is on the screen. */
  exit(within?: number): Promise<Exit>;
  /** Ends the program and whatever it started, if it is still there. */
  close(): Promise<void>;
}

/** A busy machine may be ten times as slow as it should be; who measures looks at what `until` returns. */
const PATIENCE = 20_000;

export async function openTerminal(options: TerminalOptions): Promise<Terminal> {
  const screen = watchedScreen(options.columns, options.rows);
  const startedAt = performance.now();
  const child = pty.spawn(options.command, [...(options.arguments ?? [])], {
    name: "xterm-256color",
    cols: options.columns,
    rows: options.rows,
    cwd: options.folder,
    encoding: null,
    env: { ...atTerminal(options.environment), ...(options.isPlain && { NO_COLOR: "1" }) },
  });
  const looks = new Set<(at: number) => void>();
  const state = { raw: "", answered: "", writtenAt: performance.now(), pending: 0 };
  const ended = new Promise<Exit>((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve({ code: exitCode, signal: signal ?? 0 }));
  });
  const decoder = new StringDecoder("utf8");
  const hear = (bytes: Buffer) => {
    const at = performance.now();
    const text = decoder.write(bytes);
    state.raw += text;
    state.writtenAt = at;
    state.pending += 1;
    screen.xterm.write(text, () => {
      state.pending -= 1;
      for (const look of [...looks]) look(at);
    });
  };
  // The library says text also where it hands over bytes.
  child.onData((bytes) => hear(bytes as unknown as Buffer));
  hearToTheEnd(child, hear);
  // Programs ask what the terminal can do, and wait for its answer.
  screen.xterm.onData((text) => {
    state.answered += text;
    child.write(text);
  });
  return terminalOf({ child, startedAt, screen, looks, state, ended });
}

/**
 * A terminal gives 4 KB at a time, and Node takes the first such part that comes after its program has ended for the
 * last one: on a busy machine the rest is still to be read when it closes.
 */
function hearToTheEnd(child: pty.IPty, hear: (bytes: Buffer) => void): void {
  const { _socket: socket, fd } = child as unknown as { readonly _socket: ReadStream; readonly fd: number };
  const close = socket.destroy.bind(socket);
  socket.destroy = (error) => {
    if (!socket.destroyed) for (const part of restOf(fd)) hear(part);
    return close(error);
  };
}

function* restOf(fd: number): Generator<Buffer> {
  for (;;) {
    const part = Buffer.alloc(65_536);
    try {
      const length = readSync(fd, part);
      if (length === 0) return;
      yield part.subarray(0, length);
    } catch {
      // Nothing more: nobody has the other end, or nothing was written.
      return;
    }
  }
}

/** Not a pipe's environment: a terminal has colours, and nobody's build runs in it. */
function atTerminal({ CI: _, NO_COLOR: __, FORCE_COLOR: ___, ...environment }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, TERM: "xterm-256color" };
}

interface Parts {
  readonly child: pty.IPty;
  readonly startedAt: number;
  readonly screen: ReturnType<typeof watchedScreen>;
  /** Called when bytes are on the screen, with the time at which they came. */
  readonly looks: Set<(at: number) => void>;
  readonly state: {
    readonly raw: string;
    readonly answered: string;
    readonly writtenAt: number;
    readonly pending: number;
  };
  readonly ended: Promise<Exit>;
}

function terminalOf(parts: Parts): Terminal {
  const { child, screen, state, ended } = parts;
  const { xterm } = screen;
  return {
    pid: child.pid,
    startedAt: parts.startedAt,
    get raw() {
      return state.raw;
    },
    get answered() {
      return state.answered;
    },
    screen: screen.rows,
    cells: (row) => cellsOf(xterm.buffer.active, row, xterm.cols),
    modes: screen.modes,
    type: (text) => child.write(text),
    press: (key, times = 1) => child.write(bytesOf(key, screen.modes()).repeat(times)),
    wheel: (direction, row, column) => child.write(wheelBytes(direction, { row, column }, screen.modes())),
    resize(columns, rows) {
      xterm.resize(columns, rows);
      child.resize(columns, rows);
    },
    signal: (name) => process.kill(child.pid, name),
    until: (wanted, within = PATIENCE) => untilShown(parts, wanted, within),
    quiet: (milliseconds = 150) => untilQuiet(parts, milliseconds),
    async exit(within = PATIENCE) {
      const exit = await soon(ended, within, () => `It has not ended.\n${screen.rows().join("\n")}`);
      await untilQuiet(parts, 0);
      return exit;
    },
    async close() {
      try {
        // It leads a group of its own, as everything does that a terminal starts.
        process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
      await ended;
      xterm.dispose();
    },
  };
}

function untilShown({ screen, looks, state }: Parts, wanted: Wanted, within: number): Promise<number> {
  const isShown = () => {
    const rows = screen.rows();
    return typeof wanted === "string" ? rows.some((row) => row.includes(wanted)) : wanted(rows);
  };
  if (state.pending === 0 && isShown()) return Promise.resolve(0);
  const start = performance.now();
  let look = (_: number) => {};
  const shown = new Promise<number>((resolve) => {
    look = (at) => {
      if (isShown()) resolve(Math.max(0, at - start));
    };
    looks.add(look);
  });
  const complaint = () => `Not shown in ${within} ms: ${wanted}\n${screen.rows().join("\n")}`;
  return soon(shown, within, complaint).finally(() => looks.delete(look));
}

async function untilQuiet({ state }: Parts, milliseconds: number): Promise<void> {
  const called = performance.now();
  while (state.pending > 0 || performance.now() - Math.max(called, state.writtenAt) < milliseconds)
    await new Promise((resolve) => setTimeout(resolve, 5));
}

/** The value, or an error that says what is there instead. */
function soon<T>(value: Promise<T>, within: number, complaint: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(complaint())), within);
  });
  return Promise.race([value, late]).finally(() => clearTimeout(timer));
}
