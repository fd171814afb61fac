import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { fail, ok, type Result } from "../core/result.js";

// Since 2026 a call that needs a person ends with a question, and comes again with the answer and with a text of ours:
// its state. That text was in a stranger's hands, so it proves by itself for what it was made. It is no JSON in Base64:
// that looks like a secret, and we take secrets out of all that we write.

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
const NONCE_BYTES = 16;

interface Body extends OpenedState {
  readonly caller: string;
  readonly input: string;
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
    const nonce = randomBytes(NONCE_BYTES).toString("hex");
    this.#open.add(nonce);
    for (const oldest of this.#open) {
      if (this.#open.size <= MOST_OPEN) break;
      this.#open.delete(oldest);
    }
    const expires = Math.ceil(this.#now() + FORM_TIME);
    const text = [plan, hash, digest(caller), digest([input]), expires, nonce].join(":");
    return `${text}:${this.#sign(text, method).toString("hex")}`;
  }

  /** The signature before anything else: nothing of a forged text is looked at. */
  open(
    state: string,
    { caller, input, method }: Omit<StateSubject, "plan" | "hash">,
  ): Result<OpenedState, StateProblem> {
    const body = this.#read(state, method);
    if (!body) return fail("forged");
    if (body.caller !== digest(caller)) return fail("other-caller");
    if (body.input !== digest([input])) return fail("other-input");
    if (!this.#open.delete(body.nonce)) return fail("used");
    if (body.expires <= this.#now()) return fail("expired");
    return ok({ plan: body.plan, hash: body.hash, nonce: body.nonce });
  }

  #read(state: string, method: string): Body | undefined {
    const end = state.lastIndexOf(":");
    const [text, signature] = [state.slice(0, Math.max(0, end)), state.slice(end + 1)];
    const right = this.#sign(text, method);
    // Only this spelling: Buffer would take capitals, and drop what is no hex.
    const given = SIGNATURE.test(signature) ? Buffer.from(signature, "hex") : Buffer.alloc(right.length);
    if (!timingSafeEqual(given, right)) return undefined;
    const [plan = "", hash = "", caller = "", input = "", expires = "", nonce = ""] = text.split(":");
    return { plan, hash, caller, input, expires: Number(expires), nonce };
  }

  #sign(text: string, method: string): Buffer {
    return createHmac("sha256", this.#key).update(`milepost plan 1:${method}:${text}`).digest();
  }
}

const SIGNATURE = /^[0-9a-f]{64}$/;

function digest(words: readonly (string | undefined)[]): string {
  return createHash("sha256").update(JSON.stringify(words)).digest("hex");
}
