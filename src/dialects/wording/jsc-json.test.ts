import { describe, expect, test } from "vitest";
import { jscComplaint } from "./jsc-json.js";

/** What Bun 1.3 says; opencode's own answers with these texts are in test/vectors. */
const TEXTS: readonly (readonly [json: string, complaint: string | undefined])[] = [
  ['{"a":[1,-0.5e3,true,false,null,"\\u00e9"]}', undefined],
  ["[", "Unexpected EOF"],
  ["[1", "Expected ']'"],
  ["[1,]", "Unexpected comma at the end of array expression"],
  ['{"a":1', "Expected '}'"],
  ['{"a":1,}', "Property name must be a string literal"],
  ['{"a" 1}', "Expected ':' before value in object property definition"],
  ['{"a":}', "Unexpected token '}'"],
  ["{} x", "Unable to parse JSON string"],
  // What is wrong with a token is said before what is wrong with its place.
  ["{} '", "Single quotes (') are not allowed in JSON"],
  ["tru", 'Unexpected identifier "tru"'],
  ["#", "Unrecognized token '#'"],
  ["\u{1f600}", "Unrecognized token '\ufffd'"],
  ["-", "Invalid number"],
  ["1.", "Invalid digits after decimal point"],
  ["1e", "Unable to parse JSON string"],
  ['"a\n"', "Unterminated string"],
  ['"\\x"', "Invalid escape character x"],
  ['"\\u12"}x"', '"\\u12"}" is not a valid unicode escape'],
  ['"\\u1', "\\u must be followed by 4 hex digits"],
  ["[".repeat(300_000), "Unexpected EOF"],
];

describe("JSON that JavaScriptCore refuses", () => {
  test.each(TEXTS)("%.20s", (json, complaint) => {
    expect(jscComplaint(json)).toBe(complaint);
  });
});
