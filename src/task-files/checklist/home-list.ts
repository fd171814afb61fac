import type { TravellingTask } from "../portable-task.js";
import type { HomeList } from "../task-format.js";

const HOME = /^[ \t]*<!-- milepost: (\S{1,200}) (\d{1,15}) -->[ \t]*$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The first line of a file that was written from a list. People who edit it do not see it where Markdown is shown. */
export function writeHome(list: string, tasks: readonly TravellingTask[]): string {
  const highest = tasks.reduce((most, { id }) => (NUMBER.test(id) ? Math.max(most, Number(id)) : most), 0);
  return `<!-- milepost: ${list} ${highest} -->`;
}

export function readHome(lines: readonly string[]): HomeList | undefined {
  const first = lines.find((line) => line.trim() !== "")?.slice(0, 300) ?? "";
  const [, list, highest] = HOME.exec(first) ?? [];
  return list === undefined ? undefined : { list, highest: Number(highest) };
}
