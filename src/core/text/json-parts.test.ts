import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonMember, jsonParts, lossyMember } from "./json-parts.js";

test.each([
  ["[]", []],
  ["{}", []],
  ["1", []],
  [" [ 1.0 , 2e3,\n3 ] ", [{ text: "1.0" }, { text: "2e3" }, { text: "3" }]],
  [
    '{"a": 2.0, "b\\"}": [1, {"c": "],"}] }',
    [
      { name: "a", text: "2.0" },
      { name: 'b"}', text: '[1, {"c": "],"}]' },
    ],
  ],
])("%s", (json, parts) => {
  expect(jsonParts(json)).toEqual(parts);
});

test("of equal names the last one counts, as in JSON.parse", () => {
  expect(jsonMember('{"a":1.0,"a":2.0}', "a")).toBe("2.0");
  expect(jsonMember('{"a":1}', "b")).toBeUndefined();
});

test("a member is only told where parsing it loses something", () => {
  const line = '{"params":{"a":{"n":[2.0]},"b":{"n":[2,123456789012345]},"c":{"n":1234567890123456}}}';
  expect(["a", "b", "c", "d"].map((name) => lossyMember(line, "params", name))).toEqual([
    '{"n":[2.0]}',
    undefined,
    '{"n":1234567890123456}',
    undefined,
  ]);
});

test("the parts are the whole", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(4), (json, indent) => {
      const value: unknown = JSON.parse(json);
      const written = JSON.stringify(value, null, indent) ?? "null";
      const parts = jsonParts(written);
      if (Array.isArray(value)) expect(parts.map(({ text }) => JSON.parse(text))).toEqual(value);
      else if (typeof value === "object" && value !== null)
        expect(Object.fromEntries(parts.map(({ name, text }) => [name, JSON.parse(text)]))).toEqual(value);
      else expect(parts).toEqual([]);
    }),
  );
});

test("a text of many megabytes is no deeper than others", () => {
  const long = `${"x".repeat(9e6)}\\"`;
  const json = JSON.stringify({ a: long, b: 2 }).replace(/2\}$/, "2.0}");
  expect(jsonMember(json, "b")).toBe("2.0");
  expect(jsonMember(json, "a")).toHaveLength(JSON.stringify(long).length);
});
