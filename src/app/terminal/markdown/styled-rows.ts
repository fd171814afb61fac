import type { Piece, TextStyle } from "../../../core/markdown/inline.js";
import { visible } from "../../../core/text/visible.js";
import type { Output } from "../../command-definition.js";
import { graphemesOf } from "../grapheme-width.js";
import { paint } from "../paint.js";
import { stringWidth } from "../text-width.js";

// Pieces of sanitised text, laid over rows. A word is cut only where a whole row has no room for it.

interface Fragment {
  readonly text: string;
  readonly styles: readonly TextStyle[];
}

/** What stays together in a row. */
interface Word {
  readonly fragments: Fragment[];
  width: number;
  /** Columns before it, where it does not begin a row. */
  readonly gap: 0 | 1;
}

const CODE_PAINT = "cyan";
const PAINTS = { bold: "bold", italic: "italic", underline: "underline", strike: "strike", code: CODE_PAINT } as const;

/** Without colours the marks are all that says a style, so they stay. */
export function styledRows(pieces: readonly Piece[], columns: number, output: Output): readonly string[] {
  const shown = pieces.filter(({ kind }) => !output.hasColor || kind !== "mark");
  return linesOf(shown).flatMap((line) => wrapLine(line, columns).map((row) => paintedRow(row, output)));
}

/** Fragments line by line, and in a line word by word. */
function linesOf(pieces: readonly Fragment[]): readonly (readonly Word[])[] {
  let words: Word[] = [{ fragments: [], width: 0, gap: 1 }];
  const lines = [words];
  for (const { text, styles } of pieces)
    for (const [lineAt, line] of text.split("\n").entries()) {
      if (lineAt > 0) {
        words = [{ fragments: [], width: 0, gap: 1 }];
        lines.push(words);
      }
      // Code stays together: it is read as one thing, and its blanks mean something.
      const parts = styles.includes("code") ? [line] : line.split(/ +/);
      for (const [at, word] of parts.entries()) {
        if (at > 0) words.push({ fragments: [], width: 0, gap: 1 });
        if (word !== "") addTo(words, { text: word, styles });
      }
    }
  return lines;
}

function addTo(words: Word[], fragment: Fragment): void {
  const last = words.at(-1);
  last?.fragments.push(fragment);
  if (last) last.width += stringWidth(fragment.text);
}

function wrapLine(words: readonly Word[], columns: number): readonly (readonly Word[])[] {
  const rows: Word[][] = [];
  let width = 0;
  for (const word of words.filter(({ fragments }) => fragments.length > 0).flatMap((one) => broken(one, columns))) {
    const row = rows.at(-1);
    if (row && width + word.gap + word.width <= columns) {
      row.push(word);
      width += word.gap + word.width;
    } else {
      rows.push([word]);
      width = word.width;
    }
  }
  return rows;
}

/** What is wider than a row goes on in the next one: a terminal would go on where our own rows begin. */
function broken(word: Word, columns: number): readonly Word[] {
  if (word.width <= columns) return [word];
  const parts: Word[] = [];
  for (const { text, styles } of word.fragments)
    for (const unit of graphemesOf(text)) {
      const last = parts.at(-1);
      const width = stringWidth(unit);
      if (!last || last.width + width > columns)
        parts.push({ fragments: [{ text: unit, styles }], width, gap: last ? 0 : word.gap });
      else {
        last.fragments.push({ text: unit, styles });
        last.width += width;
      }
    }
  return parts;
}

function paintedRow(words: readonly Word[], output: Output): string {
  const runs: { text: string; readonly styles: readonly TextStyle[] }[] = [];
  for (const [at, { fragments, gap }] of words.entries()) {
    let blank = at > 0 && gap === 1 ? " " : "";
    for (const { text, styles } of fragments) {
      const last = runs.at(-1);
      if (last && isSame(last.styles, styles)) last.text += `${blank}${text}`;
      else {
        if (blank !== "") runs.push({ text: blank, styles: [] });
        runs.push({ text, styles });
      }
      blank = "";
    }
  }
  const plain = runs.map(({ text }) => text).join("");
  // Where a mark fell away, its neighbours may join to what no text may hold: such a row is shown without styles.
  const safe = visible(plain);
  return safe === plain ? runs.map(({ text, styles }) => painted(text, styles, output)).join("") : safe;
}

function isSame(one: readonly TextStyle[], other: readonly TextStyle[]): boolean {
  return one === other || one.join() === other.join();
}

function painted(text: string, styles: readonly TextStyle[], output: Output): string {
  return styles.reduce((inner, style) => paint(output, PAINTS[style], inner), text);
}
