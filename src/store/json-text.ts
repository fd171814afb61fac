const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * JSON as it is stored: the same bytes on every engine. NUL stays an escape; half of a surrogate pair, which no
 * UTF-8 can hold, becomes U+FFFD.
 */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify escapes surrogates only when they stand alone.
  if (!text.includes("\\ud")) return text;
  return text.replace(ESCAPE, (escaped, half: string | undefined) => (half === undefined ? escaped : "\ufffd"));
}
