import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";
import { report } from "./report.js";

// What `milepost acp` adds to a message: an agent that makes ten calls for each prompt and talks in between, some 450
// messages in a second, directly and behind us, in turns. Both sides read the same clock of the kernel: each message
// says when it was sent.

const LIMIT_MS = 2;
const ROUNDS = 5;
const PROMPTS = 15;
const PAUSE_MS = 20;
const START_MS = 300;

const bin = resolve("dist/milepost.cjs");

const AGENT = `
const lines = require("node:readline").createInterface({ input: process.stdin });
const now = () => Number(process.hrtime.bigint() / 1000n);
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", sentAt: now(), ...message }) + "\\n");
const update = (update) => send({ method: "session/update", params: { sessionId: "bench", update } });
const later = () => new Promise((resolve) => setTimeout(resolve, 2));
let n = 0;
lines.on("line", async (line) => {
  const took = now();
  const { id, method, sentAt } = JSON.parse(line);
  if (method !== "session/prompt") return send({ id, result: method === "session/new" ? { sessionId: "bench" } : {} });
  for (let call = 0; call < 10; call += 1) {
    n += 1;
    const toolCallId = "c" + process.pid + "-" + n;
    update({ sessionUpdate: "tool_call", toolCallId, title: "Read", rawInput: { file_path: "a" + n } });
    await later();
    for (const text of ["I have read ", "it, and go on."]) {
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
      await later();
    }
    update({ sessionUpdate: "tool_call_update", toolCallId, status: "completed", rawOutput: "x".repeat(500) });
    await later();
  }
  update({ sessionUpdate: "plan", entries: [{ content: "Step " + n, priority: "medium", status: "in_progress" }] });
  send({ id, took: took - sentAt, result: { stopReason: "end_turn" } });
});`;

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Microseconds, on a clock that every process of this machine has. */
const now = () => Number(process.hrtime.bigint() / 1000n);

/** Milliseconds that each message took from one side to the other. */
async function measure(words: readonly string[], home: string): Promise<readonly number[]> {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const child: Child = spawn(process.execPath, words, {
    env: { ...env, MILEPOST_HOME: home },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const times: number[] = [];
  const answered = answers(child, times);
  await answered(0, "initialize");
  await answered(1, "session/new");
  // The first ones are of programs that are still starting.
  await new Promise((resolve) => setTimeout(resolve, START_MS));
  times.length = 0;
  for (let at = 0; at < PROMPTS; at += 1) {
    await answered(at + 2, "session/prompt");
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  const closed = once(child, "close");
  child.stdin.end();
  await closed;
  return times;
}

interface Message {
  readonly id?: number;
  readonly sentAt: number;
  /** How long the request was on its way. */
  readonly took?: number;
}

function answers(child: Child, times: number[]): (id: number, method: string) => Promise<void> {
  let rest = "";
  const waiting = new Map<number, () => void>();
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const at = now();
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const { id, sentAt, took } = JSON.parse(line) as Message;
      times.push((at - sentAt) / 1000);
      if (took !== undefined) times.push(took / 1000);
      if (id !== undefined) waiting.get(id)?.();
    }
  });
  return (id, method) =>
    new Promise((resolve) => {
      waiting.set(id, resolve);
      const params = { sessionId: "bench", cwd: "/" };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, sentAt: now(), method, params })}\n`);
    });
}

function percentile(times: readonly number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

const home = mkdtempSync(join(tmpdir(), "milepost-bench-acp-"));
const agent = ["-e", AGENT];
const direct: number[] = [];
const behind: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  direct.push(...(await measure(agent, home)));
  behind.push(...(await measure([bin, "acp", "--", process.execPath, ...agent], home)));
}
rmSync(home, { recursive: true, force: true });

const rows = [0.5, 0.95, 0.99].map((part) => {
  const [without, with_] = [percentile(direct, part), percentile(behind, part)];
  return { percentile: `p${part * 100}`, direct: without, behind: with_, added: with_ - without };
});
const [, , last] = rows;
report("acp", rows, [{ name: "added to a message, p99, ms", actual: last?.added ?? 0, most: LIMIT_MS }]);
