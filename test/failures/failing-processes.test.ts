import { spawnSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import { freshDatabase } from "../databases.js";
import { bin, clean, command, hook, run } from "../hook-process.js";
import { McpProcess } from "../mcp-process.js";
import { closeOddServers, front, serve } from "../odd-servers.js";
import { readableCommand } from "../readable-command.js";

// What only a real process shows: another user, a disk, a terminal, code that is loaded, an end in time.

const isRoot = process.getuid?.() === 0;
const fresh = () => mkdtempSync(join(tmpdir(), "milepost-failing-"));
const mounts: string[] = [];

afterAll(() => {
  closeOddServers();
  for (const mount of mounts) spawnSync("umount", ["-l", mount]);
});

describe.concurrent("a server that is silent", () => {
  const QUICK = "connect_timeout=0.5&statement_timeout=300&query_timeout=500";

  test("a command says so in one line, and ends", async () => {
    const url = `${await serve(() => undefined)}?${QUICK}`;
    const ran = await run(["todo", "list", "--store", url], "", clean({ MILEPOST_HOME: fresh() }));
    expect(ran).toMatchObject({
      exit: 3,
      out: "",
      err: expect.stringMatching(/^milepost: .*\[store-unreachable\]\n$/),
    });
  });

  test("a command that has done its work ends, although nobody says goodbye", async () => {
    const { url, freeze } = await front(await freshDatabase("failing"));
    const environment = clean({ MILEPOST_HOME: fresh() });
    const ended = run(["call", "--store", `${url}?${QUICK}`], '{"tool":"todo","input":{"add":["x"]}}', environment);
    const stop = setInterval(freeze, 200);
    const { exit, milliseconds } = await ended;
    clearInterval(stop);
    expect([0, 3]).toContain(exit);
    expect(milliseconds).toBeLessThan(30_000);
  });

  test("a command ends where the server falls silent while its tables are made", async () => {
    const { url } = await front(await freshDatabase("unmade"), { freezeAt: "CREATE TABLE" });
    const environment = clean({ MILEPOST_HOME: fresh() });
    const { exit, milliseconds } = await run(["todo", "list", "--store", `${url}?${QUICK}`], "", environment);
    expect(exit).toBe(3);
    expect(milliseconds).toBeLessThan(30_000);
  });

  test("a hook goes on after its own, shorter time", async () => {
    const MILEPOST_HOME = fresh();
    const MILEPOST_STORE = await serve(() => undefined);
    const ran = await hook({ hook_event_name: "Stop", session_id: "s1" }, clean({ MILEPOST_HOME, MILEPOST_STORE }));
    expect(ran).toMatchObject({ exit: 0, out: "", err: "" });
    expect(ran.milliseconds).toBeLessThan(15_000);
    expect(readFileSync(join(MILEPOST_HOME, "milepost.log"), "utf8")).toMatch(
      /no answer within \d+ ms.*\[store-busy\]\n$/,
    );
  });

  test("a tool call is answered with an error, and the server lives", async () => {
    const MILEPOST_STORE = `${await serve(() => undefined)}?${QUICK}`;
    const server = await McpProcess.greeted({ environment: { MILEPOST_HOME: fresh(), MILEPOST_STORE } });
    for (let round = 0; round < 2; round += 1)
      expect(await server.todo({ add: ["x"] })).toEqual([
        expect.stringMatching(/does not answer.*\[store-unreachable\]$/),
        true,
      ]);
    expect(await server.end()).toBe(0);
    expect(server.errors).toBe("");
  });
});

describe.runIf(isRoot)("a user whom nobody knows, without HOME", () => {
  const STRANGER = 54_321;

  function asStranger(installed: string, args: readonly string[], more: NodeJS.ProcessEnv = {}, input = "") {
    const env = { PATH: process.env.PATH, ...more };
    const options = { env, uid: STRANGER, gid: STRANGER, cwd: "/", input, encoding: "utf8" } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [installed, ...args], options);
    return { exit: status, out: stdout, err: stderr };
  }

  test("is told to set it, and can use what needs none", ({ skip }) => {
    const installed = readableCommand(STRANGER) ?? skip("Node itself is in a folder that only root may enter");
    const told = { exit: 3, out: "", err: expect.stringMatching(/^milepost: .*set HOME.*\[no-home\]\n$/) };
    for (const args of [["events"], ["sessions"], ["setup"]])
      expect({ args, ...asStranger(installed, args) }).toEqual({ args, ...told });
    expect(asStranger(installed, ["guidance"])).toMatchObject({ exit: 0, err: "" });
    const folder = fresh();
    chmodSync(folder, 0o777);
    const MILEPOST_STORE = join(folder, "store.db");
    const line = '{"tool":"todo","session":"s1","input":{"add":["Read the whole code"]}}';
    expect(asStranger(installed, ["call"], { MILEPOST_STORE }, line)).toMatchObject({ exit: 0, err: "" });
    const start = JSON.stringify({ hook_event_name: "SessionStart", session_id: "s1", source: "compact" });
    const said = { exit: 0, err: "", out: expect.stringContaining("Read the whole code") };
    expect(asStranger(installed, ["hook"], { MILEPOST_STORE }, start)).toMatchObject(said);
  });
});

