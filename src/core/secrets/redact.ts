import { startWithoutSecrets, withoutSecrets } from "./rules.js";
import { mayHoldSecret } from "./signs.js";

// What nearly every text needs, and no more: the rules are loaded with the first text that has a sign of a secret.

/**
 * The text without its secrets: each is replaced by what it was, as in `[redacted: bearer token]`. Everything else
 * stays as it is, and what is redacted already stays too. Takes time in proportion to the text, whatever it says.
 */
export function redact(text: string): string {
  return mayHoldSecret(text) ? withoutSecrets(text) : text;
}

/** How far behind its first character a secret has its sign, at most. */
const NEAR = 512;

/** The beginning of a text, redacted before it is cut: half a token would no longer be known as one. */
export function redactStart(text: string, max: number): string {
  // Without one here no secret begins here: its sign would stand in it, or right before it.
  return mayHoldSecret(text, max + NEAR) ? startWithoutSecrets(text, max) : text.slice(0, max);
}
