/** `1 todo`, `2 todos`. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function inWords(names: readonly string[], word: "and" | "or" = "and"): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} ${word} ${last}` : last;
}

/** With its full stop: some texts end with a command, and have none. */
export function asSentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

/** `950`, `118k`, `1.2M`: to the nearest that is worth reading. */
export function shortCount(count: number): string {
  const thousands = Math.round(count / 1000);
  if (count < 1000) return `${count}`;
  return thousands < 1000 ? `${thousands}k` : `${(count / 1_000_000).toFixed(1).replace(/\.0$/, "")}M`;
}

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
  let count = 0;
  let room = 0;
  let end = 0;
  for (const character of text) {
    count += 1;
    if (count > max) return `${dropJoiners(text.slice(0, room))}…`;
    room = end;
    end += character.length;
  }
  return text;
}

/** A cut may fall inside an emoji: what joined it to the rest would be left hanging. */
function dropJoiners(text: string): string {
  let end = text.length;
  while (end > 0 && JOINERS.has(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const JOINERS = new Set([0x200d, 0xfe0e, 0xfe0f]);
