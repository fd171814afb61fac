import type { AcpFact } from "../../readers/acp/acp-fact.js";
import { type CallFact, isCallFact } from "./acp-hook-facts.js";

export interface Waiting {
  readonly fact: AcpFact;
  /** When it passed, in milliseconds. */
  readonly at: number;
}

/** An agent that floods us must not fill the memory. Past that calls are dropped first: lists and turns count more. */
const MOST_WAITING = 50_000;

/** What was heard and is not recorded yet, in order. */
export class FactQueue {
  #waiting: Waiting[] = [];
  /** Those before it are taken. */
  #head = 0;
  readonly #most: number;
  #dropped = 0;

  constructor(most = MOST_WAITING) {
    this.#most = most;
  }

  get length(): number {
    return this.#waiting.length - this.#head;
  }

  get dropped(): number {
    return this.#dropped;
  }

  push(waiting: Waiting): void {
    const { fact } = waiting;
    if (this.length < this.#most) this.#waiting.push(waiting);
    else if (isCallFact(fact)) this.#dropped += 1;
    else {
      // A plan is whole each time: of those that wait, only the last one is needed.
      if (fact.type === "plan.told") this.#dropPlan(fact.session);
      if (this.length < 2 * this.#most) this.#waiting.push(waiting);
      else this.#dropped += 1;
    }
  }

  shift(): Waiting | undefined {
    const next = this.#waiting[this.#head];
    if (next !== undefined) this.#head += 1;
    // Taking away the first of thousands moves all others.
    if (this.#head > 1000 && this.#head > this.#waiting.length / 2) {
      this.#waiting = this.#waiting.slice(this.#head);
      this.#head = 0;
    }
    return next;
  }

  /** The calls of a session that were told next, taken out together. */
  callsOf(session: string, most: number): readonly CallFact[] {
    const calls: CallFact[] = [];
    while (calls.length < most) {
      const next = this.#waiting[this.#head]?.fact;
      if (next === undefined || !isCallFact(next) || next.session !== session) break;
      calls.push(next);
      this.shift();
    }
    return calls;
  }

  has(type: AcpFact["type"]): boolean {
    return this.#waiting.some(({ fact }, at) => at >= this.#head && fact.type === type);
  }

  #dropPlan(session: string): void {
    const at = this.#waiting.findLastIndex(({ fact }) => fact.type === "plan.told" && fact.session === session);
    if (at >= this.#head) this.#waiting.splice(at, 1);
  }
}
