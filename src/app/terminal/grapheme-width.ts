import stringWidth from "string-width";

// Loaded with the first text that needs it: the build goes by this file, which exports functions only.

let graphemes: Intl.Segmenter | undefined;

/** The segmenter's time grows with the square of a text, so a long one is taken piece by piece. */
const PIECE = 200;

export function graphemesOf(text: string): readonly string[] {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const found: string[] = [];
  for (let start = 0; start < text.length; ) {
    const piece = Array.from(graphemes.segment(text.slice(start, start + PIECE)), ({ segment }) => segment);
    // The last one may go on in the next piece, and is then read again.
    const isCut = start + PIECE < text.length && piece.length > 1;
    const whole = isCut ? piece.slice(0, -1) : piece;
    for (const grapheme of whole) {
      found.push(grapheme);
      start += grapheme.length;
    }
  }
  return found;
}

const widths = new Map<string, number>();
/** More than any script has in use. */
const MOST_WIDTHS = 20_000;
const SHORT = 8;

export function widthOfGraphemes(text: string): number {
  if (text.length <= SHORT) return knownWidth(text);
  return text.length <= PIECE ? stringWidth(text) : graphemesOf(text).reduce((sum, one) => sum + knownWidth(one), 0);
}

/** Of a letter or a short word: measuring takes long, and a text repeats them. */
function knownWidth(text: string): number {
  const known = widths.get(text);
  if (known !== undefined) return known;
  if (widths.size >= MOST_WIDTHS) widths.clear();
  const width = stringWidth(text);
  widths.set(text, width);
  return width;
}
