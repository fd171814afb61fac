import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { alphabeticalJson, compareCodePoints, rustTrim } from "./rust-text.js";
import { readTime, timeText, untilTime } from "./rust-time.js";
import { readUuid } from "./rust-uuid.js";

const UUID = "67e55044-10b1-426f-9247-bb680e5fe0c8";

describe("UUIDs", () => {
  test.each([
    UUID,
    UUID.toUpperCase(),
    UUID.replaceAll("-", ""),
    UUID.replaceAll("-", "").toUpperCase(),
    `{${UUID}}`,
    `urn:uuid:${UUID}`,
  ])("%s is one", (spelling) => {
    expect(readUuid(spelling)).toEqual({ ok: true, value: UUID });
  });

  const odd = (character: string, place: number) =>
    `invalid character: expected an optional prefix of \`urn:uuid:\` followed by [0-9a-fA-F-], found \`${character}\` at ${place}`;
  test.each([
    ["not-a-uuid", odd("n", 1)],
    ["!", odd("!", 1)],
    ["\u{1f600}", odd("\u{1f600}", 1)],
    ["aé", odd("é", 2)],
    [`{${UUID}`, odd("{", 1)],
    [`URN:UUID:${UUID}`, odd("U", 1)],
    [`urn:uuid:x${UUID}`, odd("x", 10)],
    ["{67e550X4}", odd("X", 8)],
    ["F9168C5E-CEB2-4faa-BGBF-329BF39FA1E4", odd("G", 21)],
    ["abc", "invalid length: expected length 32 for simple format, found 3"],
    [`${UUID.replaceAll("-", "")}8`, "invalid length: expected length 32 for simple format, found 33"],
    ["{00000000000000000000000000000000}", "invalid group count: expected 5, found 1"],
    ["{}", "invalid group count: expected 5, found 1"],
    ["urn:uuid:", "invalid group count: expected 5, found 1"],
    ["F9168C5E-CEB2-4faa", "invalid group count: expected 5, found 3"],
    ["-----", "invalid group count: expected 5, found 6"],
    ["a-b-c-d-e", "invalid group length in group 0: expected 8, found 1"],
    ["F9168C5E-CEB-24fa-eB6BFF32-BF39FA1E4", "invalid group length in group 1: expected 4, found 3"],
    ["F9168C5E-CEB2-4faa-B6BF1-02BF39FA1E4", "invalid group length in group 3: expected 4, found 5"],
    ["01020304-1112-2122-3132-41424344", "invalid group length in group 4: expected 12, found 8"],
    [`${UUID}5`, "invalid group length in group 4: expected 12, found 13"],
    [`urn:uuid:${UUID}abc`, "invalid group length in group 4: expected 12, found 24"],
    [`{${UUID.slice(0, -4)}}`, "invalid group length in group 4: expected 12, found 10"],
  ])("%s is none", (text, error) => {
    expect(readUuid(text)).toEqual({ ok: false, error });
  });

  test("every UUID is read in every spelling; every text gets an answer", () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        for (const text of [uuid, `{${uuid}}`, `urn:uuid:${uuid}`, uuid.replaceAll("-", "")])
          expect(readUuid(text)).toEqual({ ok: true, value: uuid });
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(readUuid(text).ok).toBe(false);
      }),
    );
  });
});

describe("times", () => {
  test.each([
    ["2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"],
    ["2026-05-01t10:00:00z", "2026-05-01T10:00:00Z"],
    ["2026-05-01 10:00:00 UTC", "2026-05-01T10:00:00Z"],
    ["2026-05-01T12:30:00+02:30", "2026-05-01T10:00:00Z"],
    ["2026-05-01T07:30:00-0230", "2026-05-01T10:00:00Z"],
    ["2026-05-01T07:30:00\u221202:30", "2026-05-01T10:00:00Z"],
    ["2026-04-30T23:59:59-10:00", "2026-05-01T09:59:59Z"],
    [" 2026 - 5 - 1T 1 : 2 : 3 Z ", "2026-05-01T01:02:03Z"],
    ["2026-05-01T10:00:00.5Z", "2026-05-01T10:00:00.500Z"],
    ["2026-05-01T10:00:00.123456Z", "2026-05-01T10:00:00.123456Z"],
    ["2026-05-01T10:00:00.1234567899Z", "2026-05-01T10:00:00.123456789Z"],
    ["2026-05-01T10:00:00.000Z", "2026-05-01T10:00:00Z"],
    ["2026-06-30T23:59:60Z", "2026-06-30T23:59:60Z"],
    ["+2026-05-01T10:00:00Z", "2026-05-01T10:00:00Z"],
    ["2028-02-29T00:00:00Z", "2028-02-29T00:00:00Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
  ])("%s is %s", (text, shown) => {
    const time = readTime(text);
    expect(time && timeText(time, "Z")).toBe(shown);
  });

  test.each([
    "",
    "tomorrow",
    "2026-05-01",
    "2026-05-01T10:00:00",
    "2026-05-01T10:00Z",
    "2026-05-01T24:00:00Z",
    "2026-05-01T10:60:00Z",
    "2026-05-01T10:00:61Z",
    "2026-05-01T10:00:00.Z",
    "2026-02-29T10:00:00Z",
    "2026-13-01T10:00:00Z",
    "2026-00-01T10:00:00Z",
    "2026-05-01T10:00:00+24:00",
    "2026-05-01T10:00:00+02:60",
    "2026-05-01T10:00:00+02",
    "2026-05-01T10:00:00Zulu",
    "2026-05-01\t10:00:00Z",
    "20260-05-01T10:00:00Z",
    "+999999-05-01T10:00:00Z",
    "1777629600",
  ])("%j is none", (text) => {
    expect(readTime(text)).toBeUndefined();
  });

  test("what we write we read, and every text gets an answer", () => {
    const date = fc.date({ min: new Date(0), max: new Date(8e12), noInvalidDate: true });
    fc.assert(
      fc.property(date, (one) => {
        const time = readTime(one.toISOString());
        expect(time && untilTime(time, one.getTime())).toBe(0);
        expect(time && new Date(timeText(time, "+00:00"))).toEqual(one);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(readTime(text)).toBeUndefined();
      }),
    );
    expect(readTime(`2026${" ".repeat(1_000_000)}-05-01T10:00:00Z`)).toBeUndefined();
  });
});

describe("texts", () => {
  test.each([
    ["  a b\t\n", "a b"],
    ["\u0085\u2003a\u3000", "a"],
    ["\uFEFFa\u200b", "\uFEFFa\u200b"],
    [" \u0085 ", ""],
    ["\0", "\0"],
  ])("%j is trimmed to %j", (text, trimmed) => {
    expect(rustTrim(text)).toBe(trimmed);
  });

  test("a long row of blanks inside costs its length, not its square", () => {
    const text = `a${" ".repeat(1_000_000)}b`;
    expect(rustTrim(text)).toBe(text);
  });

  test("texts are ordered as their UTF-8 bytes are", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(Buffer.compare(Buffer.from(left), Buffer.from(right)));
      }),
    );
  });

  test("keys come out in order, also those that look like numbers", () => {
    const value = JSON.parse('{"b":1,"10":[{"z":null,"a":"\\u2028"}],"9":{},"__proto__":2,"\uFF5E":1,"\u{1f600}":2}');
    expect(alphabeticalJson(value)).toBe(
      '{"10":[{"a":"\u2028","z":null}],"9":{},"__proto__":2,"b":1,"\uFF5E":1,"\u{1f600}":2}',
    );
  });

  test("it is the same value, whatever its order", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(alphabeticalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
