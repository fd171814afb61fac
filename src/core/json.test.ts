import { describe, expect, test } from "vitest";
import { countAt, firstLine, idAt, listAt, objectAt, oneLine, sessionAt, textAt, timeAt } from "./json.js";

const NOT_TEXT = [undefined, null, 7, true, {}, []];

describe("what a record may hold in any place", () => {
  test.each([
    [{ a: 1 }, { a: 1 }],
    [[1], {}],
    [null, {}],
    ["x", {}],
    [undefined, {}],
  ])("an object at %j: %j", (value, expected) => {
    expect(objectAt(value)).toEqual(expected);
  });

  test.each([
    [
      [1, 2],
      [1, 2],
    ],
    [{ length: 2 }, []],
    ["ab", []],
    [null, []],
  ])("a list at %j: %j", (value, expected) => {
    expect(listAt(value)).toEqual(expected);
  });

  test.each([["a", "a"], ["", undefined], ["a\ud800b", "a\ufffdb"], ...NOT_TEXT.map((value) => [value, undefined])])(
    "a text at %j: %j",
    (value, expected) => expect(textAt(value)).toBe(expected),
  );

  test.each([
    [5, 5],
    [0.25, 0.25],
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [1e308, 0],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    ["5", 0],
    [null, 0],
  ])("a count at %j: %j", (value, expected) => expect(countAt(value)).toBe(expected));

  test.each([
    ["2026-01-02T03:04:05.678Z", Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
    ["1970-01-01T00:00:00Z", 0],
    ["yesterday", undefined],
    ["", undefined],
    [1_700_000_000_000, undefined],
    [null, undefined],
  ])("a time at %j: %j", (value, expected) => expect(timeAt(value)).toBe(expected));

  test.each([
    ["toolu_01-A.b:c", "toolu_01-A.b:c"],
    ["a b", undefined],
    ["a\n", undefined],
    ["é", undefined],
    ["", undefined],
    ["x".repeat(200), "x".repeat(200)],
    ["x".repeat(201), undefined],
    [7, undefined],
  ])("an id at %j: %j", (value, expected) => expect(idAt(value)).toBe(expected));

  test.each([
    ["s-1", "s-1"],
    ["../x", undefined],
    ["a/b", undefined],
    ["$(id)", undefined],
    ["--help", undefined],
    [".", undefined],
    [7, undefined],
  ])("a session at %j: %j", (value, expected) => expect(sessionAt(value)).toBe(expected));
});

describe("one line of a text", () => {
  const cases: { name: string; text: unknown; max?: number; line: string | undefined }[] = [
    { name: "as it is", text: "a b", line: "a b" },
    { name: "breaks are blanks", text: " a\r\n\tb\u2028c  ", line: "a b c" },
    { name: "cut", text: "abcdef", max: 3, line: "abc" },
    { name: "no half characters", text: "ab😀", max: 3, line: "ab" },
    { name: "whole characters", text: "ab😀", max: 4, line: "ab😀" },
    { name: "a lone half", text: "a\udc00b", line: "a\ufffdb" },
    { name: "blanks alone", text: " \n ", line: undefined },
    { name: "blanks for longer than anybody looks", text: `${" ".repeat(1000)}a`, line: undefined },
    { name: "no text", text: 7, line: undefined },
  ];
  test.each(cases)("$name", ({ text, max, line }) => expect(oneLine(text, max)).toBe(line));
});

test.each([
  [{ command: "npm test", path: "x" }, "npm test"],
  [{ path: "x", command: "  " }, "x"],
  [{ command: 7, path: "a\n b" }, "a b"],
  [
    { command: "curl -H 'Authorization: Bearer abcDEF123456'" },
    "curl -H 'Authorization: Bearer [redacted: bearer token]'",
  ],
  [{ other: "x" }, undefined],
])("the first field that says something: %j", (item, line) => {
  expect(firstLine(item, ["command", "path"])).toBe(line);
});
