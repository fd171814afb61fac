import { describe, expect, test } from "vitest";
import type { Hold, TaskCommand, TaskError } from "./command.js";
import { decide } from "./decide.js";
import type { TaskEvent } from "./events.js";
import { evolve } from "./evolve.js";
import { FREE_POLICY, OUR_POLICY, type TaskPolicy } from "./policy.js";
import { NO_TASK, type Task } from "./task.js";

const NOW = 1_000_000;
const TTL = 60_000;
const SOON = NOW + TTL;

const added: TaskEvent = { type: "task.added", number: 7, uuid: "u", subject: "s", description: "", priority: "low" };
const claimed = (owner: string, fence = 1, more: { until?: number; isSoft?: boolean } = {}): TaskEvent => ({
  type: "task.claimed",
  owner,
  fence,
  until: SOON,
  ttl: TTL,
  ...more,
});
const released = (fence = 1): TaskEvent => ({ type: "task.released", fence });
const completed = (fence = 1): TaskEvent => ({ type: "task.completed", fence });
const over = { until: NOW };
const soft = { isSoft: true };
const waiting: TaskEvent = { type: "wait.begun", wait: { kind: "manual" } };
const asked: TaskEvent = { type: "cancel.requested", reason: "not now" };
const failedUntil = (retryAt: number): TaskEvent => ({ type: "task.failed", fence: 1, reason: "r", retryAt });

const by = (owner: string, fence?: number): Hold => ({ owner, fence });
const claim = (owner = "a"): TaskCommand => ({ type: "claim", owner, ttl: TTL });
const renew = (hold: Hold, more: { ttl?: number; progress?: string } = {}): TaskCommand => ({
  type: "renew",
  hold,
  ...more,
});
const release = (hold: Hold, reason?: string): TaskCommand => ({ type: "release", hold, reason });
const complete = (hold: Hold, evidence?: string): TaskCommand => ({ type: "complete", hold, evidence });
const giveUp = (hold: Hold, isFinal?: boolean): TaskCommand => ({ type: "fail", hold, reason: "r", isFinal });
const cancel = (hold: Hold, isForced?: boolean): TaskCommand => ({ type: "cancel", hold, isForced });
const move = (to: Task["status"], hold: Hold): TaskCommand => ({ type: "move", to, hold, ttl: TTL });
const change = (hold: Hold, subject = "t"): TaskCommand => ({ type: "change", hold, details: { subject } });
const wait = (hold: Hold): TaskCommand => ({ type: "wait", hold, wait: { kind: "timer", at: SOON } });
const wake: TaskCommand = { type: "wake", by: "manual" };
const note = (text: string): TaskCommand => ({ type: "note", text });

