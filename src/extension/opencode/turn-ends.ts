import { BoundedMap } from "../bounded-map.js";
import { type Fields, fieldsOf } from "../host-values.js";
import { isOverflow } from "./plugin-facts.js";
import { MOST_SESSIONS } from "./plugin-sessions.js";

interface ToldEvent {
  readonly type: string;
  readonly told: Fields;
}

/** Which of opencode's events end a turn: some say so twice, and one says so of a turn that goes on. */
export class TurnEnds {
  readonly #broken = new BoundedMap<true>(MOST_SESSIONS);
  /** Errors behind which it may sum up what there is, and go on. */
  readonly #overflows = new BoundedMap<ToldEvent>(MOST_SESSIONS);

  begin(id: string): void {
    this.#broken.delete(id);
    this.#overflows.delete(id);
  }

  /** The event that is to be told in its place; undefined for none. */
  sift(id: string, event: ToldEvent): ToldEvent | undefined {
    const { type, told } = event;
    if (fieldsOf(told.part).type === "compaction") this.#overflows.delete(id);
    if (type === "session.error" && isOverflow(told.error)) {
      this.#overflows.set(id, event);
      return undefined;
    }
    const isIdle = type === "session.idle";
    const end = isIdle ? (this.#overflows.get(id) ?? event) : event;
    // It is idle twice behind a turn that was stopped.
    if (isIdle && this.#broken.has(id)) return undefined;
    if (end.type !== "session.error") return end;
    this.#overflows.delete(id);
    this.#broken.set(id, true);
    return end;
  }
}
