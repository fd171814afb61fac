import { describe, expect, test } from "vitest";
import { dumps, loads } from "./python-json.js";
import { strip, strOf } from "./python-text.js";
import { fromJson, isTrue, typeName } from "./python-value.js";

/** What Python 3.12 prints for `str(json.loads(text))`. */
const TEXTS: readonly (readonly [json: string, text: string])[] = [
  ["null", "None"],
  ["true", "True"],
  ["false", "False"],
  ["-0", "0"],
  ["-0.0", "-0.0"],
  ["2", "2"],
  ["2.0", "2.0"],
  ["1E2", "100.0"],
  ["1.5", "1.5"],
  ["123456789.125", "123456789.125"],
  ["1234567890123456789012345", "1234567890123456789012345"],
  ["9999999999999998.0", "9999999999999998.0"],
  ["1e16", "1e+16"],
  ["1.25e22", "1.25e+22"],
  ["0.0001", "0.0001"],
  ["0.00001", "1e-05"],
  ["-1.5e-7", "-1.5e-07"],
  ["5e-324", "5e-324"],
  ["1e400", "inf"],
  ["NaN", "nan"],
  ["-Infinity", "-inf"],
  ['"it\'s"', "it's"],
  ['["a", "it\'s", "q\\"", "\\"\'"]', `['a', "it's", 'q"', '"\\'']`],
  ['["\\n\\t\\r\\\\\\u0001\\u007f\\u0085\\u00e9\\u2028\\ud83d\\ude00"]', "['\\n\\t\\r\\\\\\x01\\x7f\\x85é\\u2028😀']"],
  ['["\\udb40\\udc01", "\\ud800"]', "['\\U000e0001', '\\ud800']"],
  ['{"b": 1, "1": [], "b": {"__proto__": null}}', "{'b': {'__proto__': None}, '1': []}"],
];

test.each(TEXTS)("%s is %s", (json, text) => {
  expect(strOf(loads(json) ?? null)).toBe(text);
});

describe("json.loads", () => {
  test.each([
    "",
    " ",
    "[1,]",
    "[,]",
    "{,}",
    '{"a"}',
    '{"a":1,}',
    "{a:1}",
    "01",
    "1.",
    ".5",
    "+1",
    "nul",
    "[1 2]",
    "[] []",
  ])("%j is no JSON", (text) => expect(loads(text)).toBeUndefined());

  test.each(["\ufeff[]", '"\\x41"', '"\\u12"', '"a\nb"', '"open', "\u00a0[]"])("neither is %j", (text) =>
    expect(loads(text)).toBeUndefined(),
  );

  test("white space around it is fine", () => {
    expect(loads(' \t\r\n[ 1 , {"a" : 2 } ] ')).toEqual([1n, new Map([["a", 2n]])]);
  });

  test("neither is what is too deep or too long for it", () => {
    expect(loads(`${"[".repeat(5000)}${"]".repeat(5000)}`)).toBeUndefined();
    expect(loads(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`)).toBeUndefined();
    expect(loads("1".repeat(5000))).toBeUndefined();
    expect(loads("1".repeat(4000))).toBe(BigInt("1".repeat(4000)));
  });
});

test("only what is too deep to print is refused, and only when it is printed", () => {
  let deep: unknown = [];
  for (let level = 0; level < 5000; level += 1) deep = [deep];
  const value = fromJson({ deep });
  expect(isTrue(value)).toBe(true);
  expect(() => strOf(value)).toThrow("maximum recursion depth exceeded while getting the repr of an object");
});

test("strip takes what Python calls white space, and nothing else", () => {
  const spaces = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000";
  expect(strip(`${spaces}a b${spaces}`)).toBe("a b");
  expect(strip("\ufeff\u200ba\u180e")).toBe("\ufeff\u200ba\u180e");
});

test.each([0, -0, 0.0, "", false, null, undefined, [], {}])("%j is false", (value) =>
  expect(isTrue(fromJson(value))).toBe(false),
);

test.each([1, -1, 0.5, Number.NaN, " ", "false", true, [0], { a: null }])("%j is true", (value) =>
  expect(isTrue(fromJson(value))).toBe(true),
);

test("types have Python's names", () => {
  const values = [null, true, "", 1, 1.5, [], {}, Number.POSITIVE_INFINITY, 1e300];
  const names = ["NoneType", "bool", "str", "int", "float", "list", "dict", "float", "float"];
  expect(values.map((value) => typeName(fromJson(value)))).toEqual(names);
});

test("json.dumps puts blanks behind commas and colons, and leaves letters as they are", () => {
  expect(dumps({ a: ["é\n\u2028\x7f", 1], b: {}, c: undefined })).toBe('{"a": ["é\\n\u2028\x7f", 1], "b": {}}');
});
