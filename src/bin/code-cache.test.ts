import { mkdirSync, mkdtempSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadCode } from "./code-cache.js";

const PLATFORM = "0.1.0-v20.20.0-linux-x64";

/** A folder in which code is kept, and a file that has not been compiled yet. */
function openWorld() {
  const root = mkdtempSync(join(tmpdir(), "milepost-code-"));
  const folder = join(root, "cache");
  mkdirSync(folder, { mode: 0o700 });
  const file = join(root, "hook.cjs");
  writeFileSync(file, "exports.answer = 42;");
  const place = { folder, user: process.getuid?.(), platform: PLATFORM, require: createRequire(import.meta.url) };
  return {
    folder,
    load: () => loadCode(file, place),
    put: (name: string, age: number) => {
      writeFileSync(join(folder, name), "x");
      utimesSync(join(folder, name), age, age);
    },
    names: () => readdirSync(folder).sort(),
  };
}

function own(at: number): string {
  return `hook-0.0.${at}-v20.19.0-linux-x64-100-${at}.code`;
}

test("what was compiled is kept for the next start", () => {
  const world = openWorld();
  const { exports, keep } = world.load();
  expect(exports).toEqual({ answer: 42 });
  keep();
  const kept = world.names();
  expect(kept).toEqual([expect.stringMatching(/^hook-0\.1\.0-v20\.20\.0-linux-x64-20-\d+\.code$/)]);
  expect(world.load().exports).toEqual({ answer: 42 });
});

test("a few of its own files stay, the newest, and what a cut-off write has left goes", () => {
  const world = openWorld();
  for (let at = 1; at <= 12; at += 1) world.put(own(at), at);
  world.put(`${own(13)}.k3j2h1`, 0);
  world.load().keep();
  const kept = world.names();
  expect(kept).toHaveLength(8);
  expect(kept.filter((name) => name.startsWith("hook-0.0."))).toEqual([6, 7, 8, 9, 10, 11, 12].map(own).sort());
});

const FOREIGN = [
  "notes.txt",
  "hook.code",
  "build-1-2.code",
  "codex-cache-2024-01-31-1.code",
  `${own(1)}.backup.txt`,
  `copy of ${own(1)}`,
  "hook-0.1.0-v20.20.0-linux-x64-100-1.json",
];

test.each(FOREIGN)("a file that somebody else has put there stays: %s", (name) => {
  const world = openWorld();
  for (let at = 1; at <= 12; at += 1) world.put(own(at), at);
  world.put(name, 0);
  world.load().keep();
  expect(world.names()).toContain(name);
  expect(world.names()).toHaveLength(9);
});

test.each(["old", own(0)])("a folder in there is passed over, whatever it is called: %s", (name) => {
  const world = openWorld();
  mkdirSync(join(world.folder, name));
  utimesSync(join(world.folder, name), 0, 0);
  symlinkSync("/nowhere", join(world.folder, own(99)));
  for (let at = 1; at <= 12; at += 1) world.put(own(at), at);
  world.load().keep();
  expect(world.names()).toContain(name);
  expect(world.names()).toContain(own(99));
  expect(world.names().filter((one) => one.startsWith("hook-0.1.0"))).toHaveLength(1);
});
