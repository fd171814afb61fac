import { StoreTrouble } from "./trouble.js";

/** Where a store is. `name` is safe to show: it holds no password. */
export type StorePlace =
  | { readonly type: "memory"; readonly name: string }
  | { readonly type: "file"; readonly path: string; readonly name: string }
  | { readonly type: "server"; readonly url: string; readonly name: string };

const SCHEME = /^([a-z][a-z0-9+.-]+):/i;

/** `memory:`, a file path or `sqlite:PATH`, `postgres://...`. */
export function parseStoreUrl(url: string): StorePlace {
  const scheme = SCHEME.exec(url)?.[1]?.toLowerCase();
  if (url === "memory:") return { type: "memory", name: url };
  if (scheme === "postgres" || scheme === "postgresql") return { type: "server", url, name: maskPassword(url) };
  const path = scheme === "sqlite" ? url.slice("sqlite:".length) : url;
  if (path === "" || path.includes("\0")) throw badStore(url, "it names no file");
  // A drive letter is one letter; a scheme of more that we do not speak is a mistake, not a file.
  if (scheme !== undefined && scheme !== "sqlite") throw badStore(url, `"${scheme}:" is not known`);
  return { type: "file", path, name: path };
}

export function maskPassword(url: string): string {
  return url
    .replace(/\/\/([^/?#]*)@/, (_, user: string) => `//${user.replace(/:.*/s, ":***")}@`)
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/gi, "$1***");
}

function badStore(url: string, why: string): StoreTrouble {
  return new StoreTrouble(
    "bad-store",
    `The store ${maskPassword(url)} cannot be used: ${why}. Use a file path, sqlite:PATH, postgres://... or memory:`,
  );
}
