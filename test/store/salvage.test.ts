import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { salvageStore } from "../../src/app/salvage-store.js";
import { LISTS, PROJECTIONS } from "../../src/app/views.js";
import { append } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import type { HurtStream } from "../../src/store/salvage/salvage.js";
import { TABLES } from "../../src/store/salvage/table-rows.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { examineStore } from "../../src/store/upkeep/examine.js";
import { freshDatabase } from "../databases.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { runWarm } from "../warm-command.js";
import {
  allBytes,
  type Contents,
  change,
  contentsOf,
  copyStore,
  fillStore,
  flip,
  flipEach,
  LOST_WORD,
  PAGE,
  pageAt,
} from "./damaged-store.js";
import { Worker } from "./workers.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-salvage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const closed = join(folder, "closed", "milepost.db");
/** As a process leaves it that was killed: most of it is in the journal. */
const killed = join(folder, "killed", "milepost.db");
let wanted: Contents;
let wantedOfKilled: Contents;
/** Events that the killed process was told are safe; its very last commit may not have got that far. */
let acknowledged = 0;

beforeAll(async () => {
  await fillStore(closed);
  wanted = await contentsOf(closed);
  const writer = new Worker("write", killed);
  await writer.line(40);
  writer.kill();
  acknowledged = 2 * (await writer.end()).lines.length;
  wantedOfKilled = await contentsOf(copyStore(killed, folder));
});

const environment = { ...process.env, MILEPOST_HOME: join(folder, "home"), MILEPOST_STORE: "" };
const run = (...words: string[]) => runWarm(words, { folder, environment });

let made = 0;
const newFile = () => join(folder, `salvaged-${++made}.db`);

async function salvage(source: string, target = newFile()) {
  // SQLite may still have the files open that this process has closed, and tidy up later.
  const path = copyStore(source, folder);
  const before = allBytes(path);
  const result = await salvageStore(
    { store: { url: path, isOwnFolder: false }, progress: () => undefined },
    target,
    false,
  );
  expect(allBytes(path)).toBe(before);
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  const { findings } = await examineStore(target, { projections: PROJECTIONS, isOwnFolder: false, rebuild: false });
  expect(findings).toEqual([]);
  return { ...result.value, ...(await contentsOf(target)), target };
}

/**
 * A stream that lost nothing is the same, in the same order, but for a last event that nobody was told is safe; and a
 * list is that is not said to be folded anew.
 */
function isTrue(saved: Contents & { readonly hurt: readonly HurtStream[] }, original: Contents): void {
  const of = ({ events }: Contents, stream: string) => events.filter((event) => event.stream === stream);
  for (const stream of new Set(original.events.map((event) => event.stream))) {
    const hurt = saved.hurt.find((one) => one.stream === stream);
    const own = of(original, stream);
    if (!hurt) expect(of(saved, stream)).toEqual(own.slice(0, Math.max(of(saved, stream).length, own.length - 1)));
    if (stream in saved.lists && !hurt?.refolded.includes("list"))
      expect(saved.lists[stream]).toEqual(original.lists[stream]);
  }
}

/** Without what a salvage changes: versions behind a loss, and its own marks. */
const essence = (events: Contents["events"]) =>
  events.filter(({ type }) => type !== "stream.salvaged").map(({ version: _, ...event }) => JSON.stringify(event));

test("the rows are those that the migrations make", async () => {
  const open = await loadSqlite();
  const database = open(copyStore(closed, folder), {});
  for (const [table, columns] of Object.entries(TABLES))
    expect(
      database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name),
    ).toEqual(columns.map(([name]) => name));
  database.close();
});

