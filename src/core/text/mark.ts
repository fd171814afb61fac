/** Short, and the same for the same text alone, as far as anybody will ever see. The text cannot be read from it. */
export function markOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return [one, two].map((part) => (part >>> 0).toString(16)).join("-");
}

const ROOM = 65_536;
let room: ReturnType<typeof roomOf> | undefined;

/** The same for texts of any length, in a quarter of the time: four bytes at once. Another mark than the one above. */
export function quickMark(text: string): string {
  room ??= roomOf(new Uint8Array(ROOM));
  const { bytes, words, encoder } = room;
  let one = 0x811c9dc5;
  let two = text.length;
  for (let rest = text; rest !== ""; ) {
    const { read, written } = encoder.encodeInto(rest, bytes);
    for (let at = written; at % 4 !== 0; at += 1) bytes[at] = 0;
    for (let at = 0; at < written / 4; at += 1) {
      const word = words[at] ?? 0;
      // A product carries upwards only: without the shift the last byte of four would hardly count.
      one = Math.imul(one ^ word, 0x01000193);
      one ^= one >>> 15;
      two = Math.imul(two ^ word, 0x85ebca6b);
      two ^= two >>> 13;
    }
    rest = rest.slice(read);
  }
  return `${(one >>> 0).toString(16)}-${(two >>> 0).toString(16)}`;
}

function roomOf(bytes: Uint8Array) {
  return { bytes, words: new Int32Array(bytes.buffer), encoder: new TextEncoder() };
}
