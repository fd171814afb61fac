import { expect, test } from "vitest";
import { isoTime } from "../text/time-text.js";
import { eventWords } from "./event-words.js";
import type { TaskEvent } from "./events.js";

const at = Date.parse("2026-01-31T09:00:00Z");

const cases: readonly [TaskEvent, string][] = [
  [{ type: "task.added", number: 1, uuid: "u", subject: "a b", description: "", priority: "low" }, "added: a b"],
  [{ type: "task.changed", subject: "c", parent: null }, "changed subject, parent"],
  [{ type: "task.moved", from: "in_progress", to: "completed" }, "moved from in progress to completed"],
  [{ type: "task.claimed", owner: "ann", fence: 2, until: at, ttl: 1 }, "claimed by ann, fence 2"],
  [{ type: "task.renewed", fence: 1, until: at }, "renewed"],
  [{ type: "task.renewed", fence: 1, until: at, progress: "half" }, "renewed: half"],
  [{ type: "task.released", fence: 1 }, "released"],
  [{ type: "task.completed", evidence: "212 passed" }, "done: 212 passed"],
  [{ type: "task.failed", reason: "no net", retryAt: at }, "failed, to be retried: no net"],
  [{ type: "task.failed", reason: "no net" }, "failed for good: no net"],
  [{ type: "task.cancelled" }, "cancelled"],
  [{ type: "task.reopened" }, "reopened"],
  [{ type: "task.deleted" }, "removed"],
  [{ type: "cancel.requested", reason: "x" }, "holder asked to stop: x"],
  [{ type: "task.noted", text: "t" }, "noted: t"],
  [{ type: "wait.begun", wait: { kind: "timer", at } }, "waits until 2026-01-31T09:00:00.000Z"],
  [
    { type: "wait.begun", wait: { kind: "event", topic: "deploy", correlation: "b1", timeout: at } },
    "waits for a signal of deploy (b1), at most until 2026-01-31T09:00:00.000Z",
  ],
  [{ type: "wait.begun", wait: { kind: "manual" } }, "waits until somebody wakes it"],
  [{ type: "wait.ended", by: "timer" }, "woken by the clock"],
  [{ type: "blockers.added", tasks: [1, 2] }, "blocked by #1, #2"],
  [{ type: "blockers.removed", tasks: [1] }, "no longer blocked by #1"],
  [{ type: "dependents.added", tasks: [3] }, "blocks #3"],
  [{ type: "dependents.removed", tasks: [3] }, "no longer blocks #3"],
  [{ type: "todo.linked", session: "s", todo: 4 }, "linked to todo 4 of s"],
  [{ type: "todo.unlinked", session: "s", todo: 4 }, "no longer linked to todo 4 of s"],
];

test.each(cases)("%j", (event, words) => expect(eventWords(event, isoTime)).toBe(words));

test("people read their own clock", () => {
  const begun = (time: number): TaskEvent => ({ type: "wait.begun", wait: { kind: "timer", at: time } });
  expect(eventWords(begun(new Date(2026, 0, 31, 9).getTime()))).toBe("waits until 2026-01-31 09:00:00");
  expect(eventWords(begun(9e15))).toBe("waits until the end of time");
});
