/** Short, and the same for the same text alone, as far as anybody will ever see. The text cannot be read from it. */
export function markOf(text: string): string {
  let [one, two] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(at), 0x85ebca6b);
  }
  return [one, two].map((part) => (part >>> 0).toString(16)).join("-");
}