interface Row {
  readonly name: string;
  /** After it was added. */
  readonly given?: readonly TaskEvent[];
  readonly when: TaskCommand;
  readonly blockers?: readonly number[];
  readonly policy?: TaskPolicy;
  readonly then: readonly TaskEvent[] | TaskError["code"];
}

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  claim: [
    { name: "a pending one gets fence 1", when: claim(), then: [claimed("a")] },
    {
      name: "with the session that works",
      when: { ...claim(), session: "s" } as TaskCommand,
      then: [{ ...claimed("a"), session: "s" } as TaskEvent],
    },
    { name: "a held one is held", given: [claimed("b")], when: claim(), then: "task-held" },
    { name: "one's own a second time", given: [claimed("a")], when: claim(), then: "task-held" },
    {
      name: "until the last moment of the lease",
      given: [claimed("b", 1, { until: NOW + 1 })],
      when: claim(),
      then: "task-held",
    },
    { name: "when the lease is over", given: [claimed("b", 1, over)], when: claim(), then: [claimed("a", 2)] },
    {
      name: "one's own when the lease is over: another fence",
      given: [claimed("a", 1, over)],
      when: claim(),
      then: [claimed("a", 2)],
    },
    { name: "a soft lease keeps others off too", given: [claimed("b", 1, soft)], when: claim(), then: "task-held" },
    {
      name: "after a release the fence grows",
      given: [claimed("b"), released()],
      when: claim(),
      then: [claimed("a", 2)],
    },
    { name: "with an open blocker", when: claim(), blockers: [3], then: "task-blocked" },
    { name: "blocked is said before held", given: [claimed("b")], when: claim(), blockers: [3], then: "task-blocked" },
    { name: "while it waits", given: [waiting], when: claim(), then: "task-waiting" },
    {
      name: "when the clock has ended its wait",
      given: [{ type: "wait.begun", wait: { kind: "timer", at: NOW } }],
      when: claim(),
      then: [claimed("a")],
    },
    {
      name: "after its time-out",
      given: [{ type: "wait.begun", wait: { kind: "event", topic: "t", timeout: NOW } }],
      when: claim(),
      then: [claimed("a")],
    },
    {
      name: "before the next try",
      given: [claimed("b"), failedUntil(NOW + 1)],
      when: claim(),
      then: "task-backing-off",
    },
    { name: "from the next try on", given: [claimed("b"), failedUntil(NOW)], when: claim(), then: [claimed("a", 2)] },
    { name: "a closed one", given: [claimed("b"), completed()], when: claim(), then: "task-closed" },
    {
      name: "one in progress without a lease, by its number",
      given: [{ type: "task.moved", from: "pending", to: "in_progress" }],
      when: claim(),
      then: [claimed("a")],
    },
  ],
  renew: [
    {
      name: "by the holder",
      given: [claimed("a", 1, { until: NOW + 5 })],
      when: renew(by("a", 1)),
      then: [{ type: "task.renewed", fence: 1, until: SOON }],
    },
    {
      name: "with progress and another time",
      given: [claimed("a")],
      when: renew(by("a"), { ttl: 2 * TTL, progress: "half" }),
      then: [{ type: "task.renewed", fence: 1, until: NOW + 2 * TTL, progress: "half" }],
    },
    {
      name: "never makes it shorter",
      given: [claimed("a", 1, { until: NOW + 9 * TTL })],
      when: renew(by("a")),
      then: [],
    },
    {
      name: "what gains next to nothing is not written: heartbeats may come by the thousand",
      given: [claimed("a", 1, { until: NOW + TTL - 49 })],
      when: renew(by("a")),
      then: [],
    },
    {
      name: "when it is over, but nobody else came",
      given: [claimed("a", 1, over)],
      when: renew(by("a", 1)),
      then: [{ type: "task.renewed", fence: 1, until: SOON }],
    },
    {
      name: "when somebody else came",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: renew(by("a", 1)),
      then: "stale-fence",
    },
    { name: "of one that nobody holds", when: renew(by("a")), then: "task-not-held" },
    {
      name: "of one that nobody holds, with a fence",
      given: [claimed("a"), released()],
      when: renew(by("a", 1)),
      then: "task-not-held",
    },
    { name: "with a fence that was never given", given: [claimed("a")], when: renew(by("a", 9)), then: "stale-fence" },
    { name: "of another's", given: [claimed("b")], when: renew(by("a")), then: "task-held" },
    { name: "of another's, with its fence", given: [claimed("b")], when: renew(by("a", 1)), then: "task-held" },
    { name: "of a closed one", given: [claimed("b"), completed()], when: renew(by("a")), then: "task-closed" },
    { name: "with empty progress", given: [claimed("a")], when: renew(by("a"), { progress: " " }), then: "empty-text" },
  ],
  release: [
    {
      name: "by the holder",
      given: [claimed("a")],
      when: release(by("a", 1), "lunch"),
      then: [{ type: "task.released", fence: 1, reason: "lunch" }],
    },
    {
      name: "when the lease is over",
      given: [claimed("a", 1, over)],
      when: release(by("a", 1)),
      then: [{ type: "task.released", fence: 1 }],
    },
    { name: "twice", given: [claimed("a"), released()], when: release(by("a", 1)), then: "task-not-held" },
    {
      name: "twice, without the fence",
      given: [claimed("a"), released()],
      when: release(by("a")),
      then: "task-not-held",
    },
    { name: "of another's", given: [claimed("b")], when: release(by("a")), then: "task-held" },
    {
      name: "by who was asked to stop: then it has stopped",
      given: [claimed("a"), asked],
      when: release(by("a", 1), "ok"),
      then: [{ type: "task.cancelled", reason: "not now" }],
    },
    { name: "with an empty reason", given: [claimed("a")], when: release(by("a", 1), ""), then: "empty-text" },
  ],
  complete: [
    {
      name: "by the holder",
      given: [claimed("a")],
      when: complete(by("a", 1), "tests pass"),
      then: [{ type: "task.completed", fence: 1, evidence: "tests pass" }],
    },
    {
      name: "by the holder, who can have no other fence",
      given: [claimed("a")],
      when: complete(by("a")),
      then: [{ type: "task.completed", fence: 1 }],
    },
    {
      name: "by a holder that claimed before",
      given: [claimed("a", 1, over), claimed("a", 2)],
      when: complete(by("a")),
      then: "fence-needed",
    },
    {
      name: "by such a holder who types it: the newest claim is meant",
      given: [claimed("a", 1, over), claimed("a", 2)],
      when: complete({ ...by("a"), isTyped: true }),
      then: [{ type: "task.completed", fence: 2 }],
    },
    {
      name: "by such a holder who types its old fence",
      given: [claimed("a", 1, over), claimed("a", 2)],
      when: complete({ ...by("a", 1), isTyped: true }),
      then: "stale-fence",
    },
    {
      name: "by a person who types it, but does not hold it any more",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: complete({ ...by("a"), isTyped: true }),
      then: "stale-fence",
    },
    {
      name: "by a person who types it, and never held it",
      given: [claimed("b")],
      when: complete({ ...by("a"), isTyped: true }),
      then: "task-held",
    },
    {
      name: "by such a holder with its old fence",
      given: [claimed("a", 1, over), claimed("a", 2)],
      when: complete(by("a", 1)),
      then: "stale-fence",
    },
    {
      name: "by such a holder with its new fence",
      given: [claimed("a", 1, over), claimed("a", 2)],
      when: complete(by("a", 2)),
      then: [{ type: "task.completed", fence: 2 }],
    },
    {
      name: "when the lease is over, but nobody else came",
      given: [claimed("a", 1, over)],
      when: complete(by("a", 1)),
      then: [{ type: "task.completed", fence: 1 }],
    },
    {
      name: "by a former holder",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: complete(by("a")),
      then: "stale-fence",
    },
    { name: "by a stranger", given: [claimed("b")], when: complete(by("a")), then: "task-held" },
    {
      name: "by a stranger with the right fence",
      given: [claimed("b")],
      when: complete(by("a", 1)),
      then: "task-held",
    },
    { name: "of one that nobody holds", when: complete(by("a")), then: [{ type: "task.completed" }] },
    { name: "of one that nobody holds, with a fence", when: complete(by("a", 1)), then: "stale-fence" },
    {
      name: "with an open blocker",
      given: [claimed("a")],
      when: complete(by("a", 1)),
      blockers: [2, 3],
      then: "task-blocked",
    },
    { name: "of one that waits", given: [waiting], when: complete(by("a")), then: "task-waiting" },
    { name: "a second time", given: [claimed("a"), completed()], when: complete(by("a")), then: "task-closed" },
    {
      name: "after somebody else has completed it, with a fence",
      given: [claimed("a", 1, over), claimed("b", 2), completed(2)],
      when: complete(by("a", 1)),
      then: "stale-fence",
    },
    {
      name: "after somebody else has completed it, without one",
      given: [claimed("a", 1, over), claimed("b", 2), completed(2)],
      when: complete(by("a")),
      then: "stale-fence",
    },
    {
      name: "although it shall be cancelled: done is done",
      given: [claimed("a"), asked],
      when: complete(by("a", 1)),
      then: [{ type: "task.completed", fence: 1 }],
    },
    { name: "with empty evidence", given: [claimed("a")], when: complete(by("a", 1), " "), then: "empty-text" },
  ],
  fail: [
    {
      name: "is tried again, later",
      given: [claimed("a")],
      when: giveUp(by("a", 1)),
      then: [{ type: "task.failed", fence: 1, reason: "r", retryAt: NOW + 30_000 }],
    },
    {
      name: "waits twice as long the second time",
      given: [claimed("a"), failedUntil(0), claimed("a", 2)],
      when: giveUp(by("a", 2)),
      then: [{ type: "task.failed", fence: 2, reason: "r", retryAt: NOW + 60_000 }],
    },
    {
      name: "for the last time",
      given: [claimed("a"), failedUntil(0), claimed("a", 2), failedUntil(0), claimed("a", 3)],
      when: giveUp(by("a", 3)),
      then: [{ type: "task.failed", fence: 3, reason: "r" }],
    },
    {
      name: "for good, at once",
      given: [claimed("a")],
      when: giveUp(by("a", 1), true),
      then: [{ type: "task.failed", fence: 1, reason: "r" }],
    },
    {
      name: "by who was asked to stop is for good",
      given: [claimed("a"), asked],
      when: giveUp(by("a", 1)),
      then: [{ type: "task.failed", fence: 1, reason: "r" }],
    },
    { name: "of one that nobody holds", when: giveUp(by("a")), then: "task-not-held" },
    {
      name: "of one that nobody holds, where there are no leases",
      when: giveUp(by("a"), true),
      policy: FREE_POLICY,
      then: [{ type: "task.failed", reason: "r" }],
    },
    {
      name: "with a stale fence",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: giveUp(by("a", 1)),
      then: "stale-fence",
    },
    {
      name: "without a word why",
      given: [claimed("a")],
      when: { type: "fail", hold: by("a", 1), reason: "" },
      then: "empty-text",
    },
  ],
  cancel: [
    { name: "one that nobody holds", when: cancel(by("a")), then: [{ type: "task.cancelled" }] },
    { name: "one's own", given: [claimed("a")], when: cancel(by("a", 1)), then: [{ type: "task.cancelled" }] },
    {
      name: "another's: its holder is asked",
      given: [claimed("b")],
      when: cancel(by("a")),
      then: [{ type: "cancel.requested" }],
    },
    {
      name: "another's, by force",
      given: [claimed("b")],
      when: cancel(by("a"), true),
      then: [{ type: "task.cancelled" }],
    },
    {
      name: "another's whose lease is over",
      given: [claimed("b", 1, over)],
      when: cancel(by("a")),
      then: [{ type: "task.cancelled" }],
    },
    {
      name: "with a stale fence",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: cancel(by("a", 1)),
      then: "stale-fence",
    },
    { name: "a closed one", given: [completed()], when: cancel(by("a")), then: "task-closed" },
    { name: "with an empty reason", when: { type: "cancel", hold: by("a"), reason: "" }, then: "empty-text" },
  ],
  reopen: [
    { name: "a closed one", given: [completed()], when: { type: "reopen" }, then: [{ type: "task.reopened" }] },
    { name: "an open one is open", given: [claimed("a")], when: { type: "reopen" }, then: [] },
  ],
  change: [
    {
      name: "by anybody",
      given: [claimed("b")],
      when: change(by("a")),
      then: [{ type: "task.changed", subject: "t" }],
    },
    {
      name: "by who is late",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: change(by("a", 1)),
      then: "stale-fence",
    },
    { name: "to nothing", when: change(by("a"), " "), then: "empty-text" },
  ],
  move: [
    {
      name: "into progress takes a soft lease",
      when: move("in_progress", by("a")),
      policy: FREE_POLICY,
      then: [{ type: "task.moved", from: "pending", to: "in_progress" }, claimed("a", 1, soft)],
    },
    {
      name: "into progress without a time holds nothing",
      when: { type: "move", to: "in_progress", hold: by("a") },
      then: [{ type: "task.moved", from: "pending", to: "in_progress" }],
    },
    {
      name: "into progress again keeps it",
      given: [claimed("a", 1, soft)],
      when: move("in_progress", by("a")),
      policy: FREE_POLICY,
      then: [],
    },
    {
      name: "a closed one into progress",
      given: [claimed("b"), completed()],
      when: move("in_progress", by("a")),
      policy: FREE_POLICY,
      then: [{ type: "task.moved", from: "completed", to: "in_progress" }, claimed("a", 2, soft)],
    },
    {
      name: "over a soft lease of another",
      given: [claimed("b", 1, soft)],
      when: move("completed", by("a")),
      policy: FREE_POLICY,
      then: [{ type: "task.moved", from: "in_progress", to: "completed" }],
    },
    {
      name: "over a real lease of another",
      given: [claimed("b")],
      when: move("completed", by("a")),
      policy: FREE_POLICY,
      then: "task-held",
    },
    {
      name: "over a soft lease, by one who knows leases",
      given: [claimed("b", 1, soft)],
      when: move("completed", by("a")),
      then: "task-held",
    },
    { name: "nowhere", when: move("pending", by("a")), policy: FREE_POLICY, then: [] },
  ],
  notes: [
    {
      name: "by anybody, whoever holds it",
      given: [claimed("b")],
      when: note("n"),
      then: [{ type: "task.noted", text: "n" }],
    },
    { name: "on a closed one", given: [completed()], when: note("n"), then: [{ type: "task.noted", text: "n" }] },
    { name: "of nothing", when: note("\n"), then: "empty-text" },
  ],
  waits: [
    {
      name: "by the holder",
      given: [claimed("a")],
      when: wait(by("a", 1)),
      then: [{ type: "wait.begun", wait: { kind: "timer", at: SOON } }],
    },
    {
      name: "of one that nobody holds",
      when: wait(by("a")),
      then: [{ type: "wait.begun", wait: { kind: "timer", at: SOON } }],
    },
    {
      name: "with a stale fence",
      given: [claimed("a", 1, over), claimed("b", 2)],
      when: wait(by("a", 1)),
      then: "stale-fence",
    },
    {
      name: "while it shall be cancelled",
      given: [claimed("a"), asked],
      when: wait(by("a", 1)),
      then: "cancel-pending",
    },
    {
      name: "for a signal without a name",
      when: { type: "wait", hold: by("a"), wait: { kind: "event", topic: "" } },
      then: "empty-text",
    },
    { name: "of a closed one", given: [completed()], when: wait(by("a")), then: "task-closed" },
    { name: "ended", given: [waiting], when: wake, then: [{ type: "wait.ended", by: "manual" }] },
    {
      name: "ended with something",
      given: [waiting],
      when: { type: "wake", by: "event", payload: [1] },
      then: [{ type: "wait.ended", by: "event", payload: [1] }],
    },
    { name: "ended twice", given: [waiting, { type: "wait.ended", by: "manual" }], when: wake, then: "not-waiting" },
  ],
  links: [
    {
      name: "to a todo",
      when: { type: "link", link: { session: "s", todo: 1 } },
      then: [{ type: "todo.linked", session: "s", todo: 1 }],
    },
    {
      name: "taken away",
      when: { type: "unlink", link: { session: "s", todo: 1 } },
      then: [{ type: "todo.unlinked", session: "s", todo: 1 }],
    },
  ],
};

