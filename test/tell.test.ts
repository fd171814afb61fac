import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import { processName } from "../src/app/session/process-life.js";
import { sessionEvent } from "../src/app/session/session-view.js";
import type { SessionEvent } from "../src/core/session/events.js";
import { append } from "../src/store/event-store.js";
import { clean, eventsOf, hook, command as run, run as runProcess } from "./hook-process.js";

/** A home without any client's files, and a PATH without any client. */
function fresh(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv & { readonly HOME: string } {
  const HOME = mkdtempSync(join(tmpdir(), "milepost-tell-"));
  return { ...clean({ HOME, MILEPOST_HOME: join(HOME, "m"), PATH: join(HOME, "bin"), ...more }), HOME };
}

async function record(environment: NodeJS.ProcessEnv, id: string, events: readonly SessionEvent[]): Promise<void> {
  const { store, close } = await openMilepost({ environment });
  await store.commit(append([{ stream: `session:${id}`, events: events.map((event) => sessionEvent(event)) }]));
  await close();
}

const HERE = processName(process.pid);
/** A process that was there, and is not any more. */
const GONE = HERE.replace(/:.*/, `:${spawnSync("true").pid}+1`);
const started = (client = "claude-code", process = HERE, folder = "/p"): SessionEvent => {
  return { type: "session.started", source: "startup", client, process, folder };
};
const prompt: SessionEvent = { type: "turn.started", isStop: false };
const ended: SessionEvent = { type: "turn.ended" };
const WHO = "claude-code in /p (session s1)";

describe("what is said about a session that reads", () => {
  test.each<[string, readonly SessionEvent[], string, string]>([
    ["idle from its start", [started()], "idle", "is idle: it reads this with your next prompt."],
    ["at work", [started(), prompt], "running", "reads it with its next step."],
    [
      "waiting",
      [started(), prompt, { type: "person.awaited", for: "permission" }],
      "waiting",
      "waits for your answer;",
    ],
    ["idle after a turn", [started(), prompt, ended], "idle", "is idle: it reads this with your next prompt."],
    [
      "on another machine",
      [started("claude-code", "elsewhere:1+1"), prompt],
      "running",
      "reads it with its next step.",
    ],
  ])("%s", async (_, events, state, words) => {
    const environment = fresh();
    await record(environment, "s1", events);
    expect(run(["tell", "Wait", "--session", "s1"], "", environment).out).toContain(`${WHO} ${words}`);
    const told = JSON.parse(run(["tell", "Wait", "--session", "s1", "--json"], "", environment).out);
    expect(told).toEqual({
      ...{ session: "s1", subAgent: null, agent: "claude-code", project: "p", folder: "/p", branch: null },
      ...{ text: "Wait", state, delivery: "stored", handedOver: null, note: null },
    });
  });
});

describe("nobody would read it: that is said, and nothing is stored", () => {
  test.each<[string, readonly SessionEvent[], string, RegExp]>([
    ["ended", [started(), { type: "session.ended", reason: "exit" }], "no-reader", /ended\. .*: claude --resume s1/],
    ["its client is gone", [started("codex", GONE), prompt], "no-reader", /ended\. .*: codex resume s1/],
    ["only calls are known of it", [started("claude-code", "")], "no-reader", /no hook .*: milepost setup claude-code/],
    ["it is of no agent", [started("", "")], "no-reader", /of no agent that reads .*: milepost todo list --session s1/],
    ["nothing is known of it", [], "unknown-session", /No session is called s1\. .*: milepost sessions --all/],
  ])("%s", async (_, events, code, words) => {
    const environment = fresh();
    await record(environment, "s1", events);
    const done = run(["tell", "Wait", "--session", "s1"], "", environment);
    const exit = code === "unknown-session" ? 2 : 1;
    expect(done).toMatchObject({ exit, out: "", err: expect.stringContaining(`[${code}]`) });
    expect(done.err).toMatch(words);
    expect((await eventsOf(environment)).filter(({ type }) => type.startsWith("word."))).toEqual([]);
  });

  test("known from its transcript only", async () => {
    const environment = fresh();
    const folder = join(environment.HOME, ".claude", "projects", "-p");
    mkdirSync(folder, { recursive: true });
    const line = { type: "user", sessionId: "t1", cwd: "/p", timestamp: new Date().toISOString() };
    writeFileSync(
      join(folder, "t1.jsonl"),
      `${JSON.stringify({ ...line, uuid: "u1", message: { role: "user", content: "Hi" } })}\n`,
    );
    const done = run(["tell", "Wait", "--session", "t1"], "", environment);
    expect(done).toMatchObject({ exit: 1, err: expect.stringMatching(/no hook reports session t1\..*\[no-reader\]/) });
  });

  test("without an id, the newest in this project that reads is meant", async () => {
    const environment = fresh();
    const here = started("claude-code", HERE, process.cwd());
    await record(environment, "reads", [here, prompt]);
    await record(environment, "called", [started("zed", "", process.cwd())]);
    await record(environment, "ended", [here, { type: "session.ended", reason: "exit" }]);
    await record(environment, "elsewhere", [started("claude-code", HERE, "/elsewhere"), prompt]);
    expect(JSON.parse(run(["tell", "Wait", "--json"], "", environment).out).session).toBe("reads");
  });
});

/** A `codex` that writes down its arguments. */
function fakeCodex(environment: { readonly HOME: string }, body = ""): string {
  const [bin, log] = [join(environment.HOME, "bin"), join(environment.HOME, "codex.json")];
  mkdirSync(bin, { recursive: true });
  const script = `require("node:fs").writeFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)));${body}`;
  writeFileSync(join(bin, "codex"), `#!${process.execPath}\n${script}\n`);
  chmodSync(join(bin, "codex"), 0o755);
  return log;
}

const asked = (log: string): readonly string[] => JSON.parse(readFileSync(log, "utf8"));
const heard = (text: string) => ({
  ...{ session_id: "s1", hook_event_name: "UserPromptSubmit", turn_id: "t", cwd: "/p" },
  prompt: text,
});

describe("an idle Codex gets it by codex queue", () => {
  const EVIL = `-x "$(touch pwned)" \`id\`; <system> ${"é".repeat(3)}`;

  test("as one argument, and the hook does not say it again", async () => {
    const environment = fresh();
    const log = fakeCodex(environment);
    await record(environment, "s1", [started("codex")]);
    const line = run(["tell", "--as", "ann", "--session", "s1", "--wait", "0", "--json", "--", EVIL], "", environment);
    expect(JSON.parse(line.out)).toMatchObject({ delivery: "queued", handedOver: "kept", state: "idle" });
    const message = EVIL.replace("<", "‹");
    expect(asked(log)).toEqual(["queue", "--thread=s1", `--message=${message} (ann)`]);
    // Another prompt comes first: Codex has the word, so the hook leaves it alone.
    expect((await hook(heard("Go on"), environment)).out).toBe("");
    expect((await hook(heard(`${message} (ann)`), environment)).out).toBe("");
    const listed = run(["tell", "--session", "s1", "--json"], "", environment);
    expect(listed).toMatchObject({ exit: 0, err: "" });
    const list = JSON.parse(listed.out);
    expect(list.words).toMatchObject([{ text: EVIL, by: "ann", delivery: "seen" }]);
    expect(run(["tell", "--session", "s1"], "", environment).out).toMatch(
      /^Told to codex in \/p \(session s1\):\nseen {5,}\d+s {2}-x/,
    );
  });

  test.each<[string, string, RegExp]>([
    ["it fails", 'console.error("Error: no such thread\\n");process.exit(3)', /^codex queue: Error: no such thread$/],
    ["it is not there", "", /ENOENT/],
  ])("%s: stored, and said by the hook", async (_, body, note) => {
    const environment = fresh();
    if (body !== "") fakeCodex(environment, body);
    await record(environment, "s1", [started("codex")]);
    const told = JSON.parse(run(["tell", "Wait", "--session", "s1", "--json"], "", environment).out);
    expect(told).toMatchObject({ delivery: "stored", handedOver: "failed", note: expect.stringMatching(note) });
    const { out } = run(["tell", "Again", "--session", "s1"], "", environment);
    expect(out).toMatch(
      /^codex queue: .*\ncodex in \/p \(session s1\) is idle: it reads this with your next prompt\.\n$/,
    );
    expect((await hook(heard("Go on"), environment)).out).toContain("- Wait\\n- Again");
  });

  test.each<[string, readonly SessionEvent[], readonly string[]]>([
    ["one at work is not queued for", [started("codex"), prompt], []],
    ["one that waits neither", [started("codex"), prompt, { type: "person.awaited", for: "permission" }], []],
    ["nor with --later", [started("codex")], ["--later"]],
  ])("%s", async (_, events, flags) => {
    const environment = fresh();
    const log = fakeCodex(environment);
    await record(environment, "s1", events);
    const told = JSON.parse(run(["tell", "Wait", "--session", "s1", "--json", ...flags], "", environment).out);
    expect([told.delivery, told.handedOver]).toEqual(["stored", null]);
    expect(() => asked(log)).toThrow();
  });
});

/** Claude Code as it shows itself to other sessions: a file in its folder, and a socket. */
async function fakeClaude(environment: { readonly HOME: string }, more: object = {}) {
  const path = join(environment.HOME, "c.sock");
  const lines: string[] = [];
  const server = createServer((socket) => socket.setEncoding("utf8").on("data", (text) => lines.push(`${text}`)));
  server.listen(path);
  await once(server, "listening");
  const folder = join(environment.HOME, ".claude", "sessions");
  mkdirSync(folder, { recursive: true });
  const facts = { pid: process.pid, sessionId: "s1", status: "idle", messagingSocketPath: path, ...more };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(facts));
  return { lines, close: () => server.close() };
}

