import stringWidth from "string-width";

// Loaded with the first text that needs it: the build goes by this file, which exports functions only.

let graphemes: Intl.Segmenter | undefined;

export function graphemesOf(text: string): readonly string[] {
  graphemes ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment);
}

export function widthOfGraphemes(text: string): number {
  return stringWidth(text);
}
