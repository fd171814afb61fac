import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isObject, parseJson } from "../core/json.js";
import { fail, ok, type Result } from "../core/result.js";

// Since 2026 a call that needs a person ends with a question, and comes again with the answer and with a text of ours:
// its state. That text was in a stranger's hands, so it proves by itself for what it was made.

/** What a state is for. All of it has to be the same when the call comes again. */
export interface StateSubject {
  readonly plan: string;
  /** Of the plan's text: what the person has seen. */
  readonly hash: string;
  /** Session, sub-agent and client. */
  readonly caller: readonly (string | undefined)[];
  /** The text that the call proposed. */
  readonly input: string | undefined;
  readonly method: string;
}

export type StateProblem = "forged" | "used" | "expired" | "other-caller" | "other-input";

/** A state that holds. `nonce` names the one decision that it can be used for. */
export interface OpenedState {
  readonly plan: string;
  readonly hash: string;
  readonly nonce: string;
}

/** Milliseconds that a person has for the form. */
export const FORM_TIME = 10 * 60_000;
/** Questions that may be open at once; the oldest is forgotten first. */
const MOST_OPEN = 1000;
const KEY_BYTES = 32;

interface Body extends OpenedState {
  readonly caller: string;
  readonly input: string;
  readonly method: string;
  readonly expires: number;
}

/** Signs states and opens each at most once. The key is in memory alone: after a restart no old state holds. */
export class PlanStates {
  readonly #key = randomBytes(KEY_BYTES);
  readonly #now: () => number;
  /** Nonces that nobody has brought back. Also an answer that decided nothing uses its state up. */
  readonly #open = new Set<string>();

  /** By the monotonic clock: the other one may be set back by hours. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  seal({ plan, hash, caller, input, method }: StateSubject): string {
    const nonce = randomBytes(16).toString("hex");
    const bound = { caller: digest(caller), input: digest([input]), method };
    const body: Body = { plan, hash, ...bound, expires: this.#now() + FORM_TIME, nonce };
    this.#open.add(nonce);
    for (const oldest of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(oldest);
    }
    const text = Buffer.from(JSON.stringify(body)).toString("base64url");
    return `${text}.${this.#sign(text).toString("base64url")}`;
  }

  /** The signature before anything else: nothing of a forged text is looked at. */
  open(
    state: string,
    { caller, input, method }: Omit<StateSubject, "plan" | "hash">,
  ): Result<OpenedState, StateProblem> {
    const body = this.#read(state);
    if (!body) return fail("forged");
    if (body.caller !== digest(caller)) return fail("other-caller");
    if (body.input !== digest([input]) || body.method !== method) return fail("other-input");
    if (!this.#open.delete(body.nonce)) return fail("used");
    if (body.expires <= this.#now()) return fail("expired");
    return ok({ plan: body.plan, hash: body.hash, nonce: body.nonce });
  }

  #read(state: string): Body | undefined {
    const [text = "", signature = "", ...more] = state.split(".");
    const given = Buffer.from(signature, "base64url");
    const right = this.#sign(text);
    // Base64 has several spellings of the same bytes: only ours counts.
    const isSpelled = more.length === 0 && given.toString("base64url") === signature;
    if (!isSpelled || given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    const body = parseJson(Buffer.from(text, "base64url").toString("utf8"));
    // Signed by us: the fields are those that were written above.
    return isObject(body) ? (body as unknown as Body) : undefined;
  }

  #sign(text: string): Buffer {
    return createHmac("sha256", this.#key).update("milepost plan 1\0").update(text).digest();
  }
}

function digest(words: readonly (string | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("base64url");
}
