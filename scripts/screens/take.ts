// npm run screens [-- FOLDER]: pictures of the live view on a machine that is made for it, as docs show them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openTerminal, type Terminal } from "../../test/terminal/pseudo-terminal.js";
import { usualWorld, type ViewWorld } from "../../test/terminal/worlds.js";
import { openChromium, terminalPng } from "./terminal-png.js";

interface Picture {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly command: readonly string[];
  /** What is on the screen when it can be taken, after the keys of a person. */
  readonly shows: string;
  readonly keys?: (terminal: Terminal) => Promise<void>;
}

// Found sessions are counted when all of them are read.
const PICTURES: readonly Picture[] = [
  { name: "view-sessions", columns: 120, rows: 24, command: ["watch"], shows: "IDLE 3" },
  { name: "view-session", columns: 120, rows: 28, command: ["watch"], shows: "IDLE 3", keys: openWorking },
  { name: "view-plan", columns: 120, rows: 20, command: ["watch"], shows: "IDLE 3", keys: readPlan },
  { name: "view-tasks", columns: 120, rows: 16, command: ["watch"], shows: "IDLE 3", keys: openTasks },
  { name: "view-small", columns: 60, rows: 15, command: ["watch"], shows: "IDLE 3" },
];

/** The session that works, with its sub-agent and its verdicts. */
async function openWorking(terminal: Terminal): Promise<void> {
  const isOn = (rows: readonly string[]) => rows.some((row) => row.startsWith("▌") && row.includes(" web "));
  for (let press = 0; press < 10 && !isOn(terminal.screen()); press += 1) {
    terminal.press("down");
    await terminal.quiet();
  }
  terminal.press("enter");
  await terminal.until("Find where the session ends early");
}

/** The plan that waits is under the cursor at first. */
async function readPlan(terminal: Terminal): Promise<void> {
  terminal.type("a");
  await terminal.until("a approves");
}

async function openTasks(terminal: Terminal): Promise<void> {
  terminal.type("2");
  await terminal.until("IN PROGRESS");
}

const bin = resolve("dist/milepost.cjs");
const folder = resolve(process.argv[2] ?? "docs/pictures");
const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-screens-")));

async function take(world: ViewWorld, picture: Picture, browser: Awaited<ReturnType<typeof openChromium>>) {
  const { columns, rows, command, shows, keys } = picture;
  const { environment, folder: at } = world;
  const words = { command: process.execPath, arguments: [bin, ...command] };
  const terminal = await openTerminal({ ...words, environment, columns, rows, folder: at });
  try {
    await terminal.until(shows);
    await keys?.(terminal);
    await terminal.quiet();
    const file = join(folder, `${picture.name}.png`);
    writeFileSync(file, await terminalPng(browser, terminal, `milepost ${command.join(" ")}`));
    console.log(file);
  } finally {
    await terminal.close();
  }
}

mkdirSync(folder, { recursive: true });
const browser = await openChromium();
try {
  const world = await usualWorld(root);
  for (const picture of PICTURES) await take(world, picture, browser);
} finally {
  await browser.close();
  rmSync(root, { recursive: true, force: true });
}
// The thread of the warm command line goes on.
process.exit();
