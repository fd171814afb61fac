import { expect, test } from "vitest";
import { sweepList } from "./carried-list.js";
import { decide } from "./decide.js";
import { evolveAll } from "./evolve.js";
import { EMPTY_LIST, type TodoStatus } from "./list.js";
import { WHOLE_LIST } from "./policy.js";

function listOf(...phases: readonly (readonly [string, ...TodoStatus[]])[]) {
  const wanted = phases.map(([name, ...all]) => ({
    name,
    todos: all.map((status, at) => ({ text: `${name}${at}`, status })),
  }));
  const decision = decide(EMPTY_LIST, { type: "replace", phases: wanted }, WHOLE_LIST);
  return decision.ok ? evolveAll(EMPTY_LIST, decision.value.events) : EMPTY_LIST;
}

const ROWS = [
  {
    name: "closed todos that are due go",
    list: listOf(["P", "completed", "pending", "cancelled"]),
    due: [1, 3],
    then: [["P", 2]],
  },
  {
    name: "closed todos that are not due stay",
    list: listOf(["P", "completed", "completed"]),
    due: [2],
    then: [["P", 1]],
  },
  {
    name: "open todos stay, whatever is asked",
    list: listOf(["P", "pending", "in_progress"]),
    due: [1, 2],
    then: [["P", 1, 2]],
  },
  {
    name: "every phase that has none goes along",
    list: listOf(["P", "completed"], ["Q"], ["R", "pending"]),
    due: [1],
    then: [["R", 2]],
  },
  {
    name: "nothing due changes nothing, empty phases included",
    list: listOf(["P"], ["R", "pending"]),
    due: [1],
    then: [["P"], ["R", 1]],
  },
  { name: "a list may end up empty", list: listOf(["P", "completed"]), due: [1], then: [] },
] as const;

test.each(ROWS)("$name", ({ list, due, then }) => {
  const events = sweepList(list, (number) => (due as readonly number[]).includes(number));
  const after = evolveAll(list, events);
  expect(after.phases.map(({ name, todos }) => [name, ...todos.map(({ number }) => number)])).toEqual(then);
  expect(after.revision).toBe(list.revision + (events.length > 0 ? 1 : 0));
});
