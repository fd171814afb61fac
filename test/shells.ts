import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

// Real shells at a pseudo-terminal, for what only they can show.

let isTried = false;

/** Where a shell is; undefined where there is none. On a Debian of our own (a container, as root) it is installed. */
export function findShell(name: string): string | undefined {
  return onPath(name) ?? (install() ? onPath(name) : undefined);
}

function onPath(name: string): string | undefined {
  return (process.env.PATH ?? "")
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** A minute at most, and once: without a network it fails at once. */
function install(): boolean {
  if (isTried || process.getuid?.() !== 0 || !existsSync("/etc/debian_version") || !onPath("apt-get")) return false;
  isTried = true;
  const quick = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=5", "-qq"];
  const options = {
    stdio: "ignore",
    timeout: 60_000,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  } as const;
  const add = () =>
    spawnSync("apt-get", [...quick, "install", "-y", "--no-install-recommends", "zsh", "fish"], options);
  return add().status === 0 || (spawnSync("apt-get", [...quick, "update"], options).status === 0 && add().status === 0);
}

/** util-linux's `script` gives the terminal; the one of macOS takes other flags. */
export const HAS_TERMINAL = process.platform === "linux" && onPath("script") !== undefined;

interface ShellRun {
  readonly line: string;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

export interface ShellAtTerminal {
  /** Types keys and resolves with everything that has appeared since, once it matches. */
  type(keys: string, until: RegExp): Promise<string>;
  end(): void;
}

/** Longer than a slow machine needs: what is waited for is a text, not a time. */
const LIMIT_MS = 30_000;

export function startShell({ line, folder, environment }: ShellRun): ShellAtTerminal {
  const child = spawn("script", ["-qfec", `stty cols 100 rows 40; exec ${line}`, "/dev/null"], {
    cwd: folder,
    env: { ...environment, TERM: "xterm" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let shown = "";
  let heard = () => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    heard();
  });
  // It may have ended by itself.
  child.stdin.on("error", () => undefined);
  return {
    type(keys, until) {
      shown = "";
      child.stdin.write(keys);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`No ${until} after ${JSON.stringify(keys)}:\n${shown}`)),
          LIMIT_MS,
        );
        heard = () => {
          if (!until.test(shown)) return;
          clearTimeout(timer);
          resolve(shown);
        };
        heard();
      });
    },
    end: () => void child.kill("SIGKILL"),
  };
}
