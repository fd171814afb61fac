import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import { screenText } from "../../../core/text/terminal-text.js";
import type { Output } from "../../command-definition.js";
import { stringWidth } from "../text-width.js";
import { markdownRows } from "./markdown-text.js";

const output = (given: Partial<Output> = {}): Output => ({
  write: async () => {},
  isTerminal: true,
  hasColor: false,
  columns: 30,
  ...given,
});
const PIPE = output({ isTerminal: false });
const COLOR = output({ hasColor: true });
const ESCAPE = "\u001b";
const SGR = new RegExp(`${ESCAPE}\\[\\d+m`, "g");

describe("markdown without colours", () => {
  const rows: readonly (readonly [name: string, text: string, rows: readonly string[]])[] = [
    ["headings keep their marks", "# A\nText\n\nB\n---", ["# A", "", "Text", "", "## B"]],
    ["paragraphs wrap", "one two three\nfour five six seven eight", ["one two three four five six", "seven eight"]],
    ["two blanks or a backslash break a line", "a  \nb\\\nc\nd", ["a", "b", "c d"]],
    [
      "lists wrap below their text",
      "10. one two three four five six seven",
      ["10. one two three four five", "    six seven"],
    ],
    ["lists nest", "- a\n  - [ ] b\n    1) c\n- [x] d", ["- a", "  - [ ] b", "        1) c", "- [x] d"]],
    ["loose lists stay loose", "* a\n\n* b", ["* a", "", "* b"]],
    [
      "code is indented, and what is wider than the window goes on below it",
      `\`\`\`ts\n\tif (a) {\n\n${"x ".repeat(40)}y\n\`\`\``,
      [
        "  ts:",
        "        if (a) {",
        "",
        ...["x ".repeat(13), "x ".repeat(13), "x ".repeat(13), "x y"].map((row) => `    ${row}`.trimEnd()),
      ],
    ],
    ["marks are all that says a style", "**a** *b* `c  d`", ["**a** *b* `c  d`"]],
    [
      "quotes",
      "> one two three four five six seven\n>\n> > b",
      ["> one two three four five six", "> seven", ">", "> > b"],
    ],
    ["rules", "a\n\n***", ["a", "", "─".repeat(30)]],
    [
      "links show where they lead",
      "[https://good.org](https://bad.org/a_(b))!",
      ["https://good.org", "(https://bad.org/a_(b))!"],
    ],
    ["images", "![a b](c.png)", ["[image: a b] (c.png)"]],
    ["tags are text", "<script>alert(1)</script>\n<!-- x -->", ["<script>alert(1)</script>", "<!-- x -->"]],
    [
      "tables are aligned",
      "| a | n |\n|---|--:|\n| `x\\|y` | 1 |\n| z |\n",
      ["a     |   n", "------|----", "`x|y` |   1", "z     |"],
    ],
    [
      "wide tables stay as they are",
      "|one|two|\n|-|-|\n|three four five six seven|eight|",
      ["|one|two|", "|-|-|", "|three four five six", "seven|eight|"],
    ],
    [
      "a word is cut where no row has room for it",
      `a ${"w".repeat(40)} b`,
      ["a", "w".repeat(30), `${"w".repeat(10)} b`],
    ],
    ["scripts without blanks break anywhere", "日".repeat(20), ["日".repeat(15), "日".repeat(5)]],
  ];
  test.each(rows)("%s", (_name, text, expected) => expect(markdownRows(text, output())).toEqual(expected));

  test("into a pipe lines break where they were written", () => {
    const text = `${"word ".repeat(40).trim()}\nb\n\n---\n- c\n  d`;
    expect(markdownRows(text, PIPE)).toEqual([...text.split("\n").slice(0, 2), "", "---", "", "- c", "  d"]);
  });
});

describe("markdown with colours", () => {
  test.each([
    ["styles stand in for marks", "a **b c** `d`", ["a \u001b[1mb c\u001b[0m \u001b[36md\u001b[0m"]],
    [
      "two levels of headings need no marks",
      "# A\n## B\n### C",
      ["\u001b[4m\u001b[1mA\u001b[0m\u001b[0m", "", "\u001b[1mB\u001b[0m", "", "\u001b[1m### C\u001b[0m"],
    ],
    [
      "a table's columns ignore them",
      "|**a**|b|\n|-|-|\n|c|d|",
      ["\u001b[1m\u001b[1ma\u001b[0m\u001b[0m   | \u001b[1mb\u001b[0m", "\u001b[2m----|----\u001b[0m", "c   | d"],
    ],
  ])("%s", (_name, text, rows) => expect(markdownRows(text, COLOR)).toEqual(rows));
});

