import { describe, expect, test } from "vitest";
import { listWith, planWith, reportWith } from "../../../test/readers/session-reports.js";
import type { PlanReport } from "../plans/plan-report.js";
import { changesBetween } from "./changes.js";
import type { SessionReport } from "./session-report.js";

const todos = (...texts: string[]) => reportWith({ title: "T", list: listWith(...texts) });
/** Numbered from `first`. */
const listOf = (first: number, ...texts: string[]) => {
  const list = listWith(...texts);
  const phases = list.phases.map(({ name, todos: all }) => ({
    name,
    todos: all.map((todo, at) => ({ ...todo, number: first + at })),
  }));
  return { ...list, phases };
};
const done = (texts: string[], list = listWith()) =>
  reportWith({ title: "T", list, finished: { at: 5000, list: listWith(...texts), spans: [] } });
const task = (id: string, status: "pending" | "completed" = "pending") => ({
  id,
  subject: `task ${id}`,
  status,
  blocks: [],
  blockedBy: [],
  at: 0,
});
const tasks = (...all: ReturnType<typeof task>[]) => reportWith({ title: "T", tasks: all });
const plan = (title: string, fields: Partial<PlanReport> = {}) =>
  reportWith({}, { plan: planWith({ title, ...fields }) });

function lines(before: SessionReport | undefined, after: SessionReport): readonly string[] {
  return changesBetween(new Map(before ? [[before.id, before]] : []), [after]).map(({ text }) => text);
}

const cases: { name: string; before?: SessionReport; after: SessionReport; then: string[] }[] = [
  { name: "nothing", before: todos("a!"), after: todos("a!"), then: [] },
  {
    name: "a new session, with all it has",
    after: todos("a!", "b"),
    then: ['Session "T": new -> running', 'Todo "b": new -> pending', 'Todo "a": new -> in_progress'],
  },
  { name: "a new session without a title", after: reportWith(), then: ['Session "s1": new -> running'] },
  {
    name: "one todo is put down before the next is taken up",
    before: todos("a!", "b"),
    after: todos("a.", "b!"),
    then: ['Todo "a": in_progress -> completed  ? unbacked', 'Todo "b": pending -> in_progress'],
  },
  {
    name: "also when the next stands first",
    before: todos("b", "a!"),
    after: todos("b!", "a."),
    then: ['Todo "a": in_progress -> completed  ? unbacked', 'Todo "b": pending -> in_progress'],
  },
  { name: "a new todo", before: todos("a!"), after: todos("a!", "b"), then: ['Todo "b": new -> pending'] },
  { name: "a todo is gone", before: todos("a!", "b"), after: todos("a!"), then: ['Todo "b": pending -> removed'] },
  {
    name: "the list is given up",
    before: todos("a.", "b!"),
    after: todos(),
    then: ['Todo "b": in_progress -> removed'],
  },
  {
    name: "the list is finished and cleared",
    before: todos("a.", "b!", "c"),
    after: done(["a.", "b.", "c-"]),
    then: ['Todo "b": in_progress -> completed  ? unbacked', 'Todo "c": pending -> cancelled'],
  },
  {
    name: "written, finished and cleared between two looks",
    before: todos(),
    after: done(["a.", "b."]),
    then: ['Todo "a": new -> completed  ? unbacked', 'Todo "b": new -> completed  ? unbacked'],
  },
  {
    name: "finished, and the next list begun with a text of the last",
    before: todos("a!"),
    after: done(["a."], listOf(2, "a!", "b")),
    then: [
      'Todo "a": in_progress -> completed  ? unbacked',
      'Todo "b": new -> pending',
      'Todo "a": new -> in_progress',
    ],
  },
  {
    name: "finished, and still on the list",
    before: todos("a!"),
    after: done(["a."], listWith("a.")),
    then: ['Todo "a": in_progress -> completed  ? unbacked'],
  },
  { name: "what was finished before is no news", before: done(["a."]), after: done(["a."]), then: [] },
  { name: "cleared long after it was finished", before: done(["a."], listWith("a.")), after: done(["a."]), then: [] },
  {
    name: "two with the same text",
    before: todos("a!", "a"),
    after: todos("a.", "a!"),
    then: ['Todo "a": in_progress -> completed  ? unbacked', 'Todo "a" (2): pending -> in_progress'],
  },
  {
    name: "a task",
    before: tasks(task("1")),
    after: tasks(task("1", "completed"), task("2")),
    then: ['Task #1 "task 1": pending -> completed  ? unbacked', 'Task #2 "task 2": new -> pending'],
  },
  {
    name: "a task is gone, and it was no list that was cleared",
    before: tasks(task("1"), task("2")),
    after: tasks(task("2")),
    then: ['Task #1 "task 1": pending -> removed'],
  },
  {
    name: "a plan",
    before: reportWith(),
    after: plan("P"),
    then: ['Plan abcd-efghi "P": none -> proposed'],
  },
  {
    name: "a decision",
    before: plan("P"),
    after: plan("P", { status: "approved" }),
    then: ['Plan abcd-efghi "P": proposed -> approved'],
  },
  {
    name: "a plan that a person has changed",
    before: plan("P"),
    after: plan("P", { hash: "other" }),
    then: ['Plan abcd-efghi "P": edited'],
  },
  {
    name: "another plan",
    before: plan("P"),
    after: plan("Q", { id: "abcd-zzzzz" }),
    then: ['Plan abcd-zzzzz "Q": none -> proposed'],
  },
  {
    name: "a plan taken back",
    before: plan("P"),
    after: reportWith(),
    then: ['Plan abcd-efghi "P": proposed -> none'],
  },
  {
    name: "a title that would act",
    before: reportWith(),
    after: plan('\u001b[31m"x'),
    then: ['Plan abcd-efghi "␛[31m\\"x": none -> proposed'],
  },
  { name: "a compaction", before: reportWith(), after: reportWith({ compactions: 1 }), then: ["Context compacted"] },
  {
    name: "a state",
    before: reportWith(),
    after: reportWith({}, { state: "stalled" }),
    then: ['Session "s1": running -> stalled'],
  },
];

test.each(cases)("$name", ({ before, after, then }) => expect(lines(before, after)).toEqual(then));

test("todos that are told from the log are left out", () => {
  const [before, after] = [todos("a!"), { ...todos("a.", "b"), state: "idle" } as const];
  const told = changesBetween(new Map([["s1", before]]), [after], (id) => id === "s1");
  expect(told.map(({ text }) => text)).toEqual(['Session "T": running -> idle']);
});

describe("a text of an agent's", () => {
  test.each(["\u001b[2J", 'a\nTodo "forged": new -> completed', "\u202eabc", "\u0007", "a\rb"])(
    "%j stays in its line",
    (text) => {
      for (const line of lines(undefined, reportWith({ title: text, list: listWith(text) })))
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    },
  );

  test("cannot end its own quotation", () => {
    expect(lines(todos(), todos('x": new -> completed'))).toEqual(['Todo "x\\": new -> completed": new -> pending']);
  });
});

test("each change says whose it is", () => {
  expect(changesBetween(new Map(), [reportWith({ folder: "/home/dev/app" })])).toMatchObject([
    { session: "s1", agent: "claude-code", folder: "/home/dev/app" },
  ]);
});
