import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openMilepost } from "../../src/app/milepost.js";
import { openHookStore } from "../../src/app/session/hook-store.js";
import { factName, spoolPlace, waitingIn } from "../../src/app/spool/spool-place.js";
import { takeInSpool } from "../../src/app/spool/take-in-spool.js";
import { freshDatabase } from "../databases.js";
import { runOn } from "../run-on.js";
import { holdFile, holdTables } from "../store-lockers.js";
import { asked, askedIn, eventsIn, hear, type Place, rested } from "./heard.js";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function fresh(): string {
  folders.push(mkdtempSync(join(tmpdir(), "milepost-spool-")));
  return folders.at(-1) ?? "";
}

const ENGINES = {
  sqlite: { make: async () => join(fresh(), "milepost.db"), hold: (url: string) => holdFile(url, "BEGIN IMMEDIATE") },
  postgres: { make: () => freshDatabase("spool"), hold: (url: string) => holdTables(url, "writers") },
};
const engines = Object.values(ENGINES);

/** A store that somebody else holds, with its tables made. */
async function held({ make, hold }: (typeof engines)[number], home = fresh()) {
  const environment = { MILEPOST_HOME: join(home, "milepost"), MILEPOST_STORE: await make() };
  await (await openHookStore(environment)).close();
  return { environment, home, release: await hold(environment.MILEPOST_STORE) };
}

function folderOf(environment: Place): string {
  return spoolPlace({ ...environment })?.folder ?? "";
}

const waiting = (environment: Place) => waitingIn(folderOf(environment)).length;
const logOf = ({ MILEPOST_HOME }: Place) => readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8");

const WRITTEN = {
  hook_event_name: "PostToolUse",
  tool_name: "TodoWrite",
  tool_use_id: "w1",
  tool_input: { todos: [{ content: "Read the code", status: "in_progress", activeForm: "Reading" }] },
  tool_response: "ok, with password=hunter2hunter2",
};

