import { afterAll, expect, test } from "vitest";
import { type Random, randomFrom } from "../random.js";
import { SEED, sized } from "../sizes.js";
import { placesFor } from "../store/places.js";
import { addTasks, openTasks } from "./boards.js";
import { checkHistory, type Outcome, type Recorded } from "./history.js";
import { TaskWorker } from "./task-workers.js";

const { sqlite, postgres } = placesFor("history");
const CLIENTS = sized(5, 8);
const TASKS = 4;
const TTL = 60;
const MILLISECONDS = 1500;
const LEAST_CLAIMS = 10;

afterAll(() => sqlite?.tearDown?.());

interface Answer {
  readonly id: string;
  readonly outcome: Outcome;
  readonly end: number;
  readonly endWall: number;
}

/** What a worker wrote down, questions and answers together; the last question may have none. */
function recordedBy(worker: TaskWorker): readonly Recorded[] {
  const said = worker.said<Recorded | Answer>();
  const answers = new Map(said.flatMap((line) => ("outcome" in line ? [[line.id, line]] : [])));
  const never = { end: Number.POSITIVE_INFINITY, endWall: Number.POSITIVE_INFINITY };
  return said.flatMap((line) => ("start" in line ? [{ ...line, ...never, ...answers.get(line.id) }] : []));
}

interface Session {
  readonly random: Random;
  readonly isEnough: () => boolean;
  readonly told: Recorded[];
}

const claimsWon = (history: readonly Recorded[]) =>
  history.filter(({ type, outcome }) => type === "claim" && outcome?.type === "ok").length;

/** One client after the other under one name: each is killed at some moment, and the next one knows nothing of it. */
async function client(url: string, index: number, { random, isEnough, told }: Session): Promise<void> {
  while (!isEnough()) {
    const job = { job: "record", url, owner: `c${index}`, task: TASKS, ttl: TTL, seed: random.below(2 ** 31) };
    const worker = new TaskWorker(job);
    await worker.line(0);
    await new Promise((resolve) => setTimeout(resolve, 100 + random.below(600)));
    worker.kill();
    expect((await worker.end()).errors).toBe("");
    told.push(...recordedBy(worker));
  }
}

test.each(Array.from({ length: sized(2, 100) }, (_, run) => run))(
  `run %i: what ${CLIENTS} clients were told under kill -9 has an order that explains it`,
  { timeout: 600_000 },
  async (run) => {
    const seed = SEED + run;
    const random = randomFrom(seed);
    // The second one and each fifth one after it on a server.
    const url = (await (run % 5 === 1 ? postgres : sqlite)?.fresh()) ?? "";
    const store = await openTasks(url);
    await addTasks(store, TASKS);
    const until = Date.now() + MILLISECONDS;
    const history: Recorded[] = [];
    // On a busy machine it takes longer until something was raced for.
    const isEnough = () => Date.now() >= until && claimsWon(history) > LEAST_CLAIMS;
    const session = { random, isEnough, told: history };
    await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(url, index, session)));
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
    const open = history.filter(({ outcome }) => !outcome);
    console.log(`seed ${seed}: ${history.length} operations, ${claimsWon(history)} claims won, ${open.length} cut off`);
    for (let task = 1; task <= TASKS; task += 1)
      expect(checkHistory(history.filter((one) => one.task === task))).toMatchObject({
        isLinearizable: true,
        stuckAt: [],
      });
  },
);
