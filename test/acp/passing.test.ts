import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { cleanEnvironment } from "../mcp-process.js";
import { sized } from "../sizes.js";
import { command } from "./editor.js";

const rawAgent = fileURLToPath(new URL("raw-agent.mjs", import.meta.url));

const update = (session: string, body: object) =>
  `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId: session, update: body } })}\n`;

const started = { sessionUpdate: "tool_call", toolCallId: "c", title: "x", status: "in_progress" };

/** Streams that no agent should write, and some do. */
const STREAMS: readonly (readonly [name: string, bytes: () => Buffer])[] = [
  ["nothing", () => Buffer.alloc(0)],
  ["half a message", () => Buffer.from('{"jsonrpc":"2.0","method":"session/upd')],
  ["no JSON", () => Buffer.from('hello\n\n\r\n{]\nnull\n[]\n7\n"x"\n')],
  ["bytes that are no text", () => Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256))],
  ["a message cut in a character", () => Buffer.from(update("s", { ...started, title: "ä世🙂".repeat(5000) }))],
  ["huge messages", () => Buffer.from(update("s", { ...started, rawInput: { a: "x".repeat(10 * 1024 * 1024) } }))],
  ["a message too long to hold", () => Buffer.from(update("s", { ...started, title: "y".repeat(20 * 1024 * 1024) }))],
  ["an endless line", () => Buffer.alloc(sized(24, 400) * 1024 * 1024, 97)],
  [
    "deep messages",
    () => Buffer.from(`{"method":"session/update","params":${"[".repeat(200_000)}${"]".repeat(200_000)}}\n`),
  ],
  [
    "deep input",
    () =>
      Buffer.from(
        update("s", { ...started, rawInput: "D" }).replace('"D"', `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`),
      ),
  ],
  [
    "a deep plan",
    () =>
      Buffer.from(
        update("s", { sessionUpdate: "plan", entries: "D" }).replace(
          '"D"',
          `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
        ),
      ),
  ],
  [
    "wrong ids",
    () =>
      Buffer.from(
        [null, {}, [], -1, "x".repeat(10_000), "../../etc", "\u0000", true]
          .map((id) => update(id as string, { ...started, toolCallId: id }))
          .join(""),
      ),
  ],
  [
    "many calls that never end",
    () =>
      Buffer.from(Array.from({ length: 5000 }, (_, at) => update("s", { ...started, toolCallId: `c${at}` })).join("")),
  ],
  [
    "many sessions",
    () =>
      Buffer.from(Array.from({ length: 2000 }, (_, at) => update(`s${at}`, { ...started, toolCallId: "c" })).join("")),
  ],
  [
    "requests that nobody answers",
    () =>
      Buffer.from(
        Array.from(
          { length: 5000 },
          (_, at) =>
            `${JSON.stringify({ id: at, method: "session/request_permission", params: { sessionId: "s", toolCall: started } })}\n`,
        ).join(""),
      ),
  ],
  [
    "names of the prototype",
    () =>
      Buffer.from(
        `{"id":"__proto__","method":"session/new","params":{"__proto__":{"cwd":"x"}}}\n${update("__proto__", { sessionUpdate: "constructor" })}`,
      ),
  ],
];

interface Ran {
  readonly out: Buffer;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly agentRead: Buffer;
  /** Kilobytes, as the kernel counted them. */
  readonly peak: number;
}

/** The raw agent behind us. `input`: what the editor writes before it closes. */
async function run(bytes: Buffer, input: Buffer, environment: NodeJS.ProcessEnv = {}, isDirect = false): Promise<Ran> {
  const home = mkdtempSync(join(tmpdir(), "milepost-acp-raw-"));
  const file = join(home, "stream");
  writeFileSync(file, bytes);
  const words = [process.execPath, rawAgent, file];
  const all = isDirect ? words : [process.execPath, command, "acp", "--", ...words];
  const env = cleanEnvironment({ MILEPOST_HOME: home, HOME: home, ...environment });
  const child = spawn(all[0] ?? "", all.slice(1), { env, stdio: ["pipe", "pipe", "inherit"] });
  const out: Buffer[] = [];
  let length = 0;
  let peak = 0;
  const whole = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      out.push(chunk);
      length += chunk.length;
      if (length >= bytes.length) resolve();
    });
    if (bytes.length === 0) resolve();
  });
  const closed = once(child, "close");
  child.stdin.write(input);
  await whole;
  await sleep(sized(50, 200));
  peak = Math.max(...withChildren(child.pid).map(peakOf));
  child.stdin.end();
  const [code, signal] = (await closed) as [number | null, NodeJS.Signals | null];
  return { out: Buffer.concat(out), code, signal, agentRead: readFileSync(`${file}.in`), peak };
}

/** The recording is a process of its own. */
function withChildren(pid: number | undefined): readonly (number | undefined)[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  return [pid, ...(existsSync(file) ? readFileSync(file, "utf8").trim().split(" ").filter(Boolean).map(Number) : [])];
}

function peakOf(pid: number | undefined): number {
  if (!existsSync(`/proc/${pid}/status`)) return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
}

describe("bytes", () => {
  const input = Buffer.concat([
    Buffer.from('{"id":1,"method":"initialize"}\n'),
    Buffer.from([0, 255, 10, 13]),
    Buffer.from("half"),
  ]);

  test.each(STREAMS)("%s: the same with and without us, and it ends", async (_, bytes) => {
    const stream = bytes();
    const { out, code, agentRead, peak } = await run(stream, input);
    expect(out.equals(stream)).toBe(true);
    expect(agentRead.equals(input)).toBe(true);
    expect(code).toBe(0);
    // With what Node itself takes, and a message of 16 MB in several forms.
    expect(peak).toBeLessThan(600 * 1024);
  });

  test("an exit code is the agent's", async () => {
    expect((await run(Buffer.from("{}\n"), input, { EXIT: "7" })).code).toBe(7);
  });

  test("without a store that works, bytes pass", async () => {
    const { out, code } = await run(Buffer.from(update("s", started)), input, { MILEPOST_STORE: "/proc/none/x.db" });
    expect([out.toString(), code]).toEqual([update("s", started), 0]);
  });
});

test("messages behind blanks, a byte order mark, without an end of line: all of them are read", async () => {
  const home = mkdtempSync(join(tmpdir(), "milepost-acp-blanks-"));
  const file = join(home, "stream");
  const plain = (id: string) => update("s", { ...started, toolCallId: id, rawInput: { a: 1 }, status: "completed" });
  writeFileSync(file, `\ufeff${plain("a")} \t${plain("b")}${plain("c").trimEnd()}`);
  const env = cleanEnvironment({ MILEPOST_HOME: home, HOME: home });
  const words = [command, "acp", "--", process.execPath, rawAgent, file];
  spawnSync(process.execPath, words, { env, input: "" });
  const { stdout } = spawnSync(process.execPath, [command, "events", "--stream", "calls:s"], { env, encoding: "utf8" });
  expect(stdout.match(/"type":"call\.ended"/g)).toHaveLength(3);
});

describe("ends", () => {
  async function start(environment: NodeJS.ProcessEnv = {}) {
    const home = mkdtempSync(join(tmpdir(), "milepost-acp-end-"));
    const file = join(home, "stream");
    writeFileSync(file, "{}\n");
    const env = cleanEnvironment({ MILEPOST_HOME: home, HOME: home, ...environment });
    const words = [command, "acp", "--", process.execPath, rawAgent, file];
    const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
    await once(child.stdout, "data");
    const agent = Number(readFileSync(`${file}.pid`, "utf8"));
    return { child, agent, ended: () => waitFor(() => readFileSync(`${file}.end`, "utf8")) };
  }

  async function waitFor<T>(look: () => T): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return look();
      } catch (error) {
        if (tries > 600) throw error;
        await sleep(25);
      }
    }
  }

  /** One that has ended may wait for somebody who asks how. */
  const isThere = (pid: number) => {
    if (!existsSync("/proc/self")) return spawnSync("kill", ["-0", `${pid}`]).status === 0;
    return existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  };

  test("we are killed: the agent is told by the end of its input, and ends cleanly", async () => {
    const { child, agent, ended } = await start();
    child.kill("SIGKILL");
    expect(await ended()).toBe("input ended");
    await waitFor(() => expect(isThere(agent)).toBe(false));
  });

  test("we are killed: an agent that goes on writing finds that nobody reads", async () => {
    const { child, agent, ended } = await start({ STUBBORN: "1" });
    child.kill("SIGKILL");
    expect(await ended()).toBe("nobody reads");
    await waitFor(() => expect(isThere(agent)).toBe(false));
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s reaches the agent, and ends us the same way",
    async (signal) => {
      const { child, agent } = await start();
      const closed = once(child, "close");
      child.kill(signal);
      expect(await closed).toEqual([null, signal]);
      expect(isThere(agent)).toBe(false);
    },
  );

  test("an agent that is killed takes us with it, by the same signal", async () => {
    const { child, agent } = await start();
    const closed = once(child, "close");
    process.kill(agent, "SIGKILL");
    expect(await closed).toEqual([null, "SIGKILL"]);
  });

  test("processes that the agent leaves behind hold nobody up, whoever ends it", async () => {
    const left = `require("node:child_process").spawn("sleep", ["8"], { stdio: "inherit" }).unref();`;
    const run = (code: string) => {
      const words = [command, "acp", "--", process.execPath, "-e", `${left} console.log("{}"); ${code}`];
      const env = cleanEnvironment({ MILEPOST_STORE: "memory:" });
      return spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
    };
    const ended = run("process.exitCode = 3");
    const asked = run("setInterval(() => {}, 1000)");
    const exits = Promise.all([once(ended, "exit"), once(asked, "exit")]);
    const out: string[] = [];
    ended.stdout.on("data", (chunk) => out.push(`${chunk}`));
    await once(asked.stdout, "data");
    asked.kill("SIGTERM");
    expect(await exits).toEqual([
      [3, null],
      [null, "SIGTERM"],
    ]);
    expect(out.join("")).toBe("{}\n");
  });

  test("we are killed: an agent that does not care about its input is ended", async () => {
    const home = mkdtempSync(join(tmpdir(), "milepost-acp-deaf-"));
    const env = cleanEnvironment({ MILEPOST_HOME: home, HOME: home });
    const deaf = "console.log(process.pid); setInterval(() => {}, 1000)";
    const child = spawn(process.execPath, [command, "acp", "--", process.execPath, "-e", deaf], { env });
    const [pid] = (await once(child.stdout, "data")) as [Buffer];
    child.kill("SIGKILL");
    await waitFor(() => expect(isThere(Number(`${pid}`))).toBe(false));
  });

  test("an editor that no longer reads is felt by the agent", async () => {
    const { child, ended } = await start({ STUBBORN: "1" });
    child.stdout.destroy();
    expect(await ended()).toBe("nobody reads");
  });

  test("an editor that does not read is still heard", async () => {
    const home = mkdtempSync(join(tmpdir(), "milepost-acp-slow-"));
    const file = join(home, "stream");
    writeFileSync(file, Buffer.alloc(4 * 1024 * 1024, 10));
    const env = cleanEnvironment({ MILEPOST_HOME: home, HOME: home });
    const words = [command, "acp", "--", process.execPath, rawAgent, file];
    const child = spawn(process.execPath, words, { env, stdio: ["pipe", "pipe", "inherit"] });
    await waitFor(() => readFileSync(`${file}.pid`));
    child.stdin.write("x".repeat(300_000));
    await waitFor(() => expect(readFileSync(`${file}.in`)).toHaveLength(300_000));
    child.stdout.resume();
    child.stdin.end();
    expect(await once(child, "close")).toEqual([0, null]);
  });
});

describe("a line that cannot be run", () => {
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, "acp", ...words], {
      encoding: "utf8",
      env: cleanEnvironment({ MILEPOST_STORE: "memory:" }),
      input: "",
    });
    return { exit: status, out: stdout, err: stderr };
  };
  const plain = join(mkdtempSync(join(tmpdir(), "milepost-acp-plain-")), "plain");
  writeFileSync(plain, "");
  chmodSync(plain, 0o644);

  test.each([
    ["no agent", [], /^milepost: Which agent\? .*\[bad-usage\]\n$/],
    ["no agent behind --", ["--show-list", "--"], /^milepost: Which agent\? .*\[bad-usage\]\n$/],
    ["a flag that is none", ["--shwo-list", "--", "x"], /^milepost: .*--shwo-list.*\[bad-usage\]\n$/],
    [
      "a command that is not there",
      ["--", "no-such-agent"],
      /no-such-agent cannot be started: there is no such command.*\[no-agent\]/,
    ],
    ["a file that may not be run", ["--", plain], /cannot be started: it may not be run.*\[no-agent\]/],
    ["a name that is none", ["--agent", "a b", "--", "x"], /\[bad-id\]/],
  ])("%s", (_, words, err) => {
    const exit = err.source.includes("cannot be started") ? 1 : 2;
    expect(run(...words)).toEqual({ exit, out: "", err: expect.stringMatching(err) });
  });

  test("codex-acp that ends before it says anything: what to try, once", () => {
    const adapter = join(mkdtempSync(join(tmpdir(), "milepost-acp-codex-")), "codex-acp");
    writeFileSync(adapter, "#!/bin/sh\nexit 3\n");
    chmodSync(adapter, 0o755);
    const { exit, err } = run("--", adapter);
    expect([exit, err]).toEqual([3, expect.stringMatching(/^milepost: .*codex-acp -c features\.code_mode=false\n$/)]);
    expect(run("--", "sh", "-c", "exit 3")).toEqual({ exit: 3, out: "", err: "" });
  });

  test("flags behind the agent's name are the agent's", () => {
    const { exit, out } = run("--", "printf", "%s,", "--help", "--version");
    expect([exit, out]).toEqual([0, "--help,--version,"]);
    expect(run(process.execPath, "-p", "1+1")).toMatchObject({ exit: 0, out: "2\n" });
  });

  test("--help", () => {
    expect(run("--help").out).toContain("milepost acp [flags] -- AGENT COMMAND");
  });
});
