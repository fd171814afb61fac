import type { Answer } from "../app/calls/dialect-names.js";
import { type AnsweredPlan, planCommands, proposedText, refusedAnswer, toldAnswer } from "../app/calls/plan-call.js";
import type { Milepost } from "../app/milepost.js";
import { planStream } from "../app/plans/plan-views.js";
import { judgePlan, readPlan, sessionPlan } from "../app/plans/plans.js";
import { personOf } from "../app/session/person-name.js";
import { firstAbort } from "../core/first-abort.js";
import { isObject, own } from "../core/json.js";
import type { Plan } from "../core/plan/plan.js";
import { planTitle } from "../core/plan/plan-outline.js";
import type { Result } from "../core/result.js";
import type { Caller } from "./identity.js";
import { type FormAnswer, formMessage, formSchema, type PlanForm, readFormAnswer } from "./plan-form.js";
import { FORM_TIME, PlanStates, type StateProblem } from "./plan-state.js";

// A call of `plan` that leaves a plan proposed asks the person, where the client can show a form. Until 2025 the form
// is a request of ours while the call waits; since 2026 the call ends with the form, and comes again with the answer.
// Loaded with the first such call.

/** How this client can ask the person, and what it brought back. */
export interface Asking {
  /** `later`: the call ends with the form. */
  readonly way: "now" | "later" | "none";
  /** Of the protocol. */
  readonly revision: string | undefined;
  readonly ask: (
    form: PlanForm,
    options: { readonly signal: AbortSignal; readonly timeout: number },
  ) => Promise<unknown>;
  /** The call was cancelled. */
  readonly signal: AbortSignal;
  readonly state: unknown;
  readonly answers: unknown;
}

/** An answer for the model, or a form for the person. */
export type PlanReply =
  | { readonly type: "answer"; readonly answer: Answer }
  | { readonly type: "question"; readonly form: PlanForm; readonly state: string };

export interface PlanCall {
  readonly caller: Caller;
  readonly input: unknown;
  readonly asking: Asking;
  /** The call itself, which proposes the plan or tells its state. */
  readonly make: () => Promise<Result<Answer>>;
}

type OpenStore = Milepost["store"];

/** The server's store. */
export interface PlanStore {
  /** For a short piece of work, with the patience of a call. */
  use<T>(work: (store: OpenStore) => Promise<T>): Promise<T>;
  /** For as long as the form is open. */
  open(): Promise<OpenStore>;
  /** As commands have to name it. */
  readonly name: string | undefined;
}

/** The name of the one form in a call's result. */
const FORM = "approval";
const METHOD = "tools/call";
/** Calls that may wait for a person at once: they take places of the calls that may be under way. */
const MOST_FORMS = 8;

export class PlanApproval {
  readonly #store: PlanStore;
  readonly #states: PlanStates;
  #forms = 0;

  constructor(store: PlanStore, states = new PlanStates()) {
    this.#store = store;
    this.#states = states;
  }

