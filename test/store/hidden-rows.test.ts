import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { runWarm } from "../warm-command.js";
import { change, copyStore, fillStore, flip, flipEach, PAGE } from "./damaged-store.js";

// A damaged index finds nothing where the table has it, and a damaged schema has no such table. Neither may look like
// an empty list.

const folder = mkdtempSync(join(tmpdir(), "milepost-hidden-"));
const sound = join(folder, "sound", "milepost.db");
/** Where each table and index begins. */
let roots: ReadonlyMap<string, number>;

afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await fillStore(sound);
  const database = (await loadSqlite())(copyStore(sound, folder), {});
  const rows = database.prepare("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").all();
  roots = new Map(rows.map(({ name, rootpage }) => [String(name), Number(rootpage)]));
  database.close();
});

const environment = { ...process.env, MILEPOST_HOME: join(folder, "home"), MILEPOST_STORE: "" };
const run = (line: string, path: string, input = "") =>
  runWarm([...line.split(" "), "--store", path], { folder, environment, input });

/** Pages of an index: its root, and what lies below that. */
function pagesOf(bytes: Buffer, index: string): readonly Buffer[] {
  const pages: Buffer[] = [];
  const add = (number: number) => {
    const page = bytes.subarray((number - 1) * PAGE, number * PAGE);
    pages.push(page);
    if (page[0] !== 2) return;
    for (let cell = 0; cell < page.readUInt16BE(3); cell += 1) add(page.readUInt32BE(page.readUInt16BE(12 + 2 * cell)));
    add(page.readUInt32BE(8));
  };
  add(roots.get(index) ?? 0);
  return pages;
}

const STREAMS = "sqlite_autoindex_milepost_streams_1";
const EVENTS = "milepost_events_by_stream";
const TASKS = "sqlite_autoindex_milepost_tasks_1";

const HURT = [
  {
    index: STREAMS,
    key: "session:two",
    lines: ["todo list --session two", "digest --session two", "forget two --yes"],
  },
  { index: STREAMS, key: "session:", lines: ["todo list", "todo list --session one"] },
  { index: STREAMS, key: "task:work/3", lines: ["task list --list work", "task show 3 --list work"] },
  { index: EVENTS, key: "session:two", lines: ["events --stream session:two"] },
  { index: TASKS, key: "work", lines: ["task list --list work", "task show 3 --list work"] },
  { index: "milepost_tasks_free", key: "work", lines: ["task claim --list work", "task ready --list work"] },
];

test("all of it is found as long as it is sound", () => {
  const path = copyStore(sound, folder);
  const lines = HURT.flatMap(({ lines }) => lines).filter((line) => !/^forget|claim/.test(line));
  for (const line of lines) expect([line, run(line, path).exit]).toEqual([line, 0]);
});

describe.each(HURT)("a bit in $index, under $key", ({ index, key, lines }) => {
  test.each(lines)("%s says so", (line) => {
    const path = copyStore(sound, folder);
    change(path, (bytes) => {
      for (const page of pagesOf(bytes, index)) flipEach(page, key);
    });
    const { exit, out, err } = run(line, path);
    expect([exit, out]).toEqual([3, ""]);
    expect(err).toMatch(/^milepost: .*milepost doctor --salvage salvaged\.db --store .*\[store-damaged\]\n$/);
  });
});

test("nothing is written on top of what cannot be found", () => {
  const path = copyStore(sound, folder);
  change(path, (bytes) => {
    for (const page of pagesOf(bytes, STREAMS)) flipEach(page, "session:two");
  });
  const call = JSON.stringify({ tool: "todo", session: "two", input: { add: ["new"] } });
  expect(run("call", path, call)).toMatchObject({ exit: 3, err: expect.stringContaining("[store-damaged]") });
});

describe("a bit in the schema", () => {
  const names = [
    "milepost_meta",
    "milepost_events",
    "milepost_streams",
    "milepost_keys",
    "milepost_tasks",
    "CREATE TABLE",
  ];
  const lines = ["todo list --session two", "task list --list work", "events", "doctor", "export", "task add more"];
  test.each(names)("under %s is named", (name) => {
    const path = copyStore(sound, folder);
    change(path, (bytes) => flipEach(bytes, name));
    for (const line of lines) {
      const { exit, err } = run(line, path);
      // What does not need the table may go on.
      if (exit === 0) expect([line, name]).toEqual([line, expect.stringMatching(/keys|tasks/)]);
      else expect([line, exit, err]).toEqual([line, 3, expect.stringMatching(/^milepost: .*\[store-damaged\]\n$/)]);
    }
  });

  test.each([
    ["the number of our program", 68],
    ["the version of the tables", 63],
  ])("in the header, %s: the store is damaged, not another program's and not older", (_name, at) => {
    const path = copyStore(sound, folder);
    change(path, (bytes) => flip(bytes, at));
    for (const line of ["todo list --session two", "doctor", "task add more"])
      expect([line, run(line, path)]).toEqual([
        line,
        expect.objectContaining({ exit: 3, err: expect.stringContaining("[store-damaged]") }),
      ]);
    expect(run(`doctor --salvage ${path}.saved`, path)).toMatchObject({ exit: 0 });
  });

  test("that changes its version does not make tasks disappear", () => {
    const path = copyStore(sound, folder);
    // Each is a row of two texts, one after the other: schema, then 3.
    change(path, (bytes) => {
      for (let at = bytes.indexOf("schema3"); at >= 0; at = bytes.indexOf("schema3", at + 1)) bytes[at + 6] = 0x32;
    });
    expect(run("task list --list work", path)).toMatchObject({
      exit: 3,
      out: "",
      err: expect.stringContaining("[store-damaged]"),
    });
  });
});

test.each([["fewer events than its view", (row: Buffer, at: number) => flip(row, at)]])(
  "a stream's row that says %s",
  (_name, hurt) => {
    const path = copyStore(sound, folder);
    change(path, (bytes) => {
      // The number of events is the byte between the name of the stream and its checksum.
      for (let at = bytes.indexOf("session:two"); at >= 0; at = bytes.indexOf("session:two", at + 1)) {
        const isRow = bytes.subarray(at, at + 60).includes('{"list":');
        if (isRow) hurt(bytes, at + "session:two".length);
      }
    });
    expect(run("todo list --session two", path)).toMatchObject({ exit: 3, out: "" });
  },
);

test("bits flipped at random: a command shows what it showed before, or says that the store is damaged", () => {
  const lines = ["todo list --session one", "todo list --session two", "task list --list work", "events"];
  // Ages and states of tasks change by themselves, and a position may grow: what is looked for is what is gone.
  const shown = (text: string) =>
    text.replace(/^ *\d+ .* (?=task \d+$)|"cursor":"\d+",/gm, "").replace(/^\d+ tasks: .*|^ *id .*/gm, "");
  const before = copyStore(sound, folder);
  const whole = new Map(lines.map((line) => [line, shown(run(line, before).out)]));
  const random = randomFrom(SEED);
  const { size } = statSync(sound);
  for (let round = 0; round < sized(5, 500); round += 1) {
    const path = copyStore(sound, folder);
    const [at, bit] = [random.below(size), random.below(8)];
    change(path, (bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    });
    for (const line of lines) {
      const { exit, out, err } = run(line, path);
      const isHonest = exit === 0 ? shown(out) === whole.get(line) : exit === 3 && /^milepost: .*\]\n$/.test(err);
      expect([at, bit, line, isHonest]).toEqual([at, bit, line, true]);
    }
    rmSync(join(path, ".."), { recursive: true, force: true });
  }
});
