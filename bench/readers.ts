// npm run bench:readers: transcripts beside bare parsing in the same run, and the real command on a machine full of them.
import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Transcript } from "../src/readers/transcript.js";
import { MadeSession, makeMachine, makeTranscript, sessionId } from "./made-transcripts.js";
import { type Goal, type Row, report } from "./report.js";
import { compete } from "./rounds.js";

const MB = 1024 * 1024;
const CHUNK = MB;
const ROUNDS = 7;
const bin = resolve("dist/milepost.cjs");
const folder = mkdtempSync(join(tmpdir(), "milepost-readers-"));
const {
  NODE_EXTRA_CA_CERTS: _,
  MILEPOST_STORE: __,
  CLAUDE_CONFIG_DIR: ___,
  CODEX_HOME: ____,
  ...inherited
} = process.env;

function eachChunk(path: string, use: (chunk: Buffer) => void): void {
  const file = openSync(path, "r");
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) use(chunk.subarray(0, read));
  closeSync(file);
}

/** The least that any reader has to do: find the lines and parse them. */
function parseOnly(path: string): void {
  let rest = Buffer.alloc(0);
  eachChunk(path, (chunk) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      JSON.parse(bytes.toString("utf8", from, end));
      from = end + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
  });
}

function readAll(path: string): void {
  const transcript = new Transcript({ file: "made.jsonl" });
  eachChunk(path, (chunk) => transcript.push(chunk));
  if (transcript.views.size !== 1) throw new Error("The made transcript was not read.");
}

const timed = async (work: () => void) => {
  const start = performance.now();
  work();
  return 1000 * (performance.now() - start);
};

async function speed(name: string, isBare: boolean): Promise<{ readonly rows: readonly Row[]; readonly rate: number }> {
  const path = join(folder, "made.jsonl");
  makeTranscript(path, 1, 200 * MB, isBare);
  const placings = await compete(ROUNDS, [
    { name: `${name}: JSON.parse alone`, run: () => timed(() => parseOnly(path)) },
    { name: `${name}: read`, run: () => timed(() => readAll(path)) },
  ]);
  rmSync(path);
  const rows = placings.map(({ name: what, time, rate }) => ({
    what,
    figure: `${Math.round(200e6 / time)} MB/s`,
    "beside parsing": rate.toFixed(2),
  }));
  return { rows, rate: placings[1]?.rate ?? 0 };
}

const run = (home: string, ...args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [bin, ...args], {
    env: { ...inherited, HOME: home, USERPROFILE: home, MILEPOST_HOME: join(home, "milepost") },
    stdio: ["ignore", "pipe", "inherit"],
  });

async function seconds(
  home: string,
  ...args: readonly string[]
): Promise<{ readonly time: number; readonly text: string }> {
  const start = performance.now();
  const child = run(home, ...args);
  let text = "";
  child.stdout?.on("data", (data) => {
    text += data;
  });
  await new Promise((end) => child.on("close", end));
  return { time: (performance.now() - start) / 1000, text };
}

/** Of a process on Linux: memory in MB now and at most, processor seconds so far. */
function usageOf({ pid }: ChildProcess): { readonly now: number; readonly peak: number; readonly cpu: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const size = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  const [, , ...fields] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return { now: size("VmRSS"), peak: size("VmHWM"), cpu: (Number(fields[9]) + Number(fields[10])) / 100 };
}

/** The most a process took while it read this file, beyond what it takes for a small one. */
async function lineGrowth(): Promise<number> {
  const small = join(folder, "small.jsonl");
  const large = join(folder, "large.jsonl");
  makeTranscript(small, 1, MB);
  const session = makeTranscript(large, 1, MB);
  const file = openSync(large, "a");
  writeSync(file, '{"type":"user","sessionId":"x","message":{"content":"');
  for (let written = 0; written < 100; written += 1) writeSync(file, "x".repeat(MB));
  writeSync(file, `"}}\n${session.prompt("after it")}`);
  closeSync(file);
  const [before, after] = [await peakOf(small), await peakOf(large)];
  return after - before;
}

