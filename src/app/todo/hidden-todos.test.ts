import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY_LIST, TODO_STATUSES, type Todo, type TodoList, type TodoStatus, todosOf } from "../../core/todo/list.js";
import { hiddenTodos, withoutTodos } from "./hidden-todos.js";

const todo = (number: number, status: TodoStatus): Todo => ({
  ...{ number, status, text: `t${number}`, notes: [], evidence: [] },
});
const list = (...phases: readonly (readonly TodoStatus[])[]): TodoList => {
  let number = 0;
  return {
    ...EMPTY_LIST,
    phases: phases.map((all, at) => ({ name: `P${at}`, todos: all.map((status) => todo(++number, status)) })),
  };
};

const NOW = 1_000_000;
const ago = (seconds: number) => NOW - seconds * 1000;

describe("what a panel no longer draws", () => {
  const all = list(["completed", "cancelled", "in_progress", "pending"]);
  test.each<[string, Readonly<Record<string, number>>, seconds: number, hidden: number[]]>([
    ["closed a moment ago: nothing", { 1: ago(0), 2: ago(59.999) }, 60, []],
    ["closed just as long ago as it is shown", { 1: ago(60), 2: ago(59) }, 60, [1]],
    ["closed longer ago", { 1: ago(61), 2: ago(3600) }, 60, [1, 2]],
    ["at once", { 1: NOW, 2: NOW }, 0, [1, 2]],
    ["never", { 1: ago(1e9), 2: ago(1e9) }, -1, []],
    ["closed before what is kept of the history", { 2: NOW }, 60, [1]],
    ["an open todo stays, whatever is told of it", { 1: NOW, 2: NOW, 3: ago(1e6), 4: ago(1e6) }, 60, []],
    ["a clock that runs backwards hides nothing", { 1: NOW + 9000, 2: NOW + 9000 }, 0, []],
  ])("%s", (_name, closings, seconds, hidden) => {
    expect(hiddenTodos(all, closings, NOW, seconds)).toEqual(hidden);
  });

  test("a phase that has no other todos goes too; the list itself is untouched", () => {
    const before = list(["completed"], ["cancelled", "pending"], []);
    const copy = structuredClone(before);
    const shown = withoutTodos(before, hiddenTodos(before, {}, NOW, 60));
    expect(shown.phases.map(({ name, todos }) => [name, todos.map(({ number }) => number)])).toEqual([["P1", [3]]]);
    expect(before).toEqual(copy);
    expect(withoutTodos(before, [])).toBe(before);
  });

  test("open todos are always left, in their order, and time only hides more", () => {
    const statuses = fc.array(fc.array(fc.constantFrom(...TODO_STATUSES), { maxLength: 5 }), { maxLength: 4 });
    const times = fc.dictionary(fc.constantFrom("1", "2", "3", "4", "5"), fc.integer({ min: 0, max: NOW }));
    fc.assert(
      fc.property(
        statuses,
        times,
        fc.integer({ min: -1, max: 2000 }),
        fc.nat(NOW),
        (phases, closings, seconds, later) => {
          const before = list(...phases);
          const hidden = hiddenTodos(before, closings, NOW, seconds);
          const shown = todosOf(withoutTodos(before, hidden));
          expect(shown).toEqual(todosOf(before).filter(({ number }) => !hidden.includes(number)));
          const open = todosOf(before).filter(({ status }) => status === "pending" || status === "in_progress");
          expect(shown).toEqual(expect.arrayContaining(open));
          expect(hiddenTodos(before, closings, NOW + later, seconds)).toEqual(expect.arrayContaining([...hidden]));
        },
      ),
    );
  });
});
