import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { type CodePlace, loadCode } from "./code-cache.js";

const PLATFORM = "0.1.0-v20.20.0-linux-x64";

/** A folder in which code is kept, and a file that has not been compiled yet. */
function openWorld() {
  const root = mkdtempSync(join(tmpdir(), "milepost-code-"));
  const folder = join(root, "cache");
  mkdirSync(folder, { mode: 0o700 });
  const file = join(root, "hook.cjs");
  const build = (content: string, mark: string) => {
    writeFileSync(file, `${content}\n//#code=${mark}\n`);
    utimesSync(file, 1, 1);
  };
  build("exports.answer = 42;", "0123456789abcdef");
  const place = { folder, user: process.getuid?.(), platform: PLATFORM, require: createRequire(import.meta.url) };
  return {
    root,
    folder,
    file,
    build,
    load: (more: Partial<CodePlace> = {}) => loadCode(file, { ...place, ...more }),
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
  expect(kept).toEqual([expect.stringMatching(/^hook-0\.1\.0-v20\.20\.0-linux-x64-0123456789abcdef-46-1000\.code$/)]);
  expect(world.load().exports).toEqual({ answer: 42 });
});

test("a file beside it is loaded once, when it is asked for, and kept too", () => {
  const world = openWorld();
  const mark = "\n//#code=0123456789abcdef\n";
  writeFileSync(join(world.root, "part.cjs"), `exports.loads = [1]; exports.path = require("node:path").sep;${mark}`);
  world.build('const part = () => require("./part.cjs"); exports.part = part;', "0123456789abcdef");
  const first = world.load();
  first.keep();
  expect(world.names()).toEqual([expect.stringMatching(/^hook-/)]);
  const next = world.load();
  const { part } = next.exports as { part: () => { loads: number[]; path: string } };
  expect(part()).toEqual({ loads: [1], path: sep });
  expect(part()).toBe(part());
  next.keep();
  expect(world.names()).toEqual([expect.stringMatching(/^hook-/), expect.stringMatching(/^part-/)]);
});

describe("a packed file", () => {
  const PACKED =
    "module.ran = () => Object.keys(loaded); const loaded = {}; exports.run = (part) => { loaded[part] = 1; };";
  const times = (world: ReturnType<typeof openWorld>, use: string, ...parts: readonly string[]) => {
    const { exports, keep } = world.load({ use });
    for (const part of parts) (exports as { run: (part: string) => void }).run(part);
    const kept = () => world.names().map((name) => statSync(join(world.folder, name)).ino);
    const before = kept();
    keep();
    return { isKept: String(kept()) !== String(before), names: world.names() };
  };

  test("is kept again when a part of it has run for the first time, and not for those that ran before", () => {
    const world = openWorld();
    world.build(PACKED, "0123456789abcdef");
    expect(times(world, "task", "3").isKept).toBe(true);
    expect(times(world, "task", "3").isKept).toBe(false);
    expect(times(world, "task", "12").isKept).toBe(true);
    expect(times(world, "task", "3", "12").isKept).toBe(false);
    expect(times(world, "task").isKept).toBe(false);
  });

  test("is kept apart for each use", () => {
    const world = openWorld();
    world.build(PACKED, "0123456789abcdef");
    times(world, "task", "3");
    const { isKept, names } = times(world, "todo", "3");
    expect(isKept).toBe(true);
    expect(names).toEqual([expect.stringMatching(/^task-0\.1\.0/), expect.stringMatching(/^todo-0\.1\.0/)]);
  });

  test.each(["000003", "999999", "-00001", "abcdef", ""])(
    "that tells its parts wrongly (%s) is compiled anew",
    (end) => {
      const world = openWorld();
      world.build(PACKED, "0123456789abcdef");
      const [name = ""] = times(world, "task", "3").names;
      const path = join(world.folder, name);
      writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, -6), Buffer.from(end)]));
      expect(times(world, "task", "3").isKept).toBe(true);
      expect(times(world, "task", "3").isKept).toBe(false);
    },
  );
});

test("a file that is a function by itself is taken as it is, by Node's own require too", () => {
  const world = openWorld();
  const names = "(exports,require,module,__filename,__dirname)";
  const wrapped = `(typeof module==="object"?(made)=>made${names}:(made)=>made)(function${names}{exports.answer=42\n})`;
  world.build(wrapped, "0123456789abcdef");
  for (let turn = 0; turn < 2; turn += 1) {
    const { exports, keep } = world.load();
    expect(exports).toEqual({ answer: 42 });
    keep();
  }
  expect(createRequire(import.meta.url)(world.file)).toEqual({ answer: 42 });
});

