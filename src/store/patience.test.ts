import { describe, expect, test } from "vitest";
import { Patience, tooLate } from "./patience.js";

const never = new Promise<never>(() => undefined);

describe("patience", () => {
  test.each([
    [300, 300],
    [0.2, 1],
    [-5, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 2 ** 31 - 1],
  ])("of %d is %d", (given, total) => {
    expect(new Patience(given)).toMatchObject({ total, left: total });
  });

  test("what was waited for one thing is not there for the next", () => {
    const patience = new Patience(100);
    patience.spend(30);
    expect(patience.left).toBe(70);
    patience.spend(80);
    expect(patience.left).toBe(0);
  });

  test("what does not come is given up, and says so in words", async () => {
    const patience = new Patience(5);
    await expect(patience.waitFor(never, "a.db")).rejects.toMatchObject({
      code: "store-busy",
      message: "The store a.db gave no answer within 5 ms. Nothing was written; try again.",
    });
    // A timer may end a part of a millisecond early.
    expect(patience.left).toBeLessThan(1);
    expect(tooLate("", new Patience(0)).message).toBe(
      "The store gave no answer at once. Nothing was written; try again.",
    );
  });

  test("what comes soon costs nothing; trouble is passed on", async () => {
    const patience = new Patience(1000);
    expect(await patience.waitFor(Promise.resolve(7), "", 60_000)).toBe(7);
    expect(patience.left).toBe(1000);
    await expect(patience.waitFor(Promise.reject(new TypeError("ours")))).rejects.toThrow(TypeError);
  });
});
