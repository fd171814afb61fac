import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Goal = { readonly name: string; readonly actual: number } & (
  | { readonly most: number }
  | { readonly least: number }
);

export type Row = Readonly<Record<string, string | number>>;

/** Prints a table and the goals, keeps both as JSON, and says by the exit code whether every goal was met. */
export function report(bench: string, rows: readonly Row[], goals: readonly Goal[]): void {
  console.table(rows);
  for (const goal of goals) {
    const limit = "most" in goal ? `at most ${goal.most}` : `at least ${goal.least}`;
    console.log(`${isMet(goal) ? "ok  " : "MISS"} ${goal.name}: ${format(goal.actual)} (${limit})`);
  }
  const folder = fileURLToPath(new URL("../.cache/bench", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${bench}.json`);
  writeFileSync(file, `${JSON.stringify({ bench, node: process.version, rows, goals }, null, 2)}\n`);
  console.log(`written to .cache/bench/${bench}.json`);
  if (!goals.every(isMet)) process.exitCode = 1;
}

function isMet(goal: Goal): boolean {
  return "most" in goal ? goal.actual <= goal.most : goal.actual >= goal.least;
}

function format(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
