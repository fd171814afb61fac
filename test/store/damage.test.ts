import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ok } from "../../src/core/result.js";
import { append } from "../../src/store/event-store.js";
import { openStore } from "../../src/store/open.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import type { Store } from "../../src/store/store.js";
import { examineStore } from "../../src/store/upkeep/examine.js";
import { randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { readAll } from "./contract.js";
import { COUNTERS, MARK } from "./counters.js";
import { Worker } from "./workers.js";

const command = fileURLToPath(new URL("../../dist/milepost.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "milepost-damage-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { projections: [COUNTERS] };
const examine = (path: string) => examineStore(path, { ...options, isOwnFolder: false, rebuild: false });

/** A store as a process that ended well leaves it, and one with a full journal, as a killed process leaves it. */
const closed = join(folder, "closed", "milepost.db");
const killed = join(folder, "killed", "milepost.db");
const other = join(folder, "other", "milepost.db");

/** Events that the killed process was told are safe; the very last commit may not have got that far. */
let acknowledged = 0;

beforeAll(async () => {
  for (const path of [closed, other]) expect((await new Worker("fill", path).end()).exit).toBe(0);
  const writer = new Worker("write", killed);
  // Enough for several pages, few enough that nothing has been moved out of the journal yet.
  await writer.line(40);
  writer.kill();
  acknowledged = 2 * (await writer.end()).lines.length;
});

/** A copy to damage, with everything that lies beside it. */
function copyOf(path: string): string {
  const from = join(path, "..");
  const to = mkdtempSync(join(folder, "copy-"));
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
  return join(to, basename(path));
}

function change(path: string, edit: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  edit(bytes);
  writeFileSync(path, bytes);
}

function fingerprints(path: string): readonly string[] {
  // A journal that is empty says the same as none.
  const of = (name: string) =>
    existsSync(name) && statSync(name).size > 0
      ? createHash("sha256").update(readFileSync(name)).digest("hex")
      : "none";
  return [path, `${path}-wal`, path.replace(/\.db$/, ".head")].map(of);
}

const doctor = (path: string, ...flags: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "doctor", "--store", path, ...flags], {
    encoding: "utf8",
  });
  return { exit: status, out: stdout, err: stderr };
};

interface Damage {
  readonly name: string;
  readonly of: string;
  readonly hurt: (path: string) => void;
  /** What doctor calls it. */
  readonly found: readonly string[];
  /** The code with which it is refused when it is opened; none where a cheap look cannot tell. */
  readonly atOpen?: string;
}

const PAGE = 4096;
const damages: readonly Damage[] = [
  {
    name: "a header of garbage",
    of: closed,
    hurt: (path) => change(path, (bytes) => bytes.fill(0x5a, 0, 100)),
    found: ["damaged-header"],
    atOpen: "store-damaged",
  },
  {
    name: "a zeroed page",
    of: closed,
    hurt: (path) =>
      change(path, (bytes) => bytes.fill(0, pageWith(bytes, `${MARK} 10"`), pageWith(bytes, `${MARK} 10"`) + PAGE)),
    found: ["damaged-page"],
  },
  {
    name: "half of the file",
    of: closed,
    hurt: (path) => truncateSync(path, statSync(path).size / 2),
    found: ["damaged-page"],
    atOpen: "store-damaged",
  },
  {
    name: "an empty file",
    of: closed,
    hurt: (path) => truncateSync(path, 0),
    found: ["emptied-file"],
    atOpen: "store-lost",
  },
  {
    name: "no file, only its head",
    of: closed,
    hurt: (path) => rmSync(path),
    found: ["lost-file"],
    atOpen: "store-lost",
  },
  {
    name: "a journal of garbage",
    of: killed,
    hurt: (path) => change(`${path}-wal`, (bytes) => bytes.fill(0xa5)),
    found: ["damaged-journal"],
    atOpen: "store-damaged",
  },
  {
    name: "a flipped byte in a text",
    of: closed,
    hurt: (path) => change(path, (bytes) => flipEach(bytes, `${MARK} 7"`)),
    found: ["damaged-event"],
  },
  {
    name: "a flipped bit in the journal",
    of: killed,
    hurt: (path) => change(`${path}-wal`, (bytes) => flip(bytes, Math.floor(bytes.length / 2))),
    found: ["damaged-journal", "lost-tail"],
    atOpen: "store-damaged",
  },
  {
    name: "a journal that is gone",
    of: killed,
    hurt: (path) => rmSync(`${path}-wal`),
    found: ["lost-tail"],
    atOpen: "store-damaged",
  },
  {
    name: "another store in its place",
    of: closed,
    hurt: (path) => copyFileSync(other, path),
    found: ["replaced-file"],
    atOpen: "store-lost",
  },
];

function pageWith(bytes: Buffer, text: string): number {
  return Math.floor(bytes.indexOf(text) / PAGE) * PAGE;
}

function flip(bytes: Buffer, at: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ 0x04;
}

/** Pages that were split leave old copies behind: only one of them is the real one. */
function flipEach(bytes: Buffer, text: string): void {
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) flip(bytes, at);
}

