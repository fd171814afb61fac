import { setTimeout as sleep } from "node:timers/promises";
import { type Board, onBoard } from "../src/app/tasks/task-board.js";
import { PROJECTIONS } from "../src/app/views.js";
import { ok } from "../src/core/result.js";
import { openStore } from "../src/store/open.js";
import type { Script } from "../src/store/script.js";
import type { Store } from "../src/store/store.js";
import { type Random, randomFrom } from "../test/random.js";
import { compete, type Placing } from "./rounds.js";
import { expectOk } from "./store-events.js";
import { command } from "./tasks-cli.js";
import { addOne, workOf } from "./tasks-made.js";

export const GRAPH = { tasks: 10_000, edges: 50_000 };
const ROUNDS = 21;
const CHUNK = 500;
/** Outside the graph, two by two: the second of a pair waits for the first, and may block any task of the graph. */
const PAIRS = 2 * (ROUNDS + 1);

export interface GraphWork {
  /** Commands beside `task note`, which comes first. */
  readonly commands: readonly Placing[];
  /** Milliseconds that a writer to the same list waited at most, while they ran. */
  readonly longestWait: number;
}

/** On a store that `makeGraph` has made. */
export async function graphWork(url: string): Promise<GraphWork> {
  const store = await openStore(url, { projections: PROJECTIONS });
  try {
    const watch = startWriter(store);
    let pair = 0;
    const spare = () => String(GRAPH.tasks + 2 * ++pair);
    const on = (name: string, words: () => readonly string[], exit = 0) => ({
      ...command(url, words, exit),
      name: `milepost task ${name}, ${GRAPH.tasks} tasks, ${GRAPH.edges} edges`,
    });
    const commands = await compete(ROUNDS, [
      on("note", () => ["note", "1", "looked at it"]),
      on("block", () => ["block", "1", spare()]),
      on("block that is refused", () => ["block", "1", String(GRAPH.tasks)], 1),
      on("add --before 1", () => ["add", "Look at the flaky test", "--before", "1"]),
      on("add --after --before 1", () => ["add", "Look at the flaky test", "--after", spare(), "--before", "1"]),
    ]);
    return { commands, longestWait: await watch.stop() };
  } finally {
    await store.close();
  }
}

/** The first task leads to nearly all others. */
export async function makeGraph(url: string): Promise<void> {
  const random = randomFrom(GRAPH.edges);
  const store = await openStore(url, { projections: PROJECTIONS });
  for (let made = 0; made < GRAPH.tasks + 2 * PAIRS; made += CHUNK) {
    const done = await onBoard(store, workOf("maker"), function* (board) {
      for (let number = made + 1; number <= Math.min(made + CHUNK, GRAPH.tasks + 2 * PAIRS); number += 1)
        yield* addTied(board, random, number);
      return ok(undefined);
    });
    expectOk(done);
  }
  await store.close();
}

function* addTied(board: Board, random: Random, number: number): Script<void> {
  const blockedBy = new Set<number>();
  const isPair = number > GRAPH.tasks;
  if (isPair && number % 2 === 0) blockedBy.add(number - 1);
  while (!isPair && blockedBy.size < Math.min(GRAPH.edges / GRAPH.tasks, number - 1))
    blockedBy.add(1 + random.below(number - 1));
  const added = yield* board.add({ subject: `Task ${number}`, blockedBy: [...blockedBy] });
  if (!added.ok) throw new Error(added.error.message);
}

const PAUSE_MS = 20;

/** Adds tasks to the same list, now and then, and sees how long each takes. */
function startWriter(store: Store): { readonly stop: () => Promise<number> } {
  const random = randomFrom(1);
  let isStopped = false;
  let longest = 0;
  const writing = (async () => {
    while (!isStopped) {
      const start = performance.now();
      await addOne(store, random);
      longest = Math.max(longest, performance.now() - start);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      await writing;
      return longest;
    },
  };
}