test("a text of any length is read as SQLite reads it", async () => {
  const path = join(folder, "lengths", "milepost.db");
  const store = await openStore(path, { projections: PROJECTIONS });
  // Around the lengths at which a row goes on in other pages, and at which its own share changes.
  const lengths = [0, 1, 100, 127, 128, 400, 489, 490, 3900, 8000, 12_200, 60_000];
  for (let around = 3960; around < 4080; around += 3) lengths.push(around, around + 4092, around + 3603);
  const events = lengths.map((length) => ({ type: "call.ended", data: { output: "é".repeat(length) } }));
  for (const event of events) await store.commit(append([{ stream: "calls:a", events: [event] }]));
  await store.close();
  const saved = await salvage(path);
  expect([saved.leftOut, saved.unreadablePages]).toEqual([[], 0]);
  expect(saved.events.map((event) => ("data" in event ? event.data : undefined))).toEqual(
    events.map(({ data }) => data),
  );
});

describe("a sound store", () => {
  test("is copied whole: events, versions, lists, answers, readings", async () => {
    const path = copyStore(closed, folder);
    const saved = await salvage(path);
    expect(saved.leftOut).toEqual([]);
    expect({ events: saved.events, lists: saved.lists }).toEqual(wanted);
    expect(statSync(saved.target).mode & 0o777).toBe(0o600);
    const store = await openStore(saved.target, { projections: PROJECTIONS });
    expect(await store.readings("here")).toHaveLength(1);
    const again = { key: "key-one", input: 1, stream: "session:one" };
    // The answer is there: with another input the key is refused.
    expect(await store.commit(append([]), { idempotency: again })).toMatchObject({ error: { code: "key-reused" } });
    await store.close();
  });

  test("is copied whole out of its journal", async () => {
    const path = copyStore(killed, folder);
    const saved = await salvage(path);
    expect(saved.leftOut).toEqual([]);
    expect(saved.events).toEqual(wantedOfKilled.events);
  });

  test("with pruned history keeps its bases", async () => {
    const pruned = copyStore(closed, folder);
    const store = await openStore(pruned, { projections: PROJECTIONS });
    await store.prune([{ kind: "calls", maxAge: -1000 * 60 }]);
    await store.prune([{ kind: "session", maxAge: -1000 * 60, onlyClosed: false }]);
    await store.close();
    const before = await contentsOf(pruned);
    const path = copyStore(pruned, folder);
    expect(before.events.length).toBeLessThan(wanted.events.length);
    const saved = await salvage(path);
    expect(saved.leftOut).toEqual([]);
    expect({ events: saved.events, lists: saved.lists }).toEqual(before);
    const [salvaged, original] = [await openStore(saved.target, { projections: PROJECTIONS }), wanted.lists];
    for (const [stream, list] of Object.entries(original)) expect(await salvaged.view(LISTS, stream)).toEqual(list);
    await salvaged.close();
  });
});

test("a base that is damaged is named, and the view that was kept stands for it", async () => {
  const pruned = copyStore(closed, folder);
  const store = await openStore(pruned, { projections: PROJECTIONS });
  await store.prune([{ kind: "session", maxAge: -1000 * 60 }]);
  await store.close();
  // This process may tidy up later what it has opened.
  const path = copyStore(pruned, folder);
  // A row of a base begins with the name of its view and of its stream.
  change(path, (bytes) => {
    for (let at = bytes.indexOf("listsession:two"); at >= 0; at = bytes.indexOf("listsession:two", at + 1))
      flip(bytes, at + 60);
  });
  const saved = await salvage(path);
  expect(saved.leftOut).toEqual([{ kind: "view", stream: "session:two", name: "list" }]);
  const salvaged = await openStore(saved.target, { projections: PROJECTIONS });
  for (const [stream, list] of Object.entries(wanted.lists)) expect(await salvaged.view(LISTS, stream)).toEqual(list);
  await salvaged.close();
});

interface Damage {
  readonly name: string;
  readonly of?: "killed";
  readonly hurt: (path: string) => void;
  /** Events that may be missing: those that say it, or all in a damaged page. None: everything is there. */
  readonly loses?: (event: Contents["events"][number]) => boolean;
  /** What the report says, at the least. */
  readonly said?: readonly object[];
}

