import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openTerminal } from "../../../../test/terminal/pseudo-terminal.js";
import { isUnattended } from "../attended.js";
import { hookInputOf } from "../hook-input.js";

describe("somebody sits before it, or not", () => {
  // Nothing else shows how a process was started.
  const isLinux = process.platform === "linux";
  const folder = mkdtempSync(join(tmpdir(), "milepost-qwen-"));
  const script = join(folder, "cli-entry.js");
  writeFileSync(script, "console.log('ready'); setTimeout(() => {}, 20000);");
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each<[string, readonly string[], boolean]>([
    ["asked once", ["-p", "Go"], true],
    ["asked once, in one word", ["--prompt=Go"], true],
    ["asked once, without a flag", ["Go on"], true],
    ["asked once, behind flags", ["-m", "x", "-y", "Go"], true],
    ["behind the end of flags", ["--", "Go"], true],
    ["nothing in a terminal", [], false],
    ["a session", ["--resume", "s1"], false],
    ["a model", ["--yolo", "--model", "x"], false],
    ["a prompt to begin with", ["-i", "Go"], false],
    ["an editor", ["--acp"], false],
  ])("%s", async (_name, words, isAlone) => {
    expect(await isAloneWith(words, "terminal")).toBe(isLinux && isAlone);
  });

  test.each<[string, readonly string[], boolean]>([
    ["a prompt in a pipe", ["-m", "x"], true],
    ["an editor", ["--acp"], false],
  ])("without a terminal: %s", async (_name, words, isAlone) => {
    expect(await isAloneWith(words, "pipe")).toBe(isLinux && isAlone);
  });

  async function isAloneWith(words: readonly string[], input: "terminal" | "pipe"): Promise<boolean> {
    const arguments_ = [script, ...words];
    const terminal =
      input === "terminal"
        ? await openTerminal({
            ...{ command: process.execPath, arguments: arguments_, environment: process.env, folder },
            ...{ columns: 80, rows: 24 },
          })
        : undefined;
    const piped = terminal ? undefined : spawn(process.execPath, arguments_, { stdio: ["pipe", "ignore", "ignore"] });
    try {
      await terminal?.until("ready");
      if (piped) await new Promise((resolve) => piped.once("spawn", resolve));
      const read = hookInputOf(
        { hook_event_name: "Stop", session_id: "s1", cwd: folder },
        `${hostname()}:${terminal?.pid ?? piped?.pid}`,
        {},
        "qwen",
      );
      return read.ok && isUnattended(read.value);
    } finally {
      await terminal?.close();
      piped?.kill();
    }
  }
});
