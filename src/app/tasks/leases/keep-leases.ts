import { ok } from "../../../core/result.js";
import type { HeldTask } from "../../../core/session/events.js";
import type { TaskEvent } from "../../../core/task/events.js";
import { isRenewalDue } from "../../../core/task/lease.js";
import type { Task } from "../../../core/task/task.js";
import type { EventStore, NewEvent, Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { TASKS, taskStream, toNewTaskEvent } from "../task-views.js";

/** Renews the session's leases when it was seen, but only when a good part of them is used up. */
export function renewHeld(
  transaction: Transaction,
  session: string,
  held: readonly HeldTask[],
): Script<readonly Write[]> {
  return forEachHeld(transaction, session, held, (task) => {
    if (!task.lease || !isRenewalDue(task, transaction.now)) return undefined;
    const until = Math.max(task.lease.until, transaction.now + task.lease.ttl);
    return { type: "task.renewed", fence: task.lease.fence, until };
  });
}

/** Milliseconds. Whoever renews may be a little late. */
const GRACE = 60_000;

/** Nobody has renewed these in time, and nobody else has taken them yet. */
export function* lapsedHeld(transaction: Transaction, held: readonly HeldTask[]): Script<readonly NewEvent[]> {
  const lapsed: NewEvent[] = [];
  for (const { list, task, fence } of held) {
    const { lease } = yield* transaction.view(TASKS, taskStream(list, task));
    if (lease?.fence === fence && lease.until + GRACE < transaction.now)
      lapsed.push(sessionEvent({ type: "task.lapsed", list, task, until: lease.until }));
  }
  return lapsed;
}

/** Releases the leases of a session or sub-agent that has ended. */
export function* releaseHeld(
  transaction: Transaction,
  session: string,
  held: readonly HeldTask[],
): Script<readonly Write[]> {
  const writes = yield* forEachHeld(transaction, session, held, released);
  const left = held.map(({ list, task }) => sessionEvent({ type: "task.left", list, task }));
  return left.length === 0 ? writes : [...writes, { stream: sessionStream(session), events: left }];
}

/** The leases of one agent: a sub-agent by its name, the session's own agent without one. */
export function heldBy(session: string, held: readonly HeldTask[], agent: string | undefined): readonly HeldTask[] {
  const name = agent === undefined ? undefined : `${session}/${agent}`;
  return held.filter(({ owner }) => (name === undefined ? !owner?.startsWith(`${session}/`) : owner === name));
}

const ENDED = "its session has ended";

function released({ lease, cancelRequest }: Task): TaskEvent | undefined {
  if (!lease) return undefined;
  // The holder was asked to stop and its lease has expired: the task counts as cancelled.
  if (cancelRequest) return { type: "task.cancelled", reason: cancelRequest.reason ?? ENDED };
  return { type: "task.released", fence: lease.fence, reason: ENDED };
}

/** Only where the fence still matches: a lost lease is left alone. */
function* forEachHeld(
  transaction: Transaction,
  session: string,
  held: readonly HeldTask[],
  decide: (task: Task) => TaskEvent | undefined,
): Script<readonly Write[]> {
  const writes: Write[] = [];
  for (const { list, task: number, fence } of held) {
    const stream = taskStream(list, number);
    const task = yield* transaction.view(TASKS, stream);
    const event = task.lease?.fence === fence ? decide(task) : undefined;
    if (event) writes.push({ stream, events: [toNewTaskEvent(event, session)] });
  }
  return writes;
}

/**
 * For a server whose client is connected: renews the holder's leases although no hook reported. Returns the length of
 * its shortest lease, so that the caller renews in time; undefined without leases, or when the session has ended.
 */
export async function keepAlive(store: EventStore, session: string, owner: string): Promise<number | undefined> {
  const { held = [], state } = await store.view(SESSIONS, sessionStream(session));
  const own = held.filter((one) => (one.owner ?? session) === owner);
  if (own.length === 0) return undefined;
  let shortest = Number.POSITIVE_INFINITY;
  // The session is not locked: a task it claims meanwhile is renewed at the next beat.
  await store.commit(function* (transaction) {
    shortest = Number.POSITIVE_INFINITY;
    const writes = yield* renewHeld(transaction, session, own);
    for (const { list, task, fence } of own) {
      const { lease } = yield* transaction.view(TASKS, taskStream(list, task));
      if (lease?.fence === fence) shortest = Math.min(shortest, lease.ttl);
    }
    return ok({ writes, answer: undefined });
  });
  return state === "ended" || shortest === Number.POSITIVE_INFINITY ? undefined : shortest;
}
