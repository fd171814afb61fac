import { findTasks } from "../src/app/tasks/task-pages.js";
import type { Task } from "../src/core/task/task.js";
import type { Store } from "../src/store/store.js";
import { type Random, randomFrom } from "../test/random.js";
import { type Contestant, compete, microseconds, type Placing } from "./rounds.js";
import { addOne, claimOne, finishOne, LIST } from "./tasks-made.js";

const ROUNDS = 21;
const LOOKS = 50;
const CLAIMS = 20;
const SHOWN = 20;
const OWNER = "claimer";

export interface SizedStore {
  readonly size: number;
  readonly store: Store;
}

export interface ReadyAndClaim {
  /** Each: the large store beside the small one, which comes first. */
  readonly ready: readonly Placing[];
  readonly claim: readonly Placing[];
}

export async function readyAndClaim(stores: readonly SizedStore[]): Promise<ReadyAndClaim> {
  return { ready: await compete(ROUNDS, stores.map(looks)), claim: await compete(ROUNDS, stores.map(claims)) };
}

function looks({ store, size }: SizedStore): Contestant {
  const look = async () => {
    const found = await store.look((seen) => findTasks(seen, LIST, { isReady: true, limit: SHOWN }));
    if (found.length !== SHOWN) throw new Error(`${found.length} ready tasks were found`);
  };
  return {
    name: `the best ${SHOWN} that are ready, of ${size} tasks`,
    run: () =>
      microseconds(LOOKS, async () => {
        for (let count = 0; count < LOOKS; count += 1) await look();
      }),
  };
}

/** Afterwards, and not counted, they are worked off and others come: no task is claimed twice, and no list runs dry. */
function claims({ store, size }: SizedStore): Contestant {
  const random = randomFrom(size + 1);
  return {
    name: `claim of the best one, of ${size} tasks`,
    run: async () => {
      const claimed: Task[] = [];
      const time = await microseconds(CLAIMS, async () => {
        while (claimed.length < CLAIMS) claimed.push(await claimOne(store, OWNER));
      });
      await replace(store, claimed, random);
      return time;
    },
  };
}

async function replace(store: Store, claimed: readonly Task[], random: Random): Promise<void> {
  for (const task of claimed) {
    await finishOne(store, OWNER, task);
    await addOne(store, random);
  }
}
