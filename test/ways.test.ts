import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runOn } from "./run-on.js";
import { calledFiles } from "./ways/called-files.js";

// docs/architecture.md lists the files that a reader opens from the entry to the engine. These tests hold it to the code.

const path = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const source = (file: string) => readFileSync(join(path("src"), file), "utf8");

/** Files whose types stand between a caller and what it calls: a store, an engine, a dialect. */
const CONTRACTS = ["store/event-store.ts", "store/engine.ts", "dialects/dialect.ts", "dialects/task-dialect.ts"];

/** Called on the way without being part of it, with the reason. */
const BESIDE: Readonly<Record<string, string>> = {
  "store/log/keep-view.ts": "reads a view; it begins a write only for one that is far behind",
};

const WAYS = waysIn(readFileSync(path("docs/architecture.md"), "utf8"));
const [TODO_DONE = []] = WAYS.values();

/** By heading; each line is `3. \`app/command-table.ts\`: what it does`. */
function waysIn(text: string): ReadonlyMap<string, readonly string[]> {
  const section = text.split(/^## /m).find((part) => part.startsWith("Four ways")) ?? "";
  return new Map(
    section
      .split(/^### /m)
      .slice(1)
      .map((way) => {
        const lines = [...way.matchAll(/^(\d+)\. `([^`]+)`: \S.*$/gm)];
        expect(lines.map(([, number]) => Number(number))).toEqual(lines.map((_, at) => at + 1));
        return [way.split("\n")[0] ?? "", lines.map(([, , file = ""]) => file)];
      }),
  );
}

function importsOf(file: string, isWithTypes: boolean): readonly string[] {
  const statements = /(?:^|\n)(?:import|export)(\s+type\b)?([^;'"]*?)from\s*"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\)/g;
  return [...source(file).matchAll(statements)].flatMap(([, type, names = "", fixed, loaded]) => {
    const isType = type !== undefined || isOnlyTypes(names);
    const target = join(dirname(file), fixed ?? loaded ?? "").replace(/\.js$/, ".ts");
    return isType && !isWithTypes ? [] : [target];
  });
}

function isOnlyTypes(names: string): boolean {
  const listed = /^\s*\{([^}]*)\}\s*$/.exec(names)?.[1]?.split(",") ?? [];
  return listed.length > 0 && listed.every((name) => name.trim() === "" || name.trim().startsWith("type "));
}

/** Imported by one before it, or behind a contract that one before it uses. */
function isReached(file: string, earlier: readonly string[]): boolean {
  const own = importsOf(file, true).filter((target) => CONTRACTS.includes(target));
  return earlier.some((one) => {
    const imports = importsOf(one, true);
    return imports.includes(file) || own.some((contract) => imports.includes(contract));
  });
}

test("there are four, of at most 20 files each", () => {
  expect([...WAYS.keys()]).toHaveLength(4);
  for (const files of WAYS.values()) expect(files.length).toBeLessThanOrEqual(20);
});

test.each([...WAYS])("each file of %s is there, and is reached from one before it", (_, files) => {
  const [entry, ...rest] = files;
  expect(entry).toBe("bin/main.ts");
  expect(files.filter((file) => !existsSync(join(path("src"), file)))).toEqual([]);
  expect(rest.filter((file, at) => !isReached(file, files.slice(0, at + 1)))).toEqual([]);
});

test("todo done 3 calls every file of its list, and goes through no other", async () => {
  const home = mkdtempSync(join(tmpdir(), "milepost-ways-"));
  const input = '{"tool":"todo","input":{"add":["a","b","c"]},"session":"s1"}';
  await runOn(home, ["call"], { input });
  const words = ["todo", "done", "3", "--session", "s1"];
  let done: { readonly exit: number } = { exit: -1 };
  const called = await calledFiles(async () => {
    done = await runOn(home, words);
  });
  rmSync(home, { recursive: true, force: true });
  expect(done).toMatchObject({ exit: 0, out: expect.stringContaining("Done: 3 c") });
  const files = TODO_DONE.slice(1); // bin/main.ts is the process itself, which is this one
  expect(files.filter((file) => !called.has(file))).toEqual([]);
  const between = [...called].filter((file) => !files.includes(file) && isBetween(file, files));
  expect(between).toEqual(Object.keys(BESIDE));
});

/** Called by a file of the list, and calls a later one: a reader would have to open it too. */
function isBetween(file: string, files: readonly string[]): boolean {
  const from = files.findIndex((one) => importsOf(one, false).includes(file));
  const targets = importsOf(file, false).map((target) => files.indexOf(target));
  return from >= 0 && targets.some((at) => at > from);
}