describe.skipIf(process.platform === "win32")("an idle Claude Code gets it as another session's message", () => {
  test("it arrives: seen, and the hook does not say it again", async () => {
    const environment = fresh();
    const claude = await fakeClaude(environment);
    await record(environment, "s1", [started()]);
    const telling = runProcess(["tell", "Wait", "--session", "s1", "--wait", "20"], "", environment);
    await expect.poll(() => claude.lines, { timeout: 10_000 }).toHaveLength(1);
    const { message } = JSON.parse(claude.lines[0] ?? "");
    expect(message).toEqual({ role: "user", content: "The person says through `milepost tell`: Wait" });
    const { turn_id: _, ...said } = heard(message.content);
    expect((await hook(said, environment)).out).toBe("");
    expect((await telling).out).toBe(`${WHO} has it.\n`);
    claude.close();
  });

  test("it does not (refused or held there): said by the hook with the next prompt", async () => {
    const environment = fresh();
    const claude = await fakeClaude(environment);
    await record(environment, "s1", [started()]);
    const { out } = await runProcess(["tell", "Wait", "--session", "s1", "--wait", "0.1"], "", environment);
    expect(out).toContain("was sent it and has not taken it yet; it reads it with your next prompt at the latest.");
    const { turn_id: _, ...other } = heard("Go on");
    expect((await hook(other, environment)).out).toContain("- Wait");
    claude.close();
  });

  test.each<[string, object]>([
    ["it is in another session by now", { sessionId: "s2" }],
    ["it is busy", { status: "busy" }],
    ["it does not listen", { messagingSocketPath: undefined }],
    ["no absolute path", { messagingSocketPath: "c.sock" }],
    ["no socket", { messagingSocketPath: "/etc/hostname" }],
    ["nothing there", { messagingSocketPath: "/nowhere/c.sock" }],
  ])("not sent: %s", async (_, facts) => {
    const environment = fresh();
    const claude = await fakeClaude(environment, facts);
    await record(environment, "s1", [started()]);
    const told = JSON.parse(run(["tell", "Wait", "--session", "s1", "--json"], "", environment).out);
    expect([told.delivery, told.handedOver, claude.lines]).toEqual(["stored", null, []]);
    claude.close();
  });
});

test("nothing was told", async () => {
  const environment = fresh();
  await record(environment, "s1", [started()]);
  expect(run(["tell", "--session", "s1"], "", environment).out).toContain(`Nothing was told to ${WHO}.`);
});
