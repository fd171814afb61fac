import { matches, type StandingTask, type TaskQuery } from "../../core/task/query.js";
import { standingOf } from "../../core/task/standing.js";
import { exists, type Task } from "../../core/task/task.js";
import type { Look } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import {
  countByStatus,
  countReady,
  openEdges,
  readyNumbers,
  tasksAfter,
  tasksAmong,
} from "../../store/tasks/task-index.js";
import { TASKS } from "./task-views.js";

export const PAGE = 500;
export const ALL = 1_000_000_000;

/** By number; with `isReady` by priority, then age. */
export function* findTasks(look: Look, list: string, query: TaskQuery): Script<readonly StandingTask[]> {
  const found: StandingTask[] = [];
  const { limit = ALL } = query;
  if (limit <= 0) return found;
  for (let after = query.after ?? 0; ; ) {
    const size = isPlain(query) ? Math.min(PAGE, limit - found.length) : PAGE;
    const page = yield* nextPage(look, list, query, after, size);
    for (const task of page.tasks) {
      if (matches(task, query)) found.push(task);
      if (found.length >= limit) return found;
    }
    if (page.next === undefined) return found;
    after = page.next;
  }
}

/** The tables alone answer the query. */
function isPlain({ status, after, limit, ...rest }: TaskQuery): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

interface Page {
  readonly tasks: readonly StandingTask[];
  /** Undefined after the last page. */
  readonly next: number | undefined;
}

function* nextPage(look: Look, list: string, query: TaskQuery, after: number, limit: number): Script<Page> {
  if (query.isReady === true) return { tasks: yield* readyTasks(look, list, query), next: undefined };
  const tasks = yield* tasksAfter(look, TASKS, list, { after, limit, statuses: statusesOf(query) });
  return {
    tasks: yield* withStanding(look, list, tasks),
    next: tasks.length < limit ? undefined : tasks.at(-1)?.number,
  };
}

function statusesOf({ status, isOpen, isStale, isWaiting, isBlocked }: TaskQuery): readonly string[] | undefined {
  const open = isOpen === true || isStale === true || isWaiting === true || isBlocked === true;
  return status ?? (open ? ["pending", "in_progress"] : undefined);
}

function* readyTasks(look: Look, list: string, query: TaskQuery): Script<readonly StandingTask[]> {
  const { isReady: _, ...others } = query;
  const numbers = yield* readyNumbers(look, list, isPlain(others) ? (query.limit ?? ALL) : ALL);
  const found: StandingTask[] = [];
  for (let at = 0; at < numbers.length; at += PAGE) {
    const part = numbers.slice(at, at + PAGE);
    const tasks = new Map((yield* tasksAmong(look, TASKS, list, part)).map((task) => [task.number, task]));
    for (const number of part) {
      const task = tasks.get(number);
      // A ready task has no open blockers.
      if (exists(task)) found.push({ task, standing: standingOf(task, [], look.now) });
    }
  }
  return found;
}

export function* withStanding(look: Look, list: string, tasks: readonly Task[]): Script<readonly StandingTask[]> {
  const [first, last] = [tasks.at(0)?.number ?? 0, tasks.at(-1)?.number ?? -1];
  const isTied = tasks.some(({ blockedBy }) => blockedBy.length > 0);
  const edges = isTied ? yield* openEdges(look, list, Math.min(first, last), Math.max(first, last)) : new Map();
  return tasks.map((task) => ({ task, standing: standingOf(task, edges.get(task.number) ?? [], look.now) }));
}

export function* countTasks(look: Look, list: string, { limit: _, after: __, ...query }: TaskQuery): Script<number> {
  const { isReady, status, isOpen, ...rest } = query;
  const isSimple = Object.values(rest).every((value) => value === undefined);
  if (isSimple && isReady === true && status === undefined && isOpen === undefined)
    return yield* countReady(look, list);
  if (!isSimple || isReady !== undefined || isOpen === false) return (yield* findTasks(look, list, query)).length;
  const counts = yield* countByStatus(look, list);
  const wanted = statusesOf(query) ?? [...counts.keys()];
  return wanted.reduce((sum, one) => sum + (counts.get(one) ?? 0), 0);
}
