import fc from "fast-check";
import realWidth from "string-width";
import { describe, expect, test } from "vitest";
import { cutToWidth, endOfText, foldWords, stringWidth } from "./text-width.js";

/** Every sign up to the symbols, and a few beyond them. */
const SIGNS = Array.from({ length: 0x2800 }, (_, code) => String.fromCodePoint(code)).concat([
  "日",
  "👍",
  "\ufe0f",
  "\u200d",
]);

test("each sign is as wide as it always was, one by one", () => {
  const wrong = SIGNS.filter((sign) => stringWidth(sign) !== realWidth(sign));
  expect(wrong.map((sign) => sign.codePointAt(0)?.toString(16))).toEqual([]);
});

test("a text of any signs is as wide as it always was", () => {
  const text = fc.array(fc.constantFrom(...SIGNS), { maxLength: 6 }).map((signs) => signs.join(""));
  fc.assert(fc.property(text, (one) => stringWidth(one) === realWidth(one)));
});

test("words are measured one by one, and come to the width of the whole text", () => {
  const word = fc
    .array(fc.constantFrom(...SIGNS, "a", "漢字", "\u0301", "👩‍👩‍👧"), { maxLength: 4 })
    .map((signs) => signs.join(""));
  const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(" "));
  fc.assert(fc.property(text, (one) => stringWidth(one) === realWidth(one)));
});

const CUTS: readonly (readonly [text: string, columns: number, cut: string])[] = [
  ["Write the docs", 14, "Write the docs"],
  ["Write the docs", 6, "Write…"],
  ["Über uns · neu", 9, "Über uns…"],
  ["日本語のテキスト", 7, "日本語…"],
  ["Write", 1, "…"],
  ["Write", 0, "…"],
];
test.each(CUTS)("%s in %i columns is %s", (text, columns, cut) => expect(cutToWidth(text, columns)).toBe(cut));

test.each<[string, number, string]>([
  ["abc", 3, "abc"],
  ["abcdef", 4, "…def"],
  ["支払いを直す", 5, "…直す"],
  ["支払いを直す", 6, "…直す"],
  ["a👩‍👩‍👧‍👦b", 3, "…b"],
  ["a👩‍👩‍👧‍👦b", 4, "a👩‍👩‍👧‍👦b"],
])("the end of %s in %i columns is %s", (text, columns, end) => expect(endOfText(text, columns)).toBe(end));

describe("folding words over rows", () => {
  test.each<[string, string, number, string[]]>([
    ["what fits stays", "a b", 3, ["a b"]],
    ["at blanks", "one two three", 7, ["one two", "three"]],
    ["a long word goes on", "x abcdefg y", 3, ["x", "abc", "def", "g y"]],
    ["wide letters are not halved", "漢字漢", 5, ["漢字", "漢"]],
    ["a letter that is too wide stands alone", "漢字", 1, ["漢", "字"]],
    ["nothing", "", 5, [""]],
    ["blanks inside stay", "a  b", 9, ["a  b"]],
  ])("%s", (_name, text, columns, rows) => {
    expect(foldWords(text, columns)).toEqual(rows);
  });
});
