import { expect, test } from "vitest";
import { matches, type TaskQuery } from "./query.js";
import { standingOf } from "./standing.js";
import { NO_TASK, type Task } from "./task.js";

const NOW = 1000;
const task = (more: Partial<Task> = {}): Task => ({ ...NO_TASK, number: 1, subject: "Paint the door", ...more });
const lease = (until: number) => ({ owner: "a", fence: 1, until, ttl: 10, since: 0 });
const held = task({ status: "in_progress", lease: lease(NOW + 1) });
const left = task({ status: "in_progress", lease: lease(NOW) });

const STANDINGS: readonly [string, Task, readonly number[], object][] = [
  ["pending", task(), [], { isReady: true, blockedBy: [], isStale: false }],
  ["blocked", task(), [4], { isReady: false, blockedBy: [4], isStale: false }],
  ["held", held, [], { isReady: false, blockedBy: [], isStale: false }],
  ["left by its holder", left, [], { isReady: true, blockedBy: [], isStale: true }],
  ["left, and blocked", left, [4], { isReady: false, blockedBy: [4], isStale: true }],
  [
    "in progress without a lease",
    task({ status: "in_progress" }),
    [],
    { isReady: false, blockedBy: [], isStale: true },
  ],
  ["resting", task({ retryAt: NOW + 1 }), [], { isReady: false, blockedBy: [], isStale: false }],
  ["rested", task({ retryAt: NOW }), [], { isReady: true, blockedBy: [], isStale: false }],
  [
    "waiting",
    task({ wait: { kind: "manual" } }),
    [],
    { isReady: false, blockedBy: [], isStale: false, waitsFor: { kind: "manual" } },
  ],
  [
    "waited long enough",
    task({ wait: { kind: "timer", at: NOW } }),
    [],
    { isReady: true, blockedBy: [], isStale: false },
  ],
  ["closed, whoever is open", task({ status: "completed" }), [4], { isReady: false, blockedBy: [], isStale: false }],
  ["deleted", task({ isDeleted: true }), [4], { isReady: false, blockedBy: [], isStale: false }],
  ["not there", NO_TASK, [], { isReady: false, blockedBy: [], isStale: false }],
];

test.each(STANDINGS)("%s", (_, one, blockers, standing) => {
  expect(standingOf(one, blockers, NOW)).toEqual(standing);
});

const described = task({
  description: "Use the RED one",
  labels: ["house", "Wet"],
  notes: [{ text: "bring brushes", at: 1 }],
  parent: 3,
  assignee: "b",
});

const QUERIES: readonly [TaskQuery, Task, boolean][] = [
  [{}, task(), true],
  [{ status: ["pending", "failed"] }, task(), true],
  [{ status: [] }, task(), false],
  [{ isOpen: true }, task({ status: "failed" }), false],
  [{ isOpen: false }, task({ status: "failed" }), true],
  [{ isReady: true }, held, false],
  [{ isReady: false }, held, true],
  [{ isStale: true }, left, true],
  [{ isWaiting: true }, task({ wait: { kind: "manual" } }), true],
  [{ isBlocked: true }, task(), false],
  [{ label: "house" }, described, true],
  [{ label: "wet" }, described, false],
  [{ owner: "a" }, held, true],
  [{ owner: "b" }, described, true],
  [{ owner: "c" }, described, false],
  [{ parent: 3 }, described, true],
  [{ search: "door red" }, described, true],
  [{ search: "BRUSHES wet" }, described, true],
  [{ search: "door blue" }, described, false],
  [{ search: "  door " }, described, true],
  [{ search: "door", label: "none" }, described, false],
];

test.each(QUERIES)("%j", (query, one, isMatch) => {
  expect(matches({ task: one, standing: standingOf(one, [], NOW) }, query)).toBe(isMatch);
});
