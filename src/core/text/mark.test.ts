import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { markOf, quickMark } from "./mark.js";

describe.each([
  ["markOf", markOf],
  ["quickMark", quickMark],
])("%s", (_, mark) => {
  test("is short, and the same for the same text alone", () => {
    const texts = fc.tuple(fc.string(), fc.string());
    fc.assert(
      fc.property(texts, ([one, other]) => {
        expect(mark(one)).toMatch(/^[0-9a-f]{1,8}-[0-9a-f]{1,8}$/);
        expect(mark(`${one}`) === mark(other)).toBe(one === other);
      }),
      { numRuns: 50 },
    );
  });

  test("every character counts, wherever it stands", () => {
    const marks = new Set([mark("")]);
    for (let at = 0; at < 64; at += 1)
      for (const change of ["b", "c", "\u00e9", "\u6f22"]) {
        const text = "a".repeat(64);
        marks.add(mark(`${text.slice(0, at)}${change}${text.slice(at + 1)}`));
      }
    for (let length = 1; length < 64; length += 1) marks.add(mark("\0".repeat(length)));
    expect(marks.size).toBe(1 + 64 * 4 + 63);
  });

  test("the end of a very long text counts, too", () => {
    const long = "\u6f22x".repeat(60_000);
    expect(mark(`${long}1`)).not.toBe(mark(`${long}2`));
    expect(mark(`1${long}`)).not.toBe(mark(`2${long}`));
  });
});
