import { hostname, userInfo } from "node:os";
import { fail, ok, type Result } from "../../core/result.js";
import type { TodoCommand } from "../../core/todo/command.js";
import { decide } from "../../core/todo/decide.js";
import type { TodoEvent } from "../../core/todo/events.js";
import { evolveAll } from "../../core/todo/evolve.js";
import type { TodoList } from "../../core/todo/list.js";
import type { TodoPolicy } from "../../core/todo/policy.js";
import { type EventStore, isEventName } from "../../store/event-store.js";
import { sessionEvent } from "../session/session-view.js";
import { LISTS, toNewEvent } from "../views.js";
import { dueSweep, ownSweep, sweepWrite } from "./sweep-closed.js";

/** A person's change: what it does, and what the model is told that was done. */
export interface ListEdit {
  readonly action: string;
  readonly command: TodoCommand;
  readonly policy: TodoPolicy;
}

export interface Edited<Plan> {
  readonly plan: Plan;
  readonly list: TodoList;
  readonly isChanged: boolean;
}

export interface EditPlace {
  readonly stream: string;
  readonly by: string;
  /** Seconds until closed todos leave the list; default: never. */
  readonly clearAfter?: number;
}

/**
 * Planned on the list as it is inside the write: an agent may be writing it at the same moment. `kept` is the list
 * before closed todos are taken off it.
 */
export function editList<Plan>(
  store: EventStore,
  place: EditPlace,
  planned: (list: TodoList, kept: TodoList) => { readonly plan: Plan; readonly edit?: ListEdit },
): Promise<Result<Edited<Plan>>> {
  const { stream, clearAfter = -1 } = place;
  return store.commit(function* (transaction) {
    const kept = yield* transaction.view(LISTS, stream);
    const due = yield* dueSweep(transaction, stream, kept, clearAfter);
    const before = evolveAll(kept, due);
    const { plan, edit } = planned(before, kept);
    const decision = edit && decide(before, edit.command, edit.policy);
    if (decision && !decision.ok) return fail(decision.error);
    const events = decision?.value.events ?? [];
    const list = evolveAll(before, events);
    const own = edit ? editWrites(place, edit.action, events) : [];
    return ok({
      writes: [sweepWrite(stream, due), ...own, sweepWrite(stream, ownSweep(list, clearAfter))],
      answer: { plan, list, isChanged: events.length > 0 },
    });
  });
}

/** Recorded as the person's, and with it that the model has yet to be told. */
export function editWrites({ stream, by }: EditPlace, action: string, events: readonly TodoEvent[]) {
  if (events.length === 0) return [];
  const told = { ...sessionEvent({ type: "list.edited", action }), actor: by };
  return [{ stream, events: [...events.map((event) => toNewEvent(event, by)), told] }];
}

/** Who acts when a person types a command: `--as`, else user and machine. */
export function personOf(as: string | undefined): Result<string> {
  const name = as ?? `${userName()}@${hostname()}`;
  if (isEventName(name)) return ok(name);
  return fail({ code: "bad-actor", message: "An actor is 1 to 300 visible characters." });
}

/** Not every user of a container has a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "person";
  }
}
