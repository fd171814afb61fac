/** Tells texts apart without keeping them. Not for anything that has to withstand an attack. */
export function fingerprint(text: string): string {
  let a = 0x811c9dc5;
  let b = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${(a >>> 0).toString(36)}.${(b >>> 0).toString(36)}`;
}
