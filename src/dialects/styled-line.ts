// What agents draw for a person: lines in styles, fitted to a screen. Who prints them chooses the colours.

/** Colours by what they mean, and how letters are drawn. */
export type Style = "accent" | "success" | "warning" | "error" | "dim" | "muted" | "bold" | "italic" | "strike";

/** Text, or text in a style that holds for all of it. */
export type Piece = string | { readonly style: Style; readonly pieces: readonly Piece[] };

/** One line for a terminal. */
export type Line = readonly Piece[];

/** What a drawing is fitted to. Columns are counted as a terminal shows them: a wide letter has two. */
export interface Screen {
  /** Undefined where nobody cuts a line: a pipe, a file. */
  readonly columns?: number | undefined;
  readonly width: (text: string) => number;
  /** The words of a text over as many rows as it takes, each within the columns. Nothing is left out. */
  readonly wrap: (text: string, columns: number) => readonly string[];
}

export function styled(style: Style, ...pieces: readonly Piece[]): Piece {
  return { style, pieces };
}

/** As it is read without colours. Blanks at the end are nothing that anybody sees. */
export function plain(line: Line): string {
  return line.map(lettersOf).join("").trimEnd();
}

function lettersOf(piece: Piece): string {
  return typeof piece === "string" ? piece : piece.pieces.map(lettersOf).join("");
}

const SHORT_TAGS: { readonly [Name in Style]?: string } = { bold: "b", italic: "i", strike: "s" };

/** With a tag for each style, so that a test can read what a terminal would show. */
export function marked(line: Line): string {
  return line.map(tagged).join("").trimEnd();
}

function tagged(piece: Piece): string {
  if (typeof piece === "string") return piece;
  const tag = SHORT_TAGS[piece.style] ?? piece.style;
  return `<${tag}>${piece.pieces.map(tagged).join("")}</${tag}>`;
}