test("a text beyond ASCII stays what it is", () => {
  const world = openWorld();
  writeFileSync(world.file, 'exports.answer = "\u00e9\u2026";');
  expect(world.load().exports).toEqual({ answer: "\u00e9\u2026" });
});

test("a few of its own files stay, the newest, and what a cut-off write has left goes", () => {
  const world = openWorld();
  for (let at = 1; at <= 40; at += 1) world.put(own(at), at);
  world.put(`${own(41)}.k3j2h1`, 0);
  world.load().keep();
  const kept = world.names();
  expect(kept).toHaveLength(36);
  const newest = Array.from({ length: 35 }, (_, index) => own(6 + index));
  expect(kept.filter((name) => name.startsWith("hook-0.0."))).toEqual(newest.sort());
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
  for (let at = 1; at <= 40; at += 1) world.put(own(at), at);
  world.put(name, 0);
  world.load().keep();
  expect(world.names()).toContain(name);
  expect(world.names()).toHaveLength(37);
});

test.each(["old", own(0)])("a folder in there is passed over, whatever it is called: %s", (name) => {
  const world = openWorld();
  mkdirSync(join(world.folder, name));
  utimesSync(join(world.folder, name), 0, 0);
  symlinkSync("/nowhere", join(world.folder, own(99)));
  for (let at = 1; at <= 26; at += 1) world.put(own(at), at);
  world.load().keep();
  expect(world.names()).toContain(name);
  expect(world.names()).toContain(own(99));
  expect(world.names().filter((one) => one.startsWith("hook-0.1.0"))).toHaveLength(1);
});

describe("code that somebody else has put there", () => {
  const NOBODY = 65534;
  const isRoot = process.getuid?.() === 0;

  /** V8 compares lengths and nothing else: this is what an attacker would bring. */
  function planted() {
    const world = openWorld();
    // Not loaded before: V8 would remember the honest one.
    const name = `hook-${PLATFORM}-0123456789abcdef-46-1000.code`;
    const length = "(function (exports, require, module, __filename, __dirname) {}\n)".length + 46;
    const script = new Script("(function (exports) { exports.answer = 'planted'; })".padEnd(length), {
      filename: world.file,
    });
    script.runInThisContext()({});
    const code = script.createCachedData();
    writeFileSync(join(world.folder, name), Buffer.concat([code, code, Buffer.from("000000")]));
    return { ...world, name, path: join(world.folder, name) };
  }

  test("would run: nothing but its place protects us", () => {
    expect(planted().load().exports).toEqual({ answer: "planted" });
  });

  const PLACES: readonly (readonly [name: string, spoil: (world: ReturnType<typeof planted>) => void])[] = [
    ["in a folder of the group", ({ folder }) => chmodSync(folder, 0o770)],
    ["in a folder for everybody", ({ folder }) => chmodSync(folder, 0o1777)],
    ["below a folder for everybody", ({ root }) => chmodSync(root, 0o777)],
    ["in a file for everybody", ({ path }) => chmodSync(path, 0o666)],
    [
      "behind a link that is the folder",
      ({ root, folder }) => {
        renameSync(folder, join(root, "elsewhere"));
        symlinkSync("elsewhere", folder);
      },
    ],
    [
      "behind a link that is the file",
      ({ root, path }) => {
        renameSync(path, join(root, "elsewhere"));
        symlinkSync(join(root, "elsewhere"), path);
      },
    ],
    ["for a build of the same length and time", ({ build }) => build("exports.answer = 42;", "fedcba9876543210")],
  ];

  test.each(PLACES)("does not run %s", (_, spoil) => {
    const world = planted();
    spoil(world);
    const { exports, keep } = world.load();
    keep();
    expect(exports).toEqual({ answer: 42 });
  });

  test.runIf(isRoot).each(["path", "folder", "root"] as const)(
    "does not run where its %s is another user's",
    (which) => {
      const world = planted();
      chownSync(world[which], NOBODY, NOBODY);
      expect(world.load().exports).toEqual({ answer: 42 });
    },
  );

  test("nothing is read or kept where there is no place for it, or of a file that is not marked", () => {
    const world = planted();
    expect(world.load({ folder: undefined }).exports).toEqual({ answer: 42 });
    writeFileSync(world.file, "exports.answer = 42;");
    world.load().keep();
    expect(world.names()).toEqual([world.name]);
  });

  test("no folder is made for it in one into which others can write", () => {
    const world = openWorld();
    rmSync(world.folder, { recursive: true });
    chmodSync(world.root, 0o777);
    world.load().keep();
    expect(existsSync(world.folder)).toBe(false);
  });

  test("nothing is kept in a folder into which others can write", () => {
    const world = openWorld();
    chmodSync(world.folder, 0o777);
    world.load().keep();
    expect(world.names()).toEqual([]);
  });
});
