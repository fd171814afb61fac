import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type PortableTask, travelling } from "../../../task-files/portable-task.js";
import { inOrder } from "./import-order.js";

function task(id: string, blockedBy: readonly string[] = [], parent?: string): PortableTask {
  return travelling({ id, subject: id, blockedBy, ...(parent === undefined ? undefined : { parent }) });
}

const ids = (tasks: readonly PortableTask[]) => tasks.map(({ id }) => id);

describe("tasks of a file come in an order in which each can be added", () => {
  test("blockers and parents first, else as they stand", () => {
    const { tasks, problems } = inOrder([task("a", ["c"]), task("b", [], "d"), task("c"), task("d")]);
    expect(ids(tasks)).toEqual(["c", "a", "d", "b"]);
    expect(problems).toEqual([]);
  });

  test.each([
    ["itself", [task("a", ["a"])], ["a"], /blocker a would create a cycle/],
    ["a circle", [task("a", ["b"]), task("b", ["a"])], ["b", "a"], /blocker a would create a cycle/],
    ["parents in a circle", [task("a", [], "b"), task("b", [], "a")], ["b", "a"], /parent a would create a cycle/],
    ["one that is not there", [task("a", ["z"])], ["a"], /blocker z is not in the file/],
  ])("%s is left out and named, the tasks are not", (_, given, wanted, problem) => {
    const { tasks, problems } = inOrder(given);
    expect(ids(tasks)).toEqual(wanted);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(problem)]);
  });

  test("a chain of 100,000", () => {
    const chain = Array.from({ length: 100_000 }, (_, at) => task(`${at}`, [`${at + 1}`]));
    expect(inOrder(chain).tasks).toHaveLength(100_000);
  });

  test("any file: every task once, each behind everything it needs", () => {
    const some = fc.array(
      fc.record({ needs: fc.array(fc.nat(12), { maxLength: 4 }), parent: fc.option(fc.nat(12), { nil: undefined }) }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, (file) => {
        const given = file.map(({ needs, parent }, at) =>
          task(`${at}`, needs.map(String), parent === undefined ? undefined : `${parent}`),
        );
        const { tasks } = inOrder(given);
        expect([...ids(tasks)].sort()).toEqual([...ids(given)].sort());
        const seen = new Set<string>();
        for (const { id, blockedBy, parent } of tasks) {
          for (const need of [...blockedBy, ...(parent === undefined ? [] : [parent])]) expect(seen).toContain(need);
          seen.add(id);
        }
      }),
    );
  });
});
