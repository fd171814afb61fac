import type { StandingTask } from "../../core/task/query.js";
import type { EventStore } from "../../store/event-store.js";
import { taskLists } from "../../store/tasks/task-index.js";
import type { Environment } from "../store-place.js";
import { listName } from "../tasks/list-name.js";
import { lookAtTasks, readTasks } from "../tasks/read-tasks.js";

/** Tasks of one list for a board, and the names of all lists. */
export interface BoardTasks {
  readonly list: string;
  readonly lists: readonly string[];
  readonly tasks: readonly StandingTask[];
}

/** Closed tasks that are shown; all open ones are. */
const MOST_CLOSED = 200;
const MOST_OPEN = 2000;

/** `asked`: a list by its name; without one that of the folder, else the only one there is. */
export async function boardTasks(
  store: EventStore,
  place: { readonly asked: string | undefined; readonly environment: Environment; readonly folder: string },
): Promise<BoardTasks> {
  const lists = ((await lookAtTasks(store, taskLists)) ?? []).map(({ list }) => list);
  const own = listName(undefined, place.environment, place.folder);
  const here = own.ok ? own.value : "";
  const list = place.asked ?? (lists.includes(here) || lists.length === 0 ? here : (lists[0] ?? here));
  const open = await tasksOf(store, list, { isOpen: true, limit: MOST_OPEN });
  const closed = await tasksOf(store, list, { status: ["completed", "failed", "cancelled"] });
  return {
    list,
    lists: lists.includes(list) ? lists : [list, ...lists],
    tasks: [...open, ...closed.slice(-MOST_CLOSED)],
  };
}

async function tasksOf(
  store: EventStore,
  list: string,
  query: Parameters<typeof readTasks>[2],
): Promise<readonly StandingTask[]> {
  const found: StandingTask[] = [];
  for await (const { tasks } of readTasks(store, list, query)) found.push(...tasks);
  return found;
}
