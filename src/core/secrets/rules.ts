import { COMMAND_SECRETS, PIPED_SECRETS, SQL_PASSWORDS } from "./command-secrets.js";
import { BASIC_AUTH, BEARER_TOKENS, SECRET_HEADERS } from "./header-secrets.js";
import { LiteralSets } from "./literals.js";
import { NAMED_SECRETS } from "./named-secrets.js";
import { PRIVATE_KEYS, PUTTY_KEYS } from "./private-keys.js";
import { MOST_SECRETS, placeholder, type Rule } from "./rule.js";
import { TOKENS, TOKENS_BY_MIDDLE } from "./token-shapes.js";
import { SLASHLESS_URLS, URL_PASSWORDS, URL_SIGNATURES } from "./url-passwords.js";

/**
 * The table of places where secrets stand. In this order: what is named by its place goes whole, before the shape of a
 * part of it is looked at.
 */
export const RULES: readonly Rule[] = [
  PRIVATE_KEYS,
  PUTTY_KEYS,
  SECRET_HEADERS,
  URL_PASSWORDS,
  SLASHLESS_URLS,
  URL_SIGNATURES,
  NAMED_SECRETS,
  TOKENS,
  ...TOKENS_BY_MIDDLE,
  BEARER_TOKENS,
  BASIC_AUTH,
  COMMAND_SECRETS,
  PIPED_SECRETS,
  SQL_PASSWORDS,
];

let made: LiteralSets | undefined;

/** One look at a text: the rules that may have something to do there, one bit each. None for nearly all texts. */
function rulesFor(text: string): number {
  made ??= new LiteralSets(RULES.map(({ literals }) => literals));
  return made.in(text);
}

/** See `redact`, which asks for it where a text has a sign of a secret. */
export function withoutSecrets(text: string): string {
  let rest = text;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const next = redactOnce(rest);
    if (next === rest || next.length > LONGEST_AGAIN) return next;
    rest = next;
  }
  return rest;
}

/** What stood right beside a secret may be known as one when that is gone. Nearly always the second finds nothing. */
const MOST_ROUNDS = 4;
/** In a longer text nobody is that near: it is looked at once, and takes half the time. */
const LONGEST_AGAIN = 100_000;

function redactOnce(text: string): string {
  const rules = rulesFor(text);
  if (rules === 0) return text;
  return RULES.reduce((rest, rule, index) => (rules & (1 << index) ? without(rule, rest) : rest), text);
}

function without(rule: Rule, text: string): string {
  let kept = "";
  let done = 0;
  let count = 0;
  for (const { start, end, label } of rule.secrets(text)) {
    kept += text.slice(done, start) + placeholder(label);
    done = end;
    count += 1;
    if (count === MOST_SECRETS) return kept + placeholder("the rest, full of secrets");
  }
  return done === 0 ? text : kept + text.slice(done);
}

/** Longer than any token; a private key without its end is known by its beginning. */
const STRADDLE = 4096;

/** Redacted before it is cut: half a token would no longer be known as one. */
export function startWithoutSecrets(text: string, max: number): string {
  const beginning = withoutSecrets(text.slice(0, max + 2 * STRADDLE));
  // What stands at the end may be half a token: it is not shown, unless it is the end of the text itself.
  const sure = text.length > max + 2 * STRADDLE ? beginning.slice(0, -STRADDLE) : beginning;
  return sure.slice(0, max);
}
