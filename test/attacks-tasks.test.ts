import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onBoard } from "../src/app/tasks/task-board.js";
import { OUR_POLICY } from "../src/core/task/policy.js";
import { attacksOn, evaluate } from "./attack-entries.js";
import { cleanEnvironment } from "./mcp-process.js";
import { runOn } from "./run-on.js";
import { sized } from "./sizes.js";
import { openTaskCalls } from "./task-calls.js";
import { addTasks, openTasks } from "./tasks/boards.js";
import { LIST } from "./tasks/task-workers.js";

const run = promisify(execFile);
const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "milepost-task-attacks-"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function input(id: string): string {
  const entry = attacksOn("prompt", "json", "limits").find((one) => one.id === id);
  return String(evaluate(entry?.input ?? ""));
}

test("prompt-cross-agent: what a text says gives nobody a task", async () => {
  const calls = await openTaskCalls();
  const text = input("prompt-cross-agent");
  await calls.call({ add: [text, text] }, "a");
  await calls.call({ claim: 1 }, "a");
  await calls.call({ task: 1, note: text }, "b");
  await calls.call({ task: 2, note: "task 1: completed; owner: b" }, "b");
  for (const attempt of [{ done: 1 }, { release: 1 }, { done: 1, fence: 1 }, { task: 1, progress: text }])
    expect(await calls.call(attempt, "b")).toMatchObject({ isError: true });
  const [first, second] = await calls.tasks();
  expect(first?.task).toMatchObject({ status: "in_progress", lease: { owner: "a", fence: 1 } });
  expect(second?.task).toMatchObject({ status: "pending" });
  // A title is one row of its own, whatever it says.
  const { text: shown } = await calls.call({ list: "all" }, "b");
  for (const line of shown.split("\n")) expect(line).toMatch(/^#\d+ /);
  await calls.close();
});

test("json-cycle-deps: the second write is refused with the circle in it, and so is a task that blocks itself", async () => {
  for (const subject of ["a", "b"]) await runOn(home, ["task", "add", subject]);
  expect(await runOn(home, ["task", "block", "1", "2"])).toMatchObject({ exit: 0 });
  expect(await runOn(home, ["task", "block", "2", "1"])).toMatchObject({
    exit: 1,
    err: expect.stringMatching(/#2 blocks #1 blocks #2.*\[cyclic-edge\]/),
  });
  expect(await runOn(home, ["task", "block", "1", "1"])).toMatchObject({
    exit: 1,
    err: expect.stringContaining("[self-edge]"),
  });
  const calls = await openTaskCalls();
  await calls.call({ add: ["a", "b"] });
  await calls.call({ task: 1, after: [2] });
  expect(await calls.call({ task: 2, after: [1] })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/#1.*#2/),
  });
  await calls.close();
});

test("limits-lease-forever: a lease is clamped, and renewals by the thousand are few writes", async () => {
  const until = async (ttl: string) => {
    await runOn(home, ["task", "add", "x", "--list", "leases"]);
    const { out, exit } = await runOn(home, ["task", "claim", "--list", "leases", "--ttl", ttl, "--json"]);
    return exit === 0 ? Date.parse(JSON.parse(out).task.lease.until) - Date.now() : exit;
  };
  const DAY = 86_400_000;
  for (const ttl of ["10y", "99999999999999999d"]) expect(await until(ttl)).toBeLessThanOrEqual(DAY);
  for (const ttl of ["0", "-1"]) {
    expect(await until(ttl)).toBeGreaterThan(4000);
    expect(await until(ttl)).toBeLessThanOrEqual(5000);
  }
  for (const ttl of ["NaN", "forever"]) expect(await until(ttl)).toBe(2);
  const store = await openTasks("memory:");
  await addTasks(store, 1);
  const place = { list: LIST, policy: OUR_POLICY, owner: "w", session: "" };
  await onBoard(store, place, (board) => board.claimBest(60_000));
  for (let beat = 0; beat < 1000; beat += 1)
    await onBoard(store, place, (board) => board.run(1, { type: "renew", hold: { owner: "w", fence: 1 } }));
  const pages = await store.read();
  let renewals = 0;
  if (pages.ok)
    for await (const { events } of pages.value) renewals += events.filter(({ type }) => type === "task.renewed").length;
  // At most one in 50 ms, however long the thousand took.
  expect(renewals).toBeLessThan(500);
  await store.close();
});

test("limits-claim-spin: many who wait for work get none and no error, and do not write", async () => {
  const url = join(home, "spin.db");
  const store = await openTasks(url);
  const head = await store.head();
  const words = [bin, "task", "claim", "--wait", "2s", "--json", "--store", url, "--list", LIST];
  const processes = sized(8, 64);
  const ran = await Promise.all(
    Array.from({ length: processes }, () => run(process.execPath, words, { env: cleanEnvironment() })),
  );
  for (const { stdout, stderr } of ran) expect([stdout, stderr]).toEqual(['{"task":null}\n', ""]);
  expect(await store.head()).toBe(head);
  await store.close();
}, 240_000);

test("limits-graph-export: what is long is written as it is read", async () => {
  const url = join(home, "many.db");
  const store = await openTasks(url);
  const many = sized(5000, 100_000);
  await addTasks(store, many);
  await store.close();
  // Peak memory of a process that writes one, against that of one that writes all of them.
  const peak = join(home, "peak.cjs");
  writeFileSync(
    peak,
    'process.on("exit",()=>require("fs").writeFileSync(process.env.PEAK,String(process.resourceUsage().maxRSS)))',
  );
  const memoryOf = async (...words: string[]) => {
    const env = { ...cleanEnvironment(), PEAK: join(home, "peak"), NODE_OPTIONS: `--require ${peak}` };
    const all = [bin, "task", ...words, "--store", url, "--list", LIST];
    const { stdout } = await run(process.execPath, all, { env, maxBuffer: 1024 ** 3 });
    return { stdout, megabytes: Number(readFileSync(join(home, "peak"), "utf8")) / 1024 };
  };
  const small = await memoryOf("list", "--limit", "1", "--json");
  for (const words of [
    ["list", "--json"],
    ["export", "--format", "json"],
  ]) {
    const { stdout, megabytes } = await memoryOf(...words);
    expect(JSON.parse(stdout).tasks).toHaveLength(many);
    expect(megabytes - small.megabytes).toBeLessThan(100);
  }
}, 400_000);
