import { type Board, type BoardOptions, onBoard } from "../src/app/tasks/task-board.js";
import { ok, type Result } from "../src/core/result.js";
import { OUR_POLICY } from "../src/core/task/policy.js";
import { TASK_PRIORITIES, type Task, type TaskPriority } from "../src/core/task/task.js";
import type { Wait } from "../src/core/task/wait-until.js";
import type { Script } from "../src/store/script.js";
import type { Store } from "../src/store/store.js";
import { type Random, randomFrom } from "../test/random.js";
import { expectOk } from "./store-events.js";
import { eightWordSteps } from "./token-cost.js";

export const LIST = "bench";
const CHUNK = 1000;
const HOUR = 3_600_000;
const SUBJECTS = eightWordSteps(50);
/** Most are of no special urgency, and some of the urgent ones come last. */
const PRIORITIES: readonly TaskPriority[] = [...TASK_PRIORITIES, "medium", "medium", "medium", "low", "low"];

/** What work is done in whose name. */
export function workOf(owner: string): BoardOptions {
  return { list: LIST, owner, session: "", policy: OUR_POLICY };
}

type Kind = "done" | "blocked" | "held" | "waiting" | "assigned" | "free";

/** Shares of a list that is in use. What is done lies among the old ones, everything else anywhere. */
const OLD = 0.4;
const DONE_AMONG_OLD = 0.5;
const OTHERS: readonly (readonly [Kind, number])[] = [
  ["blocked", 0.2],
  ["held", 0.05],
  ["waiting", 0.02],
  ["assigned", 0.03],
  ["free", 0.5],
];

function kindAt(random: Random, place: number): Kind {
  if (random.chance(place < OLD ? DONE_AMONG_OLD : 0)) return "done";
  // What is done takes its share of the whole list, so the others share the rest.
  const total = OTHERS.reduce((sum, [, share]) => sum + share, 0);
  let left = (random.below(1_000_000) / 1_000_000) * total;
  for (const [kind, share] of OTHERS) {
    left -= share;
    if (left < 0) return kind;
  }
  return "free";
}

/** A list as many agents leave one behind. Returns the tasks that were made in a second. */
export async function makeTasks(store: Store, size: number): Promise<number> {
  const random = randomFrom(size);
  /** Whoever is free may block others. */
  const free: number[] = [];
  const start = performance.now();
  for (let made = 0; made < size; made += CHUNK) {
    const kinds = Array.from({ length: Math.min(CHUNK, size - made) }, (_, index) =>
      kindAt(random, (made + index) / size),
    );
    const done = await onBoard(store, workOf("maker"), function* (board) {
      for (const kind of kinds) yield* makeOne(board, random, kind, free);
      return ok(undefined);
    });
    expectOk(done);
  }
  return (size / (performance.now() - start)) * 1000;
}

function* makeOne(board: Board, random: Random, kind: Kind, free: number[]): Script<void> {
  const blockedBy = kind === "blocked" && free.length > 0 ? [random.pick(free)] : [];
  const number = value(
    yield* board.add({
      subject: random.pick(SUBJECTS),
      description: "Look at what is there, change as little as possible, and say what was tested.",
      priority: random.pick(PRIORITIES),
      blockedBy,
      assignee: kind === "assigned" ? `agent-${random.below(20)}` : undefined,
    }),
  ).number;
  if (kind === "free") free.push(number);
  const owner = `worker-${random.below(50)}`;
  if (kind === "held" || kind === "done") value(yield* board.run(number, { type: "claim", owner, ttl: 20 * HOUR }));
  if (kind === "done") value(yield* board.run(number, { type: "complete", hold: { owner }, evidence: "npm test: ok" }));
  if (kind === "waiting")
    value(yield* board.run(number, { type: "wait", hold: { owner }, wait: waitOf(random, board.now) }));
}

function waitOf(random: Random, now: number): Wait {
  const waits: readonly Wait[] = [
    { kind: "timer", at: now + 24 * HOUR },
    { kind: "event", topic: `deploy-${random.below(10)}` },
    { kind: "manual" },
  ];
  return random.pick(waits);
}

/** One more that anybody may take. */
export async function addOne(store: Store, random: Random): Promise<void> {
  const task = { subject: random.pick(SUBJECTS), priority: random.pick(PRIORITIES) };
  expectOk(await onBoard(store, workOf("maker"), (board) => board.add(task)));
}

/** The best one that is ready. */
export async function claimOne(store: Store, owner: string): Promise<Task> {
  const task = value(await onBoard(store, workOf(owner), (board) => board.claimBest(20 * HOUR)));
  if (!task) throw new Error("There is nothing left to claim");
  return task;
}

export async function finishOne(store: Store, owner: string, { number, fence }: Task): Promise<void> {
  const done = await onBoard(store, workOf(owner), (board) =>
    board.run(number, { type: "complete", hold: { owner, fence } }),
  );
  expectOk(done);
}

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
