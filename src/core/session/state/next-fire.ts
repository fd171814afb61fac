/** Minute, hour, day of the month, month, day of the week: what `CronCreate` and `/loop` of Claude Code write. */
const RANGES = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const DAYS_AHEAD = 366;

/** When it fires next after `from`, in milliseconds, by the local clock; undefined for what is no such line. */
export function nextFire(schedule: string, from: number): number | undefined {
  const parts = schedule.trim().split(/\s+/);
  const fields = parts.length === RANGES.length ? RANGES.map((range, at) => valuesOf(parts[at] ?? "", range)) : [];
  const [minutes, hours, days, months, weekdays] = fields;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  // Where both are given, either will do.
  const isEither = parts[2] !== "*" && parts[4] !== "*";
  const start = new Date(from);
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const day = new Date(start.getFullYear(), start.getMonth(), start.getDate() + ahead);
    if (!months.has(day.getMonth() + 1)) continue;
    const isDay = days.has(day.getDate());
    const isWeekday = weekdays.has(day.getDay()) || (day.getDay() === 0 && weekdays.has(7));
    if (isEither ? !isDay && !isWeekday : !isDay || !isWeekday) continue;
    const fire = firstOn(day, hours, minutes, from);
    if (fire !== undefined) return fire;
  }
  return undefined;
}

function firstOn(
  day: Date,
  hours: ReadonlySet<number>,
  minutes: ReadonlySet<number>,
  from: number,
): number | undefined {
  for (const hour of hours) {
    for (const minute of minutes) {
      const time = new Date(day.getFullYear(), day.getMonth(), day.getDate(), hour, minute).getTime();
      if (time > from) return time;
    }
  }
  return undefined;
}

const PART = /^(?:\*|(?<from>\d{1,2})(?:-(?<to>\d{1,2}))?)(?:\/(?<step>\d{1,2}))?$/;

/** In order; undefined where a part is none, or outside its range. */
function valuesOf(text: string, [least, most]: readonly [number, number]): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const { from, to, step } = PART.exec(part)?.groups ?? {};
    if (!PART.test(part) || Number(step ?? 1) === 0) return undefined;
    const first = Number(from ?? least);
    const last = Number(to ?? (from === undefined || step !== undefined ? most : first));
    if (first < least || last > most || first > last) return undefined;
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return new Set([...values].sort((a, b) => a - b));
}