const saysWord = (event: object) => JSON.stringify(event).includes(LOST_WORD);
const offset = (bytes: Buffer, text: string) => bytes.indexOf(text);

/** The last byte of the rowid of a row: it lies before the row's header, whose first byte is its own length. */
function flipRowid(bytes: Buffer, columns: RegExp): void {
  const at = bytes.toString("latin1").search(columns);
  const length = [10, 11, 12].find((header) => bytes[at - header] === header);
  expect(length).toBeDefined();
  flip(bytes, at - (length ?? 0) - 1);
}

const damages: readonly Damage[] = [
  {
    name: "a bit in the text of an event",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, `"text":"${LOST_WORD} two`)),
    loses: (event) => saysWord(event) && event.stream === "session:two",
    said: [{ kind: "event", stream: "session:two", types: ["todo.added"] }],
  },
  {
    name: "a bit in the types of events",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, "todo.moved")),
    loses: ({ type }) => type === "todo.moved",
    said: [{ kind: "event" }],
  },
  {
    name: "a bit in the name of an event's stream: the index knows it",
    hurt: (path) => change(path, (bytes) => flip(bytes, offset(bytes, "calls:two") + "calls:tw".length)),
  },
  {
    name: "a bit in the id of an event",
    hurt: (path) => change(path, (bytes) => flip(bytes, offset(bytes, "two/call-7") + 1)),
    loses: (event) => JSON.stringify(event).includes('"two/call-7"'),
  },
  {
    name: "the place of an event in the log: the index knows it",
    hurt: (path) => change(path, (bytes) => flipRowid(bytes, /session:two.todo\.moved/s)),
  },
  {
    name: "the header of the file",
    hurt: (path) => change(path, (bytes) => bytes.fill(0x5a, 0, 100)),
  },
  {
    name: "the whole first page, with the schema",
    hurt: (path) => change(path, (bytes) => bytes.fill(0, 0, PAGE)),
  },
  {
    name: "the name of a table in the schema",
    hurt: (path) => change(path, (bytes) => flipEach(bytes.subarray(0, PAGE), "milepost_streams")),
  },
  {
    name: "every page above the leaves",
    hurt: (path) =>
      change(path, (bytes) => {
        for (let at = PAGE; at < bytes.length; at += PAGE)
          if (bytes[at] === 5 || bytes[at] === 2) bytes.fill(0xee, at, at + PAGE);
      }),
  },
  {
    name: "the list of rows of a page",
    hurt: (path) =>
      change(path, (bytes) =>
        bytes.fill(0xff, pageAt(offset(bytes, LOST_WORD)) + 1, pageAt(offset(bytes, LOST_WORD)) + 40),
      ),
    loses: () => true,
  },
  {
    name: "a page of events that is zeroed",
    hurt: (path) =>
      change(path, (bytes) => {
        const at = pageAt(offset(bytes, `"text":"${LOST_WORD} two`));
        bytes.fill(0, at, at + PAGE);
      }),
    loses: ({ stream }) => /one|two|three/.test(stream),
    said: [{ kind: "event" }],
  },
  {
    name: "every page of indexes",
    hurt: (path) =>
      change(path, (bytes) => {
        for (let at = PAGE; at < bytes.length; at += PAGE) if (bytes[at] === 10) bytes.fill(0xee, at, at + PAGE);
      }),
  },
  {
    name: "the views in every row of a stream",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, '{"list":{"revision"')),
  },
  {
    name: "a kept answer",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, "key-two")),
    said: [{ kind: "answer", stream: "session:two" }],
  },
  {
    name: "a reading",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, '{"seen":1}')),
    said: [{ kind: "reading", path: "/a.jsonl" }],
  },
  {
    name: "the tables of tasks",
    hurt: (path) => change(path, (bytes) => flipEach(bytes, "pending")),
    loses: ({ type }) => /^(?:todo|task)\./.test(type),
  },
  {
    name: "half of the file",
    hurt: (path) => truncateSync(path, statSync(path).size / 2 + 100),
    loses: () => true,
    said: [{ kind: "position" }],
  },
  {
    name: "the header of the journal",
    of: "killed",
    hurt: (path) => change(`${path}-wal`, (bytes) => flip(bytes, 18)),
  },
  {
    name: "a bit in the middle of the journal",
    of: "killed",
    hurt: (path) => change(`${path}-wal`, (bytes) => flip(bytes, 32 + 60 * (24 + PAGE) + 2000)),
  },
  {
    name: "a bit in the last page of the journal",
    of: "killed",
    hurt: (path) => change(`${path}-wal`, (bytes) => flip(bytes, bytes.length - 200)),
    loses: ({ version }) => version > 35,
  },
  {
    name: "a file that is gone, with its journal still there",
    of: "killed",
    hurt: (path) => rmSync(path),
  },
];

