import { isDeeperThan, type JsonObject } from "../core/json.js";
import { cutDeep, DEEPEST_VALUE, fitValue, hasLongText, isDeepJson, LARGEST_VALUE } from "../core/value-limits.js";
import type { NewEvent } from "./event-store.js";
import { StoreTrouble } from "./trouble.js";

// What is stored can be exported, imported and backed up: no line is longer than an import reads, no value deeper than
// a stack. Entrances check each value; this is the last guard, and what an import makes of older exports.

/** Characters of JSON. An event holds several values, and an exported character takes at most six. */
const LARGEST_EVENT = 8 * 1024 * 1024;
/** Characters of JSON: what one stream's views may grow to. */
const LARGEST_VIEWS = 64 * 1024 * 1024;

/** The data as it is stored. Costs next to nothing for an event of the usual size. */
export function dataText({ type, data }: NewEvent, stream: string): string {
  const text = toJson(data);
  const isFit =
    text !== undefined &&
    !isDeepJson(text, DEEPEST_VALUE + 1) &&
    (text.length * 3 <= LARGEST_VALUE || (text.length <= LARGEST_EVENT && !hasLongText(data)));
  if (!isFit) throw tooLarge(`An event (${type}) of ${stream}`);
  return text;
}

/** The views of a stream, as they are stored. */
export function viewsText(stream: string, views: object): string {
  const text = toJson(views);
  if (text === undefined || text.length > LARGEST_VIEWS) throw tooLarge(`What is known of ${stream}`);
  return text;
}

function toJson(data: object): string | undefined {
  try {
    return JSON.stringify(data);
  } catch (error) {
    // Too deep for the stack, or too long for a string.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tooLarge(what: string): StoreTrouble {
  const most = `${DEEPEST_VALUE} levels, ${LARGEST_VALUE / 1024} KiB a value`;
  return new StoreTrouble("too-large", `${what} is too deep or too large to be stored (${most}). Nothing was written.`);
}

/** For what an older version stored: what is too deep or too large has a mark in its place, everything else stays. */
export function fitEvent<Event extends { readonly data: JsonObject }>(event: Event): Event {
  const { data } = event;
  const isFine = !isDeeperThan(data, DEEPEST_VALUE) && !hasLongText(data);
  const cut = isFine ? data : cutDeep(data, { levels: DEEPEST_VALUE + 1, bytes: LARGEST_VALUE });
  if (isShort(cut)) return isFine ? event : { ...event, data: cut };
  const members = Object.fromEntries(Object.entries(cut).map(([name, value]) => [name, fitValue(value)]));
  return { ...event, data: isShort(members) ? members : (fitValue(cut) as JsonObject) };
}

function isShort(data: JsonObject): boolean {
  return JSON.stringify(data).length <= LARGEST_EVENT;
}

/** Levels of a view around the values in it. */
const AROUND = 8;

/** The same for what a view was when its history was pruned. */
export function fitBase<Base extends { readonly data: unknown }>(base: Base): Base {
  const { data } = base;
  const levels = DEEPEST_VALUE + AROUND;
  if (typeof data !== "object" || data === null || (!isDeeperThan(data, levels - 1) && !hasLongText(data))) return base;
  return { ...base, data: cutDeep(data, { levels, bytes: LARGEST_VALUE }) };
}
