import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { bin } from "../hook-process.js";
import { manySessions } from "./many-sessions.js";
import { openTerminal, type Terminal } from "./pseudo-terminal.js";
import { leftOver } from "./watched-screen.js";
import { storeWorld, type ViewWorld } from "./worlds.js";

// However the view ends, the person has their terminal back: the screen, the cursor, the mouse, the title, what is typed.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-end-")));
const SIZE = { columns: 110, rows: 30 };
const preload = join(root, "preload.cjs");
const pidFile = join(root, "pid");
let world: ViewWorld;
let terminal: Terminal | undefined;

/** The program tells its number, and breaks where nobody catches it when it is told to. */
const PRELOAD = `
if (process.argv[2] === "watch") {
  require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
  process.on("SIGUSR2", () => setTimeout(() => { throw new Error("It broke in the middle"); }));
}`;

beforeAll(async () => {
  world = await storeWorld(join(root, "world"));
  writeFileSync(preload, PRELOAD);
});
afterEach(async () => {
  await terminal?.close();
  rmSync(pidFile, { force: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** In a shell, which says afterwards how the view has ended and what the terminal does with what is typed. */
async function inShell({ environment, folder }: ViewWorld = world): Promise<Terminal> {
  const line = `${JSON.stringify(process.execPath)} ${JSON.stringify(bin)} watch; echo "exit $?"; stty -a`;
  terminal = await openTerminal({
    command: "sh",
    arguments: ["-c", line],
    environment: { ...environment, NODE_OPTIONS: `--require ${preload}` },
    ...SIZE,
    folder,
  });
  return terminal;
}

const kill = (name: NodeJS.Signals) => process.kill(Number(readFileSync(pidFile, "utf8")), name);

function isAsBefore(shown: Terminal): void {
  expect(leftOver(shown.modes())).toEqual([]);
  const told = shown.screen().join(" ");
  expect(told).toMatch(/ echo /);
  expect(told).toMatch(/ icanon /);
  expect(told).toMatch(/ isig /);
}

describe("the end of the view", () => {
  const WAYS: readonly [string, (shown: Terminal) => void, string][] = [
    ["q", (shown) => shown.type("q"), "exit 0"],
    ["Ctrl+C", (shown) => shown.press("ctrl+c"), "exit 0"],
    ["SIGTERM", () => kill("SIGTERM"), "exit 0"],
    ["SIGHUP", () => kill("SIGHUP"), "exit 0"],
  ];
  test.each(WAYS)("%s puts the terminal back", async (_, end, code) => {
    const shown = await inShell();
    await shown.until("IDLE 1");
    await shown.until(() => shown.modes().title.includes("waiting for you"));
    expect(leftOver(shown.modes())).toEqual(
      expect.arrayContaining(["alternate screen", "hidden cursor", "mouse tracking", "bracketed paste", "title"]),
    );
    end(shown);
    await shown.exit();
    isAsBefore(shown);
    expect(shown.screen()[0]).toBe(code);
  });

  test("a crash puts the terminal back, and can be read", async () => {
    const shown = await inShell();
    await shown.until("IDLE 1");
    kill("SIGUSR2");
    await shown.exit();
    isAsBefore(shown);
    expect(shown.screen()[0]).toMatch(/^milepost: .*It broke in the middle/);
    expect(shown.screen()).toContain("exit 3");
  });

  test("q while transcripts are still being read", async () => {
    const shown = await inShell(manySessions(join(root, "many"), 300, 60));
    await shown.until("· reading");
    shown.type("q");
    await shown.exit();
    isAsBefore(shown);
    expect(shown.screen()[0]).toBe("exit 0");
    // What it had read is no more than a part: the head never said that all was read.
    const heads = shown.raw.match(/MILEPOST[^\n]{0,400}?\d\d:\d\d/g) ?? [];
    expect(heads.filter((head) => !head.includes("reading"))).toEqual([]);
  });

  test("keys before the first row", async () => {
    const shown = await inShell();
    await shown.until(() => existsSync(pidFile) && shown.modes().isAlternate);
    shown.press("ctrl+c");
    await shown.exit();
    isAsBefore(shown);
  });
});

test("Ctrl+Z gives the shell its terminal, and fg the view its screen", async () => {
  const { environment, folder } = world;
  const arguments_ = ["--norc", "--noprofile", "-i"];
  const own = { ...environment, PS1: "ready> ", BASH_SILENCE_DEPRECATION_WARNING: "1" };
  const shown = await openTerminal({ command: "bash", arguments: arguments_, environment: own, ...SIZE, folder });
  terminal = shown;
  await shown.until("ready>");
  shown.type(`${process.execPath} ${bin} watch; stty -a\r`);
  await shown.until("IDLE 1");
  shown.press("ctrl+z");
  await shown.until("Stopped");
  await shown.until((rows) => rows.some((row) => row.startsWith("ready>") && row.trim() === "ready>"));
  expect(leftOver(shown.modes()).filter((name) => name !== "bracketed paste")).toEqual([]);
  shown.type("fg\r");
  await shown.until("IDLE 1");
  expect(shown.modes()).toMatchObject({ isAlternate: true, isCursorHidden: true, isSgrMouse: true });
  shown.type("j");
  await shown.until((rows) => rows.findIndex((row) => row.startsWith("▌")) > 2);
  shown.type("q");
  await shown.until((rows) => !shown.modes().isAlternate && rows.some((row) => row.trim() === "ready>"));
  shown.type("exit\r");
  await shown.exit();
  expect(leftOver(shown.modes())).toEqual([]);
});
