import { plansUpTo } from "../../core/plan/plan-sequence.js";

import type { KnownPlan, Observation } from "../../core/session/observation.js";

import { addBounded } from "../../readers/memory.js";
import type { EventStore, NewEvent } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { callEnded, callsStream } from "../calls/call-events.js";
import { SESSIONS } from "../session/session-view.js";

/** Hooks and our own server know more about a call, so they get the first word. */
const GRACE_MS = 10_000;
/** What is older may have been pruned already, and must not come back as news. */
const OLDEST_MS = 24 * 60 * 60 * 1000;
const MOST_OPEN = 5000;
const MOST_PLANNING = 200;

type Started = Extract<Observation, { type: "call.started" }>;

interface SeenEnd {
  readonly session: string;
  readonly at: number;
  readonly event: NewEvent;
}

/** The plans of a session that may be news, and when the last of them changed. */
interface SeenPlans {
  readonly plans: readonly KnownPlan[];
  readonly at: number;
}

/**
 * For sessions that report to us, a transcript fills the gaps: a call that no hook told of becomes an event too, and so
 * does a plan. The same call has the same id, so it is one event. Sessions that are only looked at leave nothing in the
 * log.
 */
export class FactRecorder {
  readonly #store: EventStore;
  readonly #started = new Map<string, Started>();
  #ended: SeenEnd[] = [];
  readonly #planned = new Map<string, SeenPlans>();
  #wired = new Set<string>();
  #head = "";

  constructor(store: EventStore) {
    this.#store = store;
  }

  add(observations: readonly Observation[]): void {
    for (const observation of observations) {
      if (observation.type === "call.started") this.#start(observation);
      if (observation.type === "call.ended") this.#end(observation);
      if (observation.type === "plan.changed") this.#plan(observation);
    }
  }

  /** A sub-agent's plan is its session's affair. One that is still being written is nobody's yet. */
  #plan({ session, plan, at = 0 }: Extract<Observation, { type: "plan.changed" }>): void {
    if (session.includes("/") || plan?.status === "draft" || Date.now() - at > OLDEST_MS) return;
    const known = Math.min(at, Date.now());
    const plans = plansUpTo(this.#planned.get(session)?.plans ?? [], plan, known);
    this.#planned.delete(session);
    if (plans.length > 0) addBounded(this.#planned, session, { plans, at: known }, MOST_PLANNING);
  }

  #start(started: Started): void {
    if (Date.now() - (started.at ?? 0) > OLDEST_MS) return;
    addBounded(this.#started, `${started.session} ${started.call}`, started, MOST_OPEN);
  }

  #end({ session, call, status, problem, facts: told, at = 0 }: Extract<Observation, { type: "call.ended" }>): void {
    if (this.#started.size === 0) return;
    const key = `${session} ${call}`;
    const started = this.#started.get(key);
    this.#started.delete(key);
    if (!started) return;
    const { tool, server, subject } = started;
    const facts = { ...started.facts, ...told };
    const [root = session, agent] = session.split("/");
    this.#ended.push({
      session: root,
      // A clock that is ahead must not make it wait.
      at: Math.min(at, Date.now()),
      event: callEnded(root, { call, tool, server, subject, agent, status, problem, facts }),
    });
  }

  /** Writes what is due. What is younger than the grace waits for the next time. */
  async flush(now: number = Date.now()): Promise<void> {
    if (this.#ended.length + this.#started.size + this.#planned.size === 0) return;
    await this.#learnWired();
    await this.#flushPlans(now);
    this.#ended = this.#ended.filter(({ session }) => this.#wired.has(session));
    const due = this.#ended.filter(({ at }) => now - at >= GRACE_MS);
    for (const session of new Set(due.map((one) => one.session))) {
      const facts = due.filter((one) => one.session === session);
      const events = facts.map(({ event }) => event);
      await this.#store.observe(callsStream(session), events);
      // Only now: what a busy or full store did not take is tried again the next time.
      const written = new Set(facts);
      this.#ended = this.#ended.filter((one) => !written.has(one));
    }
  }

  async #flushPlans(now: number): Promise<void> {
    for (const [session, seen] of this.#planned) {
      const isDue = now - seen.at >= GRACE_MS;
      if (isDue && this.#wired.has(session)) await recordPlans(this.#store, session, seen);
      // Only now, as above.
      if (isDue || !this.#wired.has(session)) this.#planned.delete(session);
    }
  }

  /** Something of this session is not written, or a call has not ended: its transcript must be read again. */
  isWaiting(session: string): boolean {
    const [root = session] = session.split("/");
    const isOf = (one: { readonly session: string }) => one.session === root || one.session.startsWith(`${root}/`);
    // Whether this one reports to us may not have been asked since its call ended.
    if (this.#ended.some(isOf) || this.#planned.has(root)) return true;
    return this.#wired.has(root) && [...this.#started.values()].some(isOf);
  }

  async #learnWired(): Promise<void> {
    const head = await this.#store.head();
    if (head === this.#head) return;
    const streams = await this.#store.recent("session", MOST_OPEN);
    this.#wired = new Set(streams.map(({ stream }) => stream.slice("session:".length)));
    this.#head = head;
  }
}

/** One after the other: what was said to a plan comes before the next one. */
async function recordPlans(store: EventStore, session: string, { plans }: SeenPlans): Promise<void> {
  const { factsOfPlan, newsOf, recordPlan } = await import("../plans/hook-plans.js");
  const { client, folder, plan: known } = await store.view(SESSIONS, sessionStream(session));
  for (const plan of newsOf(session, plans, known))
    for (const fact of factsOfPlan({ session, client, folder }, plan))
      await recordPlan(store, { ...fact, at: fact.type === "propose" ? plan.at : (plan.decidedAt ?? plan.at) });
}