/** `time -v` is not everywhere: the process tells itself when it is about to end. */
async function peakOf(path: string): Promise<number> {
  const code = `process.on("exit",()=>process._rawDebug("PEAK",process.resourceUsage().maxRSS/1024));process.argv.splice(1,1,${JSON.stringify(bin)});require(${JSON.stringify(bin)})`;
  const child = spawn(process.execPath, ["-e", code, "x", "restore", path, "--json"], {
    env: inherited,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr?.on("data", (data) => {
    text += data;
  });
  await new Promise((end) => child.on("close", end));
  return Number(/PEAK ([\d.]+)/.exec(text)?.[1]);
}

async function untilQuiet(child: ChildProcess): Promise<void> {
  let before = -1;
  for (let quiet = 0; quiet < 4; ) {
    await sleep(500);
    const { cpu } = usageOf(child);
    quiet = cpu - before < 0.1 ? quiet + 1 : 0;
    before = cpu;
  }
}

async function firstRun() {
  const home = join(folder, "first");
  makeMachine(home, 2000, MB, 100);
  const shown = await seconds(home, "sessions", "--json");
  const again = await seconds(home, "sessions", "--json");
  rmSync(join(home, "milepost"), { recursive: true });
  const watch = run(home, "watch", "--follow");
  await untilQuiet(watch);
  const { peak } = usageOf(watch);
  watch.kill("SIGINT");
  rmSync(home, { recursive: true });
  const sessions = (JSON.parse(shown.text) as { readonly sessions: readonly unknown[] }).sessions.length;
  return { time: shown.time, again: again.time, sessions, peak };
}

const IDLE_SECONDS = 20;

async function following() {
  const home = join(folder, "follow");
  const paths = makeMachine(home, 1000, 50_000, 200);
  const watch = run(home, "watch", "--follow", "--limit", "1000");
  let text = "";
  watch.stdout?.on("data", (data) => {
    text += data;
  });
  await untilQuiet(watch);
  const before = usageOf(watch).cpu;
  await sleep(IDLE_SECONDS * 1000);
  const idle = (usageOf(watch).cpu - before) / IDLE_SECONDS;
  const delays: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const number = (turn * 47) % paths.length;
    const word = `seen-${turn}`;
    const session = new MadeSession(sessionId(number));
    const start = performance.now();
    appendFileSync(paths[number] ?? "", session.oneTodo(word));
    while (!text.includes(word) && performance.now() - start < 5000) await sleep(5);
    delays.push(performance.now() - start);
    await sleep(200);
  }
  watch.kill("SIGINT");
  rmSync(home, { recursive: true });
  return { idle, delay: Math.max(...delays), median: delays.sort((a, b) => a - b)[10] ?? 0 };
}

try {
  const recent = await speed("as 2.1.325 writes", false);
  const bare = await speed("conversation alone", true);
  const growth = await lineGrowth();
  const first = await firstRun();
  const live = await following();
  const rows: Row[] = [
    ...recent.rows,
    ...bare.rows,
    { what: "100 MB line, more memory", figure: `${growth.toFixed(0)} MB`, "beside parsing": "" },
    { what: "2,000 files, 2 GB: first 20 sessions", figure: `${first.time.toFixed(2)} s`, "beside parsing": "" },
    { what: "the same, the second time", figure: `${first.again.toFixed(2)} s`, "beside parsing": "" },
    { what: "all of them in the background, peak memory", figure: `${first.peak.toFixed(0)} MB`, "beside parsing": "" },
    { what: "1,000 files followed, idle", figure: `${(100 * live.idle).toFixed(2)} % of a core`, "beside parsing": "" },
    { what: "an append is seen after (median)", figure: `${live.median.toFixed(0)} ms`, "beside parsing": "" },
  ];
  const goals: Goal[] = [
    { name: "speed beside bare parsing, as 2.1.325 writes", actual: recent.rate, least: 0.6 },
    { name: "speed beside bare parsing, conversation alone", actual: bare.rate, least: 0.55 },
    { name: "memory for a line of 100 MB, MB", actual: growth, most: 64 },
    { name: "sessions shown at the first run", actual: first.sessions, least: 20 },
    { name: "first run until they are shown, s", actual: first.time, most: 1 },
    { name: "peak memory over 2,000 transcripts, MB", actual: first.peak, most: 200 },
    { name: "idle, part of one core", actual: live.idle, most: 0.05 },
    { name: "slowest of 20 appends to be seen, ms", actual: live.delay, most: 500 },
  ];
  console.log(`${cpus()[0]?.model ?? "?"}, ${cpus().length} cores`);
  report("readers", rows, goals);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
