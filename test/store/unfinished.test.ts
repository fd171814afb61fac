import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../../src/store/open.js";
import { loadSqlite } from "../../src/store/sqlite/library.js";
import { canMount, mountTiny } from "../mounts.js";
import { sized } from "../sizes.js";
import { runWarm } from "../warm-command.js";
import { COUNTERS } from "./counters.js";
import { Worker } from "./workers.js";

// What looks broken and is not: a store whose making was cut short, and a disk that has room for no more files.

const folder = mkdtempSync(join(tmpdir(), "milepost-unfinished-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = { ...process.env, MILEPOST_HOME: join(folder, "home"), MILEPOST_STORE: "" };
const run = (line: string, path: string) => runWarm([...line.split(" "), "--store", path], { folder, environment });

const fresh = () => join(mkdtempSync(join(folder, "new-")), "milepost.db");

async function isUsable(path: string): Promise<void> {
  const store = await openStore(path, { projections: [COUNTERS] });
  expect((await store.check({ rebuild: false })).findings).toEqual([]);
  await store.close();
}

describe("doctor finds no damage in a store whose making was cut short", () => {
  test("before any step", { timeout: 120_000 }, async () => {
    for (let step = 1; ; step += sized(9, 1)) {
      const path = fresh();
      const { lines } = await new Worker("migrate", path, step, 0).end();
      const { exit, out, err } = run("doctor", path);
      expect([step, exit, err]).toEqual([step, 0, ""]);
      expect(out).not.toContain("DAMAGE");
      await isUsable(path);
      if (lines.includes("done")) break;
    }
  });

  /** The first page of a file in journal mode WAL, as it is before any table is made. */
  async function firstPage(path: string): Promise<void> {
    const database = (await loadSqlite())(path, {});
    database.exec("PRAGMA journal_mode = WAL");
    database.close();
  }

  const HOT = Buffer.from("d9d505f920a163d7", "hex");
  test.each([
    [
      "while its first page was written",
      (path: string) => writeFileSync(`${path}-journal`, Buffer.concat([HOT, Buffer.alloc(504)])),
    ],
    ["while its journal was begun", (path: string) => writeFileSync(`${path}-wal`, Buffer.alloc(20, 1))],
    ["before its head was written", (path: string) => writeFileSync(path.replace(".db", ".head"), "")],
  ])("%s", async (_name, leave) => {
    const path = fresh();
    await firstPage(path);
    leave(path);
    const { exit, out, err } = run("doctor", path);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toMatch(/No store yet|\[unfinished-store\]/);
    await isUsable(path);
  });

  test("a small file that is no store is still called damaged", () => {
    const path = fresh();
    writeFileSync(path, "shopping list: milk, bread\n".repeat(30));
    expect(run("doctor", path)).toMatchObject({ exit: 3, out: expect.stringContaining("[damaged-header]") });
  });
});

describe.skipIf(!canMount())("a disk without a free inode (needs root)", () => {
  async function onFullDisk(prepare: (path: string) => Promise<void>, then: (path: string) => void): Promise<void> {
    const disk = mountTiny(mkdtempSync(join(folder, "disk-")), 12);
    if (!disk) throw new Error("The disk could not be mounted.");
    try {
      const path = join(disk.folder, "store", "milepost.db");
      mkdirSync(join(disk.folder, "store"));
      await prepare(path);
      for (let file = 0; file < 12; file += 1) if (!tryToMake(join(disk.folder, `${file}`))) break;
      then(path);
    } finally {
      disk.unmount();
    }
  }

  function tryToMake(file: string): boolean {
    try {
      writeFileSync(file, "");
      return true;
    } catch {
      return false;
    }
  }

  async function killedStore(): Promise<string> {
    const path = fresh();
    const writer = new Worker("write", path);
    await writer.line(3);
    writer.kill();
    await writer.end();
    return path;
  }

  test("doctor checks the store, and says what is so", () =>
    onFullDisk(
      async (path) => {
        const source = fresh();
        expect((await new Worker("fill", source).end()).exit).toBe(0);
        copyFileSync(source, path);
      },
      (path) => {
        const { exit, out, err } = run("doctor", path);
        expect([exit, err]).toEqual([0, ""]);
        expect(out).toContain("[no-inodes]");
        expect(out).toContain("every event, stream and view is intact");
        expect(run("todo list --session 1", path)).toMatchObject({
          exit: 3,
          err: expect.stringContaining("[store-full]"),
        });
      },
    ));

  test("where the journal cannot be read for want of one, that is no damage", () =>
    onFullDisk(
      async (path) => {
        const source = await killedStore();
        for (const end of ["", "-wal"]) copyFileSync(`${source}${end}`, `${path}${end}`);
      },
      (path) => {
        expect(run("doctor", path)).toMatchObject({
          exit: 3,
          err: expect.stringMatching(/no inodes left.*\[store-full\]/),
        });
        expect(existsSync(`${path}-shm`)).toBe(false);
      },
    ));
});
