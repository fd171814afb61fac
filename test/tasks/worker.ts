import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Result } from "../../src/core/result.js";
import type { TaskCommand } from "../../src/core/task/command.js";
import type { Task } from "../../src/core/task/task.js";
import { countByStatus } from "../../src/store/tasks/task-index.js";
import { randomFrom } from "../random.js";
import { onTasks, openTasks, runOn } from "./boards.js";
import type { Asked, Operation, Outcome } from "./history.js";
import { LIST, type TaskJob } from "./task-workers.js";

// A process of its own, started by tests about many that share tasks, or about one that dies: node task-worker.mjs JOB

const given: TaskJob = JSON.parse(process.argv[2] ?? "{}");
const { job, url, owner = "worker", task = 1, count = 1, ttl = 600_000, rounds = 1, seed = 1 } = given;

// Straight to the pipe: what was said before a kill has been said.
const say = (line: string | object) => writeSync(1, `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const go = () => lines.next();
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const store = await openTasks(url);

function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** What the list's own row says of how many are still to be done. */
async function openTasksLeft(): Promise<number> {
  const counts = await store.look((look) => countByStatus(look, LIST));
  return (counts.get("pending") ?? 0) + (counts.get("in_progress") ?? 0);
}

const jobs: Record<string, () => Promise<void>> = {
  /** Claims and completes until all is done, with whatever is ready. */
  async workOff() {
    say("ready");
    await go();
    for (;;) {
      const start = performance.now();
      const claimed = must(await onTasks(store, owner, (board) => board.claimBest(ttl)));
      if (!claimed) {
        if ((await openTasksLeft()) === 0) break;
        // Whoever has nothing to do must not keep the others from working.
        await pause(10 + 30 * Math.random());
        continue;
      }
      const { number, fence } = claimed;
      must(await runOn(store, owner, number, { type: "complete", hold: { owner, fence } }));
      say({ number, fence, milliseconds: performance.now() - start });
    }
    say("done");
  },
  /** Races for each task it is told, and says whether it won. */
  async race() {
    say("ready");
    for await (const line of lines) {
      const claimed = await runOn(store, owner, Number(line), { type: "claim", owner, ttl });
      say(claimed.ok ? `won ${claimed.value.fence}` : claimed.error.code);
    }
  },
  /** Claims, falls asleep in the middle of its work, and comes back too late. */
  async hold() {
    const { fence } = must(await runOn(store, owner, task, { type: "claim", owner, ttl }));
    say(`claimed ${fence}`);
    await go();
    for (const type of ["renew", "release", "complete"] as const) {
      const late = await runOn(store, owner, task, { type, hold: { owner, fence } });
      say({ code: late.ok ? "ok" : late.error.code, message: late.ok ? "" : late.error.message });
    }
  },
  /** Ties random ones of `count` tasks, in any direction, `rounds` times. */
  async tie() {
    const random = randomFrom(seed);
    say("ready");
    await go();
    const codes: Record<string, number> = {};
    for (let edge = 0; edge < rounds; edge += 1) {
      const [one, other] = [1 + random.below(count), 1 + random.below(count)];
      const tied = await onTasks(store, owner, (board) => board.block(one, [other]));
      const code = tied.ok ? "ok" : tied.error.code;
      codes[code] = (codes[code] ?? 0) + 1;
    }
    say(codes);
    say("done");
  },
  /** Does random things to few tasks and writes down what it asked and what it was told, until it is killed. */
  async record() {
    const random = randomFrom(seed);
    const fences = new Map<number, number>();
    for (let id = 0; id < 10_000; id += 1) {
      const number = 1 + random.below(task);
      const asked = nextOperation(number, fences.get(number), random.below(10));
      const operation: Operation = { id: `${owner}.${seed}.${id}`, task: number, owner, ttl, ...asked };
      say({ ...operation, start: Number(process.hrtime.bigint()), startWall: Date.now() });
      const outcome = toOutcome(await runOn(store, owner, number, toCommand(asked)));
      say({ id: operation.id, outcome, end: Number(process.hrtime.bigint()), endWall: Date.now() });
      if (outcome.type === "ok" && asked.type === "claim") fences.set(number, outcome.fence);
      await pause(random.below(15));
    }
  },
};

/** Who has no fence can only claim; who has one mostly goes on, and comes with it again when it is long stale. */
function nextOperation(number: number, fence: number | undefined, dice: number): Asked {
  if (fence === undefined || dice < 4) return { type: "claim" };
  if (dice < 7) return { type: "renew", fence };
  // Few are completed, else there is soon nothing to race for.
  return { type: dice < 9 || number % 2 === 0 ? "release" : "complete", fence };
}

function toCommand(asked: Asked): TaskCommand {
  if (asked.type === "claim") return { type: "claim", owner, ttl };
  return { type: asked.type, hold: { owner, fence: asked.fence } };
}

function toOutcome(result: Result<Task>): Outcome {
  if (!result.ok) return { type: "refused", code: result.error.code };
  const { fence, lease } = result.value;
  return { type: "ok", fence, until: lease?.until ?? 0 };
}

await jobs[job]?.();
await store.close();
process.exit();
