// Times as people read them: in tables, messages and on screens. JSON has `isoTime`. A length is a number and a unit
// (41s, 3m, 2h, 5d); a moment is in the clock of the person's own place.

import { counted } from "./length.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The last moment that a Date can be. */
export const LAST_TIME = 8.64e15;

/** As JSON has it. Times from an import, or of a store whose clock is far ahead, may be beyond the range of Date. */
export function isoTime(at: number): string {
  return new Date(Math.min(at, LAST_TIME)).toISOString();
}

/** At most four characters, for the first 27 years. */
export function ageText(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  if (age < MINUTE) return `${Math.floor(age / 1000)}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`;
}

/** In a sentence: `45 minutes`, `5 hours`, `3 days`. */
export function lengthText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  if (minutes < 120) return counted(minutes, "minute");
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day");
}

/** `3m ago` */
export function agoText(milliseconds: number): string {
  return `${ageText(milliseconds)} ago`;
}

/** What is left of a time, rounded up: 30 minutes that have just begun are 30 minutes. */
export function leftText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  const minutes = Math.ceil(left / MINUTE);
  if (minutes <= 1) return ageText(Math.ceil(left / 1000) * 1000);
  // Up to two hours an hour more or less would mislead.
  if (minutes < 120 && minutes !== 60) return `${minutes}m`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours}h` : ageText(hours * HOUR);
}

/** `2026-01-31 09:05:07`: a row of a log, which may be read on another day. */
export function momentText(at: number | string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return "the end of time";
  const two = (figure: number) => String(figure).padStart(2, "0");
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** `09:05`, in a sentence; with the day where that is another one. */
export function clockText(at: number, now: number): string {
  const [moment, today] = [momentText(at), momentText(now)];
  const day = "2026-01-31".length;
  const isToday = moment.slice(0, day) === today.slice(0, day);
  return moment.slice(isToday ? day + 1 : 0, day + 6);
}
