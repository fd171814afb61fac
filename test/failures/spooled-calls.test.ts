import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hookToolInput } from "../../src/app/hooks/hook-fields.js";
import { freshDatabase } from "../databases.js";
import { clean, hook, type Logged, run } from "../hook-process.js";
import { McpProcess } from "../mcp-process.js";
import { canMount, type Mounted, mountTiny } from "../mounts.js";
import { closeOddServers, front } from "../odd-servers.js";
import { sized } from "../sizes.js";
import { freezeServer, holdFile, type Release } from "../store-lockers.js";

// The work of an agent while its store cannot be written: it hardly notices, and afterwards every fact is there, in
// order, once. The promise is 2 s for thirty calls; a test allows ten times as much.

const CALLS = { server: sized(6, 30), processes: sized(2, 30) };
const LATER_MS = 20_000;

const mounted: Mounted[] = [];
afterAll(() => {
  closeOddServers();
  for (const disk of mounted) disk.unmount();
});

interface Trouble {
  readonly home: string;
  readonly store: string;
  begin(): Promise<Release>;
}

const fresh = () => mkdtempSync(join(tmpdir(), "milepost-spooled-"));

function locked(lock: Parameters<typeof holdFile>[1]): () => Promise<Trouble> {
  return async () => {
    const home = fresh();
    const store = join(home, "milepost.db");
    return { home, store, begin: () => holdFile(store, lock) };
  };
}

async function fullDisk(): Promise<Trouble> {
  const disk = mountTiny(fresh(), 2000);
  if (!disk) throw new Error("no right to mount");
  mounted.push(disk);
  const home = join(disk.folder, "home");
  return { home, store: join(home, "milepost.db"), begin: async () => fill(disk.folder) };
}

/** Until not even a byte more goes on it. */
function fill(folder: string): Release {
  for (const size of [1 << 20, 1 << 16, 4096, 1])
    for (let number = 0; isWritten(join(folder, `filler-${size}-${number}`), size); ) number += 1;
  return async () => {
    for (const name of readdirSync(folder)) if (name.startsWith("filler")) rmSync(join(folder, name));
  };
}

function isWritten(path: string, size: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(size, 1));
    return true;
  } catch {
    rmSync(path, { force: true });
    return false;
  }
}

async function serverAway(): Promise<Trouble> {
  const { url, leave, comeBack } = await front(await freshDatabase("spooled"));
  const begin = async () => {
    leave();
    return comeBack;
  };
  return { home: fresh(), store: url, begin };
}

