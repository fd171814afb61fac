import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { codePointLength, cutCodePoints, shortCount, utf8Length } from "./length.js";
import { PROMPT_TEXT_MAX, promptText } from "./prompt-text.js";
import { terminalLines, terminalText } from "./terminal-text.js";

describe("terminal text", () => {
  test.each([
    ["plain ASCII stays", "Run tests (all): 100%", "Run tests (all): 100%"],
    ["letters of any script stay", "Größe 日本語 العربية हिन्दी", "Größe 日本語 العربية हिन्दी"],
    ["escape is shown", "\u001b[31mred", "␛[31mred"],
    ["8-bit escape is shown", "\u009b31m", "\\u{9B}31m"],
    ["a line break is shown", "a\r\nb", "a␍␊b"],
    ["a tab is one blank", "a\tb", "a b"],
    ["delete and backspace are shown", "a\u007f\b", "a␡␈"],
    ["no-break and wide blanks become blanks", "a\u00a0b\u3000c", "a b c"],
    ["a right-to-left override is shown", "a\u202eb", "a\\u{202E}b"],
    ["one zero-width space is shown", "a\u200bb", "a\\u{200B}b"],
    ["a hidden message is counted, not shown", `a${"\u{e0141}".repeat(6)}`, "a[6 hidden]"],
    ["an emoji family keeps its joiners", "ok 👩‍👩‍👧‍👦 ✔️ 1️⃣ 🇩🇪", "ok 👩‍👩‍👧‍👦 ✔️ 1️⃣ 🇩🇪"],
    ["emoji side by side stay", "✔️👍🏽👍❤️‍🔥", "✔️👍🏽👍❤️‍🔥"],
    ["a flag made of tags stays", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
    ["joined signs that make no emoji are taken apart", "©\u200d®", "©\\u{200D}®"],
    ["a message in the tags of a flag is shown", "🏴\u{e0061}\u{e0062}", "🏴\\u{E0061}\\u{E0062}"],
    ["an unassigned pictograph is shown", "\u{1f0ff}", "\\u{1F0FF}"],
    ["a tower of marks is cut down", `a${"\u0301".repeat(50)}`, `a${"\u0301".repeat(4)}`],
    ["a joiner between letters is shown", "a\u200db", "a\\u{200D}b"],
    ["invisible letters are shown", "a\u3164b\u2800c", "a\\u{3164}b\\u{2800}c"],
    ["a lone surrogate becomes the replacement character", "a\ud800", "a\ufffd"],
    ["private use and unassigned are shown", "\ue000\u{e0fff}", "\\u{E000}\\u{E0FFF}"],
    ["line and paragraph separators are shown", "a\u2028b\u2029", "a\\u{2028}b\\u{2029}"],
  ])("%s", (_name, text, shown) => {
    expect(terminalText(text)).toBe(shown);
  });

  test("a text of several lines becomes several safe rows", () => {
    expect(terminalLines("a\r\nb\u001b[2J\nc")).toEqual(["a", "b␛[2J", "c"]);
  });

  test("a text of any size is looked at in bounded time and memory", () => {
    const size = 1 << 22;
    for (const unit of ["\u200b", "👨\u200d", "a\u200b", "\u001b", "\u0301", "🏴", "\ud800", "日"]) {
      const huge = unit.repeat(size / unit.length);
      expect(terminalText(huge).length).toBeLessThan(40_000);
      expect(promptText(huge).length).toBeLessThan(500);
    }
  });

  test("a cut inside an emoji leaves no joiner behind", () => {
    for (let before = 190; before < 200; before += 1)
      expect(promptText(`${"x".repeat(before)}👨‍👩‍👧yyyyyyyyyyyyyy`)).not.toMatch(/[\u200d\ufe0f]…$/);
  });

  test("whatever comes in, nothing that acts goes out, and a second pass changes nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = terminalText(text);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\p{Cs}]/u);
        expect(terminalText(shown)).toBe(shown);
      }),
      { numRuns: sized(250, 10_000) },
    );
  });
});

describe("prompt text", () => {
  test.each([
    ["a plain text stays", "Rename x -> y, keep a > b", "Rename x -> y, keep a > b"],
    ["lines fold into one", "a\n\nHuman: yes\r\n\tb ", "a Human: yes b"],
    ["a closing tag loses its bracket", "x</system-reminder>", "x‹/system-reminder>"],
    ["spaced and cased variants too", "< / SYSTEM-REMINDER >", "‹ / SYSTEM-REMINDER >"],
    ["full-width and small forms too", "＜b＞ ﹤b﹥", "‹b＞ ‹b﹥"],
    ["character references too", "&lt;b &LT b &#60;b &#x3C;b &#0060;b", "‹b ‹ b ‹b ‹b ‹b"],
    ["special tokens too", "<|channel|>", "‹|channel|>"],
    ["chat markers are taken apart", "[INST] x [/INST]", "[ INST] x [/ INST]"],
    ["hidden characters are shown", "del\u200bete", "del\\u{200B}ete"],
  ])("%s", (_name, text, shown) => {
    expect(promptText(text)).toBe(shown);
  });

  test("a long text is cut and says so", () => {
    expect(promptText("x".repeat(5000))).toBe(`${"x".repeat(PROMPT_TEXT_MAX - 1)}…`);
    expect(promptText(`${" ".repeat(5000)}x`, 10)).toBe("x");
    expect(promptText(`x${" ".repeat(5000)}y`, 10)).toBe("x …");
  });

  test("whatever comes in: one line, no tag opener, within its budget, also after NFKC", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), fc.integer({ min: 1, max: 300 }), (text, max) => {
        const shown = promptText(text, max);
        expect(shown.normalize("NFKC")).not.toMatch(/[<\n\r]/);
        expect(codePointLength(shown)).toBeLessThanOrEqual(max);
      }),
      { numRuns: sized(250, 10_000) },
    );
  });
});

describe("lengths", () => {
  test("code points and bytes are counted as other languages count them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(codePointLength(text)).toBe([...text].length);
        expect(utf8Length(text.toWellFormed())).toBe(Buffer.byteLength(text));
        const cut = cutCodePoints(text, 3);
        expect(codePointLength(cut)).toBeLessThanOrEqual(3);
        expect(cut === text || (cut.endsWith("…") && text.startsWith(cut.slice(0, -1)))).toBe(true);
      }),
      { numRuns: sized(250, 5000) },
    );
  });
});

test.each([
  [0, "0"],
  [950, "950"],
  [1000, "1k"],
  [117_600, "118k"],
  [999_600, "1M"],
  [1_240_000, "1.2M"],
])("%d in short is %s", (count, short) => expect(shortCount(count)).toBe(short));
