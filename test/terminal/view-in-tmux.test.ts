import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin } from "../hook-process.js";
import { storeWorld, type ViewWorld } from "./worlds.js";

// The view in a pane of a real tmux, on a socket of its own.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-tmux-")));
let world: ViewWorld;

beforeAll(async () => {
  world = await storeWorld(root);
});
afterAll(() => {
  if (hasTmux) tmux("kill-server");
  rmSync(root, { recursive: true, force: true });
});

function tmux(...words: readonly string[]): string {
  const { TMUX: _, TMUX_PANE: __, ...environment } = world.environment;
  const own = ["-f", "/dev/null", "-S", join(root, "socket")];
  const env = { ...environment, TERM: "xterm-256color", PS1: "ready> ", LC_ALL: "C.UTF-8" };
  return spawnSync("tmux", [...own, ...words], { cwd: world.folder, env, encoding: "utf8" }).stdout;
}

const rows = () => tmux("capture-pane", "-p").split("\n").slice(0, -1);

async function until(isThere: (shown: readonly string[]) => boolean): Promise<readonly string[]> {
  for (const end = Date.now() + 20_000; Date.now() < end; await pause(30)) if (isThere(rows())) return rows();
  throw new Error(`Not shown:\n${rows().join("\n")}`);
}

const isWhole = (height: number) => (shown: readonly string[]) =>
  shown.length === height && shown[0]?.startsWith(" MILEPOST") === true && shown.at(-1)?.includes("q quit") === true;

/** Not every machine has one. */
const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

test.skipIf(!hasTmux)(
  "the view draws in a pane, does not tear when its size changes, and leaves the pane as it was",
  async () => {
    tmux("new-session", "-d", "-x", "100", "-y", "30", "sh");
    tmux("send-keys", "echo was here before", "Enter");
    await until((shown) => shown.includes("was here before"));
    tmux("send-keys", `${process.execPath} ${bin} watch`, "Enter");
    const first = await until((shown) => isWhole(30)(shown) && shown.some((row) => row.includes("IDLE 1")));
    for (const [columns, height] of [
      [60, 15],
      [140, 40],
      [100, 30],
    ] as const) {
      tmux("resize-window", "-x", String(columns), "-y", String(height));
      const shown = await until(isWhole(height));
      expect(shown.filter((row) => row.startsWith(" MILEPOST"))).toHaveLength(1);
      expect(shown.filter((row) => row.includes("q quit"))).toHaveLength(1);
    }
    const clocks = (shown: readonly string[]) => shown.map((row) => row.replaceAll(/\d+(?=[sm]\b)|\d\d:\d\d/g, "0"));
    expect(clocks(await until((shown) => shown.some((row) => row.includes("IDLE 1"))))).toEqual(clocks(first));
    expect(tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").trim()).toBe("1 0 1");
    tmux("send-keys", "q");
    await until((shown) => shown.includes("was here before"));
    expect(tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}").trim()).toBe("0 1 0");
  },
);