async function serverStopped(): Promise<Trouble> {
  const store = await freshDatabase("spooled");
  return { home: fresh(), store, begin: () => freezeServer(store) };
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (event: string, fields: Fields): Fields => ({
  hook_event_name: event,
  session_id: "s1",
  cwd: "/work",
  transcript_path: "/t/1.jsonl",
  prompt_id: "p1",
  permission_mode: "default",
  ...fields,
});

const STOP = fieldsOf("Stop", { stop_hook_active: false });

/** One tool call of Claude Code, as its hooks report it. */
function callOf(number: number): readonly [started: Fields, ended: Fields, batch: Fields] {
  const call = { tool_name: "Bash", tool_use_id: `c${number}`, tool_input: { command: `make ${number}` } };
  return [
    fieldsOf("PreToolUse", call),
    fieldsOf("PostToolUse", { ...call, tool_response: { stdout: "ok" }, duration_ms: 5 }),
    fieldsOf("PostToolBatch", { tool_calls: [{ ...call, tool_response: "ok" }] }),
  ];
}

/** Claude Code fills in what the wiring asks for as text. */
function wired(fields: Fields): object {
  const asked = Object.keys(hookToolInput("claude-code", String(fields.hook_event_name)) ?? {});
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return Object.fromEntries(asked.map((name) => [name, text(fields[name] ?? "")]));
}

interface Way {
  readonly calls: number;
  /** The events of a call, of which hooks tell this way. */
  readonly types: readonly string[];
  readonly hooksOf: (number: number) => readonly Fields[];
  readonly tell: (fields: Fields) => Promise<void>;
  readonly end: () => Promise<void>;
}

const WAYS = {
  "the server": async ({ home, store }: Trouble): Promise<Way> => {
    const environment = { MILEPOST_HOME: home, MILEPOST_STORE: store };
    const server = await McpProcess.greeted({ environment, client: "claude-code" });
    return {
      calls: CALLS.server,
      types: ["call.started", "call.ended"],
      hooksOf: callOf,
      tell: async (fields) => {
        const { result } = await server.ask("tools/call", { name: "hook", arguments: wired(fields) });
        expect(result?.isError ?? false).toBe(false);
      },
      end: async () => {
        expect(await server.end()).toBe(0);
        expect(server.errors).toBe("");
      },
    };
  },
  processes: async ({ home, store }: Trouble): Promise<Way> => {
    const environment = clean({ MILEPOST_HOME: home, MILEPOST_STORE: store });
    return {
      calls: CALLS.processes,
      types: ["call.ended"],
      hooksOf: (number) => callOf(number).slice(1, 2),
      tell: async (fields) => expect(await hook(fields, environment)).toMatchObject({ exit: 0, err: "" }),
      end: async () => undefined,
    };
  },
};

/** Names of the facts that wait, of whatever store. */
function waitingIn(home: string): readonly string[] {
  const names = readdirSync(join(home, "spool"), { recursive: true }).map(String);
  return names.filter((name) => /\d-[0-9a-z]+-\d+[wq]\.json$/.test(name));
}

async function runThrough(place: () => Promise<Trouble>, open: (trouble: Trouble) => Promise<Way>): Promise<void> {
  const trouble = await place();
  const environment = clean({ MILEPOST_HOME: trouble.home, MILEPOST_STORE: trouble.store });
  const way = await open(trouble);
  // A stop leaves a reserve for a disk that is full.
  for (const fields of [fieldsOf("UserPromptSubmit", { prompt: "Go." }), STOP, ...way.hooksOf(0)])
    await way.tell(fields);
  const release = await trouble.begin();
  const begin = performance.now();
  try {
    for (let number = 1; number <= way.calls; number += 1)
      for (const fields of way.hooksOf(number)) await way.tell(fields);
    expect(waitingIn(trouble.home).length).toBeGreaterThan(0);
  } finally {
    await release();
  }
  expect(performance.now() - begin).toBeLessThan(LATER_MS);
  // Whoever opens the store takes in what waits, for a while.
  for (let tries = 0; tries < 30 && waitingIn(trouble.home).length > 0; tries += 1) await eventsIn(environment);
  const events = await eventsIn(environment);
  const numbers = Array.from({ length: way.calls + 1 }, (_, number) => `c${number}`);
  for (const type of way.types)
    expect(events.filter((event) => event.type === type).map(({ data }) => data.call)).toEqual(numbers);
  expect(waitingIn(trouble.home)).toEqual([]);
  await way.tell(STOP);
  await way.end();
  expect(readLog(trouble.home)).not.toMatch(/Lost|set aside|dropped|internal-error/);
}

/** By a process: a server of this one must be able to answer meanwhile. */
async function eventsIn(environment: NodeJS.ProcessEnv): Promise<readonly Logged[]> {
  const { out, err } = await run(["events"], "", environment);
  expect(err).toBe("");
  return out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function readLog(home: string): string {
  return readFileSync(join(home, "milepost.log"), "utf8");
}

describe.concurrent.each(Object.entries(WAYS))("hooks by %s", (_, way) => {
  test.each([
    ["locked: BEGIN IMMEDIATE", locked("BEGIN IMMEDIATE")],
    ["PostgreSQL away", serverAway],
  ])("%s", (_name, place) => runThrough(place, way));

  test.runIf(canMount())("the disk is full", () => runThrough(fullDisk, way));
});

// A server has the file open, and so nobody else can have it alone.
test("hooks by processes, locked: locking_mode=EXCLUSIVE", () =>
  runThrough(locked("locking_mode=EXCLUSIVE"), WAYS.processes));

// Alone: it stops what the others use.
test.each(Object.entries(WAYS))("hooks by %s, PostgreSQL stopped", (_, way) => runThrough(serverStopped, way));
