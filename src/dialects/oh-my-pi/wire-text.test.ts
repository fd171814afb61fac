import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { wireText } from "./wire-text.js";

// Each row was asked of the program's own function.
describe("what oh-my-pi's host sends to the model", () => {
  test.each<[name: string, text: string, sent: string]>([
    ["plain text", "a\tb\nc é 世 😀", "a\tb\nc é 世 😀"],
    ["no carriage return", "a\r\nb\rc", "a\nbc"],
    ["no NUL, DEL or other control", "a\0b\x07c\x7fd\x85e", "abcde"],
    ["no colours", "a\x1b[31mb\x1b[0m", "ab"],
    ["no title, whichever way it ends", "\x1b]0;t\x07x\x1b]0;t\x1b\\y\x1b]0;t\x9cz", "xyz"],
    ["no string commands, which BEL does not end", "\x1bPq\x07r\x1b\\x\x1b_q\x9cy", "xy"],
    ["a sequence that has no end takes the rest", "a\x1b[31", "a"],
    ["line breaks and other letters inside of one go with it", "\x1b[3\n1é;2mx", "x"],
    ["ESC begins a new one", "\x1b[\x1b[31mx", "x"],
    ["CAN breaks one off", "\x1b]0;t\x18x", "x"],
    ["a character set is one more letter", "\x1b(Bx\x1b#8y", "xy"],
    ["ESC before no command takes nothing with it", "\x1bé\x1b\nx", "é\nx"],
    ["one-character openers count where there is an ESC", "\x9b31mx\x1b", "x"],
    ["and are just controls where there is none", "\x9b31mx", "31mx"],
    ["a lone surrogate takes every replacement character with it", "a\ud800b\ufffdc", "abc"],
    ["replacement characters alone stay", "a\ufffdb", "a\ufffdb"],
  ])("%s", (_, text, sent) => {
    expect(wireText(text)).toBe(sent);
  });

  test("nothing that a terminal would obey is left, and what was sent is sent again as it is", () => {
    const piece = fc.oneof(fc.constantFrom("\x1b", "[", "]", "P", "\x07", "\x9c", "\x9b", "\r", "m"), fc.string());
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const sent = wireText(pieces.join(""));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
        expect(sent).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
        expect(wireText(sent)).toBe(sent);
      }),
      { numRuns: sized(200, 10_000) },
    );
  });
});
