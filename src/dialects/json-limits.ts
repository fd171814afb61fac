import { fail, ok, type Result } from "../core/result.js";

const DEEPEST_JSON = 64;
const MOST_JSON_KEYS = 10_000;

/** Input that we designed ourselves is bounded before anything walks it. Loops, not recursion: depth is the attack. */
export function checkJsonSize(value: unknown): Result<undefined, string> {
  let keys = 0;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEEPEST_JSON) return fail(`The input is nested deeper than ${DEEPEST_JSON} levels.`);
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      const inner = Array.isArray(item) ? item : Object.values(item);
      keys += inner.length;
      if (keys > MOST_JSON_KEYS) return fail(`The input has more than ${MOST_JSON_KEYS} values.`);
      for (const one of inner) next.push(one);
    }
    level = next;
  }
  return ok(undefined);
}
