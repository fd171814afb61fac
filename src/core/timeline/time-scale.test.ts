import fc from "fast-check";
import { expect, test } from "vitest";
import { scaleOf } from "./time-scale.js";
import type { TimeSpan } from "./timeline.js";

const HOUR = 3_600_000;
const BEGIN = 1_800_000_000_000;
const span = (from: number, to: number | null): TimeSpan => ({
  at: BEGIN + from,
  end: to === null ? null : BEGIN + to,
});

test("nothing with a time has no scale", () => {
  expect(scaleOf([], BEGIN)).toBeUndefined();
  expect(scaleOf([{ at: 0, end: 0 }], BEGIN)).toBeUndefined();
});

test("time without a pause is even", () => {
  const scale = scaleOf([span(0, HOUR), span(HOUR / 2, 2 * HOUR)], BEGIN);
  expect(scale?.breaks).toEqual([]);
  expect([0, HOUR, 2 * HOUR].map((at) => scale?.place(BEGIN + at))).toEqual([0, 0.5, 1]);
  expect(scale?.marks.map(({ at }) => at - BEGIN)).toEqual([0, 0.4, 0.8, 1.2, 1.6, 2].map((hours) => hours * HOUR));
});

test("a night is a sliver, and what goes on reaches to now", () => {
  const scale = scaleOf([span(0, HOUR), span(15 * HOUR, null)], BEGIN + 16 * HOUR);
  expect(scale?.breaks).toMatchObject([{ milliseconds: 14 * HOUR, width: 0.025 }]);
  expect(scale?.place(BEGIN + HOUR)).toBeCloseTo(0.4875);
  expect(scale?.place(BEGIN + 8 * HOUR)).toBeCloseTo(0.5);
  expect(scale?.place(BEGIN + 15 * HOUR)).toBeCloseTo(0.5125);
  expect(scale?.place(BEGIN + 16 * HOUR)).toBeCloseTo(1);
});

test("a moment alone has a place", () => {
  expect(scaleOf([span(0, 0)], BEGIN)?.place(BEGIN)).toBe(0);
});

test("places are between 0 and 1, and in the order of time", () => {
  const time = fc.integer({ min: 1, max: 100 * HOUR });
  const made = fc.array(fc.tuple(time, fc.option(fc.integer({ min: 0, max: 2 * HOUR }))), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(made, fc.array(time, { maxLength: 20 }), (parts, asked) => {
      const spans = parts.map(([at, length]) => span(at, length === null ? null : at + length));
      const scale = scaleOf(spans, BEGIN + 101 * HOUR);
      const times = [...asked, ...parts.map(([at]) => at)].sort((a, b) => a - b);
      const places = times.map((at) => scale?.place(BEGIN + at) ?? -1);
      expect(places.every((x) => x >= 0 && x <= 1 + 1e-9)).toBe(true);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      for (const { x } of scale?.marks ?? []) expect(x).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 100 },
  );
});
