import type { SeenPlan } from "../core/session/observation.js";
import { EMPTY_LIST, type TodoList } from "../core/todo/list.js";

/** What a person can go back on: everything else in a transcript has happened, whatever is said afterwards. */
export interface Intent {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
}

const NOTHING: Intent = { list: EMPTY_LIST, plan: null };

/** A line of the file as the chain sees it. */
export interface Link {
  readonly uuid: string;
  /** Undefined when the line says nothing of it; null for a beginning. */
  readonly parent: string | null | undefined;
  /** `begins`: a person's words, or the first line of a reply. `follows`: results and further lines of a reply. */
  readonly role: "begins" | "follows" | "beside";
}

export interface SavedChain {
  readonly current: number;
  readonly intents: readonly Intent[];
  /** Uuid, and which of the intents held after it. */
  readonly links: readonly (readonly [string, number])[];
}

/** More lines than ever stand between a line and the one it follows, if nobody goes back. */
const LINKS_KEPT = 40;

/**
 * Lines name the line they follow. Somebody who goes back in a conversation makes the next line follow an older one, and
 * what lay between no longer holds. The chain knows for each line what held after it: a reply with all its lines and
 * their results is one step, because results of calls made at once follow different lines of it.
 */
export class Chain {
  /** What holds at the end of each step. */
  readonly #steps: Intent[];
  readonly #links: Map<string, number>;
  readonly #isWhole: boolean;
  #current: number;
  #isLost = false;

  constructor(saved?: SavedChain) {
    this.#steps = saved ? [...saved.intents] : [NOTHING];
    this.#links = new Map(saved?.links);
    this.#current = saved?.current ?? 0;
    this.#isWhole = saved === undefined;
  }

  get intent(): Intent {
    return this.#steps[this.#current] ?? NOTHING;
  }

  /** A line follows one that was never seen here, although there was one: the beginning of the file knows it. */
  get isLost(): boolean {
    return this.#isLost;
  }

  has(uuid: string): boolean {
    return this.#links.has(uuid);
  }

  /** True when the line does not go on from where the last one was: somebody went back. */
  place({ uuid, parent, role }: Link): boolean {
    const step = this.#stepOf(parent, role);
    if (role === "beside") {
      this.#links.set(uuid, step);
      return false;
    }
    const isBack = step !== this.#current;
    this.#current = step;
    if (role === "begins") {
      this.#steps.push(this.intent);
      this.#current = this.#steps.length - 1;
    }
    this.#links.set(uuid, this.#current);
    return isBack;
  }

  /** Something else holds from here on. */
  change(intent: Partial<Intent>): void {
    this.#steps[this.#current] = { ...this.intent, ...intent };
  }

  #stepOf(parent: Link["parent"], role: Link["role"]): number {
    if (parent === undefined) return this.#current;
    // Whoever goes back to the very beginning follows nothing. A line beside the conversation may also follow nothing.
    const step = parent === null ? 0 : this.#links.get(parent);
    if (parent === null && (role === "beside" || this.#links.size === 0)) return this.#current;
    if (!this.#isWhole && (parent === null || step === undefined)) this.#isLost = true;
    return step ?? this.#current;
  }

  save(): SavedChain {
    const recent = [...this.#links].slice(-LINKS_KEPT);
    const intents: Intent[] = [];
    const numberOf = (step: number) => {
      const intent = this.#steps[step] ?? NOTHING;
      const known = intents.indexOf(intent);
      return known >= 0 ? known : intents.push(intent) - 1;
    };
    const current = numberOf(this.#current);
    return { current, links: recent.map(([uuid, step]) => [uuid, numberOf(step)] as const), intents };
  }
}
