import type { JsonObject } from "../../core/json.js";
import { subagentsOf } from "./items.js";
import { CODEX, CodexThread, type SavedThread, type Told } from "./thread.js";

export type SavedThreads = readonly (readonly [string, SavedThread])[];

/** More than anybody runs side by side in one log. */
const MOST_THREADS = 50;

/** The threads of one stream. The one that was quiet longest is given up first. */
export class CodexThreads {
  readonly #told: Told;
  readonly #threads: Map<string, CodexThread>;

  constructor(told: Told, saved: SavedThreads = []) {
    this.#told = told;
    this.#threads = new Map(saved.map(([id, thread]) => [id, new CodexThread(id, told, thread)]));
  }

  save(): SavedThreads {
    return [...this.#threads].map(([id, thread]) => [id, thread.save()]);
  }

  /** The thread of this id. Seen for the first time, it is told of. */
  of(id: string): CodexThread {
    const known = this.#threads.get(id);
    const thread = known ?? new CodexThread(id, this.#told);
    if (!known) thread.tell({ type: "session.seen", agent: CODEX });
    this.#threads.delete(id);
    this.#threads.set(id, thread);
    const [oldest] = this.#threads.keys();
    if (this.#threads.size > MOST_THREADS && oldest !== undefined) this.#threads.delete(oldest);
    return thread;
  }

  /** Tells of the sub-agents that an item names. They are not kept: most of them never say a word in this stream. */
  tellSubagents(parent: string, item: JsonObject): void {
    for (const id of subagentsOf(item)) {
      if (id !== parent) this.#told.tell(id, { type: "session.seen", agent: CODEX, parent });
    }
  }
}
