import { expect, test } from "vitest";
import { LARGEST_VALUE } from "../value-limits.js";
import { decide } from "./decide.js";
import { evolveAll } from "./evolve.js";
import { EMPTY_LIST, type TodoList, todosOf } from "./list.js";
import { boundList, shrinkEvents } from "./list-size.js";
import { WHOLE_LIST } from "./policy.js";

const MIB = 1024 * 1024;

/** As a version without limits has folded it. */
const grown = (...texts: readonly string[]): TodoList => ({
  revision: 7,
  nextNumber: texts.length + 1,
  phases: [
    {
      name: "",
      todos: texts.map((text, at) => ({ number: at + 1, text, status: "pending", notes: [], evidence: [] })),
    },
  ],
});

const write = (list: TodoList, ...texts: readonly string[]) =>
  decide(list, { type: "replace", phases: [{ name: "", todos: texts.map((text) => ({ text })) }] }, WHOLE_LIST);

test.each<readonly [string, readonly string[], string | undefined]>([
  ["the longest text", ["x".repeat(LARGEST_VALUE - 2)], undefined],
  ["one more letter", ["x".repeat(LARGEST_VALUE - 1)], "text-too-long"],
  ["15 long texts", Array.from({ length: 15 }, (_, at) => `${at}${"x".repeat(LARGEST_VALUE - 10)}`), undefined],
  ["more of them", Array.from({ length: 17 }, (_, at) => `${at}${"x".repeat(LARGEST_VALUE - 10)}`), "list-too-large"],
  ["very many short ones", Array.from({ length: 20_000 }, () => "x".repeat(200)), "list-too-large"],
])("a list without limits of its own: %s", (_, texts, then) => {
  const decided = write(EMPTY_LIST, ...texts);
  expect(decided.ok ? undefined : decided.error.code).toBe(then);
});

test("a list that is too large already may shrink, and may not grow", () => {
  const list = grown(...Array.from({ length: 10_000 }, (_, at) => `todo number ${at}: ${"words ".repeat(70)}`));
  const texts = todosOf(list).map(({ text }) => text);
  expect(write(list, ...texts.slice(1)).ok).toBe(true);
  expect(write(list, ...texts, "another")).toMatchObject({ ok: false, error: { code: "list-too-large" } });
});

test("nothing is done to a list that is within the limit", () => {
  const list = grown("a", "x".repeat(100_000), "c");
  expect(shrinkEvents(list)).toEqual([]);
  expect(boundList(list)).toBe(list);
});

test.each<readonly [string, TodoList]>([
  ["one text of 14 MB", grown("before", "x".repeat(14 * MIB), "after")],
  ["a hundred of 140 KB", grown(...Array.from({ length: 100 }, (_, at) => `${at} ${"y".repeat(140_000)}`))],
  ["many thousands of 170", grown(...Array.from({ length: 25_000 }, (_, at) => `${at} ${"z".repeat(170)}`))],
])("%s shrinks to the size of a value by one write, with its numbers", (_, list) => {
  const events = shrinkEvents(list);
  expect(new Set(events.map(({ revision }) => revision))).toEqual(new Set([8]));
  const after = evolveAll(list, events);
  expect(JSON.stringify(after).length).toBeLessThan(2 * LARGEST_VALUE);
  const [before, kept] = [todosOf(list), todosOf(after)];
  expect(kept.map(({ number }) => number)).toEqual(before.slice(0, kept.length).map(({ number }) => number));
  expect(after.nextNumber).toBe(list.nextNumber);
  expect(JSON.stringify(after)).toMatch(/\[(?:cut|left out) by Milepost/);
  expect(shrinkEvents(after)).toEqual([]);
});
