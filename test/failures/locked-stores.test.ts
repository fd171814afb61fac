import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROJECTIONS } from "../../src/app/views.js";
import { openStore } from "../../src/store/open.js";
import { freshDatabase } from "../databases.js";
import { clean, command, hook } from "../hook-process.js";
import { McpProcess } from "../mcp-process.js";
import { closeOddServers, serve } from "../odd-servers.js";
import {
  canLockBytes,
  freezeServer,
  holdBytes,
  holdFile,
  holdTables,
  type Release,
  WAL_WRITE_LOCK,
} from "../store-lockers.js";

// Real processes while somebody else has the store: an agent that waits for a hook or a tool gets an answer in time.
// 300 ms are promised to a hook and 1 s to a model; a test allows ten times as much.

const HOOK_MS = 3000;
const TOOL_MS = 10_000;

const fresh = () => mkdtempSync(join(tmpdir(), "milepost-locked-"));
const BUSY = [expect.stringMatching(/^Busy, try again\. .*Nothing was written.*\[store-busy\]$/), true];

afterAll(closeOddServers);

interface Row {
  readonly name: string;
  /** A store that nobody has open. */
  readonly place: () => Promise<string>;
  readonly hold: (url: string) => Promise<Release>;
}

const newFile = async () => join(fresh(), "milepost.db");

/** Made by a process that has ended: what this one opens it would keep open. */
const made = newFile();
beforeAll(async () => {
  const server = await McpProcess.greeted({ environment: { MILEPOST_HOME: fresh(), MILEPOST_STORE: await made } });
  await server.todo({ add: ["from before"] });
  expect(await server.end()).toBe(0);
});

async function madeFile(): Promise<string> {
  const path = await newFile();
  copyFileSync(await made, path);
  return path;
}

async function emptyFile(): Promise<string> {
  const path = await newFile();
  writeFileSync(path, "", { mode: 0o600 });
  return path;
}

async function madeTables(): Promise<string> {
  const url = await freshDatabase("locked");
  await (await openStore(url, { projections: PROJECTIONS })).close();
  return url;
}

/** The index goes with the last one who has the file open: so somebody else has. */
async function holdIndex(path: string): Promise<Release> {
  const other = await McpProcess.greeted({ environment: { MILEPOST_HOME: fresh(), MILEPOST_STORE: path } });
  await other.todo({ add: ["of another session"] });
  const release = await holdBytes(`${path}-shm`, WAL_WRITE_LOCK, 1);
  return async () => {
    await release();
    await other.end();
  };
}

const ROWS: readonly Row[] = [
  { name: "BEGIN IMMEDIATE", place: madeFile, hold: (path) => holdFile(path, "BEGIN IMMEDIATE") },
  { name: "BEGIN EXCLUSIVE", place: madeFile, hold: (path) => holdFile(path, "BEGIN EXCLUSIVE") },
  { name: "locking_mode=EXCLUSIVE", place: madeFile, hold: (path) => holdFile(path, "locking_mode=EXCLUSIVE") },
  { name: "a file that is being made", place: emptyFile, hold: (path) => holdFile(path, "BEGIN EXCLUSIVE") },
  ...(canLockBytes ? [{ name: "the journal's index", place: madeFile, hold: holdIndex }] : []),
  { name: "tables, for writing", place: madeTables, hold: (url) => holdTables(url, "writers") },
  { name: "tables, for everybody", place: madeTables, hold: (url) => holdTables(url, "everybody") },
];

const start = (session: string) => ({
  hook_event_name: "SessionStart",
  session_id: session,
  cwd: "/",
  source: "startup",
});

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** A model that is told to tries again: the server may still be opening the store. */
async function untilTaken(call: () => Promise<readonly [string | undefined, boolean | undefined]>): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) if ((await call())[1] === false) return;
  throw new Error("Still busy");
}

/** A model is told, a hook ends, and what the model was told of does not happen later. */
async function inTime({ place, hold }: Omit<Row, "name">): Promise<void> {
  const MILEPOST_STORE = await place();
  const MILEPOST_HOME = fresh();
  const environment = { MILEPOST_HOME, MILEPOST_STORE, CLAUDE_CODE_SESSION_ID: "s1" };
  const release = await hold(MILEPOST_STORE);
  const server = await McpProcess.greeted({ environment, args: ["--tasks"] });
  try {
    const took = await timed(async () => {
      const calls = [server.todo({ add: ["given up"] }), server.todo({ add: ["this too"] })];
      const task = server.call("task", { add: [{ title: "given up" }] });
      // It hears others while it opens the store.
      expect((await server.ask("tools/list")).result).toHaveProperty("tools");
      expect(await Promise.all([...calls, task])).toEqual([BUSY, BUSY, BUSY]);
    });
    expect(took).toBeLessThan(TOOL_MS);
    const ran = await hook(start("s1"), clean(environment));
    expect(ran).toMatchObject({ exit: 0, out: "", err: "" });
    expect(ran.milliseconds).toBeLessThan(HOOK_MS);
    // Now by a server that may have it open by now.
    expect(await timed(async () => expect(await server.todo({ add: ["again"] })).toEqual(BUSY))).toBeLessThan(TOOL_MS);
  } finally {
    await release();
  }
  expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toMatch(/\[store-busy\]\n$/);
  await untilTaken(() => server.todo({ add: ["written"] }));
  const [listed] = await server.todo({});
  expect(listed).toContain("written");
  expect(listed).not.toMatch(/given up|this too|again/);
  expect(await server.end()).toBe(0);
  expect(server.errors).toBe("");
  expect(command(["doctor"], "", clean(environment))).toMatchObject({ exit: 0 });
}

describe.concurrent("somebody else holds", () => {
  test.each(ROWS)("$name", inTime);
});

describe.concurrent("a server that", () => {
  test.each([
    ["accepts and says nothing", () => serve(() => undefined), "store-busy"],
    ["is not there", async () => "postgres://u@127.0.0.1:1/x", "store-unreachable"],
  ])("%s", async (_, address, code) => {
    const MILEPOST_STORE = await address();
    const MILEPOST_HOME = fresh();
    const ran = await hook(start("s1"), clean({ MILEPOST_HOME, MILEPOST_STORE }));
    expect(ran).toMatchObject({ exit: 0, out: "", err: "" });
    expect(ran.milliseconds).toBeLessThan(HOOK_MS);
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME, MILEPOST_STORE } });
    const told = [expect.stringMatching(new RegExp(`\\[${code}\\]$`)), true];
    const took = await timed(async () => {
      expect(await Promise.all([server.todo({ add: ["a"] }), server.todo({ add: ["b"] })])).toEqual([told, told]);
    });
    expect(took).toBeLessThan(TOOL_MS);
    await server.end("SIGKILL");
  });
});

// Alone: it stops what the others use.
test("a PostgreSQL that is stopped, for one that has its connections as well", async () => {
  const hold = async (url: string) => {
    const environment = { MILEPOST_HOME: fresh(), MILEPOST_STORE: url, CLAUDE_CODE_SESSION_ID: "s2" };
    const server = await McpProcess.greeted({ environment });
    expect(await server.todo({ add: ["before"] })).toMatchObject([expect.any(String), false]);
    const release = await freezeServer(url);
    const told = server.todo({ add: ["given up"] });
    return async () => {
      expect(await told).toEqual(BUSY);
      await release();
      await untilTaken(() => server.todo({ add: ["after"] }));
      expect(await server.todo({})).toMatchObject([expect.not.stringContaining("given up"), false]);
      expect(await server.end()).toBe(0);
    };
  };
  await inTime({ place: madeTables, hold });
});
