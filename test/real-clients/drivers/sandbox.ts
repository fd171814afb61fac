import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type ProcessEnd, runProcess } from "./run-process.js";

/** The command under test; MILEPOST_BIN names another build. From the working folder: benches run bundled, elsewhere. */
const MILEPOST = process.env.MILEPOST_BIN ?? resolve("dist/milepost.cjs");
const NOWHERE = "http://127.0.0.1:9"; // nothing listens on the discard port: a client reaches its fake model and nobody else
const REMOVALS = 12; // within seven seconds

/** Not a key. Claude Code remembers the last 20 characters of those a person approved. */
export const API_KEY = "not-a-key";

/** A person's machine in miniature: a home folder with both clients' settings, Milepost's store, and one project. */
export interface Sandbox {
  readonly home: string;
  readonly project: string;
  /** The file that Node runs as `milepost`. */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  milepost(args: readonly string[], input?: string): Promise<ProcessEnd>;
  remove(): Promise<void>;
}

/** Other places for Node and for us than those that run the tests. */
export interface Installation {
  readonly node: string;
  readonly command: string;
}

const INSTALLED: Installation = { node: process.execPath, command: MILEPOST };

export async function openSandbox(
  install: (home: string, usual: Installation) => Installation = (_, usual) => usual,
): Promise<Sandbox> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-real-")));
  const project = join(home, "project");
  for (const folder of ["project", "claude", "codex", "tmp"]) mkdirSync(join(home, folder));
  writeFileSync(join(project, "README.md"), "# A project\n");
  writeFileSync(join(home, "claude", ".claude.json"), JSON.stringify(claudeState(project), undefined, 2));
  const env = sandboxEnv(home);
  const { node, command } = install(home, INSTALLED);
  await runProcess({ command: "git", args: ["init", "-q"], cwd: project, env }); // Codex asks for a repository
  return {
    home,
    project,
    command,
    env,
    milepost: (args, input = "") => runProcess({ command: node, args: [command, ...args], cwd: project, env, input }),
    remove: () => removeFolder(home),
  };
}

/** The last hooks of a client may write for a moment after it has ended. */
async function removeFolder(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (tries === REMOVALS) throw error;
      await setTimeout(100 * tries);
    }
  }
}

/** Claude Code was here before: its first-run dialogs (theme, key, trust in the folder) have been answered. */
function claudeState(project: string): object {
  return {
    hasCompletedOnboarding: true,
    theme: "dark",
    customApiKeyResponses: { approved: [API_KEY], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
  };
}

function sandboxEnv(home: string): Record<string, string> {
  const { PATH = "", LANG = "C.UTF-8", SHELL = "/bin/sh" } = process.env;
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].flatMap((name) => [name, name.toLowerCase()]);
  return {
    ...{ PATH, LANG, SHELL, TERM: "dumb", HOME: home, TMPDIR: join(home, "tmp") },
    CLAUDE_CONFIG_DIR: join(home, "claude"),
    CODEX_HOME: join(home, "codex"),
    ...Object.fromEntries(proxies.map((name) => [name, NOWHERE])),
    NO_PROXY: "127.0.0.1,localhost",
    no_proxy: "127.0.0.1,localhost",
  };
}