function taskAfter(given: readonly TaskEvent[] = []): Task {
  return [added, ...given].reduce((task, event) => evolve(task, event, { at: NOW - 1000, by: "x" }), NO_TASK);
}

describe.each(Object.entries(ROWS))("%s", (_, rows) => {
  test.each(rows)("$name", ({ given, when, blockers = [], policy = OUR_POLICY, then }) => {
    const decided = decide(taskAfter(given), when, { now: NOW, openBlockers: blockers, policy });
    expect(decided.ok ? decided.value : decided.error.code).toEqual(then);
  });
});

const WORDS: readonly {
  readonly name: string;
  readonly given: readonly TaskEvent[];
  readonly when: TaskCommand;
  readonly says: readonly string[];
}[] = [
  {
    name: "a late one hears both fences",
    given: [claimed("a", 1, over), claimed("b", 2)],
    when: complete(by("a", 1)),
    says: ["Fence 1 of a", "b holds it now with fence 2", "#7"],
  },
  {
    name: "also when it is over and done",
    given: [claimed("a", 1, over), claimed("b", 2), completed(2)],
    when: complete(by("a")),
    says: ["Fence 1 of a", "the newest is 2", "completed"],
  },
  {
    name: "a late one of the same name hears the newest, and not to claim again",
    given: [claimed("a", 1, over), claimed("a", 2)],
    when: complete(by("a", 1)),
    says: ["Fence 1 of a", "a holds it now with fence 2. Nothing was changed."],
  },
  {
    name: "who needs a fence hears the newest",
    given: [claimed("a", 1, over), claimed("a", 2)],
    when: complete(by("a")),
    says: ["more than once", "the newest is 2"],
  },
  {
    name: "who comes second hears who was first",
    given: [claimed("b")],
    when: claim(),
    says: ["held by b for another 1m"],
  },
  {
    name: "who has it already hears so",
    given: [claimed("a")],
    when: claim(),
    says: ["You already hold task #7"],
  },
];

test.each(WORDS)("$name", ({ given, when, says }) => {
  const decided = decide(taskAfter(given), when, { now: NOW, openBlockers: [], policy: OUR_POLICY });
  for (const words of says) expect(decided.ok ? "" : decided.error.message).toContain(words);
});

test("blockers are named, but not all of a thousand", () => {
  const openBlockers = Array.from({ length: 1000 }, (_, index) => index + 1);
  const decided = decide(taskAfter(), claim(), { now: NOW, openBlockers, policy: OUR_POLICY });
  expect(decided).toMatchObject({ ok: false, error: { tasks: openBlockers } });
  expect(decided.ok ? "" : decided.error.message).toContain("#1, #2, #3, #4, #5 and 995 more");
});
