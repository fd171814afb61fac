import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openTerminal, type Terminal, type Wanted } from "../test/terminal/pseudo-terminal.js";
import type { ViewWorld } from "../test/terminal/worlds.js";

export const SIZE = { columns: 120, rows: 40 };

/** Node reads certificates at every start where this is set, also at the bare one: it would flatter every ratio. */
function measured({ NODE_EXTRA_CA_CERTS: _, ...environment }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return environment;
}

export function started({ environment, folder }: ViewWorld, words: readonly string[]): Promise<Terminal> {
  return openTerminal({
    command: process.execPath,
    arguments: words,
    environment: measured(environment),
    folder,
    ...SIZE,
  });
}

/** When it was shown, by the clock of `performance`. */
export async function shownAt(terminal: Terminal, wanted: Wanted, within?: number): Promise<number> {
  const start = performance.now();
  return start + (await terminal.until(wanted, within));
}

/** Milliseconds from the start of the program until the first bytes that a person sees. */
export async function timeToFrame(world: ViewWorld, words: readonly string[]): Promise<number> {
  const terminal = await started(world, words);
  const at = await shownAt(terminal, (rows) => rows.some((row) => row !== ""));
  // In order, so that it keeps the code that it ran.
  await ends(terminal);
  return at - terminal.startedAt;
}

/** Milliseconds until a program that draws nothing has ended. Without a terminal, which would add some to it. */
export async function timeToEnd({ environment, folder }: ViewWorld, words: readonly string[]): Promise<number> {
  const start = performance.now();
  const child = spawn(process.execPath, words, { env: measured(environment), cwd: folder, stdio: "ignore" });
  await once(child, "close");
  return performance.now() - start;
}

export async function ends(terminal: Terminal): Promise<void> {
  terminal.press("ctrl+c");
  await terminal.exit();
  await terminal.close();
}

const TICKS_A_SECOND = 100;

/** Seconds of a core that a process has used, all its threads together. */
function processorTime(pid: number): number {
  const [, rest = ""] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
  const fields = rest.split(" ");
  // utime and stime; the name in brackets, which may hold blanks, is cut off with the number before it.
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Percent of one core over so many seconds. */
export async function coreShare({ pid }: Terminal, seconds: number): Promise<number> {
  const [start, used] = [performance.now(), processorTime(pid)];
  await sleep(seconds * 1000);
  return ((processorTime(pid) - used) * 100_000) / (performance.now() - start);
}

const MARK = "▌";

/** The row that keys move away from; -1 where a screen has none. */
export function selectedRow(rows: readonly string[]): number {
  return rows.findIndex((row) => row.trimStart().startsWith(MARK));
}

/** Milliseconds from each key to the bytes that move the selection; empty where nothing is selected. */
export async function keyTimes(terminal: Terminal, count: number): Promise<readonly number[]> {
  if (selectedRow(terminal.screen()) < 0) return [];
  const times: number[] = [];
  for (let key = 0; key < count; key += 1) {
    const from = selectedRow(terminal.screen());
    const moved = terminal.until((rows) => selectedRow(rows) !== from && selectedRow(rows) >= 0, 5000);
    terminal.press(key % 10 < 5 ? "down" : "up");
    times.push(await moved);
    // Not in step with what else is drawn.
    await sleep(70 + ((key * 37) % 60));
  }
  return times;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
