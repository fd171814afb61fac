import { expect, test } from "vitest";
import { terminalPage } from "../../scripts/screens/terminal-page.js";
import type { Cell } from "./screen-cells.js";

const cell = (text: string, more: Partial<Cell> = {}): Cell => ({
  text,
  width: 1,
  foreground: undefined,
  background: undefined,
  isBold: false,
  isDim: false,
  isItalic: false,
  isUnderlined: false,
  isInverse: false,
  isStruck: false,
  ...more,
});
const page = (...cells: readonly Cell[]) => terminalPage([cells], "milepost watch");

test("plain characters of one style are one piece, a wide one has a box of two", () => {
  const html = page(cell("o"), cell("k"), cell("漢", { width: 2 }), cell("", { width: 0 }), cell("!"));
  expect(html).toContain(">ok</span>");
  expect(html).toMatch(/<b style="width:2ch;[^"]*">漢<\/b><span [^>]*>!<\/span>/);
});

test.each([
  ["a place in the palette", 1, "#f2727f"],
  ["the colour cube", 208, "#ff8700"],
  ["a grey", 244, "#808080"],
  ["a colour of its own", "#123456", "#123456"],
])("%s is a colour", (_, foreground, expected) => {
  expect(page(cell("x", { foreground }))).toContain(`color:${expected};`);
});

test("markup in a cell or a title stays text", () => {
  const html = terminalPage([[..."<img onerror=x>"].map((text) => cell(text))], "</title><script>");
  expect(html).not.toMatch(/<img|<script/);
  expect(html).toContain("&#60;img onerror=x&#62;");
});
