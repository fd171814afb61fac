import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { realPath } from "../../store/sqlite/real-path.js";
import { parseStoreUrl, type StorePlace } from "../../store/url.js";
import { chooseStore, type Environment, homeFolder } from "../store-place.js";

// Light on purpose: every hook looks here first, and mostly finds nothing.

/** Where the facts of one store wait while it cannot be written. */
export interface SpoolPlace {
  readonly folder: string;
  /** The store, as it is always called: facts of another one are not for it. */
  readonly store: string;
  /** To try it costs a journey. */
  readonly isServer: boolean;
}

/** Undefined for a store that ends with its process, and for a name that cannot be one. */
export function spoolPlace(environment: Environment, asked?: string): SpoolPlace | undefined {
  try {
    const { url } = chooseStore(asked, environment);
    const home = homeFolder(environment);
    if (last?.url !== url || last.home !== home) last = { url, home, place: placeOf(url, home) };
    return last.place;
  } catch {
    // Whoever opens the store says what is wrong with its name.
    return undefined;
  }
}

/** A server asks at every hook. Where links have led to, its store stays open. */
let last: { readonly url: string; readonly home: string; readonly place: SpoolPlace | undefined } | undefined;

function placeOf(url: string, home: string): SpoolPlace | undefined {
  const place = parseStoreUrl(url);
  const store = plainName(place);
  if (store === undefined) return undefined;
  return { folder: join(home, "spool", textMark(store)), store, isServer: place.type === "server" };
}

/** However it was spelled: a file by its real path, a database without what does not tell it from another one. */
function plainName(place: StorePlace): string | undefined {
  if (place.type === "memory") return undefined;
  if (place.type === "file") return realPath(resolve(place.path));
  if (!URL.canParse(place.url)) return place.name;
  const { username, hostname, port, pathname, searchParams } = new URL(place.url);
  const chosen = CHOOSING.flatMap((name) => searchParams.getAll(name).map((value) => `${name}=${value}`));
  return [`postgres://${username}@${hostname}:${port || DEFAULT_PORT}${pathname}`, ...chosen].join(" ");
}

const DEFAULT_PORT = 5432;
/** Options of an address that lead to another database or schema. */
const CHOOSING = ["host", "port", "user", "dbname", "options"];

/** 53 bits, as text: names a folder, compares texts that are not kept. Node's own hashes take 4 ms to load. */
export function textMark(text: string): string {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return (4294967296 * (2097151 & two) + (one >>> 0)).toString(36).padStart(11, "0");
}

/** Names of the facts that wait, the oldest first. */
export function waitingIn(folder: string): readonly string[] {
  try {
    // There mostly never was any trouble; and what an error about a missing folder costs is more than the look.
    return existsSync(folder) ? readdirSync(folder).filter(isFactName).sort() : [];
  } catch {
    return [];
  }
}

/**
 * A client waits for the hook of its start, and a shell is quicker than we are: it keeps the hook's input in a file
 * `CLIENT-SHELL.json`, for whoever comes next. While one is taken in, its end is `.taken`; words about it that are not
 * for whoever took it in wait as `.words`.
 */
export function startsFolder(environment: Environment): string {
  return join(homeFolder(environment), "starts");
}

export function hasWaitingStarts(environment: Environment): boolean {
  try {
    const folder = startsFolder(environment);
    return existsSync(folder) && readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}

/** Time, chance, size, and what it cost its hook to try the store: nothing (`q`), a moment (`t`), a wait (`w`). */
const FACT_NAME = /^(\d{16})-[0-9a-z]{8}-(\d{1,9})([wtq])\.json$/;

function isFactName(name: string): boolean {
  return FACT_NAME.test(name);
}

export interface FactName {
  /** Microseconds: of two facts in one millisecond the second is later. */
  readonly time: number;
  readonly size: number;
  readonly tried: Tried;
}

export type Tried = "not" | "briefly" | "long";
const TRIED: Readonly<Record<string, Tried>> = { q: "not", t: "briefly", w: "long" };

export function readFactName(name: string): FactName {
  const [, time = "0", size = "0", letter = "q"] = FACT_NAME.exec(name) ?? [];
  return { time: Number(time), size: Number(size), tried: TRIED[letter] ?? "not" };
}

export function factName({ time, size, tried }: FactName): string {
  const [letter = "q"] = Object.entries(TRIED).find(([, meaning]) => meaning === tried) ?? [];
  const chance = Math.random().toString(36).slice(2, 10).padEnd(8, "0");
  return `${String(time).padStart(16, "0")}-${chance}-${size}${letter}.json`;
}

/** Where the reserve of `spool-reserve.ts` is. */
export function reserveOf(folder: string): string {
  return join(folder, "reserve");
}

/** Of the reserve, the slot that is made last and taken first. */
export const LAST_SLOT = "slot-255";
