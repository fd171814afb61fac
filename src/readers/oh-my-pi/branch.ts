import { canFinish, isFinished } from "../../core/session/finished/finished-list.js";
import type { NewPhase } from "../../core/todo/command.js";
import { decide } from "../../core/todo/decide.js";
import { evolveAll } from "../../core/todo/evolve.js";
import type { Phase, TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { cutText } from "../../core/value-limits.js";
import { Places, RecentMap } from "../memory.js";
import { shortTodos } from "../whole-list.js";

type Phases = readonly Phase[];

/** An entry of the file: it follows another one, or nothing. */
export interface Link {
  readonly id: string;
  readonly parent: string | null;
}

export interface SavedBranch {
  readonly revision: number;
  readonly nextNumber: number;
  readonly lists: readonly Phases[];
  /** Places in `lists`; -1 for nothing. The same list stays the same one. */
  readonly current: number;
  readonly links: readonly (readonly [string, number])[];
  readonly isPartial: boolean;
}

/** More entries than stand between an entry and the one it follows, unless somebody goes back. */
const LINKS_HELD = 256;
const LINKS_SAVED = 40;
/** In all lists but the current one. A session that goes back further is read again from its beginning. */
const TODOS_SAVED = 4000;

/** What holds before the first entry. */
const NOTHING: Phases = [];

/**
 * Entries are a tree, and the last one in the file is where the session stands. So the branch keeps which list held
 * after each of the last entries. An entry that follows a forgotten one makes the branch lost.
 */
export class Branch {
  readonly #held: RecentMap<Phases>;
  #phases: Phases;
  #entry: string | undefined;
  /** Both only ever grow: a number that was given on another branch is not given again. */
  revision: number;
  #nextNumber: number;
  /** Entries were read that are no longer held. */
  #isPartial: boolean;
  /** An entry follows one that is no longer held. */
  isLost = false;

  constructor(isThorough: boolean, saved?: SavedBranch) {
    const phasesAt = (place: number): Phases => saved?.lists[place] ?? NOTHING;
    const links = saved?.links.map(([id, place]) => [id, phasesAt(place)] as const);
    this.#held = new RecentMap(isThorough ? Number.POSITIVE_INFINITY : LINKS_HELD, links);
    this.#phases = phasesAt(saved?.current ?? -1);
    this.revision = saved?.revision ?? 0;
    this.#nextNumber = saved?.nextNumber ?? 1;
    this.#isPartial = saved?.isPartial ?? false;
  }

  get list(): TodoList {
    return { revision: this.revision, nextNumber: this.#nextNumber, phases: this.#phases };
  }

  /** The next entry. Undefined for one without an id: it follows the last one, and nothing can go back to it. */
  follow(link: Link | undefined): void {
    this.#entry = link?.id;
    if (!link) return;
    const phases = this.#phasesAfter(link.parent);
    if (phases !== this.#phases) this.revision += 1;
    this.#phases = phases;
    this.#hold(link.id);
  }

  /** The entry brings the whole list. Answers with it where that has finished it. */
  write(phases: readonly NewPhase[]): TodoList | undefined {
    const { list } = this;
    const short = phases.map(({ name, todos }) => ({ name: cutText(name), todos: shortTodos(todos) }));
    const decided = decide(list, { type: "replace", phases: short }, WHOLE_LIST);
    if (!decided.ok || decided.value.events.length === 0) return undefined;
    const after = evolveAll(list, decided.value.events);
    this.#phases = after.phases;
    this.revision = after.revision;
    this.#nextNumber = after.nextNumber;
    if (this.#entry !== undefined) this.#hold(this.#entry);
    return isFinished(after) && decided.value.events.some(canFinish) ? after : undefined;
  }

  /** An entry that follows one that was never written follows nothing. */
  #phasesAfter(parent: string | null): Phases {
    const held = parent === null ? NOTHING : this.#held.get(parent);
    if (!held && this.#isPartial) this.isLost = true;
    return held ?? NOTHING;
  }

  #hold(id: string): void {
    if (this.#held.set(id, this.#phases)) this.#isPartial = true;
  }

  save(): SavedBranch {
    const lists = new Places<Phases>();
    const placeOf = (phases: Phases) => (phases === NOTHING ? -1 : lists.of(phases));
    const recent = this.#recentLinks();
    const links = recent.map(([id, phases]) => [id, placeOf(phases)] as const);
    const current = placeOf(this.#phases);
    const isPartial = this.#isPartial || recent.length < this.#held.entries().length;
    return { revision: this.revision, nextNumber: this.#nextNumber, lists: lists.all, current, links, isPartial };
  }

  /** The last entries, as long as the lists that held after them are small enough to be saved. */
  #recentLinks(): readonly (readonly [string, Phases])[] {
    const recent = this.#held.entries().slice(-LINKS_SAVED);
    const counted = new Set([this.#phases]);
    let todos = 0;
    const from = recent.findLastIndex(([, phases]) => {
      if (!counted.has(phases)) todos += phases.reduce((sum, phase) => sum + phase.todos.length, 0);
      counted.add(phases);
      return todos > TODOS_SAVED;
    });
    return recent.slice(from + 1);
  }
}
