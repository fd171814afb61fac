import type { PortableTask } from "../portable-task.js";

/** Backlog.md knows minutes, in UTC, and no seconds. */
const MINUTE = 60_000;

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::\d\d(?:\.\d+)?)?Z?)?$/;

export function dateAt(text: string | undefined): number | undefined {
  const [, year, month, day, hour = "00", minute = "00"] = DATE.exec(text ?? "") ?? [];
  const time = year === undefined ? Number.NaN : Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isFinite(time) && time >= 0 ? time : undefined;
}

const LAST_FOUR_DIGIT_YEAR = 253_402_300_799_999;

export function dateText(time: number | undefined): string | undefined {
  if (time === undefined || time < 0 || time > LAST_FOUR_DIGIT_YEAR) return undefined;
  return new Date(time).toISOString().slice(0, 16).replace("T", " ").replace(" 00:00", "");
}

/** Seconds would only be carried along to say nothing. */
export function toMinute(task: PortableTask): PortableTask {
  const down = (time: number | undefined) => (time === undefined ? undefined : Math.floor(time / MINUTE) * MINUTE);
  const { createdAt, updatedAt, notes } = task;
  return {
    ...task,
    createdAt: down(createdAt),
    updatedAt: down(updatedAt),
    notes: notes.map((note) => ({ ...note, at: down(note.at) })),
  };
}