describe("a hostile text", () => {
  test.each([
    ["in a paragraph", "a\u001b[2Jb", "a␛[2Jb"],
    ["in code", "```\n\u001b]0;x\u0007\n```", "    ␛]0;x␇"],
    ["behind a fence", "```\u001b[1A\nx", "  ␛[1A:"],
    ["in inline code", "`\u009b31m`", "`\\u{9B}31m`"],
    ["in an address", "[a](https://x\u001b\\\u202e)", "a (https://x␛\\\\u{202E})"],
    ["in a title", '[a](b "\u001b[5m")', 'a (b "␛[5m")'],
    ["in a heading", "# a\rb\u200b", "# a␍b\\u{200B}"],
    ["in a list", "- [ ] \u001b[H", "- [ ] ␛[H"],
    ["in a tag", "<a href=\u001b>", "<a href=␛>"],
    ["as a link of the terminal", "\u001b]8;;https://x\u001b\\y\u001b]8;;\u001b\\", "␛]8;;https://x␛\\y␛]8;;␛\\"],
  ])("is shown, not obeyed: %s", (_name, text, row) => expect(markdownRows(text, PIPE)[0]).toBe(row));

  test("cannot join over a mark to what no text may hold", () => {
    const tower = markdownRows("a`\u0301\u0301\u0301`**\u0301\u0301\u0301**", output({ hasColor: true, columns: 200 }));
    expect(tower).toEqual([`a${"\u0301".repeat(4)}`]);
    expect(markdownRows("a *\ufe0f\u20e3b*", COLOR)[0]).toContain("\\u{FE0F}");
  });

  const mark = fc.constantFrom(
    ...[
      "*",
      "**",
      "_",
      "`",
      "```",
      "~~",
      "[",
      "]",
      "](",
      ")",
      "![",
      "# ",
      "- ",
      "1. ",
      "> ",
      "| ",
      "|-|-|",
      "---",
      "\\",
    ],
    ...[
      "<b>",
      "\n",
      "\n\n",
      "\n  ",
      "\n    ",
      "\t",
      " ",
      "  \n",
      "\r",
      "\u001b[31m",
      "\u202e",
      "\u200b",
      "\u0301",
      "日",
      "👍",
    ],
  );
  const word = fc.constantFrom("alpha", "beta", "gamma", "delta");
  const text = fc.array(fc.oneof(mark, word, fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 40 });

  test("leaves no control character but our own colours, and no row that changes when it is sanitised again", () => {
    fc.assert(
      fc.property(text, fc.constantFrom(output(), PIPE, COLOR), (parts, to) => {
        for (const row of markdownRows(parts.join(""), to)) {
          const plain = to.hasColor ? row.replace(SGR, "") : row;
          expect(plain).not.toMatch(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
          expect(screenText(plain)).toBe(plain);
        }
      }),
    );
  });

  test("keeps its words, in their order", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(mark, word), { maxLength: 40 }),
        fc.constantFrom(output(), PIPE, COLOR),
        (parts, to) => {
          const shown = markdownRows(parts.join(""), to).join("\n").replace(SGR, "");
          // A word may go on in the next row.
          const words = (of: string) => of.replace(/\n[\s>]*/g, "").match(/alpha|beta|gamma|delta/g) ?? [];
          expect(words(shown)).toEqual(words(parts.join("")));
        },
      ),
    );
  });

  test("no row is wider than the window, so that none goes on where our own rows begin", () => {
    for (const text of [
      "x".repeat(500),
      `\`\`\`\n${"c ".repeat(300)}\n\`\`\``,
      `- ${"日".repeat(300)}`,
      `> ${"w".repeat(300)}`,
    ])
      for (const row of markdownRows(text, output({ columns: 80 }))) expect(stringWidth(row)).toBeLessThanOrEqual(80);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.constantFrom("- ", "> ", "\n", " ", "日本", "*"))), (parts) => {
        const short = parts
          .flatMap((part) => [part, " "])
          .join("")
          .replaceAll("    ", " ");
        for (const row of markdownRows(short, output({ columns: 80 })))
          expect(stringWidth(row)).toBeLessThanOrEqual(80);
      }),
    );
  });

  test("takes time that grows with its length, whatever it is", () => {
    const size = sized(20_000, 200_000);
    const units = [
      "[",
      "**a",
      "*a_",
      "> ",
      "- ",
      "``a`",
      "[](",
      "[a]( ",
      "![",
      "|-",
      "a|b\n-|-\n",
      "\\",
      "日",
      "\u001b",
      "a\u0301",
      "x",
    ];
    const deep = Array.from({ length: 600 }, (_line, at) => `${" ".repeat(at)}- a`).join("\n");
    for (const hostile of [...units.map((unit) => unit.repeat(size / unit.length)), deep]) {
      // Microseconds of this process, whatever else runs; the best of three, as a busy machine makes one try slow.
      // Most take a tenth of it; the square of a length takes minutes.
      const fast = [1, 2, 3].some(() => cpuTime(() => markdownRows(hostile, COLOR)) < 20 * size);
      expect([hostile.slice(0, 4), fast]).toEqual([hostile.slice(0, 4), true]);
    }
  });
});

function cpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user;
}
