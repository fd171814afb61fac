import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { COLUMNS, quietly, ROWS, type TerminalApp, type TerminalRun, until } from "./terminal.js";

const SESSION = "client";
const END_MS = 8000;

/** Where the tmux server of a home listens: nobody else's is asked or stopped. */
export function tmuxEnv(home: string): { readonly TMUX_TMPDIR: string } {
  return { TMUX_TMPDIR: join(home, "tmux") };
}

/** A program in a pane of a tmux server of its own, which ends with it. */
export function openTmux({ command, args, cwd, env }: TerminalRun): TerminalApp {
  const around = { ...env, ...tmuxEnv(env.HOME ?? cwd), TERM: "xterm-256color" };
  mkdirSync(around.TMUX_TMPDIR, { recursive: true });
  const tmux = (...words: readonly string[]) => spawnSync("tmux", words, { cwd, env: around, encoding: "utf8" });
  const size = ["-x", `${COLUMNS}`, "-y", `${ROWS}`];
  const started = tmux("-f", "/dev/null", "new-session", "-d", "-s", SESSION, ...size, "--", command, ...args);
  if (started.status !== 0) throw new Error(`tmux cannot run the client: ${started.error ?? started.stderr}`);
  const rows = (...from: readonly string[]) => tmux("capture-pane", "-p", "-t", SESSION, ...from).stdout.trimEnd();
  const app: TerminalApp = {
    screen: () => rows(),
    history: () => rows("-S", "-"),
    // As bytes: a word such as Enter would be taken for the key of that name.
    type: (text) => void tmux("send-keys", "-t", SESSION, "-H", ...Array.from(Buffer.from(text), hex)),
    see: (what, limitMs) => until(app.screen, what, limitMs),
    quiet: (ms) => quietly(app.screen, ms),
    close: async (keys) => {
      const isThere = () => tmux("has-session", "-t", SESSION).status === 0;
      for (const key of keys) {
        app.type(key);
        await pause(300);
      }
      for (const end = Date.now() + END_MS; isThere() && Date.now() < end; ) await pause(100);
      tmux("kill-server");
    },
  };
  return app;
}

const hex = (byte: number) => byte.toString(16).padStart(2, "0");