describe.each(Object.entries(ENGINES))("%s: while somebody else holds the store", (_, engine) => {
  test("hooks wait in the spool, and are taken in first by the next one, in order, at their time", async () => {
    const { environment, release } = await held(engine);
    const before = Date.now();
    expect(await hear(environment, { hook_event_name: "SessionStart", source: "startup", cwd: "/p" })).toBe("");
    expect(await hear(environment, { hook_event_name: "UserPromptSubmit", prompt: "go, token=abcdefgh12345678" })).toBe(
      "",
    );
    for (const text of ["one", "two"]) await hear(environment, asked(text));
    expect(await hear(environment, WRITTEN)).toBe("");
    const after = Date.now();
    expect(waiting(environment)).toBe(5);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await release();
    rested(environment);
    await hear(environment, asked("three"));
    // On a slow machine the hook left some of them to the next one.
    await (await openMilepost({ environment: { ...environment } })).close();
    expect(waiting(environment)).toBe(0);
    const events = await eventsIn(environment);
    expect(askedIn(events)).toEqual(["one", "two", "three"]);
    const types = events.filter(({ stream }) => stream === "session:s1").map(({ type }) => type);
    expect(types.slice(0, 2)).toEqual(["session.started", "turn.started"]);
    expect(types).toContain("todo.added");
    expect(types.filter((type) => /sent|delivered|offered/.test(type))).toEqual([]);
    for (const { at, data } of events.filter((event) => event.data.text !== "three")) {
      expect([data, at >= before - 1 && at <= after + 1]).toEqual([data, true]);
    }
    expect(events.find(({ data }) => data.text === "three")?.at).toBeGreaterThan(after);
  });

  test("the spool is private, and holds neither secrets nor what a tool answered or a person said", async () => {
    const { environment, release } = await held(engine);
    await hear(environment, { hook_event_name: "UserPromptSubmit", prompt: "please read the code" });
    await hear(environment, WRITTEN);
    const shell = { tool_name: "Bash", tool_use_id: "b1", tool_input: { command: "deploy --password hunter2hunter2" } };
    await hear(environment, { hook_event_name: "PostToolUse", ...shell, tool_response: { stdout: "loud output" } });
    const folder = folderOf(environment);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const texts = waitingIn(folder).map((name) => {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      return readFileSync(join(folder, name), "utf8");
    });
    expect(texts).toHaveLength(3);
    expect(texts.join()).not.toMatch(/hunter2|loud output|please read|with password/);
    await release();
  });

  test("two take it in at the same time: each fact once, in order", async () => {
    const { environment, release } = await held(engine);
    const texts = Array.from({ length: 12 }, (_, number) => `fact ${number}`);
    for (const text of texts) await hear(environment, asked(text));
    await release();
    const place = spoolPlace({ ...environment });
    await Promise.all(
      [1, 2, 3].map(async () => {
        const store = await openHookStore({ ...environment }, { patience: 10_000 });
        if (place) await takeInSpool(store, place, { ...environment }, 10_000);
        await store.close();
      }),
    );
    expect(askedIn(await eventsIn(environment))).toEqual(texts);
  });

  test("what is damaged, or not ours, is set aside, and the rest is taken in", async () => {
    const { environment, release } = await held(engine);
    for (const text of ["one", "two"]) await hear(environment, asked(text));
    await release();
    const folder = folderOf(environment);
    const [first = "", last = ""] = waitingIn(folder);
    const sound = readFileSync(join(folder, first), "utf8");
    const name = (number: number) => factName({ time: 1_000_000 + number, size: 1, tried: "not" });
    writeFileSync(join(folder, name(1)), "");
    writeFileSync(join(folder, name(2)), sound.replace("one", "0ne"));
    writeFileSync(join(folder, name(3)), sound.slice(0, -10));
    symlinkSync(join(folder, last), join(folder, name(4)));
    mkdirSync(join(folder, name(5)));
    const other = spoolPlace({ ...environment, MILEPOST_STORE: join(fresh(), "other.db") })?.folder ?? "";
    await hearElsewhere(environment, other);
    writeFileSync(join(folder, name(6)), readFileSync(join(other, waitingIn(other)[0] ?? "")));
    writeFileSync(join(folder, "notes.txt"), "a person's own");
    const result = await runOn(join(environment.MILEPOST_HOME, ".."), ["events"], { environment: { ...environment } });
    expect(result).toMatchObject({ exit: 0, err: "" });
    expect(askedIn(await eventsIn(environment))).toEqual(["one", "two"]);
    expect(readdirSync(folder).filter((entry) => entry.endsWith(".aside"))).toHaveLength(6);
    expect(existsSync(join(folder, "notes.txt"))).toBe(true);
    expect(logOf(environment).match(/\[spool-damaged\]/g)).toHaveLength(6);
    const doctor = await runOn(join(environment.MILEPOST_HOME, ".."), ["doctor"], { environment: { ...environment } });
    expect(doctor.out).toContain("6 files in ");
  });

  test("a command that opens the store sees what waits; doctor only says so", async () => {
    const { environment, home, release } = await held(engine);
    for (const text of ["one", "two"]) await hear(environment, asked(text));
    const around = { environment: { ...environment } };
    await release();
    const doctor = await runOn(home, ["doctor"], around);
    expect(doctor.out).toMatch(/2 hook reports since \S+ \S+ could not be recorded yet.* \[spool-waiting\]/);
    expect(JSON.parse((await runOn(home, ["doctor", "--json"], around)).out)).toMatchObject({ spool: { waiting: 2 } });
    expect(waiting(environment)).toBe(2);
    expect((await runOn(home, ["export"], around)).out).toMatch(/"one"[\s\S]*"two"/);
    expect((await runOn(home, ["doctor"], around)).out).not.toContain("[spool-");
    expect(await runOn(home, ["forget", "s1", "--yes"], around)).toMatchObject({ exit: 0 });
    expect(askedIn(await eventsIn(environment))).toEqual([]);
  });
});

/** One fact for another store, which cannot be opened. */
async function hearElsewhere(environment: Place, folder: string): Promise<void> {
  const path = join(fresh(), "other.db");
  const other = { ...environment, MILEPOST_STORE: path };
  await (await openHookStore(other)).close();
  const release = await holdFile(path, "BEGIN IMMEDIATE");
  await hear(other, asked("elsewhere"));
  await release();
  const from = folderOf(other);
  mkdirSync(folder, { recursive: true });
  for (const name of waitingIn(from)) writeFileSync(join(folder, name), readFileSync(join(from, name)));
}

