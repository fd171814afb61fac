import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createMilepost } from "../src/app/milepost.js";
import { processName } from "../src/app/session/process-life.js";
import { holdSession, leaveSession, QUIET_MS } from "../src/app/session/server-session.js";
import { sessionEvent } from "../src/app/session/session-view.js";
import { PROJECTIONS } from "../src/app/views.js";
import { folderSession } from "../src/mcp/identity.js";
import { append } from "../src/store/event-store.js";
import { openStore } from "../src/store/open.js";
import { freshDatabase } from "./databases.js";
import { McpProcess } from "./mcp-process.js";

// Servers of clients that do not name their conversation: real processes in one folder, on both engines.

const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-scope-")));
let made = 0;
const open = (store: string, clock?: () => number) =>
  openStore(store, { projections: PROJECTIONS, ...(clock ? { clock } : undefined) });
const running = new Set<McpProcess>();
afterEach(async () => {
  await Promise.all([...running].map((server) => server.end("SIGKILL")));
  running.clear();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function freshFolder(): string {
  const folder = join(root, `app${++made}`);
  mkdirSync(folder);
  return folder;
}

async function start(store: string, cwd: string, more: readonly string[] = []): Promise<McpProcess> {
  const server = await McpProcess.greeted({ cwd, args: ["--store", store, ...more] });
  running.add(server);
  return server;
}

async function end(server: McpProcess | undefined, signal?: NodeJS.Signals): Promise<void> {
  if (!server) return;
  running.delete(server);
  await server.end(signal);
}

async function textsOf(url: string, session: string): Promise<string> {
  const store = await open(url);
  const list = await createMilepost(store).list({ session });
  await store.close();
  const todos = list.ok ? list.value.phases.flatMap((phase) => phase.todos) : [];
  // Calls that are made at once have no order.
  return todos
    .map(({ text }) => text)
    .sort()
    .join(" ");
}

test.each([
  ["SQLite", async () => join(root, `${++made}.db`)],
  ["PostgreSQL", () => freshDatabase("scope")],
] as const)(
  "%s: no two that start at once share a list; the next has that of one that was killed",
  async (_, fresh) => {
    const [store, cwd] = [await fresh(), freshFolder()];
    // Made first, so that they meet at the folder's session and not at the store's tables.
    await (await open(store)).close();
    const servers = await Promise.all([0, 1, 2].map(() => start(store, cwd)));
    await Promise.all(servers.flatMap((server, at) => [1, 2, 3].map((n) => server.todo({ add: [`${at}.${n}`] }))));
    const lists = ["", "-2", "-3", "-4"].map((end) => textsOf(store, `${folderSession(cwd)}${end}`));
    expect((await Promise.all(lists)).sort()).toEqual(["", ...[0, 1, 2].map((at) => `${at}.1 ${at}.2 ${at}.3`)]);
    await end(servers[1], "SIGKILL");
    const next = await start(store, cwd);
    expect(await next.todo({})).toEqual([expect.stringContaining("1.1"), false]);
  },
  60_000,
);

test("one that ends in peace leaves its list at once; whoever is there stays where it is", async () => {
  const [store, cwd] = [join(root, `${++made}.db`), freshFolder()];
  const [first, second] = await Promise.all([start(store, cwd), start(store, cwd)]);
  await first.todo({ add: ["of-first"] });
  await second.todo({ add: ["of-second"] });
  await end(first, "SIGTERM");
  await second.todo({ add: ["stays"] });
  expect(await textsOf(store, `${folderSession(cwd)}-2`)).toBe("of-second stays");
  await end(second);
  const log = await open(store);
  expect(await holdSession(log, { folderSession: folderSession(cwd), server: "new" }, undefined)).toMatchObject({
    value: folderSession(cwd),
  });
  const freed = await holdSession(log, { folderSession: folderSession(cwd), server: "newer" }, undefined);
  expect(freed).toMatchObject({ value: `${folderSession(cwd)}-2` });
  await log.close();
  expect(await textsOf(store, folderSession(cwd))).toBe("of-first");
}, 60_000);

describe("who has a folder's session", () => {
  const HERE = processName(process.pid);
  const GONE = HERE.replace(/\+.*/, "+1");
  const ELSEWHERE = "another-machine:5+5.00000000";
  const HOUR = QUIET_MS;

  test.each<[string, string, number, string]>([
    ["a server that runs, however long it is quiet", HERE, 100 * HOUR, "f-2"],
    ["a server that has gone, at once", GONE, 0, "f"],
    ["one on another machine, quiet for less than an hour", ELSEWHERE, HOUR - 1, "f-2"],
    ["one on another machine, quiet for an hour", ELSEWHERE, HOUR, "f"],
    ["one whose name tells no start", `${hostname()}:${process.pid}`, HOUR - 1, "f-2"],
    ["one whose name tells nothing", "x", HOUR, "f"],
  ])("%s", async (_, server, quiet, session) => {
    let now = 1_000_000;
    const store = await open("memory:", () => now);
    await holdSession(store, { folderSession: "f", server }, undefined);
    now += quiet;
    expect(await holdSession(store, { folderSession: "f", server: "new" }, undefined)).toMatchObject({
      value: session,
    });
    await store.close();
  });

  test("a call keeps a session from being quiet", async () => {
    let now = 1_000_000;
    const store = await open("memory:", () => now);
    await holdSession(store, { folderSession: "f", server: ELSEWHERE }, undefined);
    now += HOUR;
    const origin = { client: "zed", folder: "/f", server: "milepost" };
    await createMilepost(store).call({ session: "f", tool: "todo", input: {}, origin });
    now += HOUR - 1;
    expect(await holdSession(store, { folderSession: "f", server: "new" }, undefined)).toMatchObject({ value: "f-2" });
    await store.close();
  });

  test("one that comes back after its session was given away gets another, and keeps that", async () => {
    let now = 1_000_000;
    const store = await open("memory:", () => now);
    const old = { folderSession: "f", server: ELSEWHERE };
    expect(await holdSession(store, old, undefined)).toMatchObject({ value: "f" });
    now += HOUR;
    expect(await holdSession(store, { ...old, server: HERE }, undefined)).toMatchObject({ value: "f" });
    expect(await holdSession(store, old, "f")).toMatchObject({ value: "f-2" });
    // What is not its own any more it does not give away.
    await leaveSession(store, ELSEWHERE, "f");
    expect(await holdSession(store, { ...old, server: "new" }, undefined)).toMatchObject({ value: "f-3" });
    await leaveSession(store, HERE, "f");
    expect(await holdSession(store, old, "f-2")).toMatchObject({ value: "f-2" });
    expect(await holdSession(store, { ...old, server: "newer" }, undefined)).toMatchObject({ value: "f" });
    await store.close();
  });

  test("a session of an older version, which nobody holds, is the folder's first", async () => {
    const store = await open("memory:");
    const started = { type: "session.started", source: "call", client: "zed", folder: "/f" } as const;
    await store.commit(append([{ stream: "session:f", events: [sessionEvent(started)] }]));
    expect(await holdSession(store, { folderSession: "f", server: HERE }, undefined)).toMatchObject({ value: "f" });
    await store.close();
  });
});
