import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads";

// The built command line without the start of a process, which takes twenty times as long as most commands. For tests
// about what a command does; what a process adds (signals, pipes, a terminal, exit codes) is tested with real ones.

export interface Ran {
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

interface Around {
  readonly input?: string | Buffer;
  /** A person sits at a terminal and types the input; the output is a pipe all the same. */
  readonly isTyped?: boolean;
  /** Milliseconds until Ctrl+C, for what goes on until then. */
  readonly endsAfter?: number;
  /** The command's own clock: milliseconds by which it is ahead, and how many times as fast it runs. */
  readonly clock?: { readonly ahead: number; readonly pace?: number };
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

let thread: Worker | undefined;

function startThread(): Worker {
  const worker = new Worker(new URL("command-worker.mjs", import.meta.url), { trackUnmanagedFds: false });
  worker.unref();
  return worker;
}

/** Waits like spawnSync: tests read from top to bottom. */
export function runWarm(args: readonly string[], around: Around): Ran {
  const { input = "", isTyped = false, endsAfter, clock, folder, environment } = around;
  thread ??= startThread();
  const { port1, port2 } = new MessageChannel();
  const ended = new Int32Array(new SharedArrayBuffer(4));
  // A process has only texts in its environment, and no entry that is not there.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  const call = { args, input, isTyped, endsAfter, clock, folder, environment: set };
  thread.postMessage({ call, port: port2, ended }, [port2]);
  Atomics.wait(ended, 0, 0);
  const { thrown, ...ran } = receiveMessageOnPort(port1)?.message ?? { thrown: new Error("The thread said nothing.") };
  port1.close();
  if (thrown) throw thrown;
  return ran;
}
