import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { helpText } from "../src/cli/help.js";
import { sized } from "./sizes.js";

// The built command as users run it: a real process, real pipes.
const root = fileURLToPath(new URL("..", import.meta.url));
const { bin, version } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
const command = `${root}/${bin.milepost}`;
const environment = { ...process.env, NO_COLOR: "", MILEPOST_STORE: "memory:" };

const run = (args: readonly string[], input = "", env: NodeJS.ProcessEnv = environment) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    input,
    encoding: "utf8",
    env,
    maxBuffer: 1 << 28,
  });
  return { exit: status, out: stdout, err: stderr };
};

describe("milepost as a process", () => {
  test("--version", () => {
    expect(run(["--version"])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
  });

  test("--help says what the command line would say", () => {
    for (const word of ["--help", "-h", "help"]) expect(run([word])).toEqual({ exit: 0, out: helpText(), err: "" });
    expect(run(["-v"]).out).toBe(`${version}\n`);
  });

  test.each(["--version", "-v", "-V", "--help", "-h", "help"])("%s needs no file but the dispatcher", (word) => {
    const alone = join(mkdtempSync(join(tmpdir(), "milepost-alone-")), "milepost.cjs");
    copyFileSync(command, alone);
    const { stdout, stderr } = spawnSync(process.execPath, [alone, word], { encoding: "utf8", env: environment });
    expect([stdout, stderr]).toEqual([/h/.test(word) ? helpText() : `${version}\n`, ""]);
  });

  test("whoever only looks makes no folder for compiled code", () => {
    const home = join(mkdtempSync(join(tmpdir(), "milepost-looks-")), "none");
    expect(run(["task", "lists"], "", { ...environment, MILEPOST_HOME: home }).exit).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  test("a usage error exits 2, store trouble 3, each with one line on stderr", () => {
    expect(run(["nope"])).toMatchObject({
      exit: 2,
      out: "",
      err: expect.stringMatching(/^milepost: .*\[unknown-command\]\n$/),
    });
    expect(run(["call", "--store", "mysql:x"])).toMatchObject({
      exit: 3,
      out: "",
      err: expect.stringMatching(/\[bad-store\]\n$/),
    });
  });

  test("a pipe gets no escape character, from us or from content, coloured or not", () => {
    const call = JSON.stringify({ tool: "todo", input: { add: ["\u001b[31mred\u001b[0m"], show: true } });
    for (const env of [environment, { ...environment, NO_COLOR: "1", FORCE_COLOR: "1" }]) {
      expect(run(["call"], call, env).out).not.toContain("\u001b");
      expect(run(["demo"], "", env).out).not.toContain("\u001b");
    }
  });

  test("nothing is lost when many answers go through a slow pipe", async () => {
    const lines = sized(5000, 20_000);
    const child = spawn(process.execPath, [command, "call"], { env: environment, stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.stdin.end(`${JSON.stringify({ tool: "todo", input: {} })}\n`.repeat(lines));
    await new Promise((resolve) => setTimeout(resolve, 300)); // let the pipe fill up before anybody reads
    let count = 0;
    for await (const chunk of child.stdout) count += chunk.toString().split("\n").length - 1;
    if (child.exitCode === null) await once(child, "exit");
    expect([count, child.exitCode, errors]).toEqual([lines, 0, ""]);
  });

  test("a full disk is one line, not a stack", () => {
    const full = "/dev/full";
    if (!existsSync(full)) return;
    const fd = openSync(full, "w");
    const input = JSON.stringify({ tool: "todo", input: {} });
    const ran = spawnSync(process.execPath, [command, "call"], {
      input,
      encoding: "utf8",
      env: environment,
      stdio: ["pipe", fd, "pipe"],
    });
    closeSync(fd);
    expect([ran.status, ran.stderr]).toEqual([
      3,
      expect.stringMatching(/^milepost: The output cannot be written: .*\[io-error\]\n$/),
    ]);
  });

  test("a reader that goes away ends it quietly", async () => {
    const child = spawn(process.execPath, [command, "call"], { env: environment, stdio: ["pipe", "pipe", "pipe"] });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.stdin.on("error", () => undefined);
    child.stdout.once("data", () => child.stdout.destroy());
    child.stdin.write(`${JSON.stringify({ tool: "todo", input: {} })}\n`.repeat(20_000));
    const [code] = await once(child, "exit");
    expect([code, errors]).toEqual([0, ""]);
  });
});
