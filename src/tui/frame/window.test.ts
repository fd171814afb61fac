import fc from "fast-check";
import { expect, test } from "vitest";
import { heldCursor, windowOf } from "./window.js";

const ones = (length: number) => Array.from({ length }, () => 1);

test.each<[string, readonly number[], number, number, number, { start: number; end: number }]>([
  ["all of a short list", ones(3), 1, 10, 0, { start: 0, end: 3 }],
  ["the beginning", ones(20), 0, 5, 0, { start: 0, end: 5 }],
  ["the window stays while the cursor is in it", ones(20), 9, 5, 7, { start: 7, end: 12 }],
  ["it moves down no further than it has to", ones(20), 12, 5, 7, { start: 8, end: 13 }],
  ["it moves up no further than it has to", ones(20), 6, 5, 7, { start: 6, end: 11 }],
  ["at the end no row stays empty", ones(20), 19, 5, 18, { start: 15, end: 20 }],
  ["the list has become shorter", ones(4), 3, 3, 9, { start: 1, end: 4 }],
  ["high entries", [1, 2, 2, 2, 1], 3, 4, 0, { start: 2, end: 4 }],
  ["an entry that is higher than the room", [1, 9, 1], 1, 4, 0, { start: 1, end: 2 }],
  ["an empty list", [], 0, 5, 0, { start: 0, end: 0 }],
  ["a cursor that is nowhere", ones(20), -1, 5, 3, { start: 0, end: 5 }],
])("%s", (_, heights, cursor, room, start, window) => {
  expect(windowOf(heights, cursor, room, start)).toEqual(window);
});

test("the heading above the first entry stays where both have room", () => {
  expect([heldCursor([1, 2], 1, 3), heldCursor([1, 3], 1, 3), heldCursor([1, 1, 1], 2, 3)]).toEqual([0, 1, 2]);
});

test("whatever the heights are, the cursor is in the window, and what is drawn has room", () => {
  const heights = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 60 });
  const number = fc.nat(59);
  fc.assert(
    fc.property(heights, number, fc.integer({ min: 3, max: 40 }), number, (all, place, room, from) => {
      const cursor = Math.min(place, all.length - 1);
      const { start, end } = windowOf(all, cursor, room, from);
      expect(cursor).toBeGreaterThanOrEqual(start);
      expect(cursor).toBeLessThan(end);
      expect(all.slice(start, end).reduce((sum, height) => sum + height, 0)).toBeLessThanOrEqual(room);
      expect(windowOf(all, cursor, room, start)).toEqual({ start, end });
    }),
  );
});