describe("the spool itself", () => {
  const { sqlite } = ENGINES;

  test("is bounded: the oldest stay, and the log says once that others were dropped", async () => {
    const { environment, release } = await held(sqlite);
    await hear(environment, asked("one"));
    const large = factName({ time: Date.now() * 1000 + 1_000_000, size: 64 * 1024 * 1024, tried: "not" });
    writeFileSync(join(folderOf(environment), large), "");
    for (const text of ["two", "three"]) await hear(environment, asked(text));
    expect(waiting(environment)).toBe(2);
    expect(logOf(environment).match(/\[spool-full\]/g)).toHaveLength(1);
    rmSync(join(folderOf(environment), large));
    await release();
    rested(environment);
    await hear(environment, asked("four"));
    expect(askedIn(await eventsIn(environment))).toEqual(["one", "four"]);
    expect(existsSync(join(folderOf(environment), "dropped"))).toBe(false);
  });

  test("a clock that was set back puts no fact before those that wait", async () => {
    const { environment, release } = await held(sqlite);
    await hear(environment, asked("one"));
    const folder = folderOf(environment);
    const [first = ""] = waitingIn(folder);
    const ahead = factName({ time: (Date.now() + 3_600_000) * 1000, size: 1, tried: "not" });
    writeFileSync(join(folder, ahead), readFileSync(join(folder, first)), { mode: 0o600 });
    rmSync(join(folder, first));
    await hear(environment, asked("two"));
    await release();
    rested(environment);
    await hear(environment, asked("three"));
    expect(askedIn(await eventsIn(environment))).toEqual(["one", "two", "three"]);
  });

  test("a newer version's file stays, and holds up nobody", async () => {
    const { environment, release } = await held(sqlite);
    await hear(environment, asked("one"));
    await release();
    const folder = folderOf(environment);
    const json = '{"a":1}';
    const { crc32 } = await import("node:zlib");
    const newer = factName({ time: 1, size: 1, tried: "not" });
    writeFileSync(join(folder, newer), `milepost spool 2 ${crc32(json)}\n${json}\n`);
    rested(environment);
    await hear(environment, asked("two"));
    expect(askedIn(await eventsIn(environment))).toEqual(["one", "two"]);
    expect(waitingIn(folder)).toEqual([newer]);
  });

  test("a folder that others could read is made private; a link in its place is refused", async () => {
    const { environment, release } = await held(sqlite);
    const folder = folderOf(environment);
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    await hear(environment, asked("one"));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const elsewhere = fresh();
    rmSync(folder, { recursive: true });
    symlinkSync(elsewhere, folder);
    expect(await hear(environment, asked("two"))).toBe("");
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(logOf(environment)).toMatch(/Lost: .*not a folder of yours/);
    await release();
  });

  test.each([
    ["the same file, named in another way", (path: string) => path.replace("/milepost.db", "/./milepost.db"), true],
    ["as an address", (path: string) => `sqlite:${path}`, true],
    ["another file", (path: string) => `${path}2`, false],
  ])("is one for each store: %s", (_, other, isSame) => {
    const path = join(fresh(), "milepost.db");
    const folder = (url: string) => spoolPlace({ MILEPOST_HOME: "/h", MILEPOST_STORE: url })?.folder;
    expect(folder(other(path)) === folder(path)).toBe(isSame);
  });

  test.each([
    ["postgres://me@host/db", "postgresql://me:secret@host:5432/db?sslmode=require", true],
    ["postgres://me@host/db", "postgres://me@host/db2", false],
    ["postgres://me@host/db", "postgres://me@host/db?options=-c%20search_path%3Dx", false],
  ])("%s and %s: the same is %s", (one, other, isSame) => {
    const folder = (url: string) => spoolPlace({ MILEPOST_HOME: "/h", MILEPOST_STORE: url })?.folder;
    expect(folder(one) === folder(other)).toBe(isSame);
    expect(folder("memory:")).toBeUndefined();
  });
});
