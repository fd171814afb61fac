import type { JsonObject } from "../core/json.js";
import type { Fact } from "../core/session/observation.js";
import { EMPTY_LIST, type TodoList } from "../core/todo/list.js";
import { callOwnList } from "./own-list-calls.js";
import type { WrittenList } from "./whole-list.js";

export interface SavedLists {
  /** Each: undefined until it is written. */
  readonly agents?: TodoList | undefined;
  readonly ours?: TodoList | undefined;
}

/**
 * The lists of a transcript: an agent's own tool keeps one, our `todo` another, and neither knows of the other's
 * todos. The session has the agent's own, once that was written, and ours before.
 */
export class TwoLists {
  #lists: SavedLists;

  constructor(saved: SavedLists = {}) {
    this.#lists = saved;
  }

  save(): SavedLists {
    return this.#lists;
  }

  /** What the agent's own tool has done to its list; undefined for nothing. */
  write(change: (before: TodoList) => WrittenList | undefined): readonly Fact[] {
    const before = this.#lists.agents ?? EMPTY_LIST;
    const written = change(before);
    return written ? this.#keep(before, written, { agents: written.list }) : [];
  }

  /** A call of our own tool that was taken. */
  call(input: JsonObject): readonly Fact[] {
    const before = this.#lists.ours ?? EMPTY_LIST;
    const written = callOwnList(before, input);
    return this.#keep(before, written, { ours: written.list });
  }

  /** The conversation begins anew, and neither was written in it. */
  clear(): readonly Fact[] {
    const shown = shownOf(this.#lists);
    this.#lists = {};
    return shown.phases.length === 0 ? [] : [{ type: "list.changed", list: EMPTY_LIST }];
  }

  #keep(before: TodoList, { list, finished, isRead }: WrittenList, change: Partial<SavedLists>): readonly Fact[] {
    if (isRead && list === before) return [];
    const shown = shownOf(this.#lists);
    this.#lists = { ...this.#lists, ...change };
    const next = shownOf(this.#lists);
    const facts: Fact[] = isRead ? [] : [{ type: "list.written" }];
    if (finished) facts.push({ type: "list.finished", list: finished });
    if (next !== shown) facts.push({ type: "list.changed", list: next });
    return facts;
  }
}

function shownOf({ agents, ours }: SavedLists): TodoList {
  return agents ?? ours ?? EMPTY_LIST;
}