describe("a damaged store: everything outside the damage is in the new one", () => {
  test.each(damages)("$name", async ({ of, hurt, loses = () => false, said = [] }) => {
    const source = of === "killed" ? killed : closed;
    const { events } = of === "killed" ? wantedOfKilled : wanted;
    const path = copyStore(source, folder);
    hurt(path);
    rmSync(`${path}-shm`, { force: true });
    const saved = await salvage(path);
    const [left, all] = [new Set(essence(saved.events)), essence(events)];
    expect(all.filter((event, at) => !left.has(event) && !loses(events[at] as Contents["events"][number]))).toEqual([]);
    // Nothing that was not there, and nothing that is missing without a word.
    expect([...left].filter((event) => !all.includes(event) && !event.includes("numbers.given"))).toEqual([]);
    const safe = of === "killed" ? all.slice(0, acknowledged) : all;
    if (safe.some((event) => !left.has(event))) expect(saved.leftOut).not.toEqual([]);
    expect(saved.leftOut).toEqual(expect.arrayContaining(said.map((one) => expect.objectContaining(one))));
    if (!saved.leftOut.some(({ kind }) => kind === "position"))
      isTrue(saved, of === "killed" ? wantedOfKilled : wanted);
  });
});

test("a list is as it was, although an event under it is lost", async () => {
  const path = copyStore(closed, folder);
  // Not the copies in the views: those say what the list was.
  change(path, (bytes) => {
    const text = `{"number":13,"phase":0,"text":"${LOST_WORD} two`;
    for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) flip(bytes, at + 40);
  });
  const saved = await salvage(path);
  expect(saved.leftOut).toMatchObject([{ kind: "event", stream: "session:two", types: ["todo.added"] }]);
  expect(saved.hurt).toEqual([{ stream: "session:two", refolded: ["history"] }]);
  expect(saved.lists).toEqual(wanted.lists);
  // And goes on from there, also when it is folded anew.
  const store = await openStore(saved.target, { projections: PROJECTIONS });
  await store.commit(append([{ stream: "session:two", events: [{ type: "reply.ended", data: { calls: 1 } }] }]));
  expect((await store.check({ rebuild: true })).findings).toEqual([]);
  expect(await store.view(LISTS, "session:two")).toEqual(wanted.lists["session:two"]);
  await store.close();
});

test("a number of a task is not given twice, although the stream that counts them is lost", async () => {
  const path = copyStore(closed, folder);
  change(path, (bytes) => {
    for (const text of ["numbers.given", '{"numbers":{"revision"']) flipEach(bytes, text);
  });
  const saved = await salvage(path);
  const added = run("task", "add", "one more", "--store", saved.target, "--list", "work", "--json");
  expect(JSON.parse(added.out).task.id).toBe("21");
});

