import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../test/sizes.js";
import { isDeeperThan, isSameJson, type JsonObject } from "./json.js";
import {
  cutDeep,
  cutText,
  DEEPEST_VALUE,
  excessOf,
  fitDepth,
  fitValue,
  hasLongText,
  isDeepJson,
  isLongText,
  LARGEST_VALUE,
} from "./value-limits.js";

const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
const inObjects = (levels: number): JsonObject => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const FAR = 100_000;

describe("the limit", () => {
  test.each<readonly [string, unknown, string | undefined]>([
    ["a text", "x", undefined],
    ["nothing", undefined, undefined],
    ["null", null, undefined],
    ["64 lists", nested(64), undefined],
    ["65 lists", nested(65), "deep"],
    ["64 objects with something in them", inObjects(64), undefined],
    ["65 objects", inObjects(65), "deep"],
    ["far more than a stack has", nested(FAR), "deep"],
    ["the largest text", "x".repeat(LARGEST_VALUE - 2), undefined],
    ["a text with a letter more", "x".repeat(LARGEST_VALUE - 1), "large"],
    ["letters of three bytes", "€".repeat(LARGEST_VALUE / 3), "large"],
    ["controls of six", "\u0001".repeat(LARGEST_VALUE / 6 + 1), "large"],
    ["half surrogates of six", "\ud800".repeat(LARGEST_VALUE / 6 + 1), "large"],
    ["the largest object", { a: "x".repeat(LARGEST_VALUE - 8) }, undefined],
    ["an object with a letter more", { a: "x".repeat(LARGEST_VALUE - 7) }, "large"],
    ["a long key", { ["x".repeat(LARGEST_VALUE)]: 1 }, "large"],
    ["many small values", Array.from({ length: LARGEST_VALUE / 2 + 1 }, () => 1), "large"],
  ])("%s", (_, value, then) => {
    expect(excessOf(value)).toBe(then);
  });

  test("an object that holds itself twice is found out at once", () => {
    const round: unknown[] = [];
    round.push(round, round);
    expect(excessOf(round)).toBeDefined();
  });

  test("counts the bytes of JSON, to the byte", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }), fc.nat(30), (value, room) => {
        const filler = "x".repeat(Math.max(0, LARGEST_VALUE - bytesOf([value, ""]) - 15 + room));
        const whole = [value, filler];
        expect(excessOf(whole)).toBe(bytesOf(whole) > LARGEST_VALUE ? "large" : undefined);
      }),
      { numRuns: sized(20, 500) },
    );
  });
});

/** Values around the limits: deep, long, wide, odd. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4, stringUnit: "binary" }),
  fc.integer({ min: 1, max: 200 }).map(nested),
  fc.integer({ min: 60, max: 70 }).map(inObjects),
  fc.integer({ min: -30, max: 30 }).map((more) => "€".repeat(Math.floor(LARGEST_VALUE / 3) + more)),
  fc.nat(80_000).map((count) => Array.from({ length: count }, (_, index) => ({ index }))),
  fc.constant(JSON.parse('{"__proto__":{"a":[[1]]},"b":"c"}')),
);

const around: fc.Arbitrary<unknown> = fc.oneof(
  odd,
  fc.dictionary(fc.string(), odd, { maxKeys: 4 }),
  fc.array(odd, { maxLength: 4 }),
);

test("what is fitted is within the limit, of the same kind, marked, and fitted only once", () => {
  fc.assert(
    fc.property(around, (value) => {
      const fitted = fitValue(value);
      expect(excessOf(fitted)).toBeUndefined();
      expect(fitValue(fitted)).toBe(fitted);
      expect(Array.isArray(fitted)).toBe(Array.isArray(value));
      expect(typeof fitted).toBe(typeof value);
      const isCut = excessOf(value) !== undefined;
      if (isCut) expect(JSON.stringify(fitted)).toMatch(/\[(?:left out|cut) by Milepost/);
      else expect(fitted).toBe(value);
    }),
    { numRuns: sized(40, 500) },
  );
});

test("one value too deep or too large does not take its neighbours away", () => {
  const input = { subject: "Fix", metadata: inObjects(500), description: "x".repeat(1_000_000), more: [1] };
  const fitted = fitValue(input) as JsonObject;
  expect(fitted).toMatchObject({ subject: "Fix", more: [1] });
  expect(String(fitted.description)).toMatch(/^x{900,} \[cut by Milepost\]$/);
  expect(JSON.stringify(fitted.metadata)).toContain("[left out by Milepost: nested deeper than 64 levels]");
});

test("a text is cut between characters", () => {
  for (const room of [50, 51, 52, 53]) {
    const cut = cutText("🙂".repeat(100), room);
    expect(cut.isWellFormed()).toBe(true);
    expect(bytesOf(cut)).toBeLessThanOrEqual(room);
  }
  expect(cutText("short", 50)).toBe("short");
});

test("`__proto__` is a key like any other, also in a copy", () => {
  const cut = cutDeep(JSON.parse('{"__proto__":{"a":1},"b":[[2]]}'), { levels: 2, bytes: 100 });
  expect(JSON.stringify(cut)).toBe(
    '{"__proto__":{"a":1},"b":["[left out by Milepost: nested deeper than 64 levels]"]}',
  );
});

test("the depth of JSON text is the depth of its value; brackets in texts are none", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("[[[[[[", '{"{"{', "\\[", '\\"['));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "medium" },
      text,
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(text, tie("value"), { maxKeys: 2 }),
    ),
  }));
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 8 }), (one, levels) => {
      expect(isDeepJson(JSON.stringify(one), levels)).toBe(isDeeperThan(one, levels - 1));
    }),
    { numRuns: sized(300, 5000) },
  );
  expect(isDeepJson("[".repeat(FAR), DEEPEST_VALUE)).toBe(true);
});

test("what only looks at a value of any depth does not overflow", () => {
  const far = nested(FAR);
  expect(hasLongText([far, "x".repeat(LARGEST_VALUE)])).toBe(true);
  expect(isSameJson([far], [nested(FAR)])).toBe(true);
  expect(isSameJson([far], [nested(FAR + 1)])).toBe(false);
  expect(JSON.stringify(fitDepth(far)).length).toBeLessThan(1000);
  expect(isLongText("x".repeat(50_000))).toBe(false);
});

test.each<readonly [unknown, unknown, boolean]>([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [{ a: undefined }, { b: undefined }, false],
  [[], {}, false],
  [[1, 2], [2, 1], false],
  [null, {}, false],
  ["1", 1, false],
])("%j and %j are the same as JSON: %s", (one, other, then) => {
  expect(isSameJson(one, other)).toBe(then);
  expect(isSameJson(other, one)).toBe(then);
});
