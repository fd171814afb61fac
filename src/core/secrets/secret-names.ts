// Names of fields, variables and flags whose value is a secret: the last words of `DB_PASSWORD`, `clientSecret`,
// `x-api-key`. `token_count`, `secretName` and `password-file` end in another word, so they name something else.

export type NameKind = "password" | "secret" | "token" | "key" | "credentials";

const PASSWORD = "pass(?:word|wd|phrase|code|wort)?|kennwort|contraseña|pwd";
const KEY =
  "(?:api|app|application|access|account|auth|secret|private|signing|encryption|decryption|master|storage|service|consumer|subscription|functions|admin|license|webhook|integration|deploy|ingest|management|security|hmac|aes|cipher|jwt|wallet)[-_ ]?key";

/** Without the flag for case: whoever uses it adds what may stand around it. */
const NAME_ENDS = `${PASSWORD}|secret|token|credentials?|creds|${KEY}|_auth`;

/** The last words of all names. */
export const LAST_WORDS = [
  ...["password", "passwd", "passphrase", "passcode", "passwort", "pass", "pwd", "kennwort", "contraseña"],
  ...["secret", "token", "credentials", "credential", "creds", "key", "_auth"],
];

const LAST = new RegExp(`(?:${NAME_ENDS})(?:[-_]?\\d{1,3})?$`, "i");

/** Tokens of pages and of models are no secrets. */
const HARMLESS =
  /(?:next|prev(?:ious)?|page|paging|continuation|sync|cancel(?:lation)?|eos|bos|pad|unk|mask|sep|cls|stop|start|end|max|min|per|first|last|each|special|image|text|prompt)[-_ ]?token$|(?:public|foreign|primary|sort|partition|cache|idempotency)[-_ ]?key$/i;

/** Letters before `pass` that make no other word of it, as `compass` and `bypass` are. */
const OWN_PASS =
  /(?:^|[^a-z]|db|user|usr|root|admin|ftp|smtp|mail|store|key|trust|proxy|http|ssh|my|sudo|require|mysql|pg|sql|login|ldap)pass\d*$/i;

const known = new Map<string, NameKind | undefined>();

/** What a whole name stands for; undefined for most. The same few names come again and again. */
export function nameKind(name: string): NameKind | undefined {
  const before = known.get(name);
  if (before !== undefined || known.has(name)) return before;
  if (known.size >= 1000) known.clear();
  const kind = kindOf(name);
  known.set(name, kind);
  return kind;
}

function kindOf(name: string): NameKind | undefined {
  const end = LAST.exec(name)?.[0].toLowerCase();
  if (end === undefined || HARMLESS.test(name)) return undefined;
  if (/^pass\d*$/.test(end) && !OWN_PASS.test(name) && !/[a-z]Pass\d*$/.test(name)) return undefined;
  if (/^pass|^pwd|^kennwort|^contra/.test(end)) return "password";
  if (end.startsWith("secret") && !end.includes("key")) return "secret";
  if (end.startsWith("token")) return "token";
  return end.includes("key") ? "key" : "credentials";
}

/** Headers whose whole value is a secret, whatever it looks like. */
export function isSecretHeader(name: string): boolean {
  return /^(?:proxy-)?authorization$|^(?:set-)?cookie2?$/i.test(name);
}
