import { taskItems } from "../grounding/task-times.js";
import {
  lateOf,
  NO_WORK_TIMES,
  passTo,
  type Span,
  spansOf,
  type WorkItem,
  type WorkTimes,
} from "../grounding/work-times.js";
import type { TaskChange } from "../session/client/client-tasks.js";
import { TaskFold } from "../session/client/client-tasks.js";
import { workItems } from "../session/finished/list-times.js";
import type { SeenTask } from "../session/observation.js";
import type { TodoEvent } from "../todo/events.js";
import { evolveAll } from "../todo/evolve.js";
import { EMPTY_LIST, type TodoList, type TodoStatus, todosOf } from "../todo/list.js";
import type { TimelineTodo, TimeSpan } from "./timeline.js";

/** More than are worked off in one session; of more the oldest are forgotten. */
const MOST_TODOS = 1000;

interface KnownTodo {
  readonly text: string;
  readonly status: TodoStatus;
}

/** Todos, or tasks, and when which was worked on; those that have left the list stay. */
class Bars<Key extends number | string> {
  #items: readonly WorkItem<Key>[] = [];
  #times: WorkTimes<Key> = NO_WORK_TIMES;
  readonly #known = new Map<Key, KnownTodo>();

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  change(items: readonly (WorkItem<Key> & { readonly text: string })[], at: number): void {
    this.#times = passTo(this.#times, { before: this.#items, late: lateOf(this.#items, items), at });
    this.#items = items;
    for (const { key, text, status } of items) this.#known.set(key, { text, status });
    for (const key of this.#known.keys()) {
      if (this.#known.size <= MOST_TODOS) break;
      this.#known.delete(key);
    }
  }

  bars(first: number): readonly TimelineTodo[] {
    const spans = new Map<Key, TimeSpan[]>();
    for (const span of spansOf(this.#times, this.#items)) {
      const bars = spans.get(span[0]);
      if (bars) bars.push(timeSpan(span, first));
      else spans.set(span[0], [timeSpan(span, first)]);
    }
    const current = new Set(this.#items.map(({ key }) => key));
    return [...this.#known].map(([key, { text, status }]) => ({
      key: `${key}`,
      number: typeof key === "number" ? key : null,
      text,
      status,
      isCurrent: current.has(key),
      spans: joined(spans.get(key) ?? []),
    }));
  }
}

/** Work that was written down afterwards began before the list did: at the first moment that is known. */
function timeSpan([, at, end]: Span<unknown>, first: number): TimeSpan {
  return { at: Math.max(at, first), end: Number.isFinite(end) ? end : null };
}

/** Each write of the list begins a span of its own: what goes on without a gap is one bar. */
function joined(spans: readonly TimeSpan[]): readonly TimeSpan[] {
  const bars: TimeSpan[] = [];
  for (const span of spans) {
    const last = bars.at(-1);
    if (last && last.end !== null && last.end >= span.at) bars[bars.length - 1] = { at: last.at, end: span.end };
    else if (span.end === null || span.end > span.at) bars.push(span);
  }
  return bars;
}

/** The bars of a session: of its list, or of its client's tasks where it has none. */
export class TodoBars {
  readonly #todos = new Bars<number>();
  readonly #tasks = new Bars<string>();
  #list: TodoList = EMPTY_LIST;
  /** Events of one write: between them the list may be anything. */
  #write: TodoEvent[] = [];
  #wroteAt = 0;
  #begunAt = 0;
  #taskFold = new TaskFold([], MOST_TODOS);
  #seenTasks: readonly SeenTask[] = [];

  changeList(list: TodoList, at: number): void {
    this.#begin(at);
    this.#list = list;
    const texts = new Map(todosOf(list).map(({ number, text }) => [number, text]));
    this.#todos.change(
      workItems(list).map((item) => ({ ...item, text: texts.get(item.key) ?? "" })),
      at,
    );
  }

  addEvent(event: TodoEvent, at: number): void {
    const [first] = this.#write;
    if (first && (first.revision !== event.revision || this.#wroteAt !== at)) this.#endWrite();
    this.#write.push(event);
    this.#wroteAt = at;
  }

  #endWrite(): void {
    if (this.#write.length === 0) return;
    const list = evolveAll(this.#list, this.#write);
    this.#write = [];
    this.changeList(list, this.#wroteAt);
  }

  /** As a transcript tells of it: all of a task. */
  changeTask(task: SeenTask, at: number): void {
    const isKnown = this.#seenTasks.some(({ id }) => id === task.id);
    const tasks = isKnown
      ? this.#seenTasks.map((one) => (one.id === task.id ? task : one))
      : [...this.#seenTasks, task].slice(-MOST_TODOS);
    this.#changeTasks(tasks, at);
  }

  deleteTask(id: string, at: number): void {
    this.#changeTasks(
      this.#seenTasks.filter((one) => one.id !== id),
      at,
    );
  }

  /** As the log tells of it: what a client's tool changed. */
  addTaskChange(change: TaskChange, at: number): void {
    this.#taskFold.apply(change);
    this.#changeTasks(this.#taskFold.tasks, at);
  }

  #begin(at: number): void {
    this.#begunAt = Math.min(this.#begunAt || at, at);
  }

  #changeTasks(tasks: readonly SeenTask[], at: number): void {
    this.#begin(at);
    this.#seenTasks = tasks;
    const subjects = new Map(tasks.map(({ id, subject }) => [id, subject]));
    this.#tasks.change(
      taskItems(tasks).map((item) => ({ ...item, text: subjects.get(item.key) ?? "" })),
      at,
    );
  }

  /** `first`: when anything of the session happened for the first time; 0 where nothing has but the list. */
  bars(first: number): readonly TimelineTodo[] {
    this.#endWrite();
    const from = Math.min(first || this.#begunAt, this.#begunAt);
    const tasks = () => this.#tasks.bars(from).filter(({ text }) => text !== "");
    return this.#todos.isEmpty ? tasks() : this.#todos.bars(from);
  }
}
