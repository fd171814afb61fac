import fc from "fast-check";
import { expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { EMPTY_LIST, isOpen, type TodoList, todosOf } from "../../core/todo/list.js";
import { speak } from "../speak.js";
import { ohMyPi } from "./oh-my-pi.js";
import { phasesOf } from "./pi-phases.js";
import type { PiOp } from "./pi-schema.js";

/** The rules once more, as plainly as they can be said: lists that are changed in place, and no events. */
type Tasks = { content: string; status: string; notes?: string[] }[];
type Phases = { name: string; tasks: Tasks }[];

function applyPlainly(phases: Phases, op: PiOp): { phases: Phases; isRefused: boolean } {
  const all = phases.flatMap(({ tasks }) => tasks);
  const task = all.find(({ content }) => content === op.task);
  const phase = phases.find(({ name }) => name === op.phase);
  const targets = op.task ? task && [task] : op.phase ? phase?.tasks : all;
  const done = { phases, isRefused: false };
  const refused = { phases, isRefused: true };
  switch (op.op) {
    case "init": {
      const tasksOf = (items: readonly string[]) => items.map((content) => ({ content, status: "pending" }));
      const list = op.list ?? [];
      return { phases: list.map((one) => ({ name: one.phase, tasks: tasksOf(one.items) })), isRefused: !op.list };
    }
    case "start":
      if (!op.task || !task) return refused;
      for (const one of all) if (one.status === "in_progress") one.status = "pending";
      task.status = "in_progress";
      return done;
    case "done":
    case "drop":
      for (const one of targets ?? []) one.status = op.op === "done" ? "completed" : "abandoned";
      return targets ? done : refused;
    case "rm":
      for (const one of phases) one.tasks = one.tasks.filter((other) => !targets?.includes(other));
      return targets ? done : refused;
    case "note": {
      const text = (op.text ?? "").trimEnd();
      if (!op.task || !task || text === "") return refused;
      task.notes = [...(task.notes ?? []), text];
      return done;
    }
    case "append":
      if (!op.phase || !op.items) return refused;
      if (!phase) phases.push({ name: op.phase, tasks: [] });
      return { phases, isRefused: !appendPlainly(phases, op.phase, op.items) };
  }
}

function appendPlainly(phases: Phases, name: string, items: readonly string[]): boolean {
  for (const content of items) {
    if (phases.some(({ tasks }) => tasks.some((task) => task.content === content))) return false;
    phases.find((phase) => phase.name === name)?.tasks.push({ content, status: "pending" });
  }
  return true;
}

function keepOneActive(phases: Phases): void {
  const all = phases.flatMap(({ tasks }) => tasks);
  const [first, ...others] = all.filter(({ status }) => status === "in_progress");
  for (const other of others) other.status = "pending";
  const next = first ?? all.find(({ status }) => status === "pending");
  if (next) next.status = "in_progress";
}

const name = fc.constantFrom("", "a", "b", "c", "run the tests", "run all the tests", "task-1");
const names = fc.array(name, { minLength: 1, maxLength: 4 });
const anyOp: fc.Arbitrary<PiOp> = fc.record(
  {
    op: fc.constantFrom("init", "start", "done", "rm", "drop", "append", "append", "note"),
    list: fc.array(fc.record({ phase: name, items: names }), { maxLength: 3 }),
    task: name,
    phase: name,
    items: names,
    text: fc.constantFrom("n", " n \n", "\n", ""),
  },
  { requiredKeys: ["op"] },
);
const anyBatches = fc.array(fc.array(anyOp, { minLength: 1, maxLength: 5 }), { maxLength: 6 });

test("whatever the operations, the list is what the plain rules make of it", () => {
  fc.assert(
    fc.property(anyBatches, (batches) => {
      let list: TodoList = EMPTY_LIST;
      let plain: Phases = [];
      for (const ops of batches) {
        const spoken = speak(ohMyPi, list, { tool: "todo_write", input: { value: { ops } } });
        let isRefused = false;
        for (const op of ops) {
          const applied = applyPlainly(plain, op);
          plain = applied.phases;
          isRefused ||= applied.isRefused;
        }
        keepOneActive(plain);
        list = spoken.list;
        expect(phasesOf(list)).toEqual(plain);
        expect(spoken.answer.isError).toBe(isRefused);
      }
    }),
    { numRuns: sized(750, 15_000) },
  );
});

test("numbers stay unique, and exactly one todo is in progress while one is open", () => {
  fc.assert(
    fc.property(anyBatches, (batches) => {
      let list: TodoList = EMPTY_LIST;
      for (const ops of batches) {
        list = speak(ohMyPi, list, { tool: "todo_write", input: { value: { ops } } }).list;
        const todos = todosOf(list);
        expect(new Set(todos.map(({ number }) => number)).size).toBe(todos.length);
        const active = todos.filter(({ status }) => status === "in_progress").length;
        expect(active).toBe(todos.some(isOpen) ? 1 : 0);
      }
    }),
    { numRuns: sized(125, 2500) },
  );
});