describe("damage is named, and nothing is made worse", () => {
  test.each(damages)("$name", async ({ of, hurt, found, atOpen }) => {
    const path = copyOf(of);
    hurt(path);
    const before = fingerprints(path);

    // A process of its own: what SQLite does to a file when a process ends is part of it.
    const { exit, errors, lines } = await new Worker("reopen", path).end();
    expect([exit, lines.at(-1)]).toEqual(atOpen ? [3, atOpen] : [0, "opened"]);
    expect(errors).toBe("");
    expect(fingerprints(path)).toEqual(before);

    const said = doctor(path);
    for (const code of found) expect(said.out).toContain(`[${code}]`);
    expect([said.exit, said.err]).toEqual([3, expect.stringMatching(/^milepost: .*\[store-damaged\]\n$/)]);
    expect(fingerprints(path)).toEqual(before);
  });

  test("what lies beside the damage is still served, and the damaged event is named when it is read", async () => {
    const path = copyOf(closed);
    change(path, (bytes) => flipEach(bytes, `${MARK} 3"`));
    const store = await openStore(path, options);
    expect(await readAll(store, { stream: "session:4" })).toHaveLength(50);
    await expect(readAll(store, { stream: "session:3" })).rejects.toMatchObject({
      code: "store-damaged",
      message: expect.stringMatching(/^Event 26 of session:3 is damaged/),
    });
    // The list itself needs no history.
    expect(await store.view(COUNTERS, "session:3")).toEqual({ count: 50, sum: 1225 });
    await store.close();
  });

  test("a damaged view is named, and folded again from its events", async () => {
    const path = copyOf(closed);
    change(path, (bytes) => flip(bytes, bytes.indexOf('{"count":50') + 10));
    expect((await examine(path)).findings).toMatchObject([{ code: "wrong-view" }]);
    const rebuilt = await examineStore(path, { ...options, isOwnFolder: false, rebuild: true });
    expect(rebuilt).toMatchObject({ findings: [], log: { rebuilt: 1 } });
    expect((await examine(path)).findings).toEqual([]);
  });

  test("a sound store has no findings, with and without a journal", async () => {
    for (const path of [closed, killed]) expect((await examine(copyOf(path))).findings).toEqual([]);
    expect(doctor(copyOf(closed))).toMatchObject({ exit: 0, err: "" });
    expect(doctor(join(folder, "nothing", "milepost.db"))).toMatchObject({
      exit: 0,
      out: expect.stringContaining("No store yet"),
    });
    expect(existsSync(join(folder, "nothing"))).toBe(false);
  });

  test("after a loss that a person accepts, work goes on and the old head is kept", async () => {
    const path = copyOf(closed);
    rmSync(path);
    expect(doctor(path, "--accept-loss")).toMatchObject({ exit: 0 });
    expect(readdirSync(join(path, ".."))).toContain("milepost.head.lost");
    await (await openStore(path, options)).close();

    const cut = copyOf(killed);
    rmSync(`${cut}-wal`);
    rmSync(`${cut}-shm`, { force: true });
    expect(doctor(cut, "--accept-loss")).toMatchObject({ exit: 0, err: "" });
    const store = await openStore(cut, options);
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  });
});

