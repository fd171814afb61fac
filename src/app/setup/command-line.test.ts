import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import {
  commandWords,
  isOurCommand,
  isOurLine,
  plainCommand,
  readLine,
  serverCommand,
  shellCommand,
} from "./command-line.js";

const launch = (node: string, script: string, platform = "linux") => ({ node, script, platform });

describe("a command line for a shell", () => {
  test.each([
    ["plain paths", launch("/usr/bin/node", "/m/dist/milepost.cjs"), "/usr/bin/node /m/dist/milepost.cjs hook"],
    ["a blank", launch("/my node/node", "/m/dist/milepost.cjs"), "'/my node/node' /m/dist/milepost.cjs hook"],
    ["a quote", launch("/it's/node", "/m/dist/milepost.cjs"), "'/it'\\''s/node' /m/dist/milepost.cjs hook"],
    [
      "Windows",
      launch("C:\\Program Files\\nodejs\\node.exe", "C:\\m\\dist\\milepost.cjs", "win32"),
      '"C:/Program Files/nodejs/node.exe" C:/m/dist/milepost.cjs hook',
    ],
  ])("%s", (_name, given, plain) => {
    expect(plainCommand(given, "hook")).toBe(plain);
    const line = shellCommand(given, "hook");
    expect(line.endsWith(given.platform === "win32" ? plain : ` ${plain}`)).toBe(true);
    // What earlier versions wrote is ours, too.
    for (const one of [line, plain]) {
      expect(isOurLine(one, "hook")).toBe(true);
      expect(isOurLine(one, "statusline")).toBe(false);
    }
    const { command, args } = serverCommand(given, { tasks: false });
    expect(isOurCommand([command, ...args], "mcp")).toBe(true);
    expect(args.join("\n")).not.toContain("${");
    expect(isOurCommand([given.node, given.script, "mcp"], "mcp")).toBe(true);
  });

  test("says to a real shell what was meant, and can be read again", () => {
    const path = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }).map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (node, script) => {
        const line = shellCommand(launch(node, `${script}/dist/milepost.cjs`), "hook");
        const seen = spawnSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
        expect(seen.stdout.split("\0").slice(-4)).toEqual([node, `${script}/dist/milepost.cjs`, "hook", ""]);
        expect(commandWords(line).join("\0")).toBe(seen.stdout.slice(0, -1));
        expect(readLine(line, "hook")).toEqual({ node, script: `${script}/dist/milepost.cjs` });
      }),
      { numRuns: sized(40, 1000) },
    );
  });

  test.each([
    "node /m/other.cjs hook",
    "node /opt/other/dist/bin.cjs hook",
    "node /opt/x/wiring/x.cjs hook",
    "milepost hook",
    "/m/dist/milepost.cjs hook",
    "node /m/dist/milepost.cjs hook && x",
    "/bin/sh -c x node /m/dist/milepost.cjs hook more",
    "/bin/sh -c 'exec node /m/dist/milepost.cjs hook'",
    "",
  ])("is not ours: %s", (line) => {
    expect(isOurLine(line, "hook")).toBe(false);
  });
});

describe("when Node or our file have moved", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-line-")));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "it's here", "dist", "milepost.cjs");
  mkdirSync(join(script, ".."), { recursive: true });
  writeFileSync(script, "console.log(process.argv.slice(2).join(), process.ppid); process.exitCode = 7;");
  const gone = "/nowhere/dist/milepost.cjs";
  const withNode = join(folder, "with");
  const without = join(folder, "without");
  for (const path of [withNode, without]) mkdirSync(path);
  symlinkSync(process.execPath, join(withNode, "node"));
  const notRunnable = join(folder, "node");
  writeFileSync(notRunnable, "");
  chmodSync(notRunnable, 0o644);

  const shells = ["/bin/sh", "/bin/bash"];
  test.each([
    ["both are there", process.execPath, script, without, { status: 7, said: "hook" }],
    ["Node has moved, and is in the PATH", "/nowhere/node", script, withNode, { status: 7, said: "hook" }],
    ["Node cannot be run", notRunnable, script, withNode, { status: 7, said: "hook" }],
    ["Node is gone", "/nowhere/node", script, without, { status: 0, said: "" }],
    ["our file is gone", process.execPath, gone, withNode, { status: 0, said: "" }],
    ["both are gone", "/nowhere/node", gone, without, { status: 0, said: "" }],
  ])("%s", (_name, node, file, PATH, expected) => {
    for (const shell of shells) {
      const line = shellCommand(launch(node, file), "hook");
      const { status, stdout, stderr } = spawnSync(shell, ["-c", line], {
        encoding: "utf8",
        env: { PATH, HOME: folder },
      });
      const [said, parent] = stdout.trim().split(" ");
      expect({ status, said, stderr }).toEqual({ ...expected, stderr: "" });
      // No shell stays between: a hook knows its client as its parent.
      if (said) expect(Number(parent)).toBe(process.pid);
    }
  });

  test.each([
    ["as Claude Code asks", { method: "initialize", params: { protocolVersion: "2025-11-25" }, jsonrpc: "2.0", id: 0 }],
    ["as Codex asks", { jsonrpc: "2.0", id: "a-1", method: "initialize", params: { protocolVersion: "2025-06-18" } }],
  ])("a server that has moved answers and offers nothing: %s", async (_name, hello) => {
    const { command, args } = serverCommand(launch("/nowhere/node", gone), { tasks: false });
    const child = spawn(command, args, { env: { PATH: without }, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.once("close", resolve));
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      out += text;
    });
    const list = { jsonrpc: "2.0", id: 7, method: "tools/list", params: { _meta: { progressToken: 0 } } };
    const messages = [hello, { jsonrpc: "2.0", method: "notifications/initialized" }, list];
    child.stdin.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await ended;
    const [greeting, tools, ...more] = out
      .trim()
      .split("\n")
      .map((row) => JSON.parse(row));
    expect(greeting).toMatchObject({ id: hello.id, result: { protocolVersion: hello.params.protocolVersion } });
    expect(greeting.result).toMatchObject({ capabilities: {}, serverInfo: { name: "milepost" } });
    expect(tools).toEqual({ jsonrpc: "2.0", id: 7, result: { tools: [] } });
    expect(more).toEqual([]);
  });
});