describe("bits flipped at random", () => {
  test.each([
    ["the file", "", () => closed],
    ["the journal", "-wal", () => killed],
  ])("in %s: at most what was hit is missing, and it is named", { timeout: 600_000 }, async (_name, end, source) => {
    const all = essence((end === "" ? wanted : wantedOfKilled).events);
    const random = randomFrom(SEED);
    const { size } = statSync(`${source()}${end}`);
    for (let round = 0; round < sized(4, 500); round += 1) {
      const path = copyStore(source(), folder);
      const at = random.below(size);
      change(`${path}${end}`, (bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
      });
      rmSync(`${path}-shm`, { force: true });
      const saved = await salvage(path);
      const left = new Set(essence(saved.events));
      const safe = end === "" ? all : all.slice(0, acknowledged);
      const missing = safe.filter((event) => !left.has(event)).length;
      // A flip in the list of rows of a page, or of its rows' lengths, can hide no more than a row or two.
      expect([at, missing <= 2, missing === 0 || saved.leftOut.length > 0]).toEqual([at, true, true]);
      expect([at, [...left].filter((event) => !all.includes(event))]).toEqual([at, []]);
      isTrue(saved, end === "" ? wanted : wantedOfKilled);
      rmSync(join(path, ".."), { recursive: true, force: true });
      rmSync(saved.target);
    }
  });
});

/** A row with a wrong text, and one that the server refuses to read, as it does where a page is damaged. */
async function damageServer(server: string): Promise<string> {
  const client = new pg.Client(server);
  await client.connect();
  const { rows } = await client.query("SELECT seq FROM milepost_events WHERE stream = 'calls:one' AND version = 7");
  const reader = `reader_${process.pid}`;
  await client.query(`
    UPDATE milepost_events SET data = replace(data, '${LOST_WORD}', 'x') WHERE stream = 'session:two' AND type = 'todo.added';
    CREATE FUNCTION is_readable(seq bigint) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      IF seq = ${rows[0].seq} THEN RAISE 'invalid page in block 3' USING ERRCODE = 'XX001'; END IF;
      RETURN true; END $$;
    ALTER TABLE milepost_events ENABLE ROW LEVEL SECURITY;
    CREATE POLICY readable ON milepost_events USING (is_readable(seq));
    CREATE ROLE ${reader} LOGIN;
    GRANT ALL ON ALL TABLES IN SCHEMA public TO ${reader};
    GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO ${reader}`);
  await client.end();
  const url = new URL(server);
  url.username = reader;
  return url.href;
}

