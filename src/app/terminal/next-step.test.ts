import { expect, test } from "vitest";
import { nextStep, sameLine, typedLine, withStore } from "./next-step.js";

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

test.each<[string, Readonly<Record<string, unknown>>, string]>([
  ["texts and numbers", { as: "it's me", wait: 0.5 }, "--as 'it'\\''s me' --wait 0.5"],
  ["switches", { dryRun: true, json: false }, "--dry-run"],
  ["several values, and an empty one", { label: ["a", "b"], description: "" }, "--label a --label b --description ''"],
  ["what was not given", { session: undefined, list: "web" }, "--list web"],
  ["a password is not printed", { store: "postgres://me:secret@db/x" }, "--store 'postgres://me:***@db/x'"],
])("flags are repeated: %s", (_, given, then) => {
  expect(nextStep("task edit 3", given)).toBe(`milepost task edit 3 ${then}`);
});

test.each([["--store", "user=me password=secret"], ["--store=postgres://me:secret@db/x"]])(
  "no line shows a password: %s",
  (...words) => {
    expect(typedLine(["todo add", "x", ...words])).toMatch(/^milepost todo add x .*\*\*\*/);
    expect(typedLine(["todo add", "x", ...words])).not.toContain("secret");
  },
);

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
