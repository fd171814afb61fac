import { canFinish, isFinished } from "../../../core/session/finished/finished-list.js";
import type { TodoEvent } from "../../../core/todo/events.js";
import { evolveAll } from "../../../core/todo/evolve.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import { readTodoEvent } from "../../../core/todo/recorded.js";
import { writeLines } from "../../../core/todo/transitions.js";
import { addBounded } from "../../../readers/memory.js";
import type { EventStore, StoredEvent } from "../../../store/event-store.js";
import { viewAt } from "../../../store/log/keep-view.js";
import { behindText } from "../../terminal/verdict-text.js";
import { SWEEPER } from "../../todo/sweep-closed.js";
import { storedJudge } from "../../todo/todo-work.js";
import { LISTS } from "../../views.js";

/** One write to the list of a session, or of a sub-agent, and what it did. */
export interface ListWrite {
  /** As in `sessions --json`: `SESSION`, or `SESSION/AGENT`. */
  readonly session: string;
  /** The place of its first event in its stream. */
  readonly version: number;
  readonly at: number;
  readonly lines: readonly string[];
  /** The list after it. */
  readonly list: TodoList;
  /** The list that it finished and cleared. */
  readonly finished?: TodoList | undefined;
}

/** More lists than are written at the same time; one that is dropped is folded again. */
const MOST_LISTS = 200;

/** Tells of lists from the log, write by write: what happens between two looks is not merged. */
export class ListEvents {
  readonly #store: EventStore;
  readonly #lists = new Map<string, TodoList>();

  constructor(store: EventStore) {
    this.#store = store;
  }

  /** `events`: all that were committed, in their order, each once. */
  async writesIn(events: readonly StoredEvent[]): Promise<readonly ListWrite[]> {
    const writes: ListWrite[] = [];
    for (const part of partsOf(events)) writes.push(await this.#write(part));
    return writes;
  }

  /** What the facts say, by now, of what the write calls completed. */
  async #behind(stream: string, list: TodoList, events: readonly TodoEvent[]): Promise<(todo: number) => string> {
    if (!events.some(isCompletion)) return () => "";
    const [session = "", agent] = stream.slice(SESSION.length).split("/");
    const judge = await storedJudge(this.#store, list, { session, agent });
    const todos = new Map(todosOf(list).map((todo) => [todo.number, todo]));
    return (number) => {
      const todo = todos.get(number);
      return behindText((todo && judge?.(todo).judgement?.verdict) ?? null);
    };
  }

  async #write({ first, events }: Part): Promise<ListWrite> {
    const { stream, version, at, actor } = first;
    const before =
      this.#lists.get(stream) ?? (await this.#store.look(({ queries }) => viewAt(queries, LISTS, stream, version - 1)));
    const list = evolveAll(before, events);
    this.#lists.delete(stream);
    addBounded(this.#lists, stream, list, MOST_LISTS);
    // What a setting takes off a list was told of when it was closed.
    const lines = actor === SWEEPER ? [] : writeLines(before, events, await this.#behind(stream, list, events));
    return { session: stream.slice(SESSION.length), version, at, lines, list, finished: finishedBy(before, events) };
  }
}

function isCompletion(event: TodoEvent): boolean {
  return (
    (event.type === "todo.moved" && event.to === "completed") ||
    (event.type === "todo.added" && event.status === "completed")
  );
}

function finishedBy(before: TodoList, events: readonly TodoEvent[]): TodoList | undefined {
  if (events.at(-1)?.type !== "list.cleared" || !events.some(canFinish)) return undefined;
  const last = evolveAll(before, events.slice(0, -1));
  return isFinished(last) ? last : undefined;
}

const SESSION = "session:";

interface Part {
  readonly first: StoredEvent;
  readonly events: TodoEvent[];
}

/** Events of one write: of one stream, revision, moment and actor. Others may stand between them. */
function partsOf(events: readonly StoredEvent[]): readonly Part[] {
  const parts: Part[] = [];
  const last = new Map<string, Part>();
  for (const event of events) {
    const change = event.stream.startsWith(SESSION) ? readTodoEvent(event.type, event.data) : undefined;
    if (!change) continue;
    const open = last.get(event.stream);
    if (open && isSameWrite(open, event, change)) open.events.push(change);
    else {
      const part = { first: event, events: [change] };
      last.set(event.stream, part);
      parts.push(part);
    }
  }
  return parts;
}

function isSameWrite({ first, events }: Part, next: StoredEvent, { revision }: TodoEvent): boolean {
  return first.at === next.at && first.actor === next.actor && events[0]?.revision === revision;
}