describe("damage at random places", () => {
  type Events = readonly { readonly stream: string; readonly data: { readonly [field: string]: unknown } }[];

  /** What is asked for by name comes from other pages than the log as a whole. */
  async function isServed(store: Store, events: Events): Promise<boolean> {
    for (const stream of new Set(events.map((event) => event.stream))) {
      const own = events.filter((event) => event.stream === stream);
      const sum = own.reduce((whole, { data }) => whole + Number(data.number), 0);
      if (!isDeepStrictEqual(await store.view(COUNTERS, stream), { count: own.length, sum })) return false;
      if ((await readAll(store, { stream })).length !== own.length) return false;
    }
    return true;
  }

  /** Either nothing is missing, or whoever reads is told: never less than was acknowledged, in silence. */
  async function isHonest(path: string, wanted: Events, atLeast: number): Promise<boolean> {
    try {
      const store = await openStore(path, options);
      try {
        const events = (await readAll(store)).map(({ cursor: _, ...event }) => event);
        const isWhole = events.length >= atLeast && isDeepStrictEqual(events, wanted.slice(0, events.length));
        return isWhole && (await isServed(store, events));
      } finally {
        await store.close();
      }
    } catch (error) {
      if (!(error instanceof Error && error.name === "StoreTrouble")) throw error;
      return true;
    }
  }

  const hurts: readonly ((bytes: Buffer, at: number) => Buffer)[] = [
    (bytes, at) => bytes.subarray(0, at),
    (bytes, at) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.alloc(Math.min(512, bytes.length - at)), bytes.subarray(at + 512)]),
    (bytes, at) => {
      flip(bytes, at);
      return bytes;
    },
  ];

  test.each([
    ["the file", closed, ""],
    ["the journal", killed, "-wal"],
  ])("in %s", { timeout: 300_000 }, async (_name, source, end) => {
    const sound = await openStore(copyOf(source), options);
    const wanted = (await readAll(sound)).map(({ cursor: _, ...event }) => event);
    await sound.close();
    const atLeast = source === killed ? acknowledged : wanted.length;
    expect(atLeast).toBeGreaterThan(50);
    const bytes = readFileSync(`${source}${end}`);
    const random = randomFrom(SEED);
    for (let round = 0; round < sized(60, 500); round += 1) {
      const path = copyOf(source);
      const at = random.below(bytes.length);
      const hurt = hurts[round % hurts.length];
      if (hurt) writeFileSync(`${path}${end}`, hurt(Buffer.from(bytes), at));
      rmSync(`${path}-shm`, { force: true });
      expect([round % hurts.length, at, await isHonest(path, wanted, atLeast)]).toEqual([
        round % hurts.length,
        at,
        true,
      ]);
      rmSync(join(path, ".."), { recursive: true, force: true });
    }
  });
});

test("what was forgotten cannot be found in the files", async () => {
  const path = copyOf(closed);
  const store = await openStore(path, options);
  await store.forget("7");
  await store.close();
  const bytes = readFileSync(path);
  expect(bytes.includes(`${MARK} 7"`)).toBe(false);
  expect(bytes.includes(`${MARK} 8"`)).toBe(true);
  expect(existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0).toBe(false);
  expect((await examine(path)).findings).toEqual([]);
});

test("a power cut that takes observations leaves a sound store", async () => {
  const path = join(mkdtempSync(join(folder, "cut-")), "milepost.db");
  const store = await openStore(path, options);
  await store.commit(append([{ stream: "session:a", events: [{ type: "number.written", data: { number: 1 } }] }]));
  // What is synced by now; the head on the disk may be newer.
  const before = readFileSync(path);
  const journal = readFileSync(`${path}-wal`);
  await store.observe("calls:a", [{ type: "call.ended", data: {} }]);
  const cut = copyOf(path);
  await store.close();
  writeFileSync(cut, before);
  writeFileSync(`${cut}-wal`, journal);
  rmSync(`${cut}-shm`, { force: true });
  const again = await openStore(cut, options);
  expect(await readAll(again)).toHaveLength(1);
  await again.close();
});

test("what a rolled back write leaves in the journal is no damage", async () => {
  const path = join(mkdtempSync(join(folder, "spill-")), "milepost.db");
  const store = await openStore(path, options);
  const large = Array.from({ length: 3000 }, () => ({ type: "number.written", data: { text: "x".repeat(4000) } }));
  const broken = [...large, { type: "number.written", data: {}, id: "\u0000" }];
  await expect(store.commit(append([{ stream: "session:a", events: broken }]))).rejects.toThrow("Not an event");
  await store.commit(append([{ stream: "session:a", events: [{ type: "number.written", data: { number: 1 } }] }]));
  expect((await examine(path)).findings).toEqual([]);
  await store.close();
});

