import type { Output } from "../command-definition.js";
import { jsonLine } from "../json-lines.js";
import type { TaskPage } from "../tasks/read-tasks.js";
import { reportTask, type TaskReport } from "../tasks/task-report.js";
import { paint } from "./paint.js";
import { headingRow, layoutOf, type TableLayout, TaskTally, taskRow } from "./task-columns.js";
import { cutToWidth, wrapWords } from "./text-width.js";

/** `{"tasks":[...]}`, page by page: a large list need not fit into memory. */
export async function writeJson(output: Output, list: string, pages: AsyncIterable<TaskPage>): Promise<void> {
  await output.write('{"tasks":[');
  let isFirst = true;
  for await (const { tasks } of pages) {
    const text = tasks.map((task) => jsonLine(reportTask(list, task))).join(",");
    if (text !== "") await output.write(isFirst ? text : `,${text}`);
    isFirst = isFirst && text === "";
  }
  await output.write("]}\n");
}

/** A table, page by page, and a row with the totals; `none` for an empty list. */
export async function writeTable(
  output: Output,
  list: string,
  pages: AsyncIterable<TaskPage>,
  none: string,
): Promise<void> {
  const tally = new TaskTally();
  let layout: TableLayout | undefined;
  for await (const { tasks, now } of pages) {
    const reports = tasks.map((task) => reportTask(list, task));
    const isFirst = layout === undefined;
    layout = layoutOf(reports, output.columns, now, layout);
    tally.add(reports);
    await output.write(`${rowsOf(reports, layout, output, now, isFirst).join("\n")}\n`);
  }
  const rows = tally.total === 0 ? [none] : tallyRows(tally, output);
  await output.write(`${rows.join("\n")}\n`);
}

function rowsOf(
  tasks: readonly TaskReport[],
  layout: TableLayout,
  output: Output,
  now: number,
  hasHeading: boolean,
): readonly string[] {
  const heading = hasHeading ? headingRow(layout, output) : undefined;
  const rows = tasks.map((task) => taskRow(task, layout, output, now));
  return heading === undefined ? rows : [heading, ...rows];
}

/** The rows that fit on a screen, and the totals. */
export async function screenRows(
  output: Output,
  list: string,
  pages: AsyncIterable<TaskPage>,
  none: string,
): Promise<readonly string[]> {
  const room = Math.max(3, output.rows ?? DEFAULT_ROWS) - 2;
  const tally = new TaskTally();
  let shown: readonly TaskReport[] = [];
  let at = 0;
  for await (const { tasks, now } of pages) {
    const reports = tasks.map((task) => reportTask(list, task));
    tally.add(reports);
    shown = [...shown, ...reports.slice(0, Math.max(0, room - 1 - shown.length))];
    at = now;
  }
  if (tally.total === 0) return [cutToWidth(none, output.columns)];
  const below = tallyRows(tally, output);
  const fitting = shown.slice(0, Math.max(0, room - below.length));
  return [...rowsOf(fitting, layoutOf(shown, output.columns, at), output, at, true), ...below];
}

function tallyRows({ text }: TaskTally, output: Output): readonly string[] {
  return wrapWords(text, output.columns).map((row) => paint(output, "dim", row));
}

const DEFAULT_ROWS = 24;
