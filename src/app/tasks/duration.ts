const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `30m`, `2h`, `1d`; a bare number is seconds. In whole milliseconds; undefined for what is none. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit = "s"] = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(text.trim()) ?? [];
  return amount === undefined ? undefined : Math.round(Number(amount) * (UNITS[unit] ?? 1000));
}
