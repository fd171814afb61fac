import { describe, expect, test } from "vitest";
import { listWith, planWith, reportWith } from "../../../test/readers/session-reports.js";
import type { PlanReport } from "../plans/plan-report.js";
import { changesBetween } from "./changes.js";
import type { SessionReport } from "./session-report.js";

const todos = (...texts: string[]) => reportWith({ title: "T", list: listWith(...texts) });
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
    then: ['Todo "a": in_progress -> completed', 'Todo "b": pending -> in_progress'],
  },
  {
    name: "also when the next stands first",
    before: todos("b", "a!"),
    after: todos("b!", "a."),
    then: ['Todo "a": in_progress -> completed', 'Todo "b": pending -> in_progress'],
  },
  { name: "a new todo", before: todos("a!"), after: todos("a!", "b"), then: ['Todo "b": new -> pending'] },
  { name: "a todo is gone", before: todos("a!", "b"), after: todos("a!"), then: ['Todo "b": pending -> removed'] },
  {
    name: "the list is over",
    before: todos("a.", "b!"),
    after: todos(),
    then: ['Todo "a": completed -> cleared', 'Todo "b": in_progress -> cleared'],
  },
  {
    name: "two with the same text",
    before: todos("a!", "a"),
    after: todos("a.", "a!"),
    then: ['Todo "a": in_progress -> completed', 'Todo "a" (2): pending -> in_progress'],
  },
  {
    name: "a task",
    before: tasks(task("1")),
    after: tasks(task("1", "completed"), task("2")),
    then: ['Task #1 "task 1": pending -> completed', 'Task #2 "task 2": new -> pending'],
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