  async answer(call: PlanCall): Promise<Result<PlanReply>> {
    const text = proposedText(call.input);
    if (call.asking.state !== undefined) return reply(await this.#takeAnswer(call, text));
    const made = await call.make();
    if (!made.ok) return made;
    const plan = text === undefined ? undefined : await this.#waiting(made.value);
    // A call that was sent again is answered as before, and somebody may have decided since.
    if (plan && plan.status !== "proposed") return reply(this.#told(plan));
    if (!plan || call.asking.way === "none") return reply(made.value);
    const form = this.#formOf(plan, call.asking.revision);
    if (call.asking.way === "now") return reply(await this.#askNow(call, plan, form));
    const state = this.#states.seal({ ...boundTo(call, text), plan: plan.id, hash: plan.hash });
    return { ok: true, value: { type: "question", form, state } };
  }

  /** The plan that a call has left for the person to decide on, as it is now. */
  async #waiting({ data }: Answer): Promise<Plan | undefined> {
    const told = isObject(data) ? (data.plan as AnsweredPlan | undefined) : undefined;
    if (told?.status !== "proposed") return undefined;
    return this.#store.use((store) => readPlan(store, told.id));
  }

  #formOf(plan: Plan, revision: string | undefined): PlanForm {
    const { id, text } = plan;
    const message = formMessage({ id, title: planTitle(text), text }, planCommands(plan, this.#store.name).show);
    return { mode: "form", message, requestedSchema: formSchema(revision) };
  }

  /** Whoever decides first: the person in the form, or anybody by command. */
  async #askNow({ caller, asking }: PlanCall, plan: Plan, form: PlanForm): Promise<Answer> {
    if (this.#forms >= MOST_FORMS) return this.#told(plan);
    this.#forms += 1;
    const over = firstAbort(asking.signal);
    const { signal } = over;
    const asked = asking.ask(form, { signal, timeout: FORM_TIME }).then(readFormAnswer, notShown);
    try {
      const first = await Promise.race([asked, this.#decided(plan.id, signal)]);
      if (first === "decided") return await this.#state(plan.id);
      return asking.signal.aborted ? this.#told(plan) : await this.#judge(caller, plan, first);
    } finally {
      this.#forms -= 1;
      // Closes the form, too, if it is still there.
      over.abort("The plan was decided.");
    }
  }

  /** Resolves when the plan is no longer proposed. Trouble with the store is told by whoever decides next. */
  async #decided(id: string, signal: AbortSignal): Promise<"decided"> {
    try {
      const store = await this.#store.open();
      const pages = await store.follow({ stream: planStream(id), signal });
      if (pages.ok)
        for await (const _ of pages.value) if ((await readPlan(store, id))?.status !== "proposed") return "decided";
    } catch {
      // The form goes on.
    }
    return new Promise(() => undefined);
  }

  /** A call that has come again, with what the client says the person answered. */
  async #takeAnswer(call: PlanCall, text: string | undefined): Promise<Answer> {
    const { state, answers } = call.asking;
    const opened = this.#states.open(typeof state === "string" ? state : "", boundTo(call, text));
    if (!opened.ok) return this.#refused(call.caller, PROBLEMS[opened.error]);
    const { plan: id, hash, nonce } = opened.value;
    const said = readFormAnswer(isObject(answers) ? own(answers, FORM) : undefined);
    return this.#judge(call.caller, { id, hash }, said, nonce);
  }

  /** `nonce` is kept with the decision: in the store, too, it counts once. */
  async #judge(
    { session }: Caller,
    { id, hash }: Pick<Plan, "id" | "hash">,
    said: FormAnswer,
    nonce?: string,
  ): Promise<Answer> {
    if (said.type === "none") return this.#state(id, said.why);
    const { type, comment: reason } = said;
    const fact = nonce === undefined ? undefined : `plan/${id}/${nonce}`;
    const verdict = {
      id,
      type,
      by: personHere(),
      via: "elicitation",
      seen: hash,
      session,
      reason,
      fact,
      isTold: true,
    } as const;
    const judged = await this.#store.use((store) => judgePlan(store, verdict));
    if (judged.ok) return this.#told(judged.value);
    const { code, message } = judged.error;
    // Somebody was faster, and that decision counts.
    if (code === "plan-decided" || code === "plan-superseded") return this.#state(id);
    return code === "plan-changed" ? this.#state(id, CHANGED) : this.#refused({ session }, message);
  }

  /** The plan as it is now; `why` nobody has decided, if so. */
  async #state(id: string, why?: string): Promise<Answer> {
    const plan = await this.#store.use((store) => readPlan(store, id));
    if (!plan) return refusedAnswer(`Plan ${id} is no longer there.`, undefined, undefined);
    return this.#told(plan, plan.status === "proposed" ? why : undefined);
  }

  #told(plan: Plan, why?: string): Answer {
    return toldAnswer(plan, this.#store.name, why);
  }

  async #refused({ session }: Pick<Caller, "session">, why: string): Promise<Answer> {
    const plan = await this.#store.use((store) => sessionPlan(store, session));
    return refusedAnswer(why, plan, this.#store.name);
  }
}

/** Whoever sits at the client that started this server: as a command of theirs would say it. */
function personHere(): string {
  const person = personOf(undefined);
  return person.ok ? person.value : "person";
}

const CHANGED = "The plan was changed while the form was open, so the answer does not count.";

const PROBLEMS: Readonly<Record<StateProblem, string>> = {
  forged: "This answer belongs to no question that this server has asked: it has expired, or is not genuine.",
  used: "This answer was used before: each question is answered once.",
  expired: "This answer came too late: the question has expired.",
  "other-caller": "This answer belongs to a question of another session.",
  "other-input": "This answer belongs to another call.",
};

function boundTo({ caller: { session, agent, client } }: PlanCall, input: string | undefined) {
  return { caller: [session, agent, client], input, method: METHOD };
}

function reply(answer: Answer): Result<PlanReply> {
  return { ok: true, value: { type: "answer", answer } };
}

/** Timed out, closed with its client, or refused by it. */
function notShown(): FormAnswer {
  return { type: "none", why: "The client brought no answer of the person." };
}
