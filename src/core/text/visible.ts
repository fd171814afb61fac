/** Model-written text, safe to look at: an allow list per code point. What is not plainly printable becomes a code. */
export function visible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // Written here, not at the top: compiling these classes takes milliseconds, and most texts never need them.
  // Every repetition has an end: an endless one overflows the stack on a text made for it.
  const odd =
    /(?<emoji>\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}\u{E0020}-\u{E007F}]{0,9}(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]{0,2}){0,9}|[0-9#*]\uFE0F\u20E3)|(?<hidden>[\p{Default_Ignorable_Code_Point}\u2800]{1,500})|(?<marks>\p{M}{5,500})|(?<blank>\p{Zs})|[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;
  return text.toWellFormed().replace(odd, (match, emoji?: string, hidden?: string, marks?: string, blank?: string) => {
    if (emoji !== undefined) return showEmoji(emoji);
    if (blank !== undefined) return " ";
    if (hidden !== undefined) return showHidden([...hidden]);
    // A few marks make a letter; a tower of them covers the rows above.
    return marks === undefined ? showControl(match) : [...marks].slice(0, 4).join("");
  });
}

/** An emoji may hold joiners and selectors, but only in the ways that make an emoji. */
function showEmoji(emoji: string): string {
  if (/^\p{S}\uFE0F?$/u.test(emoji) || /^\p{RGI_Emoji}$/v.test(emoji)) return emoji;
  return Array.from(emoji, (character) => {
    return /\p{Default_Ignorable_Code_Point}|\p{Cn}/u.test(character) ? escapeCode(character) : character;
  }).join("");
}

/** A run of hidden characters is a smuggled message: its length is worth knowing, its content is not. */
function showHidden(characters: readonly string[]): string {
  return characters.length > 2 ? `[${characters.length} hidden]` : characters.map(escapeCode).join("");
}

/** A symbol where Unicode has one, else the code. */
export function showControl(control: string): string {
  const code = control.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : escapeCode(control);
}

function escapeCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
