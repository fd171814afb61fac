import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeLog } from "../../src/app/log-file.js";
import { openStore } from "../../src/store/open.js";
import { realPath } from "../../src/store/sqlite/real-path.js";
import { runOn } from "../run-on.js";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;

/** A folder like /tmp: everybody may put something there. */
function openShared(mode = 0o1777): string {
  const shared = realpathSync(mkdtempSync(join(tmpdir(), "milepost-shared-")));
  chmodSync(shared, mode);
  return shared;
}

test.each([
  ["a file", "a/b"],
  ["a file that is not there", "a/none/deeper"],
  ["a link beside it", "link"],
  ["a link with dots in it", "a/up"],
  ["a link to a folder, and further", "folder/b"],
  ["a link to what is gone", "gone"],
  ["a link to a link", "twice"],
])("leads where the system goes: %s", (_, path) => {
  const root = openShared(0o700);
  mkdirSync(join(root, "a"));
  writeFileSync(join(root, "a", "b"), "");
  symlinkSync("a/b", join(root, "link"));
  symlinkSync("./../a/.//b", join(root, "a", "up"));
  symlinkSync(join(root, "a"), join(root, "folder"));
  symlinkSync("a/none", join(root, "gone"));
  symlinkSync("link", join(root, "twice"));
  const real: Readonly<Record<string, string>> = { "a/none/deeper": "a/none/deeper", gone: "a/none" };
  expect(realPath(join(root, path))).toBe(join(root, real[path] ?? "a/b"));
});

test("links in a circle are trouble with a name", () => {
  const root = openShared(0o700);
  symlinkSync("b", join(root, "a"));
  symlinkSync("a", join(root, "b"));
  expect(() => realPath(join(root, "a", "store.db"))).toThrow(expect.objectContaining({ code: "bad-store" }));
});

const open = (path: string) => openStore(path, { projections: [] }).then((store) => store.close());
const refused = { code: "store-not-yours" };

describe.runIf(isRoot)("what another user has put into a folder for everybody", () => {
  /** Ours, with a link in the shared folder that leads to it. */
  function linked(owner: number, mode?: number) {
    const shared = openShared(mode);
    const own = openShared(0o700);
    symlinkSync(own, join(shared, "link"));
    lchownSync(join(shared, "link"), owner, owner);
    return { shared, own, link: join(shared, "link") };
  }

  test.each([0o1777, 0o777])("a link as a folder is not followed (mode %o)", async (mode) => {
    const { link } = linked(NOBODY, mode);
    await expect(open(join(link, "store.db"))).rejects.toMatchObject(refused);
    await expect(open(join(link, "deep", "store.db"))).rejects.toMatchObject(refused);
  });

  test("a link as the store is not followed, wherever it leads", async () => {
    const { shared, own } = linked(NOBODY);
    await open(join(own, "store.db"));
    for (const target of ["store.db", "new.db"]) {
      const link = join(shared, target);
      symlinkSync(join(own, target), link);
      lchownSync(link, NOBODY, NOBODY);
      await expect(open(link)).rejects.toMatchObject(refused);
    }
  });

  test("our own link is followed, and one of the folder's owner", async () => {
    await open(join(linked(0).link, "store.db"));
    const { shared, link } = linked(NOBODY);
    chownSync(shared, NOBODY, NOBODY);
    await open(join(link, "store.db"));
  });

  test("a link where only its owner may write is followed", async () => {
    const { shared, link } = linked(NOBODY, 0o755);
    chownSync(shared, 1, 1);
    await open(join(link, "store.db"));
  });

  test.each(["-wal", "-shm", "-journal", "-head"])("a file beside the store is not read: %s", async (ending) => {
    for (const isThere of [false, true]) {
      const store = join(openShared(), "store.db");
      if (isThere) await open(store);
      // Put there in one piece: SQLite may still have a file of that name in its memory.
      writeFileSync(`${store}.new`, "");
      chownSync(`${store}.new`, NOBODY, NOBODY);
      renameSync(`${store}.new`, `${store}${ending}`);
      await expect(open(store)).rejects.toMatchObject(refused);
    }
  });

  test.each(["-wal", "-head"])("nor a link beside it: %s", async (ending) => {
    const store = join(openShared(), "store.db");
    await open(store);
    symlinkSync(join(openShared(0o700), "victim"), `${store}.new`);
    lchownSync(`${store}.new`, NOBODY, NOBODY);
    renameSync(`${store}.new`, `${store}${ending}`);
    await expect(open(store)).rejects.toMatchObject(refused);
  });

  test("a log is not written through a link of another user", () => {
    const { link, own } = linked(NOBODY);
    writeLog({ MILEPOST_HOME: link }, "hook", "words");
    expect(readdirSync(own)).toEqual([]);
    const home = openShared();
    symlinkSync(join(own, "victim"), join(home, "milepost.log"));
    lchownSync(join(home, "milepost.log"), NOBODY, NOBODY);
    writeLog({ MILEPOST_HOME: home }, "hook", "words");
    expect(readdirSync(own)).toEqual([]);
    lchownSync(join(home, "milepost.log"), 0, 0);
    writeLog({ MILEPOST_HOME: home }, "hook", "words");
    expect(readFileSync(join(own, "victim"), "utf8")).toMatch(/ hook: words\n$/);
  });

  test("scripts that agents start are not put where another user could change them", async () => {
    const user = openShared(0o700);
    mkdirSync(join(user, ".codex"));
    const foreign = openShared(0o755);
    chownSync(foreign, NOBODY, NOBODY);
    for (const MILEPOST_HOME of [foreign, linked(NOBODY).link]) {
      const ran = await runOn(user, ["setup", "codex", "--yes"], { environment: { MILEPOST_HOME } });
      expect(ran).toEqual({ exit: 3, out: "", err: expect.stringMatching(/^milepost: .*\[store-not-yours\]\n$/) });
      expect(readdirSync(MILEPOST_HOME)).toEqual([]);
    }
  });
});
