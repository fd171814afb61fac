import { expect, test } from "vitest";
import { saidFacts, wordsSaid } from "./said-words.js";

const mark = (text: string) => wordsSaid(text)?.words;

test.each([
  ["the same in other lines", "I will\n  now  test.", "I will now test. ", true],
  ["other words", "I will test.", "I will build.", false],
  ["a long text, by its beginning", `${"x".repeat(4000)}a`, `${"x".repeat(4000)}b`, true],
])("%s", (_, one, other, isSame) => {
  expect(mark(one) === mark(other)).toBe(isSame);
});

test.each([
  ["blank", " \n", true, []],
  ["alone", "Done.", true, ["words.said"]],
  ["beside calls", "Now the tests.", false, []],
  ["why not", "This cannot be checked here: no network.", false, ["check.waived"]],
  [
    "why not, at the end",
    `${"x ".repeat(9000)}\nIt can’t be tested here because there is no screen`,
    true,
    ["check.waived", "words.said"],
  ],
  ["no reason", "It cannot be checked here.", false, []],
])("%s", (_, text, isAlone, types) => {
  expect(saidFacts(text, isAlone).map(({ type }) => type)).toEqual(types);
});
