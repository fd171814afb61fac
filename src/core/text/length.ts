export function codePointLength(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

export function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}

/** At most `max` code points; a cut text ends in an ellipsis that counts as one of them. */
export function cutCodePoints(text: string, max: number): string {
  if (text.length <= max) return text;
  let kept = "";
  let count = 0;
  for (const character of text) {
    count += 1;
    if (count > max) return `${dropLastCodePoint(kept)}…`;
    kept += character;
  }
  return text;
}

function dropLastCodePoint(text: string): string {
  const last = text.codePointAt(text.length - 2) ?? 0;
  return text.slice(0, last > 0xffff ? -2 : -1);
}
