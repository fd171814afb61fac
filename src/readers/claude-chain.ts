import type { SeenPlan } from "../core/session/observation.js";
import { EMPTY_LIST, type TodoList } from "../core/todo/list.js";

/** What a person can go back on: everything else in a transcript has happened, whatever is said afterwards. */
export interface Intent {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
}

const NOTHING: Intent = { list: EMPTY_LIST, plan: null };

/** A reply with all its lines and results, or a person's words: what holds at its end. */
interface Step {
  intent: Intent;
}

/** A line of the file as the chain sees it. */
export interface Link {
  readonly uuid: string;
  /** Undefined when the line says nothing of it; null for a beginning. */
  readonly parent: string | null | undefined;
  /** `begins`: a person's words, or the first line of a reply. `follows`: results and further lines of a reply. */
  readonly role: "begins" | "follows" | "beside";
}

/** Places in `lists` and `plans`; -1 for none. The same list stays the same one. */
type SavedIntent = readonly [list: number, plan: number];

export interface SavedChain {
  readonly lists: readonly TodoList[];
  readonly plans: readonly SeenPlan[];
  readonly intents: readonly SavedIntent[];
  /** Which of the intents holds now. */
  readonly current: number;
  readonly last: string;
  /** Uuid, and which of the intents held after it. */
  readonly links: readonly (readonly [string, number])[];
}

/** More lines than stand between a line and the one it follows, unless somebody goes back. */
const LINKS_HELD = 256;
const LINKS_SAVED = 40;

/**
 * Lines name the line they follow. Somebody who goes back in a conversation makes the next line follow an older one, and
 * what lay between no longer holds. The chain knows for each line what held after it: a reply with all its lines and
 * their results is one step, because results of calls made at once follow different lines of it. To know that of every
 * line costs more than reading them, so it is known of the last ones; who has to know more is told that the chain is lost.
 */
export class Chain {
  readonly #links: Map<string, Step>;
  readonly #isThorough: boolean;
  readonly #root: Step = { intent: NOTHING };
  #current: Step;
  /** The last line that was placed: nearly always it is the one that the next line follows. */
  #last = "";
  #lastStep: Step;
  #isLost = false;
  /** Lines were placed that are no longer held. */
  #hasForgotten: boolean;

  constructor(isThorough: boolean, saved?: SavedChain) {
    const steps = saved?.intents.map((intent): Step => ({ intent: intentAt(saved, intent) })) ?? [];
    const stepAt = (place: number) => steps[place] ?? this.#root;
    this.#isThorough = isThorough;
    this.#links = new Map(saved?.links.map(([uuid, place]) => [uuid, stepAt(place)]));
    this.#current = saved ? stepAt(saved.current) : this.#root;
    this.#last = saved?.last ?? "";
    this.#lastStep = this.#links.get(this.#last) ?? this.#current;
    this.#hasForgotten = saved !== undefined;
  }

  get intent(): Intent {
    return this.#current.intent;
  }

  /** A line follows one that is no longer held here. */
  get isLost(): boolean {
    return this.#isLost;
  }

  has(uuid: string): boolean {
    return this.#links.has(uuid);
  }

  /** The line was there before. One that follows the last line is new, and need not be looked up. */
  isKnown(uuid: string, parent: Link["parent"]): boolean {
    return this.#isNext(parent) ? uuid === this.#last : this.#links.has(uuid);
  }

  /** True when the line does not go on from where the last one was: somebody went back. */
  place(link: Link): boolean {
    const step = this.#stepOf(link);
    if (link.role === "beside") {
      this.#hold(link.uuid, step);
      return false;
    }
    const isBack = step !== this.#current;
    this.#current = link.role === "begins" ? { intent: step.intent } : step;
    this.#hold(link.uuid, this.#current);
    return isBack;
  }

  /** Something else holds from here on. */
  change(intent: Partial<Intent>): void {
    this.#current.intent = { ...this.#current.intent, ...intent };
  }

  #isNext(parent: Link["parent"]): boolean {
    return parent === this.#last && this.#last !== "";
  }

  #stepOf({ parent, role }: Link): Step {
    if (parent === undefined) return this.#current;
    if (this.#isNext(parent)) return this.#lastStep;
    if (parent === null) return this.#beginning(role);
    const step = this.#links.get(parent);
    if (!step && this.#hasForgotten && !this.#isThorough) this.#isLost = true;
    return step ?? this.#current;
  }

  /** Whoever goes back to the very beginning follows nothing. A line beside the conversation may also follow nothing. */
  #beginning(role: Link["role"]): Step {
    return role === "beside" || this.#last === "" ? this.#current : this.#root;
  }

  #hold(uuid: string, step: Step): void {
    this.#links.set(uuid, step);
    this.#last = uuid;
    this.#lastStep = step;
    if (this.#isThorough || this.#links.size <= LINKS_HELD) return;
    const oldest = this.#links.keys().next().value;
    if (oldest !== undefined) this.#links.delete(oldest);
    this.#hasForgotten = true;
  }

  save(): SavedChain {
    const [lists, plans, steps] = [new Places<TodoList>(), new Places<SeenPlan>(), new Places<Intent>()];
    const recent = [...this.#links].slice(-LINKS_SAVED);
    const links = recent.map(([uuid, { intent }]) => [uuid, steps.of(intent)] as const);
    const current = steps.of(this.#current.intent);
    const intents = steps.all.map(({ list, plan }): SavedIntent => {
      return [list === EMPTY_LIST ? -1 : lists.of(list), plan === null ? -1 : plans.of(plan)];
    });
    return { current, last: this.#last, links, intents, lists: lists.all, plans: plans.all };
  }
}

function intentAt({ lists, plans }: SavedChain, [list, plan]: SavedIntent): Intent {
  return list < 0 && plan < 0 ? NOTHING : { list: lists[list] ?? EMPTY_LIST, plan: plans[plan] ?? null };
}

/** Things in the order they came, each once. */
class Places<Thing> {
  readonly all: Thing[] = [];

  of(thing: Thing): number {
    const known = this.all.indexOf(thing);
    return known >= 0 ? known : this.all.push(thing) - 1;
  }
}
