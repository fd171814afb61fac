import { each, type Rule, type Secret } from "./rule.js";
import { isPlaceholder, isRandom } from "./secret-values.js";

/** Longer than any user and password that a server takes. */
const LONGEST = 600;

/** `scheme://user:password@host`, and tokens that stand there in a user's place. */
export const URL_PASSWORDS: Rule = {
  literals: ["://"],
  secrets: each((text, from) => {
    let next = text.indexOf("://", from);
    let sign = -1;
    while (next >= 0) {
      const at = next + 3;
      next = text.indexOf("://", at);
      if (sign < at) sign = text.indexOf("@", at);
      if (sign < 0) return undefined;
      // A user has no address in it; and each character is looked at for one address only.
      if (sign - at > LONGEST || (next >= 0 && next < sign)) continue;
      const found = userInfo(text, at, sign);
      if (found) return found;
    }
    return undefined;
  }),
};

const BREAK = /[\s"'`<>\\]/;

function userInfo(text: string, at: number, sign: number): Secret | undefined {
  const before = text.slice(at, sign);
  // An image with its digest: app:v1@sha256:...
  if (BREAK.test(before) || text.startsWith("sha256:", sign + 1)) return undefined;
  const slash = before.search(/[/?#]/);
  if (slash < 0) return secretIn(text, at, lastSign(text, sign));
  // `host:8080/@scope` has a port; a password may hold a slash although it should not.
  const colon = before.indexOf(":");
  const isPassword = colon >= 0 && colon < slash && !/^\d{0,5}$/.test(before.slice(colon + 1, slash));
  return isPassword ? secretIn(text, at, lastSign(text, sign)) : undefined;
}

/** The last @ before the host: a password may hold one. */
function lastSign(text: string, sign: number): number {
  const rest = /[^\s"'`<>\\/?#]*/y;
  rest.lastIndex = sign + 1;
  const run = rest.exec(text)?.[0] ?? "";
  return sign + 1 + run.lastIndexOf("@");
}

/** A user stays readable, unless it is a token itself. */
function secretIn(text: string, at: number, end: number): Secret | undefined {
  const info = text.slice(at, end);
  const colon = /:|%3A/i.exec(info);
  const user = colon ? info.slice(0, colon.index) : info;
  const isToken = isTokenLike(user) && !isPlaceholder(user);
  if (isToken) return { start: at, end, label: colon ? "user and password" : "token" };
  if (!colon) return undefined;
  const start = at + colon.index + colon[0].length;
  const password = text.slice(start, end);
  return password === "" || isPlaceholder(password) ? undefined : { start, end, label: "password" };
}

function isTokenLike(user: string): boolean {
  return user.length >= 16 && /\d/.test(user) && /[a-z]/i.test(user) && !/[.]/.test(user);
}

const PARAMETER =
  /[?&;](?:[a-z]{1,6}-){0,3}(?:sig(?:nature)?|hmac|key|auth|credential|code|ticket|pw)=([^&#\s"'`<>\\]{1,4000})/gi;

/** Signatures and keys among the options of an address, where their names are short. */
export const URL_SIGNATURES: Rule = {
  literals: ["sig=", "signature=", "hmac=", "key=", "auth=", "credential=", "code=", "ticket=", "pw="],
  secrets: each((text, from) => {
    PARAMETER.lastIndex = from;
    for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
      const [whole, value = ""] = match;
      const end = PARAMETER.lastIndex;
      const isSure = /sig(?:nature)?=|hmac=|pw=/i.test(whole.slice(0, 40)) ? value.length >= 6 : isRandom(value, 12);
      if (isSure && !isPlaceholder(value)) return { start: end - value.length, end, label: "signature" };
    }
    return undefined;
  }),
};

/** In one literal or two. */
const SCHEMES =
  "postgres postgresql mysql mariadb mongodb mongodb+srv redis rediss amqp amqps mssql sqlserver cockroachdb clickhouse ftp ftps sftp smtp smtps http https ldap ldaps imap imaps oracle snowflake nats mqtt mqtts".split(
    " ",
  );

/** `postgres:bob:password@host`: the slashes were forgotten, or one of them. */
const SLASHLESS = new RegExp(
  `(?:^|[^A-Za-z0-9+])(?:${SCHEMES.join("|").replaceAll("+", "\\+")}):/?(?=[^/:@?#]{0,100}(?::|%3A))`,
  "i",
);

export const SLASHLESS_URLS: Rule = {
  literals: SCHEMES.map((scheme) => `${scheme}:`),
  secrets: each((text, from) => {
    for (let sign = text.indexOf("@", from); sign >= 0; sign = text.indexOf("@", sign + 1)) {
      const start = runStart(text, sign, from);
      const match = SLASHLESS.exec(text.slice(start, sign));
      const found = match && secretIn(text, start + match.index + match[0].length, lastSign(text, sign));
      if (found) return found;
    }
    return undefined;
  }),
};

const STOPS = new Set([..." \t\n\r\"'`<>\\@"].map((sign) => sign.charCodeAt(0)));

/** Back to a space or a quote. */
function runStart(text: string, sign: number, from: number): number {
  let start = sign;
  const least = Math.max(from, sign - LONGEST);
  while (start > least && !STOPS.has(text.charCodeAt(start - 1))) start -= 1;
  return start;
}
