import type { Script } from "../../store/script.js";
import { awaitTurn, readyNumbers, takeFirst } from "../../store/tasks/task-index.js";
import type { WorkingTasks } from "./working-tasks.js";

const MOST_CANDIDATES = 32;
/** A round fails only when another writer claimed the candidate, so the writers as a whole make progress. */
export const MOST_ROUNDS = 1000;

/** The tasks that one claim tries, the best first, each once. */
export class Candidates {
  readonly #tasks: WorkingTasks;
  readonly #owner: string;
  readonly #passed = new Set<number>();
  #queue: readonly number[] = [];

  constructor(tasks: WorkingTasks, owner: string) {
    this.#tasks = tasks;
    this.#owner = owner;
  }

  /** Locked by this write; undefined when there is none left. */
  *next(): Script<number | undefined> {
    const { transaction, list } = this.#tasks;
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      if (this.#queue.length === 0) this.#queue = yield* this.#look();
      const [first] = this.#queue;
      if (first === undefined) return undefined;
      const taken = yield* takeFirst(transaction, list, this.#queue);
      if (taken !== undefined) {
        this.#passed.add(taken);
        this.#queue = this.#queue.filter((number) => number !== taken);
        return taken;
      }
      // Other writers have locked every candidate. Wait for the first one, then look again.
      yield* awaitTurn(transaction, list, first);
      this.#queue = [];
    }
    return undefined;
  }

  *#look(): Script<readonly number[]> {
    const { transaction, list } = this.#tasks;
    const numbers = yield* readyNumbers(transaction, list, MOST_CANDIDATES + this.#passed.size, this.#owner);
    return numbers.filter((number) => !this.#passed.has(number));
  }
}
