import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMilepost, type Milepost } from "../app/milepost.js";
import { recordSighting } from "../app/session/record-sighting.js";
import { sessionEvent } from "../app/session/session-view.js";
import { DEFAULT_SETTINGS } from "../app/settings.js";
import { onBoard } from "../app/tasks/task-board.js";
import { TASKS, taskStream } from "../app/tasks/task-views.js";
import { PROJECTIONS } from "../app/views.js";
import { LEASE } from "../core/task/lease.js";
import { OUR_POLICY } from "../core/task/policy.js";
import { openStore } from "../store/open.js";
import { Heartbeat, type Holder } from "./heartbeat.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

// One clock for the store and the timers, which moves only when it is told to.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A store that can be slow or broken, and says how often it was asked for a session. */
async function openWorld(tasks: number) {
  const store = await openStore("memory:", { projections: PROJECTIONS, clock: () => Date.now() });
  const state = { looks: 0, isBroken: false, delay: 0 };
  const watched: Pick<Milepost["store"], "view" | "commit" | "look"> = {
    view: async (projection, stream) => {
      state.looks += 1;
      if (state.isBroken) throw new Error("The disk is gone.");
      const found = await store.view(projection, stream);
      if (state.delay > 0) await pause(state.delay);
      return found;
    },
    commit: (decide, options) => store.commit(decide, options),
    look: (script) => store.look(script),
  };
  const milepost: Milepost = { ...createMilepost(store), store: watched as Milepost["store"] };
  const as = (owner: string, session: string) => ({ list: "board", policy: OUR_POLICY, owner, session });
  for (let task = 1; task <= tasks; task += 1)
    await onBoard(store, as("person", ""), (board) => board.add({ subject: "one" }));
  return {
    state,
    heartbeat: new Heartbeat(() => Promise.resolve(milepost)),
    claim: (session: string, ttl: number, owner = session) =>
      onBoard(store, as(owner, session), (board) => board.claimBest(ttl)),
    /** Milliseconds until the lease of a task is over. */
    left: async (task: number) => {
      const { lease } = await store.view(TASKS, taskStream("board", task));
      return (lease?.until ?? 0) - Date.now();
    },
    end: (session: string) =>
      recordSighting(
        store,
        { session, events: [sessionEvent({ type: "session.ended", reason: "exit" })] },
        DEFAULT_SETTINGS,
      ),
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function holder(session: string, owner = session): Holder {
  return { session, owner, isSubAgent: owner !== session };
}

test("calls that keep coming do not put off the renewal", async () => {
  const { heartbeat, claim, left } = await openWorld(1);
  await claim("s1", LEASE.shortest);
  for (let at = 0; at < 15 * SECOND; at += 100) {
    heartbeat.hear(holder("s1"));
    await vi.advanceTimersByTimeAsync(100);
    expect(await left(1)).toBeGreaterThan(0);
  }
  await heartbeat.stop();
});

test.each([LEASE.shortest, 7 * SECOND, MINUTE, LEASE.session, LEASE.longest])(
  "a lease of %i ms is renewed in time, however long nothing is heard",
  async (ttl) => {
    const { heartbeat, claim, left } = await openWorld(2);
    await claim("long", LEASE.longest);
    await claim("s1", ttl);
    heartbeat.hear(holder("long"));
    heartbeat.hear(holder("s1"));
    for (let at = 0; at < 30; at += 1) {
      await vi.advanceTimersByTimeAsync(Math.min(ttl / 10, 10 * MINUTE));
      expect(await left(2)).toBeGreaterThan(ttl / 4);
    }
    await heartbeat.stop();
  },
);

test("what is claimed during a beat is looked at soon after it", async () => {
  const { heartbeat, claim, left, state } = await openWorld(2);
  await claim("long", LEASE.longest);
  heartbeat.hear(holder("long"));
  state.delay = SECOND;
  await vi.advanceTimersByTimeAsync(500);
  await claim("s1", LEASE.shortest);
  heartbeat.hear(holder("s1"));
  for (let at = 0; at < 20; at += 1) {
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await left(2)).toBeGreaterThan(0);
  }
  await heartbeat.stop();
});

test("after trouble with the store the next beat comes in time for the shortest lease", async () => {
  const { heartbeat, claim, left, state } = await openWorld(1);
  await claim("s1", LEASE.shortest);
  heartbeat.hear(holder("s1"));
  state.isBroken = true;
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  state.isBroken = false;
  for (let at = 0; at < 20; at += 1) {
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(await left(1)).toBeGreaterThan(0);
  }
  await heartbeat.stop();
});

type World = Awaited<ReturnType<typeof openWorld>>;

const FORGOTTEN: { name: string; holder: Holder; after?: (world: World) => Promise<unknown> }[] = [
  { name: "holds nothing", holder: holder("idle") },
  { name: "has let go", holder: holder("s1"), after: ({ end }) => end("s1") },
  { name: "has been quiet for long, as a sub-agent", holder: holder("s2", "s2/sub") },
  {
    name: "claims once more although its session has ended",
    holder: holder("s3"),
    after: async ({ end, claim }) => {
      await end("s3");
      await claim("s3", MINUTE);
    },
  },
];

test.each(FORGOTTEN)("nobody looks after one that $name", async ({ holder: one, after }) => {
  const world = await openWorld(2);
  if (one.session !== "idle") await world.claim(one.session, MINUTE, one.owner);
  world.heartbeat.hear(one);
  await after?.(world);
  await vi.advanceTimersByTimeAsync(31 * MINUTE);
  world.state.looks = 0;
  await vi.advanceTimersByTimeAsync(31 * MINUTE);
  expect(world.state.looks).toBe(0);
  await world.heartbeat.stop();
});

test("one that was dropped is looked after again from its next call on", async () => {
  const { heartbeat, claim, left } = await openWorld(1);
  heartbeat.hear(holder("s1"));
  await vi.advanceTimersByTimeAsync(MINUTE);
  await claim("s1", LEASE.shortest);
  heartbeat.hear(holder("s1"));
  await vi.advanceTimersByTimeAsync(MINUTE);
  expect(await left(1)).toBeGreaterThan(0);
  await heartbeat.stop();
});
