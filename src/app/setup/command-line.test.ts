import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { commandWords, isOurLine, shellCommand } from "./command-line.js";

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
  ])("%s", (_name, given, line) => {
    expect(shellCommand(given, "hook")).toBe(line);
    expect(isOurLine(line, "hook")).toBe(true);
    expect(isOurLine(line, "statusline")).toBe(false);
  });

  test("says to a real shell what was meant, and can be read again", () => {
    const path = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }).map((text) => `/${text}`);
    fc.assert(
      fc.property(path, path, (node, script) => {
        const line = shellCommand(launch(node, script), "hook");
        const seen = spawnSync("/bin/sh", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" });
        expect(seen.stdout).toBe(`${node}\0${script}\0hook\0`);
        expect(commandWords(line)).toEqual([node, script, "hook"]);
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
    "",
  ])("is not ours: %s", (line) => {
    expect(isOurLine(line, "hook")).toBe(false);
  });
});
