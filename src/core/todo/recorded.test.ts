import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { command, policy } from "../../../test/arbitraries.js";
import { sized } from "../../../test/sizes.js";
import { decide } from "./decide.js";
import type { TodoEvent } from "./events.js";
import { evolveAll } from "./evolve.js";
import { EMPTY_LIST, type TodoList } from "./list.js";
import { isTodoList, readTodoEvent } from "./recorded.js";

const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value));

function recordAndRead(event: TodoEvent): TodoEvent | undefined {
  const { type, ...data } = asStored(event);
  return readTodoEvent(type, data);
}

test("whatever is decided can be stored, read back and folded to the same list", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(command, { maxLength: 8 }), policy, (commands, rules) => {
      let list: TodoList = EMPTY_LIST;
      let stored: TodoList = EMPTY_LIST;
      for (const next of commands) {
        const decision = decide(list, next, rules);
        if (!decision.ok) continue;
        const { events } = decision.value;
        const read = events.map(recordAndRead);
        expect(read).toEqual(asStored(events));
        list = evolveAll(list, events);
        stored = asStored(evolveAll(stored, read as TodoEvent[]));
        for (const { type } of events) seen.add(type);
      }
      expect(stored).toEqual(asStored(list));
      expect(isTodoList(stored)).toBe(true);
    }),
    { numRuns: sized(125, 2500) },
  );
  // A run that never met most kinds of events would prove little.
  expect(seen.size).toBeGreaterThan(8);
});

describe("what a newer version or a stranger wrote is passed over", () => {
  test.each<[string, object]>([
    ["todo.blessed", { number: 1, revision: 1 }],
    ["toString", { revision: 1 }],
    ["todo.moved", { number: 1, from: "pending", to: "paused", revision: 1 }],
    ["todo.moved", { number: "1", from: "pending", to: "completed", revision: 1 }],
    ["todo.moved", { number: 1, from: "pending", to: "completed" }],
    ["todo.added", { number: 1, phase: 0, text: 5, status: "pending", revision: 1 }],
    ["todo.added", { number: 1, phase: -1, text: "a", status: "pending", revision: 1 }],
    ["todo.added", { number: 1, phase: 0, text: "a", status: "pending", priority: "urgent", revision: 1 }],
    ["list.ordered", { phases: [{ name: "a", numbers: [1, "2"] }], revision: 1 }],
    ["todo.evidenced", { number: 1, evidence: "done", revision: 1 }],
  ])("%s %j", (type, data) => {
    expect(readTodoEvent(type, data)).toBeUndefined();
  });

  test("any JSON at all: never thrown at, and whatever is let through can be folded", () => {
    const types = ["list.ordered", "todo.added", "todo.detailed", "todo.evidenced", "phase.opened", "list.explained"];
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(
          fc.constantFrom("number", "phase", "phases", "text", "status", "revision", "evidence", "name"),
          fc.jsonValue(),
        ),
        (type, data) => {
          const event = readTodoEvent(type, data);
          if (event) expect(isTodoList(asStored(evolveAll(EMPTY_LIST, [event])))).toBe(true);
        },
      ),
      { numRuns: sized(250, 5000) },
    );
  });

  test.each([
    undefined,
    null,
    7,
    "x",
    [],
    {},
    { phases: 7 },
    { revision: 1, nextNumber: 1, phases: [{ name: "", todos: [{}] }] },
  ])("%j is no list", (value) => {
    expect(isTodoList(value)).toBe(false);
  });
});
