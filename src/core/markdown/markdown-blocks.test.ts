import { expect, test } from "vitest";
import { type Block, markdownBlocks, markdownLines } from "./blocks.js";
import { inlinePieces, plainWords } from "./inline.js";

const outline = (blocks: readonly Block[]): unknown =>
  blocks.map((block) => {
    if (block.type === "heading") return `h${block.level} ${block.text}`;
    if (block.type === "quote") return [">", outline(block.blocks)];
    if (block.type === "list")
      return block.items.map(({ marker, box, blocks: inner }) => [marker, box, outline(inner)]);
    if (block.type === "rule") return "rule";
    return `${block.type} ${block.lines.map((line) => line.trim()).join("/")}`;
  });

const BLOCKS: readonly (readonly [name: string, text: string, blocks: unknown])[] = [
  ["headings end in marks or not", "# A ##\n## C#\n#no\n#", ["h1 A", "h2 C#", "paragraph #no", "h1 "]],
  ["a line below makes a heading", "A\n===\nB\n---\nC\nD\n---", ["h1 A", "h2 B", "paragraph C/D", "rule"]],
  ["a fence that is never closed goes to the end", "```ts\na\n~~~\n\n# b", ["code a/~~~//# b"]],
  ["a longer fence holds a shorter one", "````\n```\n````\nb", ["code ```", "paragraph b"]],
  ["three backticks in a line are no fence", "```a``` b", ["paragraph ```a``` b"]],
  [
    "tabs in front count",
    "- a\n\t- b\n\n\tc",
    [[["-", undefined, ["paragraph a", [["-", undefined, ["paragraph b"]]], "paragraph c"]]]],
  ],
  [
    "two blanks are enough below a number",
    "1. a\n  - b",
    [[["1.", undefined, ["paragraph a", [["-", undefined, ["paragraph b"]]]]]]],
  ],
  ["a paragraph goes on without blanks", "- a\nb\n\nc", [[["-", undefined, ["paragraph a/b"]]], "paragraph c"]],
  ["a year begins no list in a paragraph", "It was\n1986. Yes", ["paragraph It was/1986. Yes"]],
  [
    "boxes",
    "- [ ] a\n- [x]b\n- [x]",
    [
      [
        ["-", "[ ]", ["paragraph a"]],
        ["-", undefined, ["paragraph [x]b"]],
        ["-", "[x]", []],
      ],
    ],
  ],
  ["quotes in quotes", "> a\n>> b\nc", [[">", ["paragraph a", [">", ["paragraph b"]]]], "paragraph c"]],
  ["a table may follow a paragraph", "x\na|b\n-|-\nc|d\ny", ["paragraph x", "table a|b/-|-/c|d", "paragraph y"]],
  ["tags are not read, addresses are", "<b>\n*x*\n\n<https://x.y> z", ["html <b>/*x*", "paragraph <https://x.y> z"]],
];
test.each(BLOCKS)("%s", (_name, text, blocks) => {
  expect(outline(markdownBlocks(markdownLines(text)))).toEqual(blocks);
});

test("what is nested too deeply is text", () => {
  for (const mark of ["> ", "- "]) {
    let blocks = markdownBlocks([`${mark.repeat(100)}x`]);
    let depth = 0;
    for (; blocks[0]?.type === "quote" || blocks[0]?.type === "list"; depth += 1)
      blocks = blocks[0].type === "quote" ? blocks[0].blocks : (blocks[0].items[0]?.blocks ?? []);
    expect(depth).toBe(12);
    expect(outline(blocks)).toEqual([`paragraph ${mark.repeat(88)}x`]);
  }
});

/** Marks as `‹›`, addresses as `{}`, styles before each text. */
const drawn = (text: string) =>
  inlinePieces(text)
    .map((piece) => {
      if (piece.kind === "mark") return `‹${piece.text}›`;
      const styles = piece.styles.map((style) => style[0]).join("");
      return piece.kind === "address" ? `{${piece.text}}` : `${styles}${styles && ":"}${piece.text}`;
    })
    .join("");

const INLINE: readonly (readonly [text: string, pieces: string])[] = [
  ["**a** *b* ***c*** ~~d~~ __e__ _f_", "‹**›b:a‹**› ‹*›i:b‹*› ‹***›bi:c‹***› ‹~~›s:d‹~~› ‹__›b:e‹__› ‹_›i:f‹_›"],
  ["**a *b* c**", "‹**›b:a ‹*›bi:b‹*›b: c‹**›"],
  ["snake_case_name 2 * 3 * 4 ****", "snake_case_name 2 * 3 * 4 ****"],
  ["**never *closed", "**never *closed"],
  ["*a **b* c**", "‹*›i:a i:**i:b‹*› c**"],
  ["`a*b*` ``c`d`` `e", "‹`›c:a*b*‹`› ‹``›c:c`d‹``› `e"],
  ["\\*a\\* C:\\dir", "*a* C:\\dir"],
  ['[a](b_c_d) [e](f "t") [g](<h i>) [j]() [k]', 'a{ (b_c_d)} e{ (f "t")} [g](<h i>) [j]() [k]'],
  ["[](x) ![](y) ![z](w) !", "{(x)} [image]{ (y)} [image: z]{ (w)} !"],
  ["[[a](b)](c)", "a{ (b)}{ (c)}"],
];
test.each(INLINE)("%s", (text, pieces) => expect(drawn(text)).toBe(pieces));

test("plain words have neither marks nor addresses", () => {
  expect(plainWords(" **a**\n [b](c)  `d` ")).toBe("a b d");
});
