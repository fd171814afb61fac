/**
 * Model-written text, made safe to look at: an allow list per code point. What is not plainly printable is
 * shown, never obeyed. Strippers that know escape sequences leave the ones they do not know; this cannot.
 */
export function visible(text: string): string {
  return PLAIN.test(text) ? text : text.toWellFormed().replace(ODD, show);
}

const PLAIN = /^[ -~]*$/;

// An emoji sequence may hold joiners and selectors; anywhere else they are hidden characters.
const ODD = /\p{RGI_Emoji}|[\p{Default_Ignorable_Code_Point}\u2800]+|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gv;
const EMOJI = /^\p{RGI_Emoji}$/v;
const SPACE = /^\p{Zs}$/u;
const HIDDEN = /^[\p{Default_Ignorable_Code_Point}\u2800]/u;

function show(odd: string): string {
  if (SPACE.test(odd)) return " ";
  if (HIDDEN.test(odd)) return showHidden([...odd]);
  if (EMOJI.test(odd)) return odd;
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
