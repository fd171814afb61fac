import { expect, test } from "vitest";
import { append, type EventStore, type NewEvent } from "../../../store/event-store.js";
import { openMilepost } from "../../milepost.js";
import { SWEEPER } from "../../todo/sweep-closed.js";
import { ListEvents } from "./list-events.js";

type Change = readonly [type: string, data: object, revision: number];

const opened: Change = ["phase.opened", { name: "" }, 1];
const added = (number: number, text: string, revision: number, status = "pending"): Change => [
  "todo.added",
  { number, phase: 0, text, status },
  revision,
];
const moved = (number: number, from: string, to: string, revision: number): Change => [
  "todo.moved",
  { number, from, to },
  revision,
];
const removed = (number: number, text: string, status: string, revision: number): Change => [
  "todo.removed",
  { number, text, status },
  revision,
];
const cleared = (revision: number): Change => ["list.cleared", {}, revision];

/** `before` is there when somebody begins to follow; each group of `commits` is a commit. */
const cases: { name: string; before?: Change[]; commits: Change[][]; actor?: string; then: string[] }[] = [
  {
    name: "every step of a todo, however fast",
    before: [opened, added(1, "a", 1)],
    commits: [[moved(1, "pending", "in_progress", 2)], [moved(1, "in_progress", "completed", 3)]],
    then: ['Todo "a": pending -> in_progress', 'Todo "a": in_progress -> completed'],
  },
  {
    name: "a list that was written, finished and cleared",
    commits: [
      [opened, added(1, "a", 1, "in_progress"), added(2, "b", 1)],
      [moved(1, "in_progress", "completed", 2), moved(2, "pending", "completed", 2), cleared(2)],
    ],
    then: [
      'Todo "b": new -> pending',
      'Todo "a": new -> in_progress',
      'Todo "a": in_progress -> completed',
      'Todo "b": pending -> completed',
    ],
  },
  {
    name: "one is put down before the next is taken up",
    before: [opened, added(1, "b", 1), added(2, "a", 1, "in_progress")],
    commits: [[moved(1, "pending", "in_progress", 2), moved(2, "in_progress", "completed", 2)]],
    then: ['Todo "a": in_progress -> completed', 'Todo "b": pending -> in_progress'],
  },
  {
    name: "a list that is given up",
    before: [opened, added(1, "a", 1, "completed"), added(2, "b", 1)],
    commits: [[cleared(2)]],
    then: ['Todo "b": pending -> removed'],
  },
  {
    name: "a todo that is taken off",
    before: [opened, added(1, "a", 1), added(2, "b", 1, "completed")],
    commits: [[removed(1, "a", "pending", 2)], [removed(2, "b", "completed", 3)]],
    then: ['Todo "a": pending -> removed', 'Todo "b": completed -> removed'],
  },
  {
    name: "what a setting sweeps is no news",
    before: [opened, added(1, "a", 1, "completed"), added(2, "b", 1)],
    commits: [[removed(1, "a", "completed", 2)]],
    actor: SWEEPER,
    then: [],
  },
  {
    name: "another name, and the second of two with one text",
    before: [opened, added(1, "a", 1), added(2, "b", 1)],
    commits: [
      [["todo.renamed", { number: 2, from: "b", to: "a" }, 2]],
      [moved(2, "pending", "in_progress", 3), ["todo.noted", { number: 2, text: "n" }, 3]],
    ],
    then: ['Todo "b": renamed to "a"', 'Todo "a" (2): pending -> in_progress'],
  },
  {
    name: "nothing of what is in no list, or broken",
    commits: [[["turn.started", { isStop: false }, 1]], [["todo.moved", { number: "1", from: "x", to: "y" }, 1]]],
    then: [],
  },
];

async function commit(store: EventStore, changes: readonly Change[], actor?: string): Promise<void> {
  const events = changes.map(
    ([type, data, revision]): NewEvent => ({ type, data: { ...data, revision }, ...(actor && { actor }) }),
  );
  await store.commit(append([{ stream: "session:s1", events }]));
}

test.each(cases)("$name", async ({ before = [], commits, actor, then }) => {
  const { store, close } = await openMilepost({ store: "memory:" });
  if (before.length > 0) await commit(store, before);
  const head = await store.head();
  for (const changes of commits) await commit(store, changes, actor);
  const pages = await store.read({ after: head });
  const lists = new ListEvents(store);
  const lines: string[] = [];
  for await (const { events } of pages.ok ? pages.value : [])
    for (const write of await lists.writesIn(events)) {
      expect(write.session).toBe("s1");
      lines.push(...write.lines);
    }
  expect(lines).toEqual(then);
  await close();
});
