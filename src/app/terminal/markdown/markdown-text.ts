import { type Block, type Item, type List, markdownBlocks, markdownLines } from "../../../core/markdown/blocks.js";
import { inlinePieces, type TextStyle } from "../../../core/markdown/inline.js";
import { screenText } from "../../../core/text/terminal-text.js";
import type { Output } from "../../command-definition.js";
import { graphemesOf } from "../grapheme-width.js";
import { paint } from "../paint.js";
import { screenWidth, stringWidth } from "../text-width.js";
import { tableRows } from "./markdown-table.js";
import { styledRows } from "./styled-rows.js";

/** Longer rows are hard to read, however wide the window is. */
const WIDEST = 100;
/** Text that is nested deeply keeps this much room, and goes beyond the window's edge. */
const NARROWEST = 20;

interface Page {
  readonly output: Output;
  /** Without an end where nobody looks: lines then break where they were written. */
  readonly columns: number;
}

/**
 * A text in markdown, row by row. It is sanitised before it is read, so whatever the marks mean, nothing in it is
 * obeyed by a terminal; and all of its words are shown, because a person may approve what they read here.
 */
export function markdownRows(text: string, output: Output): readonly string[] {
  const page = { output, columns: Math.max(NARROWEST, Math.min(screenWidth(output), widest(output))) };
  return blocksRows(markdownBlocks(markdownLines(text).map(screenText)), page, true).map((row) => row.trimEnd());
}

function widest({ isTerminal }: Output): number {
  return isTerminal ? WIDEST : Number.POSITIVE_INFINITY;
}

function blocksRows(blocks: readonly Block[], page: Page, isLoose: boolean): readonly string[] {
  return blocks.flatMap((block, at) => [...(isLoose && at > 0 ? [""] : []), ...blockRows(block, page)]);
}

function blockRows(block: Block, page: Page): readonly string[] {
  const { output, columns } = page;
  switch (block.type) {
    case "heading":
      return headingRows(block.level, block.text, page);
    case "paragraph":
      return styledRows(inlinePieces(paragraphText(block.lines, columns)), columns, output);
    case "html":
      return block.lines.flatMap((line) => plainRows(line, page));
    case "table":
      return tableRows(block.lines, columns, output) ?? block.lines.flatMap((line) => plainRows(line, page));
    case "code":
      return codeRows(block.info, block.lines, page);
    case "quote":
      return within(page, 2, (inner) => blocksRows(block.blocks, inner, true)).map(
        (row) => `${paint(output, "dim", ">")} ${row}`,
      );
    case "list":
      return listRows(block, page);
    case "rule":
      return [paint(output, "dim", columns > WIDEST ? "---" : "─".repeat(columns))];
  }
}

function headingRows(level: number, text: string, { output, columns }: Page): readonly string[] {
  // Colours can tell two levels apart from each other and from text; deeper ones keep their marks.
  const marks = output.hasColor && level <= 2 ? "" : `${"#".repeat(level)} `;
  const own: readonly TextStyle[] = level === 1 ? ["bold", "underline"] : ["bold"];
  const pieces = inlinePieces(text).map((piece) => ({ ...piece, styles: [...own, ...piece.styles] }));
  return styledRows([{ text: marks, kind: "text", styles: ["bold"] }, ...pieces], columns, output);
}

/** Lines flow into each other, but for those that end in two blanks or a backslash. */
function paragraphText(lines: readonly string[], columns: number): string {
  const parts = lines.map((line, at) => {
    const text = line.trim();
    if (at === lines.length - 1) return text;
    const isBroken = columns > WIDEST || line.endsWith("  ") || text.endsWith("\\");
    return `${text.endsWith("\\") ? text.slice(0, -1) : text}${isBroken ? "\n" : " "}`;
  });
  return parts.join("");
}

/** A line in which nothing is a mark. */
function plainRows(line: string, { output, columns }: Page): readonly string[] {
  return styledRows([{ text: line.trim(), kind: "text", styles: [] }], columns, output);
}

const CODE_INDENT = "    ";

/** Its blanks stay. What is wider than the window goes on below, indented: a terminal would do so without. */
function codeRows(info: string, lines: readonly string[], { output, columns }: Page): readonly string[] {
  const room = Math.max(NARROWEST, columns - CODE_INDENT.length);
  const rows = lines.flatMap((line) => {
    if (line.trim() === "") return [""];
    return cutRows(line.trimEnd(), room).map((row) => `${CODE_INDENT}${paint(output, "cyan", row)}`);
  });
  return info === "" ? rows : [...plainRows(`${info}:`, { output, columns }).map((row) => `  ${row}`), ...rows];
}

function cutRows(line: string, columns: number): readonly string[] {
  if (!(stringWidth(line) > columns)) return [line];
  const rows: { text: string; width: number }[] = [];
  for (const unit of graphemesOf(line)) {
    const width = stringWidth(unit);
    const last = rows.at(-1);
    if (last && last.width + width <= columns) {
      last.text += unit;
      last.width += width;
    } else rows.push({ text: unit, width });
  }
  return rows.map(({ text }) => text);
}

function listRows({ items, isLoose }: List, page: Page): readonly string[] {
  return items.flatMap((item, at) => [...(isLoose && at > 0 ? [""] : []), ...itemRows(item, isLoose, page)]);
}

function itemRows({ marker, box, blocks }: Item, isLoose: boolean, page: Page): readonly string[] {
  const head = box === undefined ? `${marker} ` : `${marker} ${box} `;
  const [first = "", ...more] = within(page, head.length, (inner) => blocksRows(blocks, inner, isLoose));
  return [`${head}${first}`, ...more.map((row) => `${" ".repeat(head.length)}${row}`)];
}

function within(page: Page, indent: number, draw: (inner: Page) => readonly string[]): readonly string[] {
  return draw({ ...page, columns: Math.max(NARROWEST, page.columns - indent) });
}
