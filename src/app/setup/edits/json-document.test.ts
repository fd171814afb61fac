import { describe, expect, test } from "vitest";
import { appendValue, openJson, plainJsonFlaw, removeValue, setValue, valueAt } from "./json-document.js";

const rows = (...lines: string[]) => `${lines.join("\n")}\n`;

describe("a value goes in, and the file looks as if its owner had written it", () => {
  test.each([
    ["an empty object", "{}", '{\n  "k": 1\n}'],
    ["an empty object over two rows", "{\n}\n", '{\n  "k": 1\n}\n'],
    ["nothing but a comment inside", "{\n  // none yet\n}\n", '{\n  // none yet\n  "k": 1\n}\n'],
    ["rows", '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "k": 1\n}\n'],
    ["tabs", '{\n\t"a": 1\n}\n', '{\n\t"a": 1,\n\t"k": 1\n}\n'],
    ["four blanks", '{\n    "a": 1\n}', '{\n    "a": 1,\n    "k": 1\n}'],
    ["CRLF", '{\r\n  "a": 1\r\n}\r\n', '{\r\n  "a": 1,\r\n  "k": 1\r\n}\r\n'],
    ["a trailing comma", '{\n  "a": 1,\n}\n', '{\n  "a": 1,\n  "k": 1,\n}\n'],
    ["a comment behind the last value", '{\n  "a": 1 // mine\n}\n', '{\n  "a": 1, // mine\n  "k": 1\n}\n'],
    ["a comment behind a trailing comma", '{\n  "a": 1, // mine\n}\n', '{\n  "a": 1, // mine\n  "k": 1,\n}\n'],
    ["a comment below the last value", '{\n  "a": 1\n  // end\n}\n', '{\n  "a": 1,\n  "k": 1\n  // end\n}\n'],
    ["one row", '{"a":1}', '{"a":1,"k":1}'],
    ["one row with blanks", '{ "a": 1 }', '{ "a": 1, "k": 1 }'],
    ["one row with a trailing comma", '{"a":1,}', '{"a":1,"k":1,}'],
    ["a byte order mark", '\ufeff{\n  "a": 1\n}\n', '\ufeff{\n  "a": 1,\n  "k": 1\n}\n'],
  ])("%s", (_name, before, after) => {
    expect(openJson(before)).toEqual({ ok: true, value: before });
    expect(setValue(before, ["k"], 1)).toBe(after);
    const isEmpty = before.replaceAll(/\s/g, "") === "{}";
    expect(removeValue(after, ["k"])).toBe(isEmpty ? before.replace(/\{\s*\}/, "{}") : before);
  });
});

test("objects around a value are made where they are missing, and lists too", () => {
  expect(setValue("{}", ["a", "b"], [1])).toBe('{\n  "a": {\n    "b": [\n      1\n    ]\n  }\n}');
  expect(appendValue('{\n  "a": ["x", "y"]\n}\n', ["a"], "z")).toBe('{\n  "a": ["x", "y", "z"]\n}\n');
  expect(appendValue(rows("{", '  "a": [', '    "x"', "  ]", "}"), ["a"], "z")).toBe(
    rows("{", '  "a": [', '    "x",', '    "z"', "  ]", "}"),
  );
  expect(appendValue("{}", ["a"], "z")).toBe('{\n  "a": [\n    "z"\n  ]\n}');
});

describe("a value goes out, and takes its comma along", () => {
  test.each([
    ["the first", '{\n  "k": 1,\n  "a": 2\n}', '{\n  "a": 2\n}'],
    ["one in the middle", '{\n  "a": 2,\n  "k": 1,\n  "b": 3\n}', '{\n  "a": 2,\n  "b": 3\n}'],
    ["the last", '{\n  "a": 2,\n  "k": 1\n}', '{\n  "a": 2\n}'],
    ["the last, with a comment above", '{\n  "a": 2,\n  // mine\n  "k": 1\n}', '{\n  "a": 2\n  // mine\n}'],
    ["behind a comment, in the row of the end", '{ "a": 2, // mine\n  "k": 1 }', '{ "a": 2 // mine\n   }'],
    ["a comment before its comma", '{ "k": 1 /* mine */, "a": 2 }', '{ /* mine */ "a": 2 }'],
    ["the only one", '{ "k": 1 }', "{}"],
    ["the only one, with a comment", '{\n  // mine\n  "k": 1\n}', "{\n  // mine\n}"],
    ["one that is not there", '{ "a": 1 }', '{ "a": 1 }'],
  ])("%s", (_name, before, after) => {
    expect(removeValue(before, ["k"])).toBe(after);
    expect(openJson(after).ok).toBe(true);
    expect(valueAt(after, ["k"])).toBeUndefined();
  });
});

describe("what is no object is refused", () => {
  test.each([
    ["text", "hello", /is not JSON \(line 1\)/],
    ["half of it", '{\n  "a": \n', /is not JSON \(line 3\)/],
    ["a list", "[]", /not an object/],
    ["null", "null", /not an object/],
    ["two objects", "{} {}", /is not JSON/],
    ["thousands of levels", `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}`, /is nested more than 500 levels deep/],
    ["a key twice", '{ "a": { "b": 1, "b": 2 } }', /has the key "b" twice/],
  ])("%s", (_name, text, message) => {
    expect(openJson(text)).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
  });

  test.each([
    ["an empty file", "", "{}\n"],
    ["blank rows", "\n\n", "\n\n{}\n"],
    ["only a comment", "// later", "// later\n{}\n"],
  ])("%s is the beginning of one", (_name, text, value) => {
    expect(openJson(text)).toEqual({ ok: true, value });
  });
});

describe("what a reader of plain JSON passes over", () => {
  test.each([
    ["plain JSON", '{\r\n  "a": "// no comment, /* none */ ,}"\r\n}\r\n', undefined],
    ["a row comment", '{\n  "a": 1 // mine\n}', "has a comment (line 2)"],
    ["a comment above", "/* mine */\n{}", "has a comment (line 1)"],
    ["a trailing comma", '{\n  "a": [1],\n}', "has a trailing comma (line 3)"],
    ["a trailing comma in a list", '{ "a": [1,] }', "has a trailing comma (line 1)"],
    ["a byte order mark", "\ufeff{}", "begins with a byte order mark"],
  ])("%s", (_name, text, flaw) => {
    expect(plainJsonFlaw(text, { takesMark: false })).toBe(flaw);
  });

  test("a byte order mark is a matter of the reader, a comment behind it is not", () => {
    expect(plainJsonFlaw("\ufeff{}", { takesMark: true })).toBeUndefined();
    expect(plainJsonFlaw("\ufeff{\n} // mine", { takesMark: true })).toBe("has a comment (line 2)");
  });
});
