/** The smallest that is supported, the usual one, a window, and a large screen. */
export const SIZES = [
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 60 },
] as const;

/**
 * A screen as it is compared: clocks, seconds and the folder of the test are each time others. Digits become zeros, so
 * that columns stay where they are.
 */
export function maskedScreen(rows: readonly string[], root: string): string {
  const zeros = (text: string) => text.replaceAll(/\d/g, "0");
  const masked = rows.map((row) =>
    row
      .replaceAll(root, "ROOT")
      .replaceAll(/\b\d\d:\d\d(?::\d\d)?\b/g, zeros)
      .replaceAll(/\b\d+s\b/g, zeros),
  );
  return `${masked.join("\n").trimEnd()}\n`;
}

const [ESC, BEL] = ["\u001b", "\u0007"];

/** What a program may send to draw: colours, places, erasing, its own screen, modes, and a title (kept to be looked at). */
const DRAWING = new RegExp(
  [
    `${ESC}\\[[\\d;]*[mHABCDGJKX]`,
    `${ESC}\\[\\?(?:7|25|1000|1002|1004|1006|1049|2004|2026)[hl]`,
    `${ESC}\\[[<>?]\\d*u`,
    `${ESC}\\[2[23];[02]t`,
    `${ESC}\\][02];([^${BEL}${ESC}]*)(?:${BEL}|${ESC}\\\\)`,
  ].join("|"),
  "g",
);

/** Control characters that are left when everything is taken away that drawing needs. */
export function strangeControls(raw: string): readonly string[] {
  return raw.replaceAll(DRAWING, "$1").match(/[^\P{Cc}\r\n]+/gu) ?? [];
}

/** Shorter pieces may be anybody's. */
const SHORTEST = 6;

/** Control characters of these texts that were written with what stands around them: nobody had made them harmless. */
export function passedOn(raw: string, texts: readonly string[]): readonly string[] {
  const pieces = texts.flatMap((text) =>
    [...text.matchAll(/\p{Cc}/gu)].map(({ index }) => text.slice(Math.max(0, index - 4), index + 12)),
  );
  // A terminal makes two characters of the end of a row.
  const rows = raw.replaceAll("\r\n", "\n");
  return [...new Set(pieces)].filter((piece) => piece.length >= SHORTEST && rows.includes(piece));
}
