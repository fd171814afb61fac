import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Wish } from "./agents/agent.js";
import { launcherEdit } from "./launch.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-launch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wish: Wish = {
  launch: { node: "/n", script: "/m/dist/milepost.cjs", platform: "linux", shellFile: "/s", isHomeFixed: false },
  guidance: false,
  offer: { todo: "ours", tasks: false },
};

function start(bundle: string, surface: string, input = "") {
  const file = join(folder, "milepost-codex.cjs");
  const edited = launcherEdit(file, bundle, { MILEPOST_STORE: "/s.db" }).wire(undefined, wish);
  writeFileSync(file, (edited.ok && edited.value.text) || "");
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, surface], { encoding: "utf8", input });
  return { status, stdout, stderr };
}

test("a launcher names the store, and starts us", () => {
  const bundle = join(folder, "milepost.cjs");
  writeFileSync(bundle, "console.log(process.env.MILEPOST_STORE, process.argv[2]);");
  expect(start(bundle, "hook")).toEqual({ status: 0, stdout: "/s.db hook\n", stderr: "" });
});

test.each(["hook", "statusline"])("when we have moved, its %s says nothing", (surface) => {
  expect(start("/gone/dist/milepost.cjs", surface)).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("when we have moved, its server offers nothing; a failure of ours is one", () => {
  const hello = { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: "2025-06-18" } };
  const messages = [
    hello,
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { id: "a", method: "tools/list" },
    { id: "b", method: "tools/call", params: { name: "hook" } },
  ];
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
  const { stdout, ...end } = start("/gone/dist/milepost.cjs", "mcp", input);
  expect(end).toEqual({ status: 0, stderr: "" });
  const answers = stdout
    .trim()
    .split("\n")
    .map((row) => JSON.parse(row));
  expect(answers).toMatchObject([
    { id: 1, result: { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "milepost" } } },
    { id: "a", result: { tools: [] } },
    { id: "b", result: { content: [] } },
  ]);
  const broken = join(folder, "broken.cjs");
  writeFileSync(broken, "throw new Error('no such luck');");
  expect(start(broken, "mcp")).toMatchObject({ status: 1, stderr: expect.stringContaining("no such luck") });
});
