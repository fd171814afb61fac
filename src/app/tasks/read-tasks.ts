import { fail, ok, type Result } from "../../core/result.js";
import { matches, type StandingTask, type TaskQuery } from "../../core/task/query.js";
import type { EventStore, Look } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { checkTasks, hasTasks, numberByUuid, readyNumbers, tasksAmong } from "../../store/tasks/task-index.js";
import { noTask } from "./task-board.js";
import { ALL, findTasks, PAGE, withStanding } from "./task-pages.js";
import { TASKS } from "./task-views.js";

export interface TaskPage {
  readonly tasks: readonly StandingTask[];
  /** The store's clock. */
  readonly now: number;
}

/** Undefined for a read-only store of an older version, which has no tables for tasks. */
export function lookAtTasks<T>(store: EventStore, script: (look: Look) => Script<T>): Promise<T | undefined> {
  return store.look(function* (look) {
    return (yield* hasTasks(look)) ? yield* script(look) : undefined;
  });
}

/** Page by page, so that a large list need not fit into memory. */
export async function* readTasks(store: EventStore, list: string, query: TaskQuery): AsyncGenerator<TaskPage> {
  const most = query.limit ?? ALL;
  let rest = most;
  const pages = query.isReady === true ? readReady(store, list, query) : readNumbered(store, list, query);
  for await (const { tasks, now } of pages) {
    if (tasks.length > 0) yield { tasks: tasks.slice(0, rest), now };
    rest -= tasks.length;
    if (rest <= 0) return;
  }
  if (rest === most) await checkList(store, list);
}

/** Throws `StoreTrouble` where an index is the reason why nothing was found. */
export async function checkList(store: EventStore, list: string): Promise<void> {
  await lookAtTasks(store, (look) => checkTasks(look, list));
}

async function* readNumbered(store: EventStore, list: string, query: TaskQuery): AsyncGenerator<TaskPage> {
  const limit = Math.min(PAGE, query.limit ?? PAGE);
  for (let after = query.after ?? 0; ; ) {
    const page = await lookAtTasks(store, function* (look) {
      return { tasks: yield* findTasks(look, list, { ...query, after, limit }), now: look.now };
    });
    if (!page) return;
    yield page;
    if (page.tasks.length < limit) return;
    after = page.tasks.at(-1)?.task.number ?? after;
  }
}

/** By priority, then age: all numbers at once, the tasks page by page. */
async function* readReady(store: EventStore, list: string, query: TaskQuery): AsyncGenerator<TaskPage> {
  const isPlain = Object.entries(query).every(
    ([name, value]) => name === "isReady" || name === "limit" || value === undefined,
  );
  const most = isPlain ? (query.limit ?? ALL) : ALL;
  const numbers = (await lookAtTasks(store, (look) => readyNumbers(look, list, most))) ?? [];
  for (let at = 0; at < numbers.length; at += PAGE) {
    const page = await lookAtTasks(store, function* (look) {
      return { tasks: yield* tasksIn(look, list, numbers.slice(at, at + PAGE)), now: look.now };
    });
    if (page) yield { ...page, tasks: page.tasks.filter((task) => matches(task, query)) };
  }
}

/** Existing tasks, in the order of the numbers. */
export function* tasksIn(look: Look, list: string, numbers: readonly number[]): Script<readonly StandingTask[]> {
  const all = yield* tasksAmong(look, TASKS, list, [...new Set(numbers)]);
  const tasks = all.filter(({ isDeleted }) => !isDeleted).sort((a, b) => a.number - b.number);
  const found = yield* withStanding(look, list, tasks);
  const known = new Map(found.map((one) => [one.task.number, one]));
  return numbers.flatMap((number) => known.get(number) ?? []);
}

/** Also of a removed task, by its number: it still has a history. */
export function* numberNamed(look: Look, list: string, name: string): Script<number | undefined> {
  const [, digits] = /^#?(\d{1,15})$/.exec(name.trim()) ?? [];
  return digits === undefined ? yield* numberByUuid(look, list, name.trim().toLowerCase()) : Number(digits);
}

export function* taskNamed(look: Look, list: string, name: string): Script<Result<StandingTask>> {
  const number = yield* numberNamed(look, list, name);
  const [found] = number === undefined ? [] : yield* tasksIn(look, list, [number]);
  if (found) return ok(found);
  yield* checkTasks(look, list);
  return fail(noTask(list, name));
}
