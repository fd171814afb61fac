import { expect, test } from "vitest";
import { sameLine, withStore } from "./next-step.js";

test.each<[string, readonly string[], string | undefined]>([
  ["a flag and its value", ["todo done", "3", "--session", "abx"], "milepost todo done 3 --session abc1"],
  ["in one word", ["todo done", "3", "--session=abx"], "milepost todo done 3 --session=abc1"],
  ["a word", ["sessions", "abx", "--json"], "milepost sessions abc1 --json"],
  ["words are quoted", ["tell", "it's $5", "--session", "abx"], "milepost tell 'it'\\''s $5' --session abc1"],
  ["the last one is meant", ["tell", "abx", "--session", "abx"], "milepost tell abx --session abc1"],
  [
    "a password is not printed",
    ["digest", "--session", "abx", "--store", "postgres://me:secret@db/x"],
    "milepost digest --session abc1 --store 'postgres://me:***@db/x'",
  ],
  ["what was not typed", ["todo list"], undefined],
])("the same line with another value: %s", (_, line, then) => {
  expect(sameLine(line, "abx", "abc1")).toBe(then);
});

test.each([
  ["To see all damage: milepost doctor", "To see all damage: milepost doctor --store 'a b.db'"],
  ["Accept it: milepost doctor --accept-loss", "Accept it: milepost doctor --accept-loss --store 'a b.db'"],
  ["All: milepost task list --all --list web", "All: milepost task list --all --list web --store 'a b.db'"],
  ["All sessions: milepost sessions --all", "All sessions: milepost sessions --all --store 'a b.db'"],
  ["All sessions: milepost sessions --all --store x.db", "All sessions: milepost sessions --all --store x.db"],
  ["Wire it: milepost setup", "Wire it: milepost setup"],
])("a message of those who do not know the store: %s", (message, then) => {
  expect(withStore(message, { store: "a b.db" })).toBe(then);
  expect(withStore(message, {})).toBe(message);
});
