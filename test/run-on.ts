import { join } from "node:path";
import { runCli } from "../src/cli/run.js";

export interface Around {
  readonly environment?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly written?: (text: string) => void;
  readonly isErrorTerminal?: boolean;
  readonly input?: string;
  readonly folder?: string;
  readonly columns?: number;
  /** A person is looking. */
  readonly isTerminal?: boolean;
  /** A person types. */
  readonly isTyped?: boolean;
}

/** One command line, run in this process, on a machine whose only user has this home. */
export async function runOn(home: string, words: readonly string[], around: Around = {}) {
  const { environment, signal, written, input = "", folder = "/elsewhere", columns = 100 } = around;
  const { isTerminal = false, isTyped = false } = around;
  const [out, err]: [string[], string[]] = [[], []];
  const exit = await runCli({
    arguments: words,
    environment: { MILEPOST_HOME: join(home, "milepost"), ...environment },
    version: "9.9.9",
    program: { node: "/n", bundle: "/m.cjs", userFolder: home, temporaryFolder: "/tmp", platform: "linux" },
    input: {
      bytes: (async function* () {
        yield Buffer.from(input);
      })(),
      isTerminal: isTyped,
    },
    output: {
      write: async (text: string) => {
        out.push(text);
        written?.(text);
      },
      isTerminal,
      hasColor: false,
      columns,
    },
    writeError: async (text: string) => void err.push(text),
    isErrorTerminal: around.isErrorTerminal ?? false,
    folder,
    clientProcess: "m:1",
    ownProcess: "m:2",
    isRunning: () => true,
    interrupted: () => signal ?? new AbortController().signal,
    sleep: async () => undefined,
  });
  return { exit, out: out.join(""), err: err.join("") };
}
