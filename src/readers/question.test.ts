import { expect, test } from "vitest";
import { isQuestion } from "../core/session/session-state.js";

test.each([
  ["Shall I go on?", true],
  ["Shall I go on? ", true],
  ["**Shall I go on?**", true],
  ['He asked: "Shall I?"', true],
  ["(Or not?)", true],
  ["`really?`\n\n", true],
  ["続けますか？", true],
  ["هل أتابع؟", true],
  ["Done.", false],
  ["Why? Because.", false],
  ["Is it? Yes!", false],
  ["https://example.org/?q=1", false],
  ["", false],
  ["?", true],
  [`Shall I?${" ".repeat(1000)}`, true],
  [`Shall I?${"*".repeat(1000)}`, false],
])("%j: %s", (text, expected) => expect(isQuestion(text)).toBe(expected));
