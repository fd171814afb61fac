import { isDeeperThan, isObject } from "../core/json.js";
import { fail, ok, type Result } from "../core/result.js";
import { DEEPEST_VALUE } from "../core/value-limits.js";

const MOST_JSON_KEYS = 10_000;

/** Input that we designed ourselves is bounded before anything walks it. Loops, not recursion: depth is the attack. */
export function checkJsonSize(value: unknown): Result<undefined, string> {
  if (isDeeperThan(value, DEEPEST_VALUE - 1)) return fail(`The input is nested deeper than ${DEEPEST_VALUE} levels.`);
  let keys = 0;
  const work: unknown[] = [value];
  for (const item of work) {
    if (typeof item !== "object" || item === null) continue;
    const inner = Array.isArray(item) ? item : Object.values(item);
    keys += inner.length;
    if (keys > MOST_JSON_KEYS) return fail(`The input has more than ${MOST_JSON_KEYS} values.`);
    for (const one of inner) work.push(one);
  }
  return ok(undefined);
}

/** What JSON.stringify can write of it: it recurses, and knows no bigint. What is deeper than `depth` is left empty. */
export function writable(value: unknown, depth: number): unknown {
  if (Array.isArray(value)) return depth === 0 ? [] : value.map((item) => writable(item, depth - 1));
  if (isObject(value)) {
    const entries = depth === 0 ? [] : Object.entries(value);
    return Object.fromEntries(entries.map(([key, item]) => [key, writable(item, depth - 1)]));
  }
  if (typeof value === "bigint") return Number(value);
  return typeof value === "function" ? undefined : value;
}