describe("compiled code", () => {
  const stop = { hook_event_name: "Stop", session_id: "s1" };

  /** What V8 takes for the compiled hook, because it is as long. */
  async function evilCode(): Promise<Buffer> {
    const file = join(dirname(bin), "hook.cjs");
    const evil = '(function (exports) { exports.runHook = async () => "PLANTED"; })'.padEnd(statSync(file).size);
    const script = new Script(evil, { filename: file });
    // What has not run is not compiled.
    const made: { runHook?: () => Promise<string> } = {};
    script.runInThisContext()(made);
    await made.runHook?.();
    const code = script.createCachedData();
    // Twice, and no parts.
    return Buffer.concat([code, code, Buffer.from("000000")]);
  }

  function runHook(cwd: string, MILEPOST_HOME: string, more: NodeJS.ProcessEnv = {}) {
    const env = clean({ MILEPOST_HOME, ...more });
    const { status, stdout } = spawnSync(process.execPath, [bin, "hook"], { cwd, env, input: JSON.stringify(stop) });
    return [status, String(stdout)];
  }

  test("that a repository brings along does not run, however its place is named", async () => {
    const repository = fresh();
    const cache = join(repository, "state", "cache");
    expect(runHook(repository, join(repository, "state"))).toEqual([0, ""]);
    const name = readdirSync(cache).find((file) => file.startsWith("stop-")) ?? "";
    expect(name).toMatch(/^stop-.*-[0-9a-f]{16}-\d+-\d+\.code$/);
    writeFileSync(join(cache, name), await evilCode(), { mode: 0o600 });
    // Proof that it is the real thing: whoever names this folder as his own, from the root on, trusts it.
    expect(runHook(repository, join(repository, "state"))).toEqual([0, "PLANTED\n"]);
    for (const relative of [
      "state",
      "./state",
      "/proc/self/cwd/state",
      "//proc/../proc/thread-self/cwd/state",
      `../${repository.split("/").at(-1)}/state`,
    ])
      expect([relative, ...runHook(repository, relative)]).toEqual([relative, 0, ""]);
    mkdirSync(join(repository, "milepost"));
    symlinkSync("../state/cache", join(repository, "milepost", "cache"));
    expect(runHook(repository, "", { XDG_STATE_HOME: "." })).toEqual([0, ""]);
    expect(runHook(repository, "", { XDG_STATE_HOME: repository })).toEqual([0, ""]);
  });

  test("is not kept below a folder that was named from where one stands", () => {
    const repository = fresh();
    expect(runHook(repository, "state")).toEqual([0, ""]);
    expect(existsSync(join(repository, "state", "milepost.db"))).toBe(true);
    expect(existsSync(join(repository, "state", "cache"))).toBe(false);
  });
});

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.runIf(hasScript)("a terminal that nobody has measured", () => {
  test.each(["cols 0 rows 0", "cols 80 rows 0"])("stty %s", (size) => {
    const environment = clean({ MILEPOST_HOME: fresh(), HOME: fresh(), COLUMNS: "0", LINES: "0", NO_COLOR: "1" });
    command(["call", "--session", "s1"], '{"tool":"todo","input":{"add":["Read the whole code"]}}', environment);
    command(["task", "add", "Read it twice", "--list", "l"], "", environment);
    const line = (args: string) => `'${process.execPath}' '${bin}' ${args}`;
    const lines = [`stty ${size}`, line("todo list"), line("task list --list l")].join("; ");
    const { stdout } = spawnSync("script", ["-qec", lines, "/dev/null"], { env: environment, encoding: "utf8" });
    expect(stdout).toMatch(/Read the whole code[\s\S]*Read it twice/);
  });
});

function mountSmall(): string | undefined {
  const path = fresh();
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=2m,nr_inodes=100,mode=755", "tmpfs", path]).status !== 0)
    return undefined;
  mounts.push(path);
  return path;
}

/** Until nothing more goes on it: no byte, or no further file. */
function fill(disk: string, what: "bytes" | "files"): void {
  for (const size of what === "bytes" ? [1 << 16, 4096] : [0])
    for (let number = 0; tryToWrite(join(disk, `filler-${size}-${number}`), size); ) number += 1;
}

