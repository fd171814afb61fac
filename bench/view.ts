// npm run bench:view [-- --rounds N --seconds N]: the live view at a pseudo-terminal of 120 x 40. The first frame as a
// multiple of `node -e 0`, what it costs to leave it open, and how soon a key and somebody else's write are drawn.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type LiveAgent, manySessions } from "../test/terminal/many-sessions.js";
import { IDS, storeWorld, type ViewWorld } from "../test/terminal/worlds.js";
import { type Goal, report } from "./report.js";
import { median } from "./rounds.js";
import { coreShare, ends, keyTimes, quantile, shownAt, started, timeToEnd, timeToFrame } from "./view-measures.js";

const { values: asked } = parseArgs({
  options: { rounds: { type: "string", default: "15" }, seconds: { type: "string", default: "20" } },
});
const rounds = Number(asked.rounds);
const seconds = Number(asked.seconds);
const bin = resolve("dist/milepost.cjs");
const VIEW = [bin, "watch"];
const root = realpathSync(mkdtempSync(join(tmpdir(), "milepost-view-")));

/** Both in turn, so that a machine that slows down slows down for both. */
async function firstFrames() {
  const world = await storeWorld(join(root, "frames"));
  const [bare, frames]: [number[], number[]] = [[], []];
  for (let round = 0; round < 2; round += 1) await timeToFrame(world, VIEW);
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await timeToEnd(world, ["-e", "0"]));
    frames.push(await timeToFrame(world, VIEW));
  }
  return { bare: median(bare), frame: median(frames) };
}

/** A machine needs a moment to read what is there: that is not what it costs to leave the view open. */
const SETTLING_MS = 6000;

async function idleShare(): Promise<number> {
  const terminal = await started(manySessions(join(root, "idle"), 100, 100), VIEW);
  await shownAt(terminal, "project-", 60_000);
  await sleep(SETTLING_MS);
  const share = await coreShare(terminal, seconds);
  await ends(terminal);
  return share;
}

const [MANY, LIVE, EACH_MS] = [500, 100, 2000];

/** Each agent writes a record every two seconds, one after the other. */
function writing(agents: readonly LiveAgent[]): () => void {
  let next = 0;
  const timer = setInterval(() => {
    agents[next % agents.length]?.append();
    next += 1;
  }, EACH_MS / agents.length);
  return () => clearInterval(timer);
}

async function busy() {
  const world = manySessions(join(root, "busy"), MANY, LIVE);
  const terminal = await started(world, VIEW);
  const opened = (await shownAt(terminal, "project-", 60_000)) - terminal.startedAt;
  const stop = writing(world.live);
  await sleep(SETTLING_MS);
  const share = await coreShare(terminal, seconds);
  const keys = await keyTimes(terminal, 100);
  stop();
  await ends(terminal);
  return { opened, share, keys };
}

const WRITES = 10;

/** From the end of `milepost todo add` in another process until its session's row says so. */
async function otherWrites(world: ViewWorld): Promise<readonly number[]> {
  const terminal = await started(world, VIEW);
  await terminal.until("4/6");
  const times: number[] = [];
  for (let write = 1; write <= WRITES; write += 1) {
    await sleep(200 + ((write * 137) % 700));
    const drawn = shownAt(terminal, `4/${6 + write}`);
    const words = ["todo", "add", `More ${write}`, "--session", IDS.web];
    const child = spawn(process.execPath, [bin, ...words], { env: world.environment, stdio: "ignore" });
    const [code] = await once(child, "exit");
    const ended = performance.now();
    if (code !== 0) throw new Error(`milepost ${words.join(" ")} ended with ${code}`);
    times.push(Math.max(0, (await drawn) - ended));
  }
  await ends(terminal);
  return times;
}

/** From an agent's write into its transcript. */
async function appended(): Promise<readonly number[]> {
  const world = manySessions(join(root, "appended"), 10, 5);
  const terminal = await started(world, VIEW);
  await terminal.until("project-0");
  await sleep(2000);
  const times: number[] = [];
  for (let write = 1; write <= WRITES; write += 1) {
    await sleep(200 + ((write * 137) % 700));
    const drawn = terminal.until(`Seen ${write}.`);
    world.live[write % world.live.length]?.appendTodo(`Seen ${write}.`);
    times.push(await drawn);
  }
  await ends(terminal);
  return times;
}

const { bare, frame } = await firstFrames();
const writes = await otherWrites(await storeWorld(join(root, "writes")));
const appends = await appended();
const idle = await idleShare();
const { opened, share, keys } = await busy();
rmSync(root, { recursive: true, force: true });

const times = (what: string, values: readonly number[]) => ({
  what,
  p50: quantile(values, 0.5).toFixed(1),
  p95: quantile(values, 0.95).toFixed(1),
  most: quantile(values, 1).toFixed(1),
  unit: values.length === 0 ? "ms; no row is selected, so no key was timed" : `ms of ${values.length}`,
});
const one = (what: string, value: number, unit: string) => ({ what, p50: value.toFixed(1), p95: "", most: "", unit });
const goals: readonly Goal[] = [
  { name: "first frame over node -e 0, store only", actual: frame / bare, most: 10 },
  { name: "idle, 100 followed sessions, % of one core", actual: idle, most: 3 },
  { name: `${MANY} sessions, ${LIVE} live, % of one core`, actual: share, most: 15 },
  { name: `${MANY} sessions, ${LIVE} live, key to drawn bytes, p95, ms`, actual: quantile(keys, 0.95), most: 50 },
  { name: "another process's write to drawn bytes, slowest, ms", actual: quantile(writes, 1), most: 300 },
  { name: "an agent's record to drawn bytes, slowest, ms", actual: quantile(appends, 1), most: 300 },
];
report(
  "view",
  [
    one("node -e 0", bare, "ms"),
    one("first frame, store only", frame, "ms"),
    one("idle, 100 followed sessions", idle, "% of one core"),
    one(`${MANY} sessions, ${LIVE} live: first row of one`, opened, "ms"),
    one(`${MANY} sessions, ${LIVE} live`, share, "% of one core"),
    times(`${MANY} sessions, ${LIVE} live: key to drawn`, keys),
    times("another process's write to drawn", writes),
    times("an agent's record to drawn", appends),
  ],
  goals,
);
