import type { TaskQuery } from "../../core/task/query.js";
import type { EventStore } from "../../store/event-store.js";
import type { Output } from "../command-definition.js";
import { jsonLine } from "../json-lines.js";
import { OwnersOf } from "../tasks/owners-known.js";
import { readTasks, type TaskPage } from "../tasks/read-tasks.js";
import { reportTask } from "../tasks/task-report.js";
import { paint } from "./paint.js";
import {
  headingRow,
  layoutOf,
  type TableLayout,
  type TableTask,
  TaskTally,
  tableTask,
  taskRow,
} from "./task-columns.js";
import { cutToWidth, screenWidth, wrapWords } from "./text-width.js";

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

/** Tasks of one list, and what is said below them. */
export interface TaskTable {
  readonly store: EventStore;
  readonly list: string;
  readonly query: TaskQuery;
  /** Instead of an empty table. */
  readonly none: () => Promise<string>;
  /** What is not shown, and how to see it; empty if there is nothing else. For a person's eye. */
  readonly hidden: () => Promise<string>;
}

/** A table, page by page, and a row with the totals. */
export async function writeTable(output: Output, table: TaskTable): Promise<void> {
  const tally = new TaskTally();
  let layout: TableLayout | undefined;
  for await (const { tasks, now } of pagesOf(table)) {
    const isFirst = layout === undefined;
    layout = layoutOf(tasks, screenWidth(output), now, layout);
    tally.add(tasks);
    await output.write(`${rowsOf(tasks, layout, output, now, isFirst).join("\n")}\n`);
  }
  const rows = tally.total === 0 ? [await table.none()] : await tallyRows(tally, output, table);
  await output.write(`${rows.join("\n")}\n`);
}

interface ShownPage {
  readonly tasks: readonly TableTask[];
  readonly now: number;
}

async function* pagesOf({ store, list, query }: TaskTable): AsyncGenerator<ShownPage> {
  const owners = new OwnersOf(store);
  for await (const { tasks, now } of readTasks(store, list, query)) {
    const known = await owners.learn(tasks);
    yield { tasks: tasks.map((task) => tableTask(task, known)), now };
  }
}

function rowsOf(
  tasks: readonly TableTask[],
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
export async function screenRows(output: Output, table: TaskTable): Promise<readonly string[]> {
  const room = Math.max(3, output.rows ?? DEFAULT_ROWS) - 2;
  const tally = new TaskTally();
  let shown: readonly TableTask[] = [];
  let at = 0;
  for await (const { tasks, now } of pagesOf(table)) {
    tally.add(tasks);
    shown = [...shown, ...tasks.slice(0, Math.max(0, room - 1 - shown.length))];
    at = now;
  }
  if (tally.total === 0) return [cutToWidth(await table.none(), output.columns)];
  const below = await tallyRows(tally, output, table);
  const fitting = shown.slice(0, Math.max(0, room - below.length));
  return [...rowsOf(fitting, layoutOf(shown, output.columns, at), output, at, true), ...below];
}

async function tallyRows({ text }: TaskTally, output: Output, { hidden }: TaskTable): Promise<readonly string[]> {
  const more = output.isTerminal ? await hidden() : "";
  const words = more === "" ? text : `${text}. ${more}`;
  return wrapWords(words, screenWidth(output)).map((row) => paint(output, "dim", row));
}

const DEFAULT_ROWS = 24;
