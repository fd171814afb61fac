const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Longer than anything is waited for, and far from where calendars end. */
const LONGEST = 36_500 * 86_400_000;

/** `90s`, `30m`, `2h`, `1d`; a bare number is seconds. In whole milliseconds; undefined for what is none. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = "s"] = /^(\d{1,15}(?:\.\d{1,15})?)\s*(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  const milliseconds = amount === undefined ? Number.NaN : Math.round(Number(amount) * (UNITS[unit] ?? 1000));
  return milliseconds <= LONGEST ? milliseconds : undefined;
}
