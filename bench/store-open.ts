import { join } from "node:path";
import { openMilepost } from "../src/app/milepost.js";
import { PROJECTIONS } from "../src/app/views.js";
import { todosOf } from "../src/core/todo/list.js";
import { openStore } from "../src/store/open.js";
import { type Contestant, compete, microseconds, type Placing } from "./rounds.js";
import { expectOk, fill, moved, plan, TODOS } from "./store-events.js";

const SHORT = 100;
const LONG = 100_000;
const COMMIT = 1000;
const ROUNDS = 101;

/** The long history beside the short one, which comes first; each in a file of its own. */
export async function openSessions(folder: string): Promise<readonly Placing[]> {
  const sessions = [await session(folder, SHORT), await session(folder, LONG)];
  return compete(ROUNDS, sessions);
}

async function session(folder: string, events: number): Promise<Contestant> {
  const path = join(folder, `open-${events}.db`);
  await write(path, events);
  return { name: `open a session of ${events} events`, run: () => openOnce(path) };
}

async function write(path: string, events: number): Promise<void> {
  const store = await openStore(path, { projections: PROJECTIONS });
  await plan(store, "open");
  const { events: planned } = await store.totals();
  for (let turn = 0; turn < events - planned; turn += COMMIT) {
    const length = Math.min(COMMIT, events - planned - turn);
    await fill(
      store,
      "session:open",
      Array.from({ length }, (_, offset) => moved(turn + offset)),
    );
  }
  await store.close();
}

/** From nothing to the list in hand. */
async function openOnce(path: string): Promise<number> {
  let close = async () => {};
  const time = await microseconds(1, async () => {
    const milepost = await openMilepost({ store: path });
    close = () => milepost.close();
    const list = await milepost.list({ session: "open" });
    expectOk(list);
    if (list.ok && todosOf(list.value).length !== TODOS) throw new Error("not the list that was written");
  });
  await close();
  return time;
}
