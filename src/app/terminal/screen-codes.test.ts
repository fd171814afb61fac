import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { paint, paintSelected } from "./paint.js";
import {
  bellCode,
  CLEAR_REST,
  desktopCodes,
  ENTER_VIEW,
  HIDE_CURSOR,
  LEAVE_VIEW,
  moveTo,
  SHOW_CURSOR,
  SYNC_BEGIN,
  SYNC_END,
  titleCode,
} from "./screen-codes.js";

const hostile = "x\u0007\u001b]0;owned\u001b\\\u009c\u009d;4;1;100\r\n\u202e";

describe("the screen", () => {
  test("what is switched on is switched off again", () => {
    const modes = (code: string, end: string) =>
      [...code.matchAll(/\[\?(\d+)([hl])/g)].filter(([, , to]) => to === end).map(([, mode]) => mode);
    expect(modes(ENTER_VIEW, "h").sort()).toEqual(["1000", "1006", "1049", "2004"]);
    for (const mode of modes(ENTER_VIEW, "h")) expect(modes(LEAVE_VIEW, "l"), mode).toContain(mode);
    expect(LEAVE_VIEW).toContain(SHOW_CURSOR);
    expect(ENTER_VIEW).toContain(HIDE_CURSOR);
    expect(LEAVE_VIEW).toContain(SYNC_END);
    expect([ENTER_VIEW.includes("[22;0t"), LEAVE_VIEW.includes("[23;0t")]).toEqual([true, true]);
  });

  test.each([
    [3, 7, "[3;7H"],
    [0, -4, "[1;1H"],
    [2.9, Number.NaN, "[2;1H"],
    [1e9, Number.POSITIVE_INFINITY, "[9999;9999H"],
  ])("moves to row %s, column %s", (row, column, code) => {
    expect(moveTo(row, column)).toBe(`\u001b${code}`);
  });

  test("short codes", () => {
    expect([SYNC_BEGIN, CLEAR_REST, bellCode()]).toEqual(["\u001b[?2026h", "\u001b[K", "\u0007"]);
  });
});

describe("texts in codes", () => {
  test("a title", () => expect(titleCode("milepost: 2 need you")).toBe("\u001b]2;milepost: 2 need you\u0007"));

  test.each([
    ["osc9", "\u001b]9;Milepost: web: Which port, 80, or 8080?\u0007"],
    ["osc777", "\u001b]777;notify;Milepost: web;Which port, 80, or 8080?\u0007"],
  ] as const)("a notice by %s, plain and through tmux", (way, code) => {
    expect(desktopCodes("web", "Which port; 80, or 8080?", { way, isTmux: false })).toBe(code);
    expect(desktopCodes("web", "Which port; 80, or 8080?", { way, isTmux: true })).toBe(
      `\u001bPtmux;\u001b${code}\u001b\\`,
    );
  });

  test("no text ends a code, begins one or adds a part to it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (random) => {
        for (const text of [random, `${random}${hostile}`, `${hostile}${random}`]) {
          const codes = [
            titleCode(text),
            desktopCodes(text, text, { way: "osc9", isTmux: false }),
            desktopCodes(text, text, { way: "osc777", isTmux: false }),
          ];
          expect(codes.map((code) => code.match(/;/g)?.length)).toEqual([1, 1, 3]);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
          for (const code of codes) expect(code.match(/[\0-\x1f\x7f-\x9f]/g)).toEqual(["\u001b", "\u0007"]);
        }
      }),
    );
  });

  test("a text has an end", () => expect(titleCode("x".repeat(100_000)).length).toBeLessThan(130));
});

describe("styles", () => {
  const output = (hasColor: boolean) => ({ hasColor, isTerminal: true, columns: 80, write: async () => {} });

  test("a selected row keeps its ground behind words that have a style of their own", () => {
    const row = paintSelected(output(true), `a ${paint(output(true), "red", "b")} c`);
    expect(row).toBe("\u001b[100ma \u001b[31mb\u001b[0m\u001b[100m c\u001b[0m");
  });

  test("without colour a selected row is plain text", () => {
    expect(paintSelected(output(false), "a")).toBe("a");
  });
});