describe("a store behind a link", () => {
  function linked(): { readonly link: string; readonly path: string } {
    const path = copyOf(closed);
    const link = join(mkdtempSync(join(folder, "link-")), "store.db");
    symlinkSync(path, link);
    return { link, path };
  }

  test("is the store itself, head and rights included", async () => {
    const { link, path } = linked();
    const store = await openStore(link, options);
    expect(await readAll(store, { stream: "session:3" })).toHaveLength(50);
    await store.close();
    expect(readdirSync(join(link, ".."))).toEqual(["store.db"]);
    expect((await examine(link)).findings).toEqual([]);
    change(path, (bytes) => flipEach(bytes, `${MARK} 7"`));
    expect((await examine(link)).findings).toMatchObject([{ code: "damaged-event" }]);
  });

  test("that is gone is missed, not made anew", async () => {
    const { link, path } = linked();
    rmSync(path);
    await expect(openStore(link, options)).rejects.toMatchObject({ code: "store-lost" });
    expect((await examine(link)).findings).toMatchObject([{ code: "lost-file" }]);
    expect(existsSync(path)).toBe(false);
  });
});

test("a file that is taken away under a process gets no more acknowledged writes", async () => {
  const write = (store: Store) =>
    store.commit(append([{ stream: "session:a", events: [{ type: "number.written", data: { number: 1 } }] }]));
  for (const harm of [
    (path: string) => rmSync(path),
    (path: string) => copyFileSync(other, `${path}.new`),
    undefined,
  ]) {
    const path = copyOf(closed);
    const store = await openStore(path, options);
    await write(store);
    harm?.(path);
    if (existsSync(`${path}.new`)) renameSync(`${path}.new`, path);
    // A look at the name holds for a moment.
    await new Promise((resolve) => setTimeout(resolve, 15));
    if (harm) await expect(write(store)).rejects.toMatchObject({ code: "store-lost" });
    else expect((await write(store)).ok).toBe(true);
    await store.close();
  }
});

test("another program's file is left alone, to the last bit of its rights", async () => {
  const open = await loadSqlite();
  const setUps = ["CREATE TABLE theirs (a)", "PRAGMA user_version = 3", "PRAGMA application_id = 77"];
  for (const [index, setUp] of setUps.entries()) {
    const path = join(folder, `theirs-${index}.db`);
    const theirs = open(path, {});
    theirs.exec("CREATE TABLE gone (a); DROP TABLE gone;");
    theirs.exec(setUp);
    theirs.close();
    chmodSync(path, 0o644);
    const before = fingerprints(path);
    await expect(openStore(path, options)).rejects.toMatchObject({ code: "not-a-store" });
    await expect(examine(path)).rejects.toMatchObject({ code: "not-a-store" });
    expect(fingerprints(path)).toEqual(before);
    expect(statSync(path).mode & 0o777).toBe(0o644);
  }
});

test("a damaged answer is found, and not given", async () => {
  const path = join(mkdtempSync(join(folder, "key-")), "milepost.db");
  const idempotency = { key: "k", input: 1, stream: "session:a" };
  const ask = (store: Store) =>
    store.commit<string>(
      function* (transaction) {
        yield* transaction.version("session:a");
        return ok({ writes: [], answer: MARK });
      },
      { idempotency },
    );
  const store = await openStore(path, options);
  await ask(store);
  await store.close();
  change(path, (bytes) => flipEach(bytes, MARK));
  expect((await examine(path)).findings).toMatchObject([{ code: "damaged-answer" }]);
  const again = await openStore(path, options);
  await expect(ask(again)).rejects.toMatchObject({ code: "store-damaged" });
  await again.close();
});

test("positions from before an accepted loss are not given again", async () => {
  const path = join(mkdtempSync(join(folder, "back-")), "milepost.db");
  const write = (store: Store) =>
    store.commit(append([{ stream: "session:a", events: [{ type: "number.written", data: { number: 1 } }] }]));
  const store = await openStore(path, options);
  await write(store);
  await store.backup(`${path}.copy`);
  await write(store);
  await write(store);
  const seen = await store.head();
  await store.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  copyFileSync(`${path}.copy`, path);
  expect(doctor(path)).toMatchObject({ exit: 3, out: expect.stringContaining("[lost-tail]") });
  expect(doctor(path, "--accept-loss")).toMatchObject({ exit: 0, out: expect.stringContaining("the last 2 are lost") });
  expect(doctor(path, "--accept-loss").out).not.toContain("accepted");
  const restored = await openStore(path, options);
  await write(restored);
  expect(await readAll(restored, { after: seen })).toHaveLength(1);
  await restored.close();
});
