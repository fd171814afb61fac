import { expect, test } from "vitest";
import type { TodoChange } from "./events.js";
import { evolve, evolveAll } from "./evolve.js";
import { EMPTY_LIST, type TodoList } from "./list.js";

const opened = (name: string): TodoChange => ({ type: "phase.opened", name });
const added = (number: number, text: string, phase = 0): TodoChange => ({
  ...{ type: "todo.added", number, text, phase, status: "pending" },
});
const removed = (number: number): TodoChange => ({ type: "todo.removed", number, text: "a", status: "pending" });
const moved: TodoChange = { type: "todo.moved", number: 1, from: "pending", to: "completed" };

const shown = ({ phases }: TodoList) =>
  phases.map(({ name, todos }) => `${name}: ${todos.map(({ number, text, status }) => `${number} ${text} ${status}`)}`);

// Two hooks have once copied the list of a fork twice, and what they wrote is in logs.
test.each<{ name: string; changes: readonly TodoChange[]; then: readonly string[] }>([
  {
    name: "a number that is on the list is not added again",
    changes: [opened("P"), added(1, "a"), added(1, "again"), added(2, "b")],
    then: ["P: 1 a pending,2 b pending"],
  },
  {
    name: "nor to another phase",
    changes: [opened("P"), added(1, "a"), opened("P"), added(1, "a", 1)],
    then: ["P: 1 a pending", "P: "],
  },
  {
    name: "what has happened to it since stays",
    changes: [opened("P"), added(1, "a"), moved, added(1, "a")],
    then: ["P: 1 a completed"],
  },
  {
    name: "one whose phase was not there is not on the list yet",
    changes: [opened("P"), added(1, "a", 7), added(1, "a")],
    then: ["P: 1 a pending"],
  },
  {
    name: "a list that was cleared takes its numbers again",
    changes: [opened("P"), added(1, "a"), { type: "list.cleared" }, opened("P"), added(1, "a")],
    then: ["P: 1 a pending"],
  },
  {
    name: "so does one that it was removed from",
    changes: [opened("P"), added(1, "a"), added(2, "b"), removed(1), added(1, "c")],
    then: ["P: 2 b pending,1 c pending"],
  },
])("$name", ({ changes, then }) => {
  const events = changes.map((change, index) => ({ ...change, revision: index + 1 }));
  expect(shown(evolveAll(EMPTY_LIST, events))).toEqual(then);
  expect(shown(events.reduce(evolve, EMPTY_LIST))).toEqual(then);
});

test("a list that was kept with a number twice has it once after the next event", () => {
  const todo = { number: 1, text: "a", status: "pending" as const, notes: [], evidence: [] };
  const kept: TodoList = { revision: 2, nextNumber: 2, phases: [{ name: "P", todos: [todo, todo] }] };
  expect(shown(evolve(kept, { type: "list.explained", explanation: "why", revision: 3 }))).toEqual(["P: 1 a pending"]);
});
