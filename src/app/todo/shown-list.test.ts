import { describe, expect, test } from "vitest";
import type { TodoCommand } from "../../core/todo/command.js";
import { decide } from "../../core/todo/decide.js";
import { evolveAll } from "../../core/todo/evolve.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { fromMarkdown, toMarkdown } from "../../dialects/oh-my-pi/markdown.js";
import { newPhases, phasesOf } from "../../dialects/oh-my-pi/pi-phases.js";
import { onRealList, shownList } from "./shown-list.js";

function listOf(phase: string, ...texts: readonly string[]): TodoList {
  const todos = texts.map((text) => ({ text }));
  return apply(EMPTY_LIST, { type: "replace", explanation: "why", phases: [{ name: phase, todos }] });
}

function apply(list: TodoList, command: TodoCommand): TodoList {
  const decision = decide(list, command, WHOLE_LIST);
  return decision.ok ? evolveAll(list, decision.value.events) : list;
}

const HOSTILE = ["two\n- [x] injected\n# Evil phase\n- [ ] more", "a\u2028b", "", "  c ", "plain", "plain"];

describe("a list as a person reads it", () => {
  test("one line a todo, whatever is in it, and a name for every phase", () => {
    const shown = shownList(listOf("", ...HOSTILE));
    expect(shown.phases.map(({ name }) => name)).toEqual(["Todos"]);
    expect(todosOf(shown).map(({ text }) => text)).toEqual([
      "two - [x] injected # Evil phase - [ ] more",
      "a b",
      "(no text)",
      "c",
      "plain",
      "plain",
    ]);
  });

  test("written as markdown and read again, it is the very same list", () => {
    const list = listOf("", ...HOSTILE);
    const read = fromMarkdown(toMarkdown(phasesOf(shownList(list))));
    expect(read.errors).toEqual([]);
    // The markdown has one todo in progress, as its original does; everything else is as it was.
    const phases = newPhases(read.phases).map((phase) => ({
      ...phase,
      todos: phase.todos.map((todo) => ({ ...todo, status: "pending" as const })),
    }));
    expect(apply(list, onRealList({ type: "replace", phases }, list))).toEqual(list);
  });

  test.each<[string, TodoCommand, TodoCommand]>([
    [
      "a todo by its number",
      { type: "edit", edits: [{ type: "remove", target: { text: "a b" } }] },
      { type: "edit", edits: [{ type: "remove", target: { number: 2 } }] },
    ],
    [
      "a phase by its own name",
      { type: "edit", edits: [{ type: "move", target: { phase: "Todos" }, to: "completed" }] },
      { type: "edit", edits: [{ type: "move", target: { phase: "" }, to: "completed" }] },
    ],
    [
      "a new todo into it",
      { type: "edit", edits: [{ type: "add", phase: "Todos", todos: [{ text: "x" }] }] },
      { type: "edit", edits: [{ type: "add", phase: "", todos: [{ text: "x" }] }] },
    ],
    [
      "a phase that is not there as it is",
      { type: "edit", edits: [{ type: "add", phase: "New", todos: [] }] },
      { type: "edit", edits: [{ type: "add", phase: "New", todos: [] }] },
    ],
  ])("what was planned on it means %s", (_name, planned, real) => {
    expect(onRealList(planned, listOf("", ...HOSTILE))).toEqual(real);
  });

  test("phases and notes that read alike, or cannot be read at all, are theirs after a round trip", () => {
    const noted = (...notes: string[]) => [{ text: "t\nu", notes }];
    const list = apply(EMPTY_LIST, {
      type: "replace",
      phases: [
        { name: "A\n", todos: noted("a\rb", "c\n\nd") },
        { name: "A", todos: noted("\u2028") },
        { name: " ", todos: [{ text: "x" }] },
        { name: "(no text)", todos: [] },
      ],
    });
    const read = fromMarkdown(toMarkdown(phasesOf(shownList(list))));
    expect(read.errors).toEqual([]);
    const phases = newPhases(read.phases).map((phase) => ({
      ...phase,
      todos: phase.todos.map(({ status: _, ...todo }) => todo),
    }));
    expect(apply(list, onRealList({ type: "replace", phases }, list))).toEqual(list);
  });

  test("a further line that reads like another todo is a todo of its own", () => {
    const list = listOf("", "Fix it\nin all files");
    const todos = [{ text: "Fix it in all files" }, { text: "Fix it in all files" }];
    const after = apply(list, onRealList({ type: "replace", phases: [{ name: "Todos", todos }] }, list));
    expect(todosOf(after).map(({ number, text }) => [number, text])).toEqual([
      [1, "Fix it\nin all files"],
      [2, "Fix it in all files"],
    ]);
  });

  test("a todo that is told by its number keeps its own words", () => {
    const list = listOf("", "one\ntwo");
    const planned: TodoCommand = {
      type: "replace",
      phases: [{ name: "Todos", todos: [{ number: 1, text: "one two" }] }],
    };
    expect(apply(list, onRealList(planned, list))).toEqual(list);
  });

  test("twenty thousand todos are not looked through for each of them", () => {
    const texts = Array.from({ length: 20_000 }, (_, at) => `todo ${at % 100}`);
    const todos = texts.map((text) => ({ text }));
    const list = apply(EMPTY_LIST, {
      type: "replace",
      phases: [
        { name: "A", todos },
        { name: "B", todos: [{ text: "z" }] },
      ],
    });
    const real = onRealList({ type: "replace", phases: [{ name: "A", todos }] }, list);
    expect(real.type === "replace" && real.phases[0]?.todos.at(-1)).toMatchObject({ number: 20_000 });
  });

  test("a phase that is really called so is not mixed up with the one without a name", () => {
    const list = apply(listOf("", "a"), {
      type: "edit",
      edits: [{ type: "add", phase: "Todos", todos: [{ text: "b" }] }],
    });
    const planned: TodoCommand = { type: "edit", edits: [{ type: "remove", target: { phase: "Todos" } }] };
    expect(onRealList(planned, list)).toEqual(planned);
  });
});
