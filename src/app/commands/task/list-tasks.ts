import { fail, ok, type Result } from "../../../core/result.js";
import type { TaskQuery } from "../../../core/task/query.js";
import type { EventStore } from "../../../store/event-store.js";
import { taskLists } from "../../../store/tasks/task-index.js";
import { type CommandContext, defineCommand, type Given } from "../../command-definition.js";
import { toggle } from "../../fields.js";
import { lookAtTasks, readTasks, taskNamed } from "../../tasks/read-tasks.js";
import { noTask } from "../../tasks/task-board.js";
import { detailedTask } from "../../tasks/task-details.js";
import { drawTasks, printTaskChanges } from "../../tasks/watch-tasks.js";
import { givenStore, nextStep, WHERE_FLAGS } from "../../terminal/next-step.js";
import { showTask } from "../../terminal/task-detail.js";
import { writeJson, writeTable } from "../../terminal/task-list.js";
import { QUERY, queryOf } from "./query-flags.js";
import { listOf, TASK, WHERE } from "./task-flags.js";

const JSON_FLAG = toggle('{"tasks":[...]}');

export const listTasks = defineCommand({
  details: `States: ready (can be claimed), blocked (by which tasks), waiting, retrying (failed, retried later), in
progress, stale (in progress, but its lease has expired), done, failed, cancelled. An owner in brackets is the assignee.
With --watch the table is redrawn with every change, until Ctrl+C; into a pipe, it prints one line for each change.`,
  examples: [
    "milepost task list --open --label bug",
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
    const none = noneText(list.value, full.value, { list: asked, store: givenStore(context) });
    const watched = { store, list: list.value, query: full.value, none };
    if (!watch) await writeList(context, watched, json);
    else if (context.output.isTerminal && !json) await drawTasks(context, watched, none);
    else await printTaskChanges(context, watched, json);
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
    const query = { isReady: true, limit };
    const none = noneText(list.value, query, { list: asked, store: givenStore(context) });
    await writeList(context, { store, list: list.value, query, none }, json);
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

interface Asked {
  readonly store: EventStore;
  readonly list: string;
  readonly query: TaskQuery;
  /** Printed for an empty list. */
  readonly none: string;
}

async function writeList({ output }: CommandContext, asked: Asked, json: boolean): Promise<void> {
  const { store, list, query, none } = asked;
  const pages = readTasks(store, list, query);
  if (json) await writeJson(output, list, pages);
  else await writeTable(output, list, pages, none);
}

function noneText(list: string, query: TaskQuery, given: Given): string {
  const next = (words: string) => nextStep(words, given, WHERE_FLAGS);
  if (query.isReady) return `No task is ready. Open tasks: ${next("task list --open")}`;
  const isAll = Object.entries(query).every(([name, value]) => name === "limit" || value === undefined);
  return isAll
    ? `No tasks in the list ${list} yet. Add one: ${next('task add "First task"')}`
    : `No task matches. All tasks: ${next("task list")}`;
}

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
