const PLAIN = /^[\w.:#~+ -]{1,60}$/;
const COMMAND = / .*[/-]/;

/** A word out of a file, for a message. What is odd is not repeated: it could be a command, and messages get followed. */
export function named(word: string): string {
  return PLAIN.test(word) && !COMMAND.test(word) ? `"${word}"` : "that stands there";
}
