const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** At most four characters, for the first 27 years. */
export function ageText(milliseconds: number): string {
  const age = Math.max(0, milliseconds);
  if (age < MINUTE) return `${Math.floor(age / 1000)}s`;
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  return age < DAY ? `${Math.floor(age / HOUR)}h` : `${Math.floor(age / DAY)}d`;
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
