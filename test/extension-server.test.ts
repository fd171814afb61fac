import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import { MilepostServer } from "../src/extension/milepost-server.js";

// What our extensions share: our real MCP server as a child of the agent that they run in.

const bin = fileURLToPath(new URL("../dist/milepost.cjs", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "milepost-extension-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const opened: MilepostServer[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

let made = 0;
function open(client = "pi", script = bin): MilepostServer {
  const launch = { command: process.execPath, args: [script, "mcp", "--store", join(root, `${++made}.db`)] };
  const server = new MilepostServer(client, launch, root);
  opened.push(server);
  return server;
}

const start = { hook_event_name: "SessionStart", session_id: "s1", source: "startup" };

test("the tool, and a hook's word: a session that is compacted is told what is open", async () => {
  const server = open();
  expect((await server.tools()).map(({ name }) => name)).toEqual(["todo"]);
  expect(await server.hook(start)).toBe("");
  const added = await server.call("todo", { add: ["Read the code", "Fix it"] }, { session: "s1", call: "call_1" });
  expect(added).toEqual({ text: "Added 1-2. 0/2 now #1 Read the code", isError: false });
  // The same call again, as after a lost answer: it is answered as before, and adds nothing.
  expect(await server.call("todo", { add: ["Read the code", "Fix it"] }, { session: "s1", call: "call_1" })).toEqual(
    added,
  );
  // In another turn it is another call: some models number theirs anew.
  const again = await server.call("todo", { add: ["Ship it"] }, { session: "s1", call: "call_1", turn: "t2" });
  expect(again.text).toContain("Added 3");
  const digest = await server.hook({ ...start, source: "compact" });
  expect(digest).toContain("#1 [in progress] Read the code");
  // Another session has a list of its own.
  const other = await server.call("todo", { list: true }, { session: "s2" });
  expect(other.text).not.toContain("Read the code");
});

test("a refused call says why", async () => {
  const answer = await open().call("todo", { done: 9 }, { session: "s1" });
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("9") });
});

test("only our own extensions are heard", async () => {
  expect(await open("somebody").hook({ ...start, source: "compact" })).toBe("");
});

test("a server that cannot be started holds nobody up and breaks nothing", async () => {
  const gone = open("pi", join(root, "gone.cjs"));
  expect(await gone.hook(start)).toBe("");
  expect(await gone.tools()).toEqual([]);
  expect(await gone.call("todo", {}, { session: "s1" })).toMatchObject({ isError: true });
  const missing = new MilepostServer("pi", { command: join(root, "no-such-program"), args: [] }, root);
  expect(await missing.hook(start)).toBe("");
  expect(await missing.call("todo", {}, { session: "s1" })).toMatchObject({ isError: true });
});
