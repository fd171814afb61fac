import { afterAll, expect, test } from "vitest";
import { sized } from "../sizes.js";
import { placesFor } from "../store/places.js";
import { addTasks, openTasks, runOn } from "./boards.js";
import { TaskWorker } from "./task-workers.js";

const { sqlite } = placesFor("late");
afterAll(() => sqlite?.tearDown?.());

const AT_ONCE = sized(6, 20);
const TTL = 300;

interface Late {
  readonly code: string;
  readonly message: string;
}

// Windows cannot stop a process and let it go on.
test.skipIf(process.platform === "win32")(
  "a holder that slept through the end of its lease is refused, and hears both fences",
  { timeout: 600_000 },
  async () => {
    const url = (await sqlite?.fresh()) ?? "";
    const store = await openTasks(url);
    const rounds = sized(1, 10);
    await addTasks(store, AT_ONCE * rounds);
    for (let round = 0; round < rounds; round += 1) {
      const holders = Array.from({ length: AT_ONCE }, (_, index) => {
        const task = round * AT_ONCE + index + 1;
        return { task, worker: new TaskWorker({ job: "hold", url, owner: `late${task}`, task, ttl: TTL }) };
      });
      const ends = holders.map(async ({ task, worker }) => {
        expect(await worker.line(0)).toBe("claimed 1");
        worker.process.kill("SIGSTOP");
        const owner = `next${task}`;
        const claimed = await untilClaimed(() => runOn(store, owner, task, { type: "claim", owner, ttl: 60_000 }));
        expect(claimed.fence).toBe(2);
        // Half of them find it done, half in other hands.
        const isDone = task % 2 === 0;
        if (isDone)
          expect(await runOn(store, owner, task, { type: "complete", hold: { owner, fence: 2 } })).toMatchObject({
            ok: true,
          });
        worker.tell("go");
        worker.process.kill("SIGCONT");
        await worker.end();
        const now = isDone ? "the newest is 2, and the task is completed" : `${owner} holds it now with fence 2`;
        const message = expect.stringContaining(`Fence 1 of late${task} is stale for task #${task}: ${now}`);
        // It tries to renew, to release and to complete.
        expect(worker.said<Late>()).toEqual(new Array(3).fill({ code: "stale-fence", message }));
      });
      await Promise.all(ends);
    }
    expect((await store.check({ rebuild: false })).findings).toEqual([]);
    await store.close();
  },
);

/** The store's clock says when: until then it is held. */
async function untilClaimed<T>(
  claim: () => Promise<{ ok: true; value: T } | { ok: false; error: { code: string } }>,
): Promise<T> {
  for (;;) {
    const claimed = await claim();
    if (claimed.ok) return claimed.value;
    expect(claimed.error.code).toBe("task-held");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
