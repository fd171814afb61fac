import { endOfRun } from "./named-value.js";
import { each, endOf, type Rule, type Secret } from "./rule.js";
import { isPlaceholder, isRandom } from "./secret-values.js";

/** A name, what closes it, a colon or an equals sign, what opens the value. */
const HEADER = /(?:authorization|cookie2?)[\\"'`]{0,5}(?:\s{0,4}(?::|=>?)|,(?=\s?\\{0,3}["']))[ \t]{0,4}[\\"'`]{0,4}/gi;

const SCHEME =
  /(?:bearer|basic|token|digest|negotiate|ntlm|apikey|api-key|key|bot|oauth|hawk|aws4-hmac-sha256|sharedkey(?:lite)?|sharedaccesssignature|ssws|glpat|jwt|hmac-[\w-]{1,20})[ \t]{1,4}/iy;

/** `name=value; name=value` */
const COOKIES = /[^\s=;,"'\\]{1,100}=[^\s;"'\\]*(?:;[ \t]{0,2}[^\s=;,"'\\]{1,100}(?:=[^\s;"'\\]*)?)*/y;

const LABELS: Readonly<Record<string, string>> = { bearer: "bearer token", basic: "basic auth", token: "token" };

/** `Authorization: ...`, `Cookie: ...`, in a header, a command or JSON. */
export const SECRET_HEADERS: Rule = {
  literals: ["authorization", "cookie"],
  secrets: each((text, from) => {
    HEADER.lastIndex = from;
    for (let match = HEADER.exec(text); match; match = HEADER.exec(text)) {
      const isCookie = /^cookie/i.test(match[0]);
      const at = HEADER.lastIndex;
      const found = isCookie ? cookies(text, at) : credentials(text, at);
      if (found) return found;
    }
    return undefined;
  }),
};

function cookies(text: string, start: number): Secret | undefined {
  const end = endOf(COOKIES, text, start);
  if (end < 0) return undefined;
  const value = text.slice(text.indexOf("=", start) + 1, end);
  return isPlaceholder(value) ? undefined : { start, end, label: "cookie" };
}

function credentials(text: string, at: number): Secret | undefined {
  const start = endOf(SCHEME, text, at);
  const scheme = start < 0 ? "" : text.slice(at, start).trim().toLowerCase();
  if (start < 0) {
    const end = endOfRun(text, at);
    const value = text.slice(at, end);
    return isPlaceholder(value) || !isRandom(value, 6) ? undefined : { start: at, end, label: "credentials" };
  }
  // A list of fields goes on behind commas and quotes; a token does not.
  const isList = /^digest|^aws4|^hawk|^oauth|^hmac/.test(scheme);
  const end = isList ? endOf(FIELDS, text, start) : endOfRun(text, start);
  const value = text.slice(start, end);
  return value.length < 4 || isPlaceholder(value) ? undefined : { start, end, label: LABELS[scheme] ?? "credentials" };
}

const FIELDS = /[^\r\n'`]*/y;

const BEARER = /\bbearer[ \t]{1,4}(?=[\w~+/.-])/gi;
const BEARER_TOKEN = /[\w~+/.-]{8,}={0,2}/y;

/** `Bearer ...` without its header. "A bearer token" and "the bearer of bad news" are none. */
export const BEARER_TOKENS: Rule = {
  literals: ["bearer"],
  secrets: each((text, from) => {
    BEARER.lastIndex = from;
    for (let match = BEARER.exec(text); match; match = BEARER.exec(text)) {
      const start = BEARER.lastIndex;
      const look = text.slice(start, start + 80);
      const word = /^[\w~+/.-]*/.exec(look)?.[0] ?? "";
      if (isPlaceholder(word) || !isTokenWord(word)) continue;
      const end = endOf(BEARER_TOKEN, text, start);
      if (end >= 0) return { start, end, label: "bearer token" };
    }
    return undefined;
  }),
};

function isTokenWord(word: string): boolean {
  return (
    isRandom(word, 8) ||
    (word.length >= 16 && !/^[a-z]+(?:[-./][a-z]+)*[.]?$/i.test(word)) ||
    /[a-z][A-Z]\w*[a-z][A-Z]/.test(word)
  );
}

const BASIC = /\bbasic[ \t]{1,4}(?=[A-Za-z0-9+/]{6})/gi;
const BASE64 = /[A-Za-z0-9+/]{6,2000}={0,2}/y;

/** `Basic ...` is only a secret if it says `user:password`; "basic understanding" does not. */
export const BASIC_AUTH: Rule = {
  literals: ["basic"],
  secrets: each((text, from) => {
    BASIC.lastIndex = from;
    for (let match = BASIC.exec(text); match; match = BASIC.exec(text)) {
      const start = BASIC.lastIndex;
      const end = endOf(BASE64, text, start);
      if (end >= 0 && isUserAndPassword(text.slice(start, Math.min(end, start + 400))))
        return { start, end, label: "basic auth" };
    }
    return undefined;
  }),
};

function isUserAndPassword(base64: string): boolean {
  try {
    return /^[\x20-\x7e\u0080-\u00ff]*:[\x20-\x7e\u0080-\u00ff]*$/.test(
      atob(base64.slice(0, base64.length - (base64.length % 4))),
    );
  } catch {
    return false;
  }
}
