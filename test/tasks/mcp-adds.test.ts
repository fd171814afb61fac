import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findTasks } from "../../src/app/tasks/task-pages.js";
import { McpProcess } from "../mcp-process.js";
import { sized } from "../sizes.js";
import { openTasks } from "./boards.js";

const SERVERS = sized(4, 8);
const ADDS = sized(10, 25);

const folder = mkdtempSync(join(tmpdir(), "milepost-adds-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test(`${SERVERS} MCP servers that add ${ADDS} tasks each at once lose none, and no number is given twice`, async () => {
  const url = join(folder, "tasks.db");
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, (_, index) =>
      McpProcess.greeted({ args: ["--tasks", "--store", url, "--list", "shared", "--session", `s${index}`] }),
    ),
  );
  const answers = await Promise.all(
    servers.map(async (server, index) => {
      const said: string[] = [];
      for (let add = 0; add < ADDS; add += 1) {
        const [text = "", isError] = await server.call("task", { add: [`Task ${index}/${add}`] });
        expect(isError).toBe(false);
        said.push(text);
      }
      return said;
    }),
  );
  for (const server of servers) server.process.kill("SIGKILL");
  const numbers = answers.flat().map((text) => /#(\d+)/.exec(text)?.[1]);
  expect(new Set(numbers).size).toBe(SERVERS * ADDS);
  const store = await openTasks(url);
  const tasks = await store.look((look) => findTasks(look, "shared", {}));
  const subjects = tasks.map(({ task }) => task.subject);
  expect(new Set(subjects).size).toBe(SERVERS * ADDS);
  expect(tasks.map(({ task }) => task.number)).toEqual(Array.from({ length: SERVERS * ADDS }, (_, at) => at + 1));
  await store.close();
}, 120_000);

test("two servers in one folder, whose clients do not say who they are, hold their tasks apart", async () => {
  const cwd = mkdtempSync(join(folder, "project-"));
  const args = ["--tasks", "--store", join(folder, "folder.db")];
  const [one, other] = await Promise.all([McpProcess.greeted({ args, cwd }), McpProcess.greeted({ args, cwd })]);
  await one.call("task", { add: ["first", "second"], claim: 1 });
  await one.call("task", { claim: 1 });
  expect(await other.call("task", { claim: 1 })).toEqual([expect.stringContaining("is held by"), true]);
  expect(await other.call("task", { done: 1 })).toEqual([expect.stringContaining("is held by"), true]);
  expect(await other.call("task", { claim: -1 })).toEqual([expect.stringContaining("Claimed #2"), false]);
  expect(await one.call("task", {})).toEqual([expect.stringContaining("You hold #1"), false]);
  for (const server of [one, other]) server.process.kill("SIGKILL");
}, 60_000);
