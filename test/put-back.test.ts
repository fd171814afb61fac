import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { loadSqlite } from "../src/store/sqlite/library.js";
import { freshDatabase } from "./databases.js";
import { bin } from "./hook-process.js";
import { runWarm } from "./warm-command.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-put-back-"));
const server = await freshDatabase("put_back");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let worlds = 0;
const open = await loadSqlite();

function makeDatabase(path: string): void {
  const database = open(path, {});
  database.exec("CREATE TABLE notes (text)");
  database.close();
}

/** A store with one task, its backup, and a second task that the backup does not have. */
function world() {
  const store = join(folder, `${++worlds}.db`);
  const backup = join(folder, `${worlds}-backup.db`);
  const run = (...words: readonly string[]) =>
    runWarm([...words, "--store", store], { folder, environment: { MILEPOST_HOME: folder, MILEPOST_LIST: "l" } });
  const subjects = () => JSON.parse(run("task", "list", "--json").out).tasks.map(({ subject }: never) => subject);
  expect(run("task", "add", "one")).toMatchObject({ exit: 0 });
  expect(run("backup", backup)).toMatchObject({ exit: 0 });
  expect(run("task", "add", "two")).toMatchObject({ exit: 0 });
  return { store, backup, run, subjects };
}

describe("backup --restore", () => {
  test("puts the backup in the store's place, and the old store can be put back", () => {
    const { store, backup, run, subjects } = world();
    const ran = run("backup", backup, "--restore", "--yes", "--json");
    expect(ran).toMatchObject({ exit: 0, err: "" });
    const kept = `${store}.replaced`;
    expect(JSON.parse(ran.out)).toEqual({ file: backup, store, events: 2, kept });
    expect(readdirSync(folder).filter((name) => name.includes("lost"))).toEqual([]);
    expect(subjects()).toEqual(["one"]);
    expect(run("doctor")).toMatchObject({ exit: 0 });
    expect(run("task", "add", "three")).toMatchObject({ exit: 0 });
    expect(run("backup", kept, "--restore", "--yes")).toMatchObject({ exit: 0 });
    expect(subjects()).toEqual(["one", "two"]);
  });

  test.each([
    ["with its journal", ["", "-wal", "-shm"]],
    // A hook does not close: what it wrote last lies there, and would be taken for the backup's.
    ["without its journal", [""]],
  ])("also where the store is gone %s, which is what backups are for", (_name, ends) => {
    const { store, backup, run, subjects } = world();
    const input = JSON.stringify({ hook_event_name: "SessionStart", session_id: "s1", cwd: folder, source: "startup" });
    const environment = { MILEPOST_HOME: folder, MILEPOST_STORE: store };
    expect(spawnSync(process.execPath, [bin, "hook"], { env: environment, input }).status).toBe(0);
    expect(existsSync(`${store}-wal`)).toBe(true);
    for (const end of ends) rmSync(`${store}${end}`, { force: true });
    expect(run("task", "list")).toMatchObject({ exit: 3, err: expect.stringContaining("[no-store]") });
    expect(run("backup", backup, "--restore", "--yes", "--json").out).toContain('"kept":null');
    expect(subjects()).toEqual(["one"]);
    expect(run("doctor")).toMatchObject({ exit: 0 });
  });

  test("through a link, which stays one", () => {
    const { store, backup, run, subjects } = world();
    const elsewhere = `${store}-real.db`;
    for (const end of ["", "-head"]) renameSync(`${store}${end}`, `${elsewhere}${end}`);
    symlinkSync(elsewhere, store);
    expect(subjects()).toEqual(["one", "two"]);
    expect(run("backup", backup, "--restore", "--yes")).toMatchObject({ exit: 0 });
    expect(subjects()).toEqual(["one"]);
    expect(lstatSync(store).isSymbolicLink()).toBe(true);
  });

  test.each<[string, (path: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a text", (path) => writeFileSync(path, "my notes\n".repeat(100))],
    ["a database of another program", (path) => makeDatabase(path)],
  ])("never in the place of %s", (_name, make) => {
    const { backup } = world();
    const path = join(folder, `other-${worlds}`);
    make(path);
    const options = { folder, environment: { MILEPOST_HOME: folder } };
    const ran = runWarm(["backup", backup, "--restore", "--yes", "--store", path], options);
    expect(ran).toMatchObject({ exit: 3, out: "", err: expect.stringContaining("[not-a-store]") });
    expect(readdirSync(folder).filter((name) => name.startsWith(`other-${worlds}`))).toEqual([`other-${worlds}`]);
  });

  test("also over a damaged store", () => {
    const { store, backup, run, subjects } = world();
    writeFileSync(store, "this is no database any more".repeat(200));
    expect(run("backup", backup, "--restore", "--yes")).toMatchObject({ exit: 0 });
    expect(subjects()).toEqual(["one"]);
    expect(readFileSync(`${store}.replaced`, "utf8")).toMatch(/^this is no database/);
  });

  test("a process that has the store open writes nothing more to the old one", async () => {
    const { store, backup, run, subjects } = world();
    const open = await openMilepost({ store });
    const add = { dialect: "milepost", tool: "todo", input: { add: ["late"] }, place: { session: "s" } };
    await open.call({ ...add });
    expect(run("backup", backup, "--restore", "--yes")).toMatchObject({ exit: 0 });
    await expect(open.call({ ...add })).rejects.toMatchObject({ code: "store-lost" });
    await open.close();
    expect(subjects()).toEqual(["one"]);
    expect(run("doctor")).toMatchObject({ exit: 0 });
  });

  test.each([
    ["without a yes", ["{backup}", "--restore"], 1, /milepost backup \S+ --restore --store \S+ --yes \[needs-yes\]/],
    ["of a file that is not there", ["nowhere.db", "--restore", "--yes"], 3, /\[no-file\]/],
    ["of the store itself", ["{store}", "--restore", "--yes"], 2, /\[bad-usage\]/],
    ["of what is no store", ["{text}", "--restore", "--yes"], 3, /text\.db cannot be restored.*\[store-damaged\]/],
  ])("%s changes nothing", (_name, words, exit, err) => {
    const { store, backup, run, subjects } = world();
    const text = join(folder, "text.db");
    writeFileSync(text, "hello".repeat(500));
    const given = words.map((word) =>
      word.replace("{backup}", backup).replace("{store}", store).replace("{text}", text),
    );
    expect(run("backup", ...given)).toMatchObject({ exit, out: "", err: expect.stringMatching(err) });
    expect(subjects()).toEqual(["one", "two"]);
    expect(existsSync(`${store}.replaced`)).toBe(false);
  });

  test("restore, which reads transcripts, names the command that restores a backup to the same store", () => {
    const { store, backup, run } = world();
    expect(run("restore", backup)).toMatchObject({
      exit: 1,
      err: expect.stringContaining(`To restore a backup: milepost backup ${backup} --restore --store ${store} [`),
    });
  });

  test("a damaged backup changes nothing", () => {
    const { store, backup, run, subjects } = world();
    const bytes = readFileSync(backup);
    bytes.fill(7, 8192, 20_000);
    writeFileSync(backup, bytes);
    expect(run("backup", backup, "--restore", "--yes")).toMatchObject({ exit: 3, out: "" });
    expect(subjects()).toEqual(["one", "two"]);
    expect(existsSync(`${store}.replaced`)).toBe(false);
  });

  test("a backup with a changed event, which can be copied, changes nothing", async () => {
    const { store, backup, run, subjects } = world();
    const database = (await loadSqlite())(backup, {});
    database.exec("UPDATE milepost_events SET data = replace(data, 'one', 'won')");
    database.close();
    expect(run("backup", backup, "--restore", "--yes")).toMatchObject({
      ...{ exit: 3, out: "", err: expect.stringContaining("is damaged, so nothing was changed") },
    });
    expect(subjects()).toEqual(["one", "two"]);
    expect(existsSync(`${store}.replaced`)).toBe(false);
  });

  test("a server has no file to replace, and is told the way that works", () => {
    const { backup } = world();
    const options = { folder, environment: { MILEPOST_HOME: folder } };
    const ran = runWarm(["backup", backup, "--restore", "--yes", "--store", server], options);
    expect(ran).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/milepost export .* && milepost import copy\.jsonl --store \S+ \[bad-usage\]/),
    });
  });

  test("milepost restore of a backup leads there", () => {
    const { backup, run } = world();
    expect(run("restore", backup).err).toContain(`milepost backup ${backup} --restore`);
  });
});
