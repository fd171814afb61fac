import type { SeenPlan } from "../../core/session/observation.js";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { Places, RecentMap } from "../memory.js";

/** What is undone when a person goes back; everything else in a transcript has happened. */
export interface Intent {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
}

const NOTHING: Intent = { list: EMPTY_LIST, plan: null };

/** What holds after a person's words, or after a reply with all its lines and results. */
interface Step {
  intent: Intent;
}

export interface Link {
  readonly uuid: string;
  /** Undefined when the line says nothing of it; null for a beginning. */
  readonly parent: string | null | undefined;
  /** `begins`: a person's words, or a reply. `follows`: results. */
  readonly role: "begins" | "follows" | "beside";
  /** The reply it is a line of: only the first of its lines begins something. */
  readonly reply?: string | undefined;
}

/** Places in `lists` and `plans`; -1 for none. The same list stays the same one. */
type SavedStep = readonly [list: number, plan: number];

export interface SavedChain {
  readonly lists: readonly TodoList[];
  readonly plans: readonly SeenPlan[];
  /** The current one comes first. */
  readonly steps: readonly SavedStep[];
  readonly last: string;
  readonly links: readonly (readonly [string, number])[];
  readonly replies: readonly (readonly [string, number])[];
  readonly hasGaps: boolean;
  /** The step before the first line; older versions did not save it. */
  readonly root?: number;
}

/** More lines than stand between a line and the one it follows, unless somebody goes back. */
const LINKS_HELD = 256;
const LINKS_SAVED = 40;
/** In all lists but the current one. A session that goes back further is read again from its beginning. */
const TODOS_SAVED = 4000;

/**
 * Lines name the line they follow; after going back, the next line follows an older one, and what lay between no longer
 * holds. So the chain keeps what held after each of the last lines. A reply with its results is one step: results of
 * parallel calls follow different lines of it. A line that follows a forgotten one makes the chain lost.
 */
export class Chain {
  readonly #links: RecentMap<Step>;
  /** Two processes may continue the same session, so that lines of two replies alternate. */
  readonly #replies: RecentMap<Step>;
  readonly #isThorough: boolean;
  readonly #root: Step;
  #current: Step;
  /** Nearly always the line that the next one follows. */
  #last: string;
  #lastStep: Step;
  /** A line follows one that is no longer held. */
  isLost = false;
  /** Some clients name lines that they never write: a thorough reader remembers it, or the file is read for ever. */
  #hasGaps: boolean;
  /** Lines were placed that are no longer held. */
  #hasForgotten: boolean;

  constructor(isThorough: boolean, saved?: SavedChain) {
    const steps = saved?.steps.map((step): Step => ({ intent: intentAt(saved, step) })) ?? [];
    this.#root = steps[saved?.root ?? -1] ?? { intent: NOTHING };
    const stepsOf = (places: SavedChain["links"] = []) => {
      const held = places.map(([id, place]) => [id, steps[place] ?? this.#root] as const);
      return new RecentMap(isThorough ? Number.POSITIVE_INFINITY : LINKS_HELD, held);
    };
    this.#isThorough = isThorough;
    this.#links = stepsOf(saved?.links);
    this.#replies = stepsOf(saved?.replies);
    this.#hasGaps = saved?.hasGaps ?? false;
    this.#current = steps[0] ?? this.#root;
    this.#last = saved?.last ?? "";
    this.#lastStep = this.#links.get(this.#last) ?? this.#current;
    this.#hasForgotten = saved !== undefined;
  }

  get intent(): Intent {
    return this.#current.intent;
  }

  has(uuid: string): boolean {
    return this.#links.has(uuid);
  }

  /** The line was read before. One that follows the last line is new, and need not be looked up. */
  isKnown(uuid: string, parent: Link["parent"]): boolean {
    return this.#isNext(parent) ? uuid === this.#last : this.#links.has(uuid);
  }

  /** True when somebody went back: the line does not follow the last one. */
  place(link: Link): boolean {
    const { uuid, role, reply } = link;
    const begun = reply === undefined ? undefined : this.#replies.get(reply);
    const step = begun ?? this.#stepOf(link);
    if (role === "beside") {
      this.#hold(uuid, step);
      return false;
    }
    const isBack = step !== this.#current;
    this.#current = role === "begins" && !begun ? { intent: step.intent } : step;
    if (reply !== undefined && !begun) this.#replies.set(reply, this.#current);
    this.#hold(uuid, this.#current);
    return isBack;
  }

  change(intent: Partial<Intent>): void {
    this.#current.intent = { ...this.#current.intent, ...intent };
  }

  #isNext(parent: Link["parent"]): boolean {
    return parent === this.#last && this.#last !== "";
  }

  #stepOf({ parent, role, reply }: Link): Step {
    if (parent === undefined) return this.#current;
    if (this.#isNext(parent)) return this.#lastStep;
    if (parent === null) return this.#beginning(role);
    const step = this.#links.get(parent);
    if (!step) this.#miss(role, reply);
    return step ?? this.#current;
  }

  /** The followed line is not held. Replies and results always go on; a person's words may go back. */
  #miss(role: Link["role"], reply: string | undefined): void {
    if (this.#isThorough) this.#hasGaps = true;
    else if (this.#hasForgotten && !this.#hasGaps && role !== "follows" && reply === undefined) this.isLost = true;
  }

  /** A line without a parent goes back to the very beginning, unless it stands beside the conversation. */
  #beginning(role: Link["role"]): Step {
    return role === "beside" || this.#last === "" ? this.#current : this.#root;
  }

  #hold(uuid: string, step: Step): void {
    if (this.#links.set(uuid, step)) this.#hasForgotten = true;
    this.#last = uuid;
    this.#lastStep = step;
  }

  save(): SavedChain {
    const [lists, plans, steps] = [new Places<TodoList>(), new Places<SeenPlan>(), new Places<Step>()];
    // Equal steps stay apart: what changes on one must not change on the others.
    steps.of(this.#current);
    const root = steps.of(this.#root);
    const links = this.#recentLinks().map(([uuid, step]) => [uuid, steps.of(step)] as const);
    const known = this.#replies.entries().filter(([, step]) => steps.all.includes(step));
    const replies = known.map(([reply, step]) => [reply, steps.of(step)] as const);
    const saved = steps.all.map(({ intent: { list, plan } }): SavedStep => {
      return [list === EMPTY_LIST ? -1 : lists.of(list), plan === null ? -1 : plans.of(plan)];
    });
    const [last, hasGaps] = [this.#last, this.#hasGaps];
    return { steps: saved, last, root, links, replies, hasGaps, lists: lists.all, plans: plans.all };
  }

  /** The last lines, as long as the lists that held after them are small enough to be saved. */
  #recentLinks(): readonly (readonly [string, Step])[] {
    const recent = this.#links.entries().slice(-LINKS_SAVED);
    const held = new Set([this.intent.list]);
    let todos = 0;
    const from = recent.findLastIndex(([, { intent }]) => {
      if (!held.has(intent.list)) todos += todosOf(intent.list).length;
      held.add(intent.list);
      return todos > TODOS_SAVED;
    });
    return recent.slice(from + 1);
  }
}

function intentAt({ lists, plans }: SavedChain, [list, plan]: SavedStep): Intent {
  return list < 0 && plan < 0 ? NOTHING : { list: lists[list] ?? EMPTY_LIST, plan: plans[plan] ?? null };
}
