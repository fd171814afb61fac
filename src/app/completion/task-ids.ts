import type { Task, TaskStatus } from "../../core/task/task.js";
import type { EventStore, Look } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { taskLists, tasksAfter } from "../../store/tasks/task-index.js";
import { listName } from "../tasks/list-name.js";
import { lookAtTasks } from "../tasks/read-tasks.js";
import { TASKS } from "../tasks/task-views.js";
import { type Candidate, safeText } from "./candidates.js";
import { lookInto, type Surroundings } from "./completion-store.js";
import type { TypedLine } from "./typed-line.js";

const OPEN: readonly TaskStatus[] = ["pending", "in_progress"];
const CLOSED: readonly TaskStatus[] = ["completed", "failed", "cancelled"];

interface Offer {
  readonly statuses: readonly TaskStatus[];
  /** Tasks that come first. */
  readonly first?: (task: Task) => boolean;
}

const isHeld = ({ lease }: Task) => lease !== undefined;
const HELD: Offer = { statuses: OPEN, first: isHeld };
const ALL: Offer = { statuses: [...OPEN, ...CLOSED], first: ({ status }) => OPEN.includes(status) };

/** What a verb is used for; others take any open task. */
const OFFERS: Readonly<Record<string, Offer>> = {
  "task done": HELD,
  "task fail": HELD,
  "task renew": HELD,
  "task release": HELD,
  "task claim": { statuses: OPEN, first: (task) => !isHeld(task) && task.wait === undefined },
  "task wake": { statuses: OPEN, first: ({ wait }) => wait !== undefined },
  "task reopen": { statuses: CLOSED },
  "task show": ALL,
  "task history": ALL,
  "task rm": ALL,
};

/** Tasks of the list that the line means, by number; the likely ones for its verb first. */
export function taskIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  return lookInto(around, line, (store) => storedTasks(store, around, line), []);
}

async function storedTasks(store: EventStore, around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const list = listName(line.flags.get("--list")?.at(-1), around.environment, around.folder);
  if (!list.ok) return [];
  const { statuses, first = () => true } = OFFERS[line.name] ?? { statuses: OPEN };
  const found = await lookAtTasks(store, (look) => numbered(look, list.value, line.word, statuses));
  const tasks = (found ?? []).filter(({ isDeleted }) => !isDeleted);
  return [...tasks.filter(first), ...tasks.filter((task) => !first(task))].map((task) => ({
    word: `${task.number}`,
    about: `${stateText(task)}${safeText(task.subject)}`,
  }));
}

/** A list may have thousands; whoever wants another one types its first digit. */
const MOST_TASKS = 50;

/** Those whose number begins with what was typed: 4, 40 to 49, 400 to 499 ... */
function* numbered(look: Look, list: string, typed: string, statuses: readonly TaskStatus[]): Script<readonly Task[]> {
  if (typed === "") return yield* tasksAfter(look, TASKS, list, { after: 0, limit: MOST_TASKS, statuses });
  if (!/^[1-9]\d{0,8}$/.test(typed)) return [];
  const tasks: Task[] = [];
  for (let width = 1; width <= 100_000 && tasks.length < MOST_TASKS; width *= 10) {
    const from = Number(typed) * width;
    const limit = Math.min(width, MOST_TASKS);
    const found = yield* tasksAfter(look, TASKS, list, { after: from - 1, limit, statuses });
    tasks.push(...found.filter(({ number }) => number < from + width));
    if (found.length === 0) break;
  }
  return tasks;
}

function stateText({ status, lease }: Task): string {
  if (lease) return `(${safeText(lease.owner)}) `;
  return status === "pending" ? "" : `(${status.replace("_", " ")}) `;
}

/** All lists of the store. */
export function listIds(around: Surroundings, line: TypedLine): Promise<readonly Candidate[]> {
  const look = async (store: EventStore) => (await lookAtTasks(store, taskLists)) ?? [];
  return lookInto(around, line, look, []).then((lists) =>
    lists.map(({ list, open }) => ({ word: list, about: `${open} open` })),
  );
}
