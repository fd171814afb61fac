import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findNamedDialect } from "../app/calls/dialect-names.js";
import { openMilepost, StoreTrouble } from "../app/milepost.js";
import { Calls } from "./tool-calls.js";

const surroundings = {
  environment: {},
  folder: "/work",
  process: "m:1",
  server: "m:2",
  session: "s1",
  list: undefined,
};
const call = { tool: "todo", input: { add: ["x"] }, meta: {}, clientName: undefined };

test.each([
  [new StoreTrouble("store-full", "The disk is full."), "The disk is full. [store-full]"],
  [
    new TypeError("a\n    at file.js:1:2"),
    /^This is a defect of Milepost \(TypeError: a.*MILEPOST_DEBUG=1.*\[internal-error\]$/,
  ],
  ["a text", /^This is a defect of Milepost \(a text\)\..*\[internal-error\]$/],
  [Object.assign(new Error("EIO: i/o error, read"), { syscall: "read" }), /^A file cannot be read .*\[io-error\]$/],
])("whatever is thrown is an answer of one line: %s", async (error, text) => {
  const dialect = findNamedDialect("milepost");
  if (!dialect) throw new Error("Our own dialect is gone.");
  const thrown: unknown[] = [];
  const open = () => Promise.reject(error);
  const calls = new Calls(dialect, surroundings, open, (one) => thrown.push(one));
  const answer = await calls.answer(call);
  expect(answer.isError).toBe(true);
  expect(answer.text.split("\n")).toEqual([typeof text === "string" ? text : expect.stringMatching(text)]);
  expect(thrown).toEqual([error]);
  await calls.close();
});

test("a hook that the server hears is answered in the words of its dialect", async () => {
  const dialect = findNamedDialect("gencode");
  if (!dialect) throw new Error("The dialect is gone.");
  const home = mkdtempSync(join(tmpdir(), "milepost-first-"));
  const environment = { MILEPOST_HOME: home, MILEPOST_REMIND_FIRST: "on" };
  const store = openMilepost({ store: "memory:", environment });
  const calls = new Calls(dialect, { ...surroundings, environment, store: "memory:" }, () => store);
  const told = { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "go" };
  const answer = await calls.hooks.answer({ tool: "hook", input: told, meta: {}, clientName: "claude-code" });
  expect(answer).toContain("<reminder>Use TodoWrite for multi-step tasks.</reminder>");
  await calls.close();
  rmSync(home, { recursive: true, force: true });
});

test("a hook that the server hears tells its calls the mode", async () => {
  const dialect = findNamedDialect("milepost");
  if (!dialect) throw new Error("Our own dialect is gone.");
  const home = mkdtempSync(join(tmpdir(), "milepost-mode-"));
  const environment = { MILEPOST_HOME: home };
  const store = openMilepost({ store: "memory:", environment });
  const calls = new Calls(dialect, { ...surroundings, environment, store: "memory:" }, () => store);
  const hear = (permission_mode: string, tool_use_id: string) => {
    const told = { session_id: "s1", hook_event_name: "PreToolUse", tool_name: "Bash", tool_use_id, permission_mode };
    return calls.hooks.answer({ tool: "hook", input: told, meta: {}, clientName: "claude-code" });
  };
  const start = () => calls.answer({ ...call, input: { start: 1 } });
  await calls.answer({ ...call, input: { add: ["x"], start: -1 } });
  await hear("plan", "t1");
  expect(await start()).toMatchObject({ isError: true, text: expect.stringContaining("In plan mode") });
  await hear("default", "t2");
  expect(await start()).toMatchObject({ isError: false, text: "0/1 now #1 x" });
  await calls.close();
  rmSync(home, { recursive: true, force: true });
});
