import { isObject } from "../../../core/json.js";

/** Every key that was written as a JSON string once too often, `{"\"op\"": ...}`, under its own name. */
export function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return sameOr(value, value.map(withPlainKeys));
  if (!isObject(value)) return value;
  let isChanged = false;
  const plain = new Map<string, unknown>();
  for (const [key, part] of Object.entries(value)) {
    const name = plainKey(key);
    const isFree = !Object.hasOwn(value, name) && !plain.has(name);
    const inner = withPlainKeys(part);
    isChanged ||= (isFree && name !== key) || !Object.is(inner, part);
    plain.set(isFree ? name : key, inner);
  }
  return isChanged ? Object.fromEntries(plain) : value;
}

function sameOr(list: readonly unknown[], other: readonly unknown[]): readonly unknown[] {
  return other.every((part, at) => Object.is(part, list[at])) ? list : other;
}

const MOST_DECODED = 3;

function plainKey(key: string): string {
  let name = key;
  for (let times = 0; times < MOST_DECODED && /^"[\s\S]*"$/.test(name) && name.length > 1; times += 1) {
    try {
      const inner: unknown = JSON.parse(name);
      if (typeof inner !== "string") return name;
      name = inner;
    } catch {
      return name;
    }
  }
  return name;
}

type Step = string | number;
type Place = Map<string, unknown> | unknown[];

/** Lists that came as one key for each of their parts: `items[0]`, `list[0].phase`. Untouched where keys disagree. */
export function withUnflattenedKeys(value: unknown): unknown {
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([key, part]) => ({ key, path: pathOf(key), part }));
  if (parts.every(({ path }) => path === undefined)) return value;
  const root = new Map<string, unknown>();
  let room = MOST_PLACES;
  for (const { key, path, part } of parts) {
    if (path) room -= Math.max(...path.map(Number).filter(Number.isFinite));
    if (path ? room < 0 || !put(root, path, part) : root.has(key)) return value;
    if (!path) root.set(key, opened(part));
  }
  return closed(root);
}

/** Larger numbers name no place; nor is a call put together that has so many of them. */
const LARGEST_INDEX = 100_000;
const MOST_PLACES = 1_000_000;

/** Undefined for a key that names no place in a list. */
function pathOf(key: string): readonly Step[] | undefined {
  if (!key.includes("[") || !/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\[\d+\])*$/.test(key)) return undefined;
  const path = (key.match(/[^.[\]]+/g) ?? []).map((step) => (/^\d/.test(step) ? Number(step) : step));
  return path.every((step) => typeof step === "string" || step <= LARGEST_INDEX) ? path : undefined;
}

/** False where something of another kind is there already. */
function put(root: Place, path: readonly Step[], value: unknown): boolean {
  let place: unknown = root;
  for (const [at, step] of path.entries()) {
    const next = path[at + 1];
    const inner = next === undefined ? opened(value) : (partAt(place, step) ?? emptyFor(next));
    if (!setPart(place, step, inner)) return false;
    place = inner;
  }
  return true;
}

function emptyFor(step: Step): Place {
  return typeof step === "number" ? [] : new Map<string, unknown>();
}

function partAt(place: unknown, step: Step): unknown {
  if (Array.isArray(place)) return typeof step === "number" ? place[step] : undefined;
  return place instanceof Map ? place.get(String(step)) : undefined;
}

function setPart(place: unknown, step: Step, part: unknown): boolean {
  if (typeof step === "string") return place instanceof Map && Boolean(place.set(step, part));
  if (!Array.isArray(place)) return false;
  while (place.length < step) place.push(undefined);
  place[step] = part;
  return true;
}

/** A copy that may be changed; objects are maps, so that any key is just a key. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  return isObject(value) ? new Map(Object.entries(value).map(([key, part]) => [key, opened(part)])) : value;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  return value instanceof Map ? Object.fromEntries([...value].map(([key, part]) => [key, closed(part)])) : value;
}
