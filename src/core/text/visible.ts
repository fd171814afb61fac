/**
 * Model-written text, made safe to look at: an allow list per code point. What is not plainly printable is
 * shown, never obeyed. Strippers that know escape sequences leave the ones they do not know; this cannot.
 */
export function visible(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  // Written here, not at the top: compiling these classes takes milliseconds, and most texts never need them.
  return text
    .toWellFormed()
    .replace(
      /(?<emoji>\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?(?:\u200D\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]?)*|[0-9#*]\uFE0F\u20E3)|(?<hidden>[\p{Default_Ignorable_Code_Point}\u2800]+)|(?<blank>\p{Zs})|[^\p{L}\p{M}\p{N}\p{P}\p{S}]/gu,
      show,
    );
}

/** An emoji sequence may hold joiners and selectors; anywhere else they are hidden characters. */
function show(odd: string, emoji?: string, hidden?: string, blank?: string): string {
  if (emoji !== undefined) return emoji;
  if (blank !== undefined) return " ";
  if (hidden !== undefined) return showHidden([...hidden]);
  const code = odd.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  return code === 0x7f ? "\u2421" : escapeCode(odd);
}

/** A run of hidden characters is a smuggled message: its length is worth knowing, its content is not. */
function showHidden(characters: readonly string[]): string {
  return characters.length > 2 ? `[${characters.length} hidden]` : characters.map(escapeCode).join("");
}

function escapeCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}
