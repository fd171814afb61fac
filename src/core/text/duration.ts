const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

const LONGEST = 36_500 * 86_400_000;

/** Milliseconds of `90s`, `30m`, `2h`, `1d`; a bare number is seconds. Undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = "s"] = /^(\d{1,15}(?:\.\d{1,15})?)\s*(ms|s|m|h|d|w|y)?$/.exec(text.trim()) ?? [];
  const milliseconds = amount === undefined ? Number.NaN : Math.round(Number(amount) * (UNITS[unit] ?? 1000));
  return milliseconds <= LONGEST ? milliseconds : undefined;
}

/** Like `parseDuration`, but also for negative and too long durations: the caller clamps them. */
export function parseTtl(text: string): number | undefined {
  const [, sign, amount = ""] = /^(-?)(.+)$/.exec(text.trim()) ?? [];
  const known = parseDuration(amount) ?? (/^\d+(?:\.\d+)?\s*(?:ms|s|m|h|d|w|y)?$/.test(amount) ? LONGEST : undefined);
  return known === undefined || sign !== "-" ? known : -known;
}