function tryToWrite(path: string, size: number): boolean {
  try {
    writeFileSync(path, Buffer.alloc(size));
    return true;
  } catch {
    rmSync(path, { force: true });
    return false;
  }
}

describe.runIf(isRoot)("a hook on a disk that takes nothing", () => {
  const IMPOSSIBLE = "no right to mount";
  const start = (source: string) => ({ hook_event_name: "SessionStart", session_id: "s1", cwd: "/", source });
  const digest = { exit: 0, err: "", out: expect.stringContaining("Read the whole code") };

  /** A store with a list, whose last user was a command or a hook: only a hook leaves a journal behind. */
  async function madeStore(MILEPOST_HOME: string, last: "command" | "hook") {
    const environment = clean({ MILEPOST_HOME });
    await run(["call", "--session", "s1"], '{"tool":"todo","input":{"add":["Read the whole code"]}}', environment);
    if (last === "hook")
      await hook({ hook_event_name: "UserPromptSubmit", session_id: "s1", prompt: "go" }, environment);
    return environment;
  }

  test.each([
    ["bytes", "command"],
    ["bytes", "hook"],
    ["files", "command"],
  ] as const)("no more %s, last used by a %s", async (what, last) => {
    const disk = mountSmall();
    if (disk === undefined) return console.warn(IMPOSSIBLE);
    const environment = await madeStore(join(disk, "home"), last);
    fill(disk, what);
    expect(await hook(start("compact"), environment)).toMatchObject(digest);
    // A second time: nothing was recorded, and the model may have lost it again.
    expect(await hook(start("resume"), environment)).toMatchObject(digest);
    const stop = { session_id: "s1", hook_event_name: "Stop" };
    expect(await hook(stop, environment)).toMatchObject({ exit: 0, out: "", err: "" });
    for (const name of readdirSync(disk)) if (name.startsWith("filler")) rmSync(join(disk, name));
    expect(command(["events"], "", environment).out).not.toContain("digest.sent");
    // There is room again: it is said once more, and written down.
    expect(await hook(start("compact"), environment)).toMatchObject(digest);
    expect(command(["events"], "", environment).out).toContain("digest.sent");
    expect(command(["doctor"], "", environment)).toMatchObject({ exit: 0 });
  });

  test.each(["command", "hook"] as const)("read-only, last used by a %s", async (last) => {
    const disk = mountSmall();
    if (disk === undefined) return console.warn(IMPOSSIBLE);
    const environment = await madeStore(join(disk, "home"), last);
    expect(spawnSync("mount", ["-o", "remount,ro", disk]).status).toBe(0);
    for (const source of ["compact", "clear"]) expect(await hook(start(source), environment)).toMatchObject(digest);
    const stop = { session_id: "s1", hook_event_name: "Stop" };
    expect(await hook(stop, environment)).toMatchObject({ exit: 0, out: "", err: "" });
    const shown = { exit: 0, out: expect.stringMatching(/^0\/1/) };
    expect(await run(["statusline"], '{"session_id":"s1"}', environment)).toMatchObject(shown);
  });
});

test.runIf(existsSync("/dev/full"))("an error that cannot be written keeps its exit code", () => {
  const full = openSync("/dev/full", "w");
  const { status } = spawnSync(process.execPath, [bin, "nope"], { env: clean(), stdio: ["ignore", "pipe", full] });
  closeSync(full);
  expect(status).toBe(2);
});

test("a defect is one line, too, and says where on request", () => {
  const broken = fresh();
  for (const name of ["milepost.cjs", "mcp.cjs", "hook.cjs"])
    writeFileSync(join(broken, name), readFileSync(join(dirname(bin), name)));
  writeFileSync(
    join(broken, "cli.cjs"),
    'exports.runCli = () => { setTimeout(() => { throw new TypeError("oh\\nno"); }); };',
  );
  const start = (more: NodeJS.ProcessEnv) =>
    spawnSync(process.execPath, [join(broken, "milepost.cjs"), "todo"], { env: clean(more), encoding: "utf8" });
  const line = /^milepost: This is a defect of Milepost \(TypeError: oh.no\)\..*MILEPOST_DEBUG=1.*\[internal-error\]\n/;
  const { status, stderr } = start({});
  expect([status, stderr]).toEqual([3, expect.stringMatching(new RegExp(`${line.source}$`))]);
  expect(start({ MILEPOST_DEBUG: "1" }).stderr).toMatch(new RegExp(`${line.source}TypeError: oh\\nno\\n\\s+at `));
});
