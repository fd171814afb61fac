import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Store } from "../src/store/store.js";
import { randomFrom } from "../test/random.js";
import { microseconds } from "./rounds.js";
import { addOne } from "./tasks-made.js";

const CLAIMS = 800;
const ADDS = 500;

/** Claims in a second, by this many processes at once. */
export async function claimRate(url: string, processes: number): Promise<number> {
  const claimers = Array.from({ length: processes }, (_, index) =>
    startClaimer(url, `rate-${processes}-${index}`, CLAIMS / processes),
  );
  await Promise.all(claimers.map(nextLine));
  const start = performance.now();
  const claimed = await Promise.all(claimers.map(claimAll));
  const seconds = (performance.now() - start) / 1000;
  await Promise.all(claimers.map(({ ended }) => ended));
  const numbers = new Set(claimed.flat());
  if (numbers.size !== CLAIMS) throw new Error(`${CLAIMS} claims got ${numbers.size} tasks`);
  return CLAIMS / seconds;
}

interface Claimer {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
  readonly ended: Promise<unknown>;
}

function startClaimer(url: string, owner: string, count: number): Claimer {
  const program = fileURLToPath(new URL("tasks-claims-child.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, url, owner, String(count)], { stdio: ["pipe", "pipe", "inherit"] });
  return { child, lines: createInterface({ input: child.stdout }), ended: once(child, "close") };
}

/** One that ended says nothing any more; nobody should wait for it. */
async function nextLine({ lines, ended }: Claimer): Promise<string> {
  const said = once(lines, "line").then(([line]) => String(line));
  const line = await Promise.race([said, ended.then(() => undefined)]);
  if (line === undefined) throw new Error("A process that claims tasks ended too early");
  return line;
}

async function claimAll(claimer: Claimer): Promise<readonly number[]> {
  const said = nextLine(claimer);
  claimer.child.stdin.write("go\n");
  return JSON.parse(await said);
}

/** Tasks in a second, each in a commit of its own. */
export async function addRate(store: Store): Promise<number> {
  const random = randomFrom(ADDS);
  const time = await microseconds(ADDS, async () => {
    for (let added = 0; added < ADDS; added += 1) await addOne(store, random);
  });
  return 1_000_000 / time;
}
