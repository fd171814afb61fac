import { MARK } from "./rule.js";

// Which values are secrets, and which only stand where one could: `none`, `$TOKEN`, `<your password>`, `getToken()`.

/** Words that say something about a secret instead of being one. */
const WORDS = new Set(
  `null none nil undefined true false yes no on off empty blank required optional missing invalid expired unknown
  unset set default any string str number int integer bool boolean text varchar char bytes byte object array list map
  dict optional option password passwd passphrase pass pw pwd secret secrets token tokens key keys apikey credential
  credentials user username admin hidden redacted masked removed omitted private public example sample dummy
  placeholder here todo tbd na n/a value values input output prompt stdin file env environment bearer basic digest
  auth authentication authorization oauth oauth2 oidc saml jwt sso mfa totp otp sha1 sha256 sha512 md5 base64 utf8
  utf-8 hs256 rs256 es256 bcrypt argon2 scrypt hex uuid uuid4 http2 ipv4 ipv6 changed changes changeme change_me
  valid stale revoked rotated leaked wrong correct same include same-origin omit inherit strict lax self always never
  auto manual enabled disabled ok error failed success pending reset forgot forgotten`.split(/\s+/),
);

/** Stands for a value that comes later: variables, brackets, dots and stars. Begins with a sign. */
const SIGNS =
  /^(?:\$(?:[A-Z_][A-Z0-9_]*|[a-z_]+|\d|[@*#?])?$|\$[A-Za-z_][\w.]*(?:::|->|\[)|\$?\$?[{(]|\\?`|%[A-Za-z_]\w*%?$|#\{|<[^<>]*>?|\[[^\]]*\]?$|([*.•…_?#-])\1*$|\*{2,}|\.{2,}|•{2,}|…|!\w|@\w*[/\\.])/;

/** The same in words: `your-token-here`, `config.token`, `xxxx`. */
const WORDED =
  /^(?:(?:your|my|the|some|an?|example|sample|dummy|fake|insert|enter|replace|paste|put)[-_ ][\w -]{0,40}?(?:pass(?:word|wd)?|pw|token|secret|key|here|value)\b|x{2,80}$|x{3}|process\.env|os\.environ|os\.getenv|env\.|ENV\[|import\.meta|config\.|secrets\.|settings\.|options\.|this\.|self\.|op:\/\/|vault:|env:|arn:aws:|file:)/i;

/** Bounded, whatever comes: the first characters say enough. */
const LOOK = 32;

export function isPlaceholder(value: string): boolean {
  const start = value.slice(0, LOOK);
  if (start === "" || start.startsWith(REDACTED)) return true;
  if (!isLetter(start.charCodeAt(0))) return SIGNS.test(start);
  if (start.length <= LONGEST_WORD && WORDS.has(withoutStops(start).toLowerCase())) return true;
  // Each of these has one of the signs, or begins with two of the same letter.
  return (start.length > 1 && (start.charCodeAt(0) | 0x20) === 0x78) || hasSign(start) ? WORDED.test(start) : false;
}

const LONGEST_WORD = 20;

const REDACTED = MARK.slice(0, 5);

/** One of `-_ .:[/`, soon. By character: hostile text brings a value to every few letters. */
function hasSign(text: string): boolean {
  for (let at = 0; at < text.length && at < 12; at += 1) {
    const code = text.charCodeAt(at);
    if (
      code === 0x2d ||
      code === 0x5f ||
      code === 0x20 ||
      code === 0x2e ||
      code === 0x3a ||
      code === 0x5b ||
      code === 0x2f
    )
      return true;
  }
  return false;
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

/** As a word stands at the end of a sentence. */
function withoutStops(word: string): string {
  let end = word.length;
  while (end > 0 && STOPS.includes(word[end - 1] ?? "")) end -= 1;
  return word.slice(0, end);
}

const STOPS = ".,:;!?)]}";

const KEYWORD = /^(?:await|new|typeof|return)\b/;
const MEMBER = /^[a-z_$][A-Za-z_$]*(?:\??\.#?[A-Za-z_$]+)+$/i;

/** `getToken()`, `user.password`, `items[0]`: code that reads a secret from somewhere. */
export function isCode(value: string): boolean {
  const start = value.slice(0, LOOK);
  if (isCall(start)) return true;
  return (start.includes(".") && MEMBER.test(start)) || KEYWORD.test(start);
}

/** A bracket behind a name. By character: hostile text brings one to every few letters. */
function isCall(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x28 || code === 0x5b) return true;
    if (!isNameSign(code)) return false;
  }
  return false;
}

/** A letter, a digit or one of `_$.#>-`. */
function isNameSign(code: number): boolean {
  if (isLetter(code) || (code >= 0x30 && code <= 0x39)) return true;
  return code === 0x5f || code === 0x24 || code === 0x2e || code === 0x23 || code === 0x3e || code === 0x2d;
}

export function isNumber(value: string): boolean {
  const code = value.charCodeAt(0);
  return code >= 0x2c && code <= 0x39 && /^[\d.,_]{1,15}$/.test(value);
}

const ROOTED = /^(?:~|\.{1,2})?\/[\w.@-]+(?:\/|\.\w|$)|^[A-Za-z]:\\/;
const FILE = /^[\w./-]+\.(?:pem|key|txt|json|ya?ml|env|crt|p12|jks|ts|js|py|go|rs|md)$/;

/** Where a secret lies is no secret. */
export function isPath(value: string): boolean {
  const isRooted = value.includes("/") || value.includes("\\");
  return (isRooted && ROOTED.test(value)) || (value.includes(".") && FILE.test(value));
}

/** `30min`, `2nd`, `v1.2`: letters and digits, and nothing to hide. */
const AMOUNT =
  /^\d{1,4}-?(?:[mnu]?s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|[kmgt]i?b?|x|st|nd|rd|th|px|chars?|bits?|bytes?)$|^v\d[\d.]*$/i;

/** Not a word of any language: letters with digits or signs in them, or too long for one. */
export function isRandom(value: string, least: number): boolean {
  const start = withoutStops(value.slice(0, LOOK));
  if (start.length < least) return false;
  const hasLetter = /[A-Za-z]/.test(start);
  const hasDigit = /\d/.test(start);
  if (hasLetter && hasDigit && !AMOUNT.test(start)) return true;
  if (hasLetter && /[!@#$%^&*+=~]/.test(start)) return true;
  return start.length >= 24 && /^[\w+/=.-]+$/.test(start) && !/^[a-z]+(?:[-_.][a-z]+)*$/i.test(start);
}
