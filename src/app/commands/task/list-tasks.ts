import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskQuery } from "../../../core/task/query.js";
import { TASK_STATUSES } from "../../../core/task/task.js";
import type { EventStore } from "../../../store/event-store.js";
import { taskLists } from "../../../store/tasks/task-index.js";
import { type CommandContext, defineCommand, type Given } from "../../command-definition.js";
import { JSON_FLAG, toggle } from "../../fields.js";
import { lookAtTasks, readTasks, taskNamed } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { detailedTask } from "../../tasks/task-details.js";
import { countTasks } from "../../tasks/task-pages.js";
import { drawTasks, printTaskChanges } from "../../tasks/watch-tasks.js";
import { givenStore, nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";
import { canRedraw } from "../../terminal/paint.js";
import { showTask } from "../../terminal/task-detail.js";
import { type TaskTable, writeJson, writeTable } from "../../terminal/task-list.js";
import { QUERY, queryOf } from "./query-flags.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

export const listTasks = defineCommand({
  details: `Open tasks; --all or --status also shows closed ones. States: ready (can be claimed), blocked (by which
tasks), waiting, retrying (failed, retried later), in progress, asked to stop (somebody requested a cancel), stale (in
progress, but its lease has expired), done, failed, cancelled. The column left is what is left of the lease, of the wait
or until the retry. An owner in brackets is the assignee. Rows are cut to the width of a terminal; into a pipe they are
whole. With --watch the table is redrawn with every change, until Ctrl+C; into a pipe, it prints one line for each
change.`,
  examples: [
    "milepost task list --label bug",
    "milepost task list --status failed,cancelled --json | jq -r '.tasks[].subject'",
    "milepost task list --watch",
  ],
  input: {
    ...QUERY,
    watch: toggle("keep running and show changes"),
    ...WHERE,
    json: JSON_FLAG,
  },
  async run(context, { watch, json, parent, list: asked, ...flags }) {
    const list = listOf(context, { list: asked });
    if (!list.ok) return list;
    const query = queryOf(flags);
    if (!query.ok) return query;
    const { store } = await context.open("read");
    const full = await withParent(store, list.value, query.value, parent);
    if (!full.ok) return full;
    const given = { ...flags, parent, list: asked, store: givenStore(context) };
    const table = tableOf({ store, list: list.value, query: full.value }, given);
    if (!watch) await writeList(context, table, json);
    else if (canRedraw(context) && !json) await drawTasks(context, table);
    else await printTaskChanges(context, table, json);
    return ok(undefined);
  },
});

export const readyTasks = defineCommand({
  details: `Tasks that can be claimed now, best first: by priority, then age. milepost task claim takes the first one
that is not assigned to somebody else.`,
  examples: ["milepost task ready --limit 5"],
  input: { limit: QUERY.limit, ...WHERE, json: JSON_FLAG },
  async run(context, { limit, json, list: asked }) {
    const list = listOf(context, { list: asked });
    if (!list.ok) return list;
    const { store } = await context.open("read");
    const asking = { store, list: list.value, query: { isReady: true, limit } };
    await writeList(context, tableOf(asking, { list: asked, store: givenStore(context) }), json);
    return ok(undefined);
  },
});

export const showOneTask = defineCommand({
  details: `Shows its description, holder and remaining lease, blockers, tasks it blocks, subtasks and how many of them
are done, notes, evidence, and the sessions that worked on it. --json: {"task":{...},"now"}.`,
  examples: ["milepost task show 3"],
  words: ["task"],
  input: { ...TASK, ...WHERE },
  async run(context, { task, ...where }) {
    const list = listOf(context, where);
    if (!list.ok) return list;
    const { store } = await context.open("read");
    const found = await lookAtTasks(store, (look) => detailedTask(look, list.value, task));
    return found ?? fail(noTask(list.value, task));
  },
  show: showTask,
});

export const listTaskLists = defineCommand({
  details: `Every task list in the store, with its number of tasks and of open tasks. --list NAME or MILEPOST_LIST
selects the list of a command. --json: {"lists":[{"list","tasks","open"}]}.`,
  examples: ["milepost task lists"],
  input: {},
  async run({ open }) {
    const { store } = await open("read");
    return ok({ lists: (await lookAtTasks(store, taskLists)) ?? [] });
  },
  show({ lists }, _, given) {
    if (lists.length === 0) return `No tasks yet. Add one: ${nextStep('task add "First task"', given, WHERE_FLAGS)}\n`;
    const width = Math.max(...lists.map(({ list }) => list.length));
    return lists
      .map(
        ({ list, tasks, open }) => `${list.padEnd(width)}  ${tasks} ${tasks === 1 ? "task" : "tasks"}, ${open} open\n`,
      )
      .join("");
  },
});

async function writeList({ output }: CommandContext, table: TaskTable, json: boolean): Promise<void> {
  const { store, list, query } = table;
  if (json) await writeJson(output, list, readTasks(store, list, query));
  else await writeTable(output, table);
}

/** Filters that closed tasks are looked for with, too. */
const FILTER_FLAGS = ["label", "owner", "parent", "search"] as const;

function tableOf(asking: Pick<TaskTable, "store" | "list" | "query">, given: Given): TaskTable {
  const { store, list, query } = asking;
  const all = nextStep("task list --all", given, [...FILTER_FLAGS, ...WHERE_FLAGS]);
  const hidden = async () => {
    const closed = { ...query, isOpen: undefined, status: CLOSED };
    const count = query.isOpen ? await lookAtTasks(store, (look) => countTasks(look, list, closed)) : 0;
    return count ? `${count} closed: ${all}` : "";
  };
  const none = async () => {
    const closed = await hidden();
    return closed === "" ? noneText(list, query, given) : `No open task matches in the list ${list}. ${closed}`;
  };
  return { ...asking, hidden, none };
}

const CLOSED = TASK_STATUSES.filter((status) => status !== "pending" && status !== "in_progress");

function noneText(list: string, query: TaskQuery, given: Given): string {
  const next = (words: string) => nextStep(words, given, WHERE_FLAGS);
  if (query.isReady) return `No task is ready. Open tasks: ${next("task list")}`;
  const isAll = Object.entries(query).every(([name, value]) => UNFILTERED.includes(name) || value === undefined);
  return isAll
    ? `No tasks in the list ${list} yet. Add one: ${next('task add "First task"')}`
    : `No task matches. All tasks: ${next("task list --all")}`;
}

const UNFILTERED: readonly string[] = ["limit", "isOpen"];

async function withParent(
  store: EventStore,
  list: string,
  query: TaskQuery,
  name: string | undefined,
): Promise<Result<TaskQuery>> {
  if (name === undefined) return ok(query);
  const found = await lookAtTasks(store, (look) => taskNamed(look, list, name));
  if (found && !found.ok) return found;
  // A store without tables for tasks: no task has the number 0.
  return ok({ ...query, parent: found?.value.task.number ?? 0 });
}
