import type { JsonObject } from "../../core/json.js";
import { addBounded } from "../memory.js";
import type { Told } from "../reader.js";
import { answerOfItem, callOfItem } from "./items.js";
import { agentNews, subagentsOf } from "./sub-agents.js";
import { CODEX, CodexThread, type SavedThread } from "./thread.js";

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

  /** A thread that is seen for the first time is told of. */
  of(id: string): CodexThread {
    const known = this.#threads.get(id);
    const thread = known ?? new CodexThread(id, this.#told);
    if (!known) thread.tell({ type: "session.seen", agent: CODEX });
    this.#threads.delete(id);
    addBounded(this.#threads, id, thread, MOST_THREADS);
    return thread;
  }

  /** False for an item that is no call. Sub-agents that it names are told of, not kept: most say nothing in here. */
  readCall(thread: CodexThread, { call, item, isOver }: ItemOfTurn): boolean {
    const made = callOfItem(item);
    if (!made || call === undefined) return false;
    if (isOver) thread.endCall(call, answerOfItem(item), made);
    else thread.startCall(call, made.told(), "event");
    if (isOver) thread.endReply();
    for (const id of subagentsOf(item)) {
      if (id !== thread.id) this.#told.tell(id, { type: "session.seen", agent: CODEX, parent: thread.id });
    }
    if (isOver) thread.hearAgents(agentNews(item));
    return true;
  }
}

interface ItemOfTurn {
  readonly call: string | undefined;
  readonly item: JsonObject;
  readonly isOver: boolean;
}
