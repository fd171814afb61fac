import fc from "fast-check";
import { expect, test } from "vitest";
import { command, policy } from "../../../test/arbitraries.js";
import { sized } from "../../../test/sizes.js";
import type { NewTodo, TodoCommand } from "./command.js";
import { decide } from "./decide.js";
import type { TodoEvent } from "./events.js";
import { evolve, evolveAll } from "./evolve.js";
import { EMPTY_LIST, isOpen, type TodoList, todosOf } from "./list.js";
import { diffLists } from "./list-diff.js";
import { type TodoPolicy, WHOLE_LIST } from "./policy.js";
import { progressOf } from "./progress.js";

/** One accepted write of a random history. */
interface Step {
  readonly command: TodoCommand;
  readonly before: TodoList;
  readonly after: TodoList;
  readonly events: readonly TodoEvent[];
}

function play(commands: readonly TodoCommand[], rules: TodoPolicy): readonly Step[] {
  const steps: Step[] = [];
  let before = EMPTY_LIST;
  for (const command of commands) {
    const decision = decide(before, command, rules);
    if (!decision.ok) continue; // a refusal carries no events, so there is nothing that could have changed
    const { events } = decision.value;
    const after = evolveAll(before, events);
    steps.push({ command, before, after, events });
    before = after;
  }
  return steps;
}

/** A list to begin with, so that the random commands find todos to work on. */
const BEGIN: TodoCommand = {
  type: "edit",
  edits: [{ type: "add", todos: ["a", "b", "c", "d"].map((text) => ({ text })) }],
};
const history = fc.array(command, { maxLength: 15 }).map((commands) => [BEGIN, ...commands]);

function forAll(check: (steps: readonly Step[], rules: TodoPolicy) => void): void {
  fc.assert(
    fc.property(history, policy, (commands, rules) => check(play(commands, rules), rules)),
    { numRuns: sized(250, 5000) },
  );
}

const numbersOf = (list: TodoList) => todosOf(list).map(({ number }) => number);

test("random histories are worth their name: writes land, and every event occurs", () => {
  const seen = new Map<string, number>();
  let commandCount = 0;
  let landed = 0;
  for (const [commands, rules] of fc.sample(fc.tuple(history, policy), { numRuns: 1000, seed: 7 })) {
    const steps = play(commands, rules);
    commandCount += commands.length;
    landed += steps.filter(({ events }) => events.length > 0).length;
    for (const { type } of steps.flatMap(({ events }) => events)) seen.set(type, (seen.get(type) ?? 0) + 1);
  }
  expect(landed / commandCount).toBeGreaterThan(0.4);
  expect(seen.size).toBe(11);
  expect(Math.min(...seen.values())).toBeGreaterThan(100);
});

test("at most one todo is in progress where the policy says so", () => {
  forAll((steps, { focus }) => {
    if (focus === "allow") return;
    for (const { after } of steps)
      expect(todosOf(after).filter(({ status }) => status === "in_progress").length).toBeLessThan(2);
  });
});

test("a write that breaks a rule is refused, and the same command is refused again: nothing moved", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 8 }), command, policy, (commands, last, rules) => {
      const list = play(commands, rules).at(-1)?.after ?? EMPTY_LIST;
      const frozen = JSON.stringify(list);
      const decision = decide(list, last, rules);
      expect(JSON.stringify(list)).toBe(frozen);
      expect(decide(list, last, rules)).toEqual(decision);
    }),
    { numRuns: sized(125, 2500) },
  );
});

test("a refused edit leaves no trace but the todos it added before: without it the same batch does the same", () => {
  fc.assert(
    fc.property(history, command, policy, (commands, last, rules) => {
      const partial = { ...rules, batch: "partial" as const };
      const list = play(commands, partial).at(-1)?.after ?? EMPTY_LIST;
      const decision = decide(list, last, partial);
      if (last.type !== "edit" || !decision.ok) return;
      const refused = new Map(decision.value.refused.map((error) => [error.edit, error]));
      const edits = last.edits.flatMap((edit, at) => {
        const error = refused.get(at);
        if (!error) return [edit];
        return edit.type === "add" ? [{ ...edit, todos: edit.todos.slice(0, error.index ?? 0) }] : [];
      });
      const { events } = decision.value;
      if (edits.length > 0)
        expect(decide(list, { ...last, edits }, partial)).toEqual({ ok: true, value: { events, refused: [] } });
    }),
    { numRuns: sized(500, 10_000) },
  );
});