describe("the commands", () => {
  const hurtCopy = () => {
    const path = copyStore(closed, folder);
    change(path, (bytes) => flipEach(bytes, `"text":"${LOST_WORD} two`));
    return path;
  };

  test("say what was left out, in words and as JSON, and never overwrite", () => {
    const [path, target] = [hurtCopy(), newFile()];
    const said = run("doctor", "--salvage", target, "--store", path);
    expect(said).toMatchObject({ exit: 0, err: "" });
    expect(said.out).toMatch(/^Wrote \d+ events of \d+ streams to \S+, and checked them\.\nLeft out \(1\):\n/);
    expect(said.out).toContain("event 15 of session:two (todo.added)");
    for (const taken of [target, path, `${path}-wal`.replace("-wal", "")])
      expect(run("doctor", "--salvage", taken, "--store", path)).toMatchObject({
        exit: 1,
        err: expect.stringContaining("[file-exists]"),
      });
    const [report] = [JSON.parse(run("doctor", "--salvage", newFile(), "--store", path, "--json").out)];
    expect(report).toMatchObject({ leftOut: [{ kind: "event", stream: "session:two", from: 15, to: 15 }] });
    expect(run("doctor", "--salvage", newFile(), "--rebuild", "--store", path)).toMatchObject({ exit: 2 });
    expect(readdirSync(folder).filter((name) => name.startsWith(".salvaged"))).toEqual([]);
  });

  test("what is printed as the next step runs as printed", () => {
    const path = hurtCopy();
    for (const words of [["events"], ["export"], ["doctor"], ["backup", newFile()]]) {
      const { exit, err } = run(...words, "--store", path);
      const [, step = ""] = /To save what can be read: milepost (.+) \[store-damaged\]\n$/.exec(err) ?? [];
      expect([words, exit, step]).toEqual([words, 3, `doctor --salvage salvaged.db --store ${path}`]);
    }
    const step = ["doctor", "--salvage", newFile(), "--store", path];
    expect(run(...step).exit).toBe(0);
  });

  test("an export without what is damaged can be imported, and is named on standard error", async () => {
    const [path, file, target] = [hurtCopy(), join(folder, `export-${++made}.jsonl`), newFile()];
    expect(run("export", file, "--store", hurtCopy())).toMatchObject({ exit: 3 });
    expect(existsSync(file)).toBe(false);
    const before = allBytes(path);
    const exported = run("export", file, "--skip-damaged", "--store", path);
    expect(exported).toMatchObject({ exit: 0, err: "Left out: event 15 of session:two (todo.added)\n" });
    expect(run("export", "--skip-damaged", "--store", path).out).toBe(readFileSync(file, "utf8"));
    expect(allBytes(path)).toBe(before);
    expect(run("import", file, "--store", target)).toMatchObject({ exit: 0 });
    const { events } = await contentsOf(target);
    expect(essence(events)).toEqual(essence(wanted.events).filter((event) => !event.includes(`${LOST_WORD} two`)));
    expect(run("doctor", "--store", target).exit).toBe(0);
  });

  test("where nothing can be read there is no new store", () => {
    const [garbage, target] = [join(folder, "garbage.db"), newFile()];
    writeFileSync(garbage, Buffer.alloc(50_000, 0x5a));
    expect(run("doctor", "--salvage", target, "--store", garbage)).toMatchObject({
      exit: 3,
      err: expect.stringContaining("[store-lost]"),
    });
    expect(run("doctor", "--salvage", target, "--store", join(folder, "none.db"))).toMatchObject({ exit: 3 });
    expect(run("doctor", "--salvage", target, "--store", "memory:")).toMatchObject({ exit: 3 });
    expect(existsSync(target)).toBe(false);
  });

  test("a newer version's store is left to that version; a damaged number does not make it one", async () => {
    const open = await loadSqlite();
    for (const [exit, ...changes] of [
      [3, "PRAGMA user_version = 99", "UPDATE milepost_meta SET value = '99' WHERE key = 'schema'"],
      [0, "PRAGMA user_version = 99"],
      [0, "UPDATE milepost_meta SET value = '99' WHERE key = 'schema'"],
    ] as const) {
      const path = copyStore(closed, folder);
      const database = open(path, {});
      for (const statement of changes) database.exec(statement);
      database.close();
      const said = run("doctor", "--salvage", newFile(), "--store", path);
      expect([changes, said.exit]).toEqual([changes, exit]);
      if (exit === 3) expect(said.err).toContain("[store-newer]");
    }
  });

  test("a server's store is read row by row", async () => {
    const server = await freshDatabase("salvage");
    await fillStore(server);
    const damaged = await damageServer(server);
    const target = newFile();
    const said = run("doctor", "--salvage", target, "--store", damaged, "--json");
    expect(said).toMatchObject({ exit: 0, err: "" });
    expect(JSON.parse(said.out)).toMatchObject({
      leftOut: [
        { kind: "event", stream: "calls:one", from: 7, to: 7 },
        { kind: "event", stream: "session:two", from: 15, to: 15 },
      ],
    });
    const { lists, events } = await contentsOf(target);
    expect(lists).toEqual(wanted.lists);
    expect(essence(events)).toHaveLength(wanted.events.length - 2);
  });
});
