import type { Fact, Observation } from "../../core/session/observation.js";
import type { TodoList } from "../../core/todo/list.js";
import { addBounded } from "../memory.js";
import { observation } from "../reader.js";
import { isContinuation, isSameTalk } from "./database-rows.js";
import { HERMES } from "./hermes-session.js";

/** A session, as far as another one may go on with it. */
export type Talk = {
  readonly id: string;
  readonly parent_session_id: string | null;
  readonly end_reason: string | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  /** What its own messages say. */
  readonly list: TodoList;
  /** Its answers that hold a list. */
  readonly answers: readonly string[];
};

/** Only sessions that have a parent, or were put away, are kept; more than a file of years has of them. */
const MOST_TALKS = 100;
/** A compaction copies the first and the last messages. */
const MOST_ANSWERS = 100;
const DEEPEST = 20;
/** How a session ends that another one goes on with. */
const ENDS: readonly unknown[] = ["compression", "branched"];

/** Which session of a file continues which. A continuation may be read first; what was told of it is then corrected. */
export class HermesTalks {
  readonly #talks: Map<string, Talk>;

  constructor(saved: readonly Talk[] = []) {
    this.#talks = new Map(saved.map((talk) => [talk.id, talk]));
  }

  save(): readonly Talk[] {
    return [...this.#talks.values()];
  }

  /** What is known better now, of this session and of those that go on with it. */
  hear(talk: Talk): readonly Observation[] {
    if (talk.parent_session_id === null && !ENDS.includes(talk.end_reason)) return [];
    const { id, answers } = talk;
    const isLong = answers.length > 2 * MOST_ANSWERS;
    const kept = isLong ? [...answers.slice(0, MOST_ANSWERS), ...answers.slice(-MOST_ANSWERS)] : answers;
    this.#talks.delete(id);
    addBounded(this.#talks, id, { ...talk, answers: kept }, MOST_TALKS);
    return this.#family(talk).flatMap((one) => this.#factsOf(one).map((fact) => observation(fact, one.id, undefined)));
  }

  /** It and what comes after it, each once, whatever the file says of who is whose. */
  #family(first: Talk): readonly Talk[] {
    const family = new Set([first]);
    for (const parent of family)
      for (const talk of this.#talks.values())
        if (talk.parent_session_id === parent.id && talk.id !== first.id) family.add(talk);
    return [...family];
  }

  #parentOf({ parent_session_id: id }: Talk): Talk | undefined {
    return id === null ? undefined : this.#talks.get(id);
  }

  #factsOf(talk: Talk): readonly Fact[] {
    if (!isSameTalk(talk, this.#parentOf(talk))) return [];
    const list = this.#listOf(talk);
    const seen: Fact = { type: "session.seen", agent: HERMES, parent: null };
    return list === talk.list ? [seen] : [seen, { type: "list.changed", list }];
  }

  /** Its own, unless all that it says was copied from those before it. */
  #listOf(talk: Talk, depth: number = DEEPEST): TodoList {
    const before = this.#before(talk);
    const known = new Set(before.flatMap(({ answers }) => answers));
    const [parent] = before;
    const isOwn = talk.answers.some((answer) => !known.has(answer));
    return !parent || isOwn || depth === 0 ? talk.list : this.#listOf(parent, depth - 1);
  }

  /** The earlier parts of the same talk, the last one first. */
  #before(talk: Talk): readonly Talk[] {
    const found: Talk[] = [];
    for (let last = talk; found.length < DEEPEST; ) {
      const parent = this.#parentOf(last);
      if (!parent || !isContinuation(last, parent)) break;
      found.push(parent);
      last = parent;
    }
    return found;
  }
}
