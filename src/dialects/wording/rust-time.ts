import { LAST_TIME } from "../../core/text/time-text.js";

/** A moment as Rust's `chrono` has it. */
export interface RustTime {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** What is left of a millisecond, in nanoseconds. */
  readonly rest: number;
  /** In the 60th second of its minute; `at` is in the one before. */
  readonly isLeap?: boolean;
}

const SECOND = 1000;
const DAY = 24 * 60 * 60;
const FARTHEST_YEAR = 262_142;

const S = "\\p{White_Space}*";
const DATE = `${S}(?<year>[+-]\\d{1,9}|\\d{1,4})${S}-${S}(?<month>\\d{1,2})${S}-${S}(?<day>\\d{1,2})`;
const TIME = `${S}(?<hour>\\d{1,2})${S}:${S}(?<minute>\\d{1,2})${S}:${S}(?<second>\\d{1,2})(?:\\.(?<fraction>\\d+))?${S}`;
const ZONE = "(?:[Uu][Tt][Cc]|[Zz]|(?<sign>[+\\-\\u2212])(?<hours>\\d{2})[:\\p{White_Space}]*(?<minutes>[0-5]\\d))";
const RELAXED = new RegExp(`^${DATE}[tT ]${TIME}${ZONE}${S}$`, "u");
/** No time needs more; white space between its parts is nobody's reason to wait. */
const LONGEST = 200;

/** What `chrono` reads as a time with its zone: RFC 3339, with white space, missing zeros and colons forgiven. */
export function readTime(text: string): RustTime | undefined {
  const parts = text.length > LONGEST ? undefined : RELAXED.exec(text)?.groups;
  if (!parts) return undefined;
  const day = dayOf(Number(parts.year), Number(parts.month), Number(parts.day));
  const [hour, minute, second] = [Number(parts.hour), Number(parts.minute), Number(parts.second)];
  const offset = Number(parts.hours ?? 0) * 3600 + Number(parts.minutes ?? 0) * 60;
  if (day === undefined || hour > 23 || minute > 59 || second > 60 || offset >= DAY) return undefined;
  const isLeap = second === 60;
  const seconds = hour * 3600 + minute * 60 + (isLeap ? 59 : second) - (parts.sign === "+" ? offset : -offset);
  const nanoseconds = Number((parts.fraction ?? "").slice(0, 9).padEnd(9, "0"));
  const milliseconds = Math.floor(nanoseconds / 1e6);
  return {
    at: day + seconds * SECOND + milliseconds,
    rest: nanoseconds - milliseconds * 1e6,
    ...(isLeap ? { isLeap } : undefined),
  };
}

function dayOf(year: number, month: number, day: number): number | undefined {
  if (Math.abs(year) > FARTHEST_YEAR) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** A moment in UTC, with as many digits as it needs in groups of three. */
export function timeText({ at, rest, isLeap }: RustTime, zone: "Z" | "+00:00"): string {
  const [whole = "", fraction = ""] = new Date(Math.min(at, LAST_TIME)).toISOString().slice(0, -1).split(".");
  const nanoseconds = `${fraction}${String(rest).padStart(6, "0")}`.replace(/(?:000)+$/, "");
  const seconds = isLeap ? whole.replace(/59$/, "60") : whole;
  return `${seconds}${nanoseconds === "" ? "" : `.${nanoseconds}`}${zone}`;
}

/** Negative: before that time of our clock. */
export function untilTime({ at, rest, isLeap }: RustTime, now: number): number {
  return at + rest / 1e6 + (isLeap ? SECOND : 0) - now;
}
