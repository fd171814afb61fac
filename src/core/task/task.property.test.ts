import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import type { Hold, TaskCommand } from "./command.js";
import { decide } from "./decide.js";
import { readTaskEvent, type TaskEvent } from "./events.js";
import { evolve, type Stamp } from "./evolve.js";
import { FREE_POLICY, OUR_POLICY } from "./policy.js";
import { standingOf } from "./standing.js";
import { isOpen, isTask, NO_TASK, TASK_STATUSES, type Task } from "./task.js";
import { WAKERS, type Wait } from "./wait-until.js";

const owner = fc.constantFrom("a", "b", "c");
const hold: fc.Arbitrary<Hold> = fc.record({ owner, fence: fc.option(fc.nat({ max: 6 }), { nil: undefined }) });
const ttl = fc.constantFrom(10, 100, 1000);
const text = fc.oneof(fc.constantFrom("x", "", " "), fc.string({ unit: "binary" }));
const wait: fc.Arbitrary<Wait> = fc.oneof(
  fc.record({ kind: fc.constant("timer" as const), at: fc.nat({ max: 2000 }) }),
  fc.record({ kind: fc.constant("event" as const), topic: text, timeout: fc.nat({ max: 2000 }) }),
  fc.record({ kind: fc.constant("manual" as const) }),
);

const command: fc.Arbitrary<TaskCommand> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("claim" as const), owner, ttl }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("renew" as const), hold, ttl, progress: text }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("release" as const), hold }) },
  fc.record({ type: fc.constant("complete" as const), hold, evidence: text }),
  fc.record({ type: fc.constant("fail" as const), hold, reason: text, isFinal: fc.boolean() }),
  fc.record({ type: fc.constant("cancel" as const), hold, isForced: fc.boolean() }),
  { weight: 2, arbitrary: fc.constant({ type: "reopen" as const }) },
  fc.record({
    type: fc.constant("change" as const),
    hold,
    details: fc.record({
      subject: text,
      metadata: fc.object({ maxDepth: 1 }) as fc.Arbitrary<Record<string, unknown>>,
    }),
  }),
  fc.record({ type: fc.constant("move" as const), hold, to: fc.constantFrom(...TASK_STATUSES), ttl }),
  fc.record({ type: fc.constant("note" as const), text }),
  fc.record({ type: fc.constant("wait" as const), hold, wait }),
  fc.record({ type: fc.constant("wake" as const), by: fc.constantFrom(...WAKERS), payload: fc.jsonValue() }),
);

/** A command, how much later it comes, whether something blocks, and who speaks. */
const step = fc.record({
  command,
  later: fc.constantFrom(0, 1, 20, 500),
  isBlocked: fc.boolean(),
  policy: fc.constantFrom(OUR_POLICY, FREE_POLICY),
});

const added: TaskEvent = {
  type: "task.added",
  number: 1,
  uuid: "u",
  subject: "s",
  description: "",
  priority: "medium",
};

function expectSound(before: Task, after: Task): void {
  expect(isTask(after)).toBe(true);
  expect(after.fence).toBeGreaterThanOrEqual(before.fence);
  expect(after.fence - before.fence).toBeLessThanOrEqual(1);
  if (after.lease) expect([after.lease.fence, after.status]).toEqual([after.fence, "in_progress"]);
  if (after.lease && before.lease && after.lease.owner !== before.lease.owner)
    expect(after.fence).toBe(before.fence + 1);
  if (!isOpen(after)) expect([after.lease, after.wait, after.retryAt]).toEqual([undefined, undefined, undefined]);
  expect(after.closedAt === undefined).toBe(isOpen(after));
  expect(after.notes.slice(0, before.notes.length)).toEqual(before.notes);
  // Of two things that cannot be at once.
  if (after.wait) expect(after.lease).toBeUndefined();
}

test("whatever is asked, in whatever order: fences grow, one holds, what is closed holds nothing", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let now = 0;
      let task = evolve(NO_TASK, added, { at: 0 });
      const log: { readonly event: TaskEvent; readonly stamp: Stamp }[] = [{ event: added, stamp: { at: 0 } }];
      for (const { command: asked, later, isBlocked, policy } of steps) {
        now += later;
        const openBlockers = isBlocked ? [9] : [];
        const decided = decide(task, asked, { now, openBlockers, policy });
        if (!decided.ok) continue;
        const before = task;
        const stamp = { at: now, by: "x" };
        for (const event of decided.value) {
          log.push({ event, stamp });
          task = evolve(task, event, stamp);
        }
        expectSound(before, task);
        if (asked.type === "claim") expect(standingOf(before, openBlockers, now).blockedBy).toEqual([]);
      }
      // As it will be read again: through JSON, and through the gate for events of other versions.
      const replayed = log.reduce((state, { event, stamp }) => {
        const { type, ...data } = JSON.parse(JSON.stringify(event));
        const read = readTaskEvent(type, data);
        expect(read).toBeDefined();
        return read ? evolve(state, read, stamp) : state;
      }, NO_TASK);
      expect(JSON.parse(JSON.stringify(replayed))).toEqual(JSON.parse(JSON.stringify(task)));
      expect(isTask(JSON.parse(JSON.stringify(task)))).toBe(true);
    }),
    { numRuns: sized(250, 5000) },
  );
});

test("no event of any shape, and no state, makes a fold or a check throw", () => {
  const types = fc.constantFrom(
    "task.added",
    "task.claimed",
    "task.renewed",
    "wait.begun",
    "todo.linked",
    "task.changed",
  );
  fc.assert(
    fc.property(types, fc.object(), (type, data) => {
      const event = readTaskEvent(type, data);
      if (event) expect(isTask(evolve(evolve(NO_TASK, added, { at: 0 }), event, { at: 1 }))).toBe(true);
      expect(typeof isTask(data)).toBe("boolean");
    }),
  );
});
