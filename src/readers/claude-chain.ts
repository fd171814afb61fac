import type { SeenPlan } from "../core/session/observation.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../core/todo/list.js";

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
  /** `begins`: a person's words, or a reply. `follows`: results. */
  readonly role: "begins" | "follows" | "beside";
  /** The reply it is a line of: only the first of its lines begins something. */
  readonly reply?: string | undefined;
}

export interface SavedChain {
  readonly intents: readonly Intent[];
  /** Which of the intents held at the end of each step; the current one comes first. */
  readonly steps: readonly number[];
  /** Uuid, and its step. */
  readonly links: readonly (readonly [string, number])[];
  readonly replies: readonly (readonly [string, number])[];
}

/** More lines than ever stand between a line and the one it follows, if nobody goes back. */
const LINKS_KEPT = 40;
/** Of all lists but the current one; whoever goes back further makes the file be read again. */
const TODOS_KEPT = 4000;

/**
 * Lines name the line they follow. Somebody who goes back in a conversation makes the next line follow an older one, and
 * what lay between no longer holds. The chain knows for each line what held after it: a reply with all its lines and
 * their results is one step, because results of calls made at once follow different lines of it.
 */
export class Chain {
  /** What holds at the end of each step. */
  readonly #steps: Intent[];
  readonly #links: Map<string, number>;
  /** Two processes may go on with the same session: then lines of other replies stand between those of one. */
  readonly #replies: Map<string, number>;
  readonly #isWhole: boolean;
  #current = 0;
  #isLost = false;

  constructor(saved?: SavedChain) {
    this.#steps = saved ? saved.steps.map((at) => saved.intents[at] ?? NOTHING) : [NOTHING];
    this.#links = new Map(saved?.links);
    this.#replies = new Map(saved?.replies);
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
  place({ uuid, parent, role, reply }: Link): boolean {
    const begun = reply === undefined ? undefined : this.#replies.get(reply);
    const step = begun ?? this.#stepOf(parent, role);
    if (role === "beside") {
      this.#links.set(uuid, step);
      return false;
    }
    const isBack = step !== this.#current;
    this.#current = step;
    if (role === "begins" && begun === undefined) {
      this.#steps.push(this.intent);
      this.#current = this.#steps.length - 1;
      if (reply !== undefined) this.#replies.set(reply, this.#current);
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
    const recent = this.#recentLinks();
    // Steps stay apart also where the same holds after them: what changes on one must not change on the others.
    const steps = [...new Set([this.#current, ...recent.map(([, step]) => step)])];
    const held = steps.map((step) => this.#steps[step] ?? NOTHING);
    const intents = [...new Set(held)];
    return {
      intents,
      steps: held.map((intent) => intents.indexOf(intent)),
      links: recent.map(([uuid, step]) => [uuid, steps.indexOf(step)] as const),
      replies: [...this.#replies].flatMap(([reply, step]) =>
        steps.includes(step) ? [[reply, steps.indexOf(step)] as const] : [],
      ),
    };
  }

  /** The last lines, as long as the lists that held after them are not too many to keep. */
  #recentLinks(): readonly (readonly [string, number])[] {
    const recent = [...this.#links].slice(-LINKS_KEPT);
    const held = new Set([this.intent]);
    let todos = 0;
    const from = recent.findLastIndex(([, step]) => {
      const intent = this.#steps[step] ?? NOTHING;
      if (!held.has(intent)) todos += todosOf(intent.list).length;
      held.add(intent);
      return todos > TODOS_KEPT;
    });
    return recent.slice(from + 1);
  }
}
