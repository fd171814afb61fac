import { redact } from "../core/secrets/redact.js";
import { hideInMessages, StoreTrouble } from "./trouble.js";

/** Where a store is. `name` is safe to show: it holds no password. */
export type StorePlace =
  | { readonly type: "memory"; readonly name: string }
  | { readonly type: "file"; readonly path: string; readonly name: string }
  | { readonly type: "server"; readonly url: string; readonly name: string };

const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

/** `memory:`, a file path or `sqlite:PATH`, `postgres://...`. */
export function parseStoreUrl(url: string): StorePlace {
  // Who uses the library without types may pass anything.
  if (typeof url !== "string") throw badStore(String(url), "it is not a text");
  if (USUAL_FILE.test(url)) return { type: "file", path: url, name: url };
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (url === "memory:") return { type: "memory", name: url };
  if (scheme === "postgres" || scheme === "postgresql") {
    hideInMessages(passwordsIn(url));
    return { type: "server", url, name: maskPassword(url) };
  }
  // A drive letter is one letter; a scheme of more that we do not speak is a mistake, not a file.
  if (scheme !== undefined && scheme !== "sqlite") throw badStore(url, `"${scheme}:" is not supported`);
  const path = url.replace(/^sqlite:(?:\/\/(?=\/))?/i, "");
  const wrong = MISTAKES.find(([text]) => text.test(path));
  if (wrong) throw badStore(url, wrong[1]);
  return { type: "file", path, name: path };
}

/** No mistake below is in it, and a hook compiles one pattern in place of all of them. */
const USUAL_FILE = /^\/[\w.][\w./-]{0,200}\.db$/;

/** What is hardly meant as the name of a file. */
const MISTAKES: readonly (readonly [RegExp, string])[] = [
  [/^\s*$|\0/, "it names no file"],
  [/^:memory:$|^memory$/, "a store in memory is called memory:"],
  [/[\\/]$/, "it names a folder"],
  [/^-/, "a file name that starts with - looks like a flag; put ./ before it"],
  [/^~/, "~ was not expanded by the shell; use the full path"],
  [/^\/\//, "sqlite: takes a path, not a host"],
  [/-(?:wal|shm|journal|head)$|\.head$/, "it is a part of a store; use the store itself"],
  [/^\w+=\S+(?:\s+\w+=\S+)+$/, "use a server address such as postgres://user:password@host/database"],
  [/[^\\/]{241,}$/, "its name is too long"],
];

/** Whatever stands between a user's name and the last @, with slashes before it or without. */
const USER_INFO = /(\/\/|^[a-z][a-z0-9+.-]*:\/*)((?:(?!%3A)[^:@/])*)(:|%3A)(.*)@/is;
/** Passwords among the options of an address, and in `user=bob password='...'`. */
const OPTION =
  /((?:^|[?&\s])(?:password|sslpassword|passphrase|pwd|pass)\s?=\s?)('(?:[^'\\]|\\.){0,1000}'?|[^&#\s]*)/gi;

/** A store's address as it may be shown. */
export function maskPassword(url: string): string {
  return redact(url.replace(USER_INFO, "$1$2:***@").replace(OPTION, "$1***"));
}

/** As they were written, and as a driver reads them: it quotes the user, which may hold the password, in its errors. */
function passwordsIn(url: string): readonly string[] {
  const written = [USER_INFO.exec(url)?.[4], ...Array.from(url.matchAll(OPTION), ([, , password]) => password)];
  const passwords = written.flatMap((password) => (password ? [password, decoded(password)] : []));
  const shown = maskPassword(url);
  // One that is also the name of a user or a host is not hidden by hiding it everywhere.
  return passwords.filter((password) => password.length >= 3 && !shown.includes(password));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function badStore(url: string, why: string): StoreTrouble {
  return new StoreTrouble(
    "bad-store",
    `The store ${maskPassword(url)} cannot be used: ${why}. Use a file path, sqlite:PATH, postgres://... or memory:`,
  );
}
