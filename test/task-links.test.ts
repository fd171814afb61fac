import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runOn } from "./run-on.js";

let home = "";
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "milepost-links-"));
  await call({ add: ["Write parser", "Test it"] });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function call(input: object, tool = "todo"): Promise<string> {
  const line = JSON.stringify({ tool, input, session: "s1" });
  const { out } = await runOn(home, ["call", "--list", "work"], { input: line });
  return JSON.parse(out).text;
}

async function task(...words: string[]) {
  const { exit, out, err } = await runOn(home, ["task", ...words, "--list", "work", "--json"]);
  return exit === 0 ? JSON.parse(out) : err;
}

test("a promoted todo and its task know of each other; who is at the todo holds the task", async () => {
  expect(await task("promote", "1", "--session", "s1")).toMatchObject({
    ...{ session: "s1", task: { id: "1", list: "work" }, todo: { number: 1, text: "Write parser" } },
  });
  expect((await task("show", "1")).task).toMatchObject({
    subject: "Write parser",
    lease: { owner: "s1" },
    links: [{ session: "s1", todo: 1 }],
  });
  expect(await task("promote", "1", "--session", "s1")).toContain("already-linked");
  expect((await task("list")).tasks).toHaveLength(1);
  expect(await task("promote", "9", "--session", "s1")).toContain("no-todo");
});

test("finishing the todo offers the task, and finishing the task offers the todo; neither does it alone", async () => {
  await task("promote", "1", "--session", "s1");
  await task("promote", "2", "--session", "s1");
  expect(await call({ done: 1 })).toContain('Todo 1 is linked to task #1 "Write parser"');
  expect((await task("show", "1")).task.status).toBe("in_progress");
  expect(await call({ done: 2 }, "task")).toContain('Todo 2 "Test it" is linked to it');
  expect(await call({ show: true })).toContain("[>] 2. Test it");
});

test("a pulled task is a todo too, and the session holds it; with --yes both are finished", async () => {
  await task("add", "Ship");
  expect(await task("pull", "1", "--session", "s1")).toMatchObject({
    ...{ task: { id: "1", lease: { session: "s1" } }, todo: { number: 3, status: "pending" } },
  });
  expect((await task("show", "1")).task.lease).toMatchObject({ owner: "s1", session: "s1" });
  expect(await call({ show: true })).toContain("3. Ship");
  expect(await task("done", "1", "--as", "s1", "--yes")).toMatchObject({
    todos: [{ session: "s1", number: 3, status: "completed", finished: true }],
  });
  expect(await call({ show: true })).toContain("[x] 3. Ship");
});
