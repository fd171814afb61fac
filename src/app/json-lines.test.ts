import { expect, test } from "vitest";
import { visible } from "../core/text/visible.js";
import { jsonLine } from "./json-lines.js";

const EVERY = Array.from({ length: 0x110000 }, (_, code) => code).filter((code) => code < 0xd800 || code > 0xdfff);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

test("of all characters, none that is obeyed or not seen is printed as it is; the value is the same", () => {
  const text = String.fromCodePoint(...EVERY.slice(0, 0x8000)).concat(
    ...Array.from({ length: Math.ceil(EVERY.length / 0x8000) - 1 }, (_, part) =>
      String.fromCodePoint(...EVERY.slice((part + 1) * 0x8000, (part + 2) * 0x8000)),
    ),
  );
  const line = jsonLine({ text });
  expect(UNSEEN.exec(line)?.[0]?.codePointAt(0)?.toString(16)).toBeUndefined();
  expect(JSON.parse(line)).toEqual({ text });
});

test.each([
  ["tags", "\u{e0041}\u{e007f}", '"\\udb40\\udc41\\udb40\\udc7f"'],
  ["selectors", "a\ufe0f\u{e0100}", '"a\\ufe0f\\udb40\\udd00"'],
  ["directions", "\u202e\u2066", '"\\u202e\\u2066"'],
  ["C1", "\u009b31m", '"\\u009b31m"'],
  ["half a pair", "\ud800", '"\\ud800"'],
  ["letters, marks and pictures", "äб中🙂", '"äб中🙂"'],
])("%s", (_, text, then) => {
  expect(jsonLine(text)).toBe(then);
});

test("what the terminal's own sanitiser shows by its code is escaped here, too", () => {
  const hidden = EVERY.map((code) => String.fromCodePoint(code)).filter((one) => UNSEEN.test(one));
  for (const one of hidden.slice(0, 500)) {
    expect(visible(one)).not.toBe(one);
    expect(jsonLine(one)).toMatch(/^"(?:\\u[0-9a-f]{4}|\\[bfnrt])+"$/);
  }
});

test("a value deeper than the stack is cut, not thrown", () => {
  const deep: unknown = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(jsonLine({ deep })).toContain("left out by Milepost");
});
