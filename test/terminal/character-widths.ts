import type { IUnicodeVersionProvider } from "@xterm/headless";
import stringWidth from "string-width";

// xterm's own widths are those of 2010, when pictures were one column wide. Terminals of today, which the view is drawn
// for, give a picture two columns, and one cell to all that is joined into one character.

const [JOINER, PICTURE_FORM] = [0x200d, 0xfe0f];
const isFlagLetter = (code: number) => code >= 0x1f1e6 && code <= 0x1f1ff;
const isSkinTone = (code: number) => code >= 0x1f3fb && code <= 0x1f3ff;

/** What the character before was, in the bits that xterm keeps for whoever tells widths. */
const [OTHER, JOINS_NEXT, HALF_FLAG] = [0, 1, 2];

const packed = (kind: number, width: number, isJoined: boolean) => (kind << 3) | (width << 1) | (isJoined ? 1 : 0);
const kindIn = (properties: number) => properties >> 3;
const widthIn = (properties: number) => (properties >> 1) & 3;

const known = new Map<number, 0 | 1 | 2>();

function widthOf(code: number): 0 | 1 | 2 {
  const found = known.get(code);
  if (found !== undefined) return found;
  const width = Math.min(2, stringWidth(String.fromCodePoint(code))) as 0 | 1 | 2;
  known.set(code, width);
  return width;
}

function propertiesOf(code: number, before: number): number {
  const [kind, wide] = [kindIn(before), widthIn(before)];
  if (code === JOINER) return packed(JOINS_NEXT, wide, before !== 0);
  if (code === PICTURE_FORM) return packed(OTHER, before === 0 ? 0 : 2, before !== 0);
  if (isFlagLetter(code)) return kind === HALF_FLAG ? packed(OTHER, 2, true) : packed(HALF_FLAG, 2, false);
  const width = widthOf(code);
  const isJoined = before !== 0 && wide > 0 && (kind === JOINS_NEXT || width === 0 || (isSkinTone(code) && wide === 2));
  return isJoined ? packed(OTHER, Math.max(wide, width), true) : packed(OTHER, width, false);
}

export const TODAYS_WIDTHS: IUnicodeVersionProvider = {
  version: "today",
  wcwidth: widthOf,
  charProperties: propertiesOf,
};
