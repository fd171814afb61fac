import { fstatSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import type { Host, Keyboard, PersonalHost } from "../app/host.js";
import { processName } from "../app/session/process-life.js";
import { userFolder } from "../app/store-place.js";

// A process as a surface sees it. Node takes 3 ms for each of its streams, so each is made when it is first needed:
// what goes into a pipe or a file is written without one.

type Own = NodeJS.Process;

export interface HostOptions {
  readonly version: string;
  /** Our own file, not the link in a folder of commands that led to it. */
  readonly bundle: string;
  /** The output cannot be written. Ends the process. */
  readonly fail: (error: NodeJS.ErrnoException) => never;
}

/** Columns of a terminal that does not tell them; and of what is none. */
const UNKNOWN_COLUMNS = { terminal: 80, pipe: 120 };

export function createHost(own: Own, options: HostOptions): PersonalHost {
  const streams = new Streams(own, options.fail);
  const { env } = own;
  return {
    arguments: own.argv.slice(2),
    environment: env,
    folder: currentFolder(own),
    // Only a server asks for these.
    get clientProcess() {
      return processName(own.ppid);
    },
    get ownProcess() {
      return processName(own.pid);
    },
    isRunning: (number) => isRunning(own, number),
    version: options.version,
    program: {
      node: own.execPath,
      bundle: options.bundle,
      get userFolder() {
        return userFolder();
      },
      get temporaryFolder() {
        return tmpdir();
      },
      platform: own.platform,
    },
    input: {
      get bytes() {
        return own.stdin;
      },
      get isTerminal() {
        return streams.isTerminal(0);
      },
    },
    output: outputOf(own, streams),
    keyboard: keyboardOf(own),
    writeError: (text) => streams.write(2, text),
    get isErrorTerminal() {
      return streams.isTerminal(2);
    },
    interrupted() {
      // Whoever goes on until then must hear it, also while nobody reads.
      streams.isWaiting = true;
      const controller = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) own.once(signal, () => controller.abort());
      return controller.signal;
    },
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  };
}

function outputOf(own: Own, streams: Streams): Host["output"] {
  const { env } = own;
  return {
    write: (text) => streams.write(1, text),
    get isTerminal() {
      return streams.isTerminal(1);
    },
    get hasColor() {
      return streams.isTerminal(1) && !env.NO_COLOR && env.TERM !== "dumb";
    },
    // Asked for each time: a window can be resized. One of 0 columns is one that nobody has measured.
    get columns() {
      if (!streams.isTerminal(1)) return UNKNOWN_COLUMNS.pipe;
      return own.stdout.columns || UNKNOWN_COLUMNS.terminal;
    },
    get rows() {
      return streams.isTerminal(1) ? own.stdout.rows || undefined : undefined;
    },
  };
}

/** Nothing of it touches the process before `start`: most commands have no use for a keyboard. */
function keyboardOf(own: Own): Keyboard {
  let left = "";
  let isHeardAtExit = false;
  let heard: ((bytes: string) => void) | undefined;
  let resized: (() => void) | undefined;
  const hear = (bytes: string) => heard?.(bytes);
  const keyboard: Keyboard = {
    start(listener, onResize) {
      [heard, resized] = [listener, onResize];
      own.stdout.on("resize", resized);
      if (!own.stdin.isTTY) return;
      own.stdin.setRawMode(true);
      // A letter of several bytes may arrive in two parts.
      own.stdin.setEncoding("utf8");
      own.stdin.on("data", hear);
      own.stdin.resume();
    },
    stop() {
      if (resized) own.stdout.off("resize", resized);
      heard = undefined;
      if (!own.stdin.isTTY) return;
      own.stdin.off("data", hear);
      own.stdin.pause();
      own.stdin.setRawMode(false);
    },
    leaveWith(text) {
      if (!isHeardAtExit) own.once("exit", () => restoreTerminal(own, left));
      isHeardAtExit = true;
      left = text;
    },
    async suspend() {
      const isBack = new Promise<void>((resolve) => own.once("SIGCONT", () => resolve()));
      own.kill(own.pid, "SIGTSTP");
      await isBack;
    },
  };
  leaving.set(own, () => {
    restoreTerminal(own, left);
    // Once: a second time would put the cursor back over what is told in between.
    left = "";
  });
  return keyboard;
}

const leaving = new WeakMap<Own, () => void>();

/** The terminal as it was, before an error is told: on the screen of a view nobody would see it. */
export function leaveTerminal(own: Own): void {
  leaving.get(own)?.();
}

function restoreTerminal(own: Own, text: string): void {
  if (text === "") return;
  try {
    if (own.stdin.isTTY) own.stdin.setRawMode(false);
    // Synchronous: the process ends right after it.
    writeSync(1, text);
  } catch {
    // The terminal has gone.
  }
}

/** Milliseconds until a pipe that has no room is tried again. */
const ROOM_MS = 2;

class Streams {
  readonly #own: Own;
  readonly #fail: HostOptions["fail"];
  readonly #terminals = new Map<number, boolean>();
  readonly #used = new Set<number>();
  /** Others have to be heard while a pipe is full. */
  isWaiting = false;

  constructor(own: Own, fail: HostOptions["fail"]) {
    this.#own = own;
    this.#fail = fail;
  }

  isTerminal(number: 0 | 1 | 2): boolean {
    const known = this.#terminals.get(number) ?? (mayBeTerminal(this.#own, number) && this.#of(number).isTTY === true);
    this.#terminals.set(number, known);
    return known;
  }

  #of(number: 0 | 1 | 2): { readonly isTTY?: boolean } {
    return number === 0 ? this.#own.stdin : number === 1 ? this.#own.stdout : this.#own.stderr;
  }

  /** Resolves when the text was handed over or failed. */
  async write(number: 1 | 2, text: string): Promise<void> {
    if (!this.isWaiting && !this.#used.has(number) && !mayBeTerminal(this.#own, number))
      this.#writeAtOnce(number, text);
    else await this.#writeToStream(number, text);
  }

  #writeAtOnce(number: 1 | 2, text: string): void {
    const bytes = Buffer.from(text);
    for (let written = 0; written < bytes.length; ) {
      try {
        written += writeSync(number, bytes, written);
      } catch (error) {
        const trouble = error as NodeJS.ErrnoException;
        // Where nobody can be told, the exit code still says it.
        if (trouble.code !== "EAGAIN" && number === 2) return;
        if (trouble.code !== "EAGAIN") this.#fail(trouble);
        // A pipe that does not wait by itself is full.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ROOM_MS);
      }
    }
  }

  #writeToStream(number: 1 | 2, text: string): Promise<void> {
    const stream = number === 1 ? this.#own.stdout : this.#own.stderr;
    if (!this.#used.has(number)) stream.on("error", number === 2 ? () => undefined : this.#fail);
    this.#used.add(number);
    return new Promise((resolve) => {
      stream.write(text, () => resolve());
    });
  }
}

/** Whatever is no device, or the one that swallows everything, is none; for the rest Node is asked. */
function mayBeTerminal({ platform }: Own, number: number): boolean {
  try {
    if (platform === "win32") return true;
    const found = fstatSync(number);
    return found.isCharacterDevice() && found.rdev !== statSync("/dev/null").rdev;
  } catch {
    return true;
  }
}

/** A folder that was deleted under us still has a name, and no command fails because of it. */
function currentFolder(own: Own): string {
  try {
    return own.cwd();
  } catch {
    return own.env.PWD ?? "/";
  }
}

function isRunning(own: Own, number: number): boolean {
  try {
    return own.kill(number, 0);
  } catch (error) {
    // There, and another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