test("numbers are unique, and a number that is gone never comes back", () => {
  forAll((steps) => {
    const gone = new Set<number>();
    for (const { before, after } of steps) {
      const now = numbersOf(after);
      expect(new Set(now).size).toBe(now.length);
      for (const number of now) expect(gone.has(number)).toBe(false);
      for (const number of now) expect(number).toBeLessThan(after.nextNumber);
      for (const number of numbersOf(before)) if (!now.includes(number)) gone.add(number);
      for (const { number } of diffLists(before, after).added) expect(number).toBeGreaterThanOrEqual(before.nextNumber);
    }
  });
});

test("a number keeps its todo: only a recorded rename changes its text", () => {
  forAll((steps) => {
    for (const { before, after, events } of steps) {
      const renamed = new Set(events.flatMap((event) => (event.type === "todo.renamed" ? [event.number] : [])));
      for (const { todo } of diffLists(before, after).renamed) expect(renamed.has(todo.number)).toBe(true);
    }
  });
});

test("the revision grows by one with each change, and by nothing without", () => {
  forAll((steps) => {
    for (const { before, after, events } of steps) {
      expect(after.revision).toBe(before.revision + (events.length > 0 ? 1 : 0));
      for (const event of events) expect(event.revision).toBe(before.revision + 1);
      if (events.length === 0) expect(after).toEqual(before);
    }
  });
});

test("replayed events, one by one and through JSON, give the same list", () => {
  forAll((steps) => {
    const events: readonly TodoEvent[] = JSON.parse(JSON.stringify(steps.flatMap((step) => step.events)));
    const replayed = events.reduce<TodoList>(evolve, EMPTY_LIST);
    expect(replayed).toEqual(steps.at(-1)?.after ?? EMPTY_LIST);
  });
});

test("a parent is on the list, and nothing is part of itself", () => {
  forAll((steps) => {
    for (const { after } of steps) {
      const parents = new Map(todosOf(after).map(({ number, parent }) => [number, parent]));
      for (const start of parents.keys()) {
        const seen = new Set<number>();
        for (let at: number | undefined = start; at !== undefined; at = parents.get(at)) {
          expect(parents.has(at) && !seen.has(at)).toBe(true);
          seen.add(at);
        }
      }
    }
  });
});

test("a list that empties itself is never left finished; one that promotes is never left without a focus", () => {
  forAll((steps, { clearWhenDone, promote }) => {
    for (const { after, command, events } of steps) {
      const todos = todosOf(after);
      if (clearWhenDone === "now" && events.length > 0) expect(todos.length === 0 || todos.some(isOpen)).toBe(true);
      const mayAdvance = command.type !== "edit" || command.advance !== false;
      if (promote === "always" && mayAdvance && todos.some(isOpen)) expect(progressOf(after).current).toBeDefined();
    }
  });
});

test("limits hold after every write", () => {
  forAll((steps, { limits }) => {
    for (const { after } of steps) {
      for (const { text, notes, evidence } of todosOf(after)) {
        if (limits.codePoints !== null) expect([...text].length).toBeLessThanOrEqual(limits.codePoints);
        if (limits.bytes !== null) expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limits.bytes);
        if (limits.emptyText === "refuse") expect(text.trim()).not.toBe("");
        if (limits.emptyText === "refuse-white-space") expect(text).toMatch(/\P{White_Space}/u);
        if (limits.notes !== null) expect(notes.length).toBeLessThanOrEqual(limits.notes);
        for (const said of [...notes, ...evidence.map((one) => one.text)]) {
          if (limits.codePoints !== null) expect([...said].length).toBeLessThanOrEqual(limits.codePoints);
          if (limits.emptyText === "refuse") expect(said.trim()).not.toBe("");
        }
      }
      if (limits.todos !== null) expect(todosOf(after).length).toBeLessThanOrEqual(limits.todos);
    }
  });
});

test("a rewrite gives exactly the list that was asked for", () => {
  const texts = fc.array(fc.constantFrom("a", "b", "c", "run tests", "run all tests", "run the tests"), {
    maxLength: 6,
  });
  const wanted = texts.map((all) =>
    all.map((text, index): NewTodo => ({ text, status: index % 2 ? "completed" : "pending" })),
  );
  fc.assert(
    fc.property(fc.array(wanted, { minLength: 1, maxLength: 6 }), (lists) => {
      const commands = lists.map(
        (todos): TodoCommand => ({ type: "replace", phases: todos.length > 0 ? [{ name: "", todos }] : [] }),
      );
      const last = play(commands, WHOLE_LIST).at(-1)?.after ?? EMPTY_LIST;
      expect(todosOf(last).map(({ text, status }) => ({ text, status }))).toEqual(lists.at(-1));
    }),
    { numRuns: sized(125, 2500) },
  );
});
