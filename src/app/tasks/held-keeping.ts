import { ok } from "../../core/result.js";
import type { HeldTask } from "../../core/session/events.js";
import type { TaskEvent } from "../../core/task/events.js";
import { isRenewalDue } from "../../core/task/lease.js";
import type { Task } from "../../core/task/task.js";
import type { EventStore, NewEvent, Transaction, Write } from "../../store/event-store.js";
import type { Script } from "../../store/script.js";
import { sessionStream } from "../../store/stream.js";
import { SESSIONS, sessionEvent } from "../sessions.js";
import { TASKS, taskStream, toNewTaskEvent } from "./task-views.js";

/** Whatever a session does shows that it lives: its leases are renewed in its name, but not at every step. */
export function* renewHeld(
  transaction: Transaction,
  session: string,
  held: readonly HeldTask[],
): Script<readonly Write[]> {
  return yield* forEachHeld(transaction, session, held, (task) => {
    if (!task.lease || !isRenewalDue(task, transaction.now)) return undefined;
    const until = Math.max(task.lease.until, transaction.now + task.lease.ttl);
    return { type: "task.renewed", fence: task.lease.fence, until };
  });
}

/** A session, or a sub-agent, that has ended works on nothing any more. */
export function* releaseHeld(
  transaction: Transaction,
  session: string,
  held: readonly HeldTask[],
): Script<readonly Write[]> {
  const writes = yield* forEachHeld(transaction, session, held, (task) => released(task));
  const left: readonly NewEvent[] = held.map(({ list, task }) => sessionEvent({ type: "task.left", list, task }));
  return left.length === 0 ? writes : [...writes, { stream: sessionStream(session), events: left }];
}

/** What this one holds, and not the others in its session: a sub-agent by its name, the session's own agent without. */
export function heldBy(session: string, held: readonly HeldTask[], agent: string | undefined): readonly HeldTask[] {
  const name = agent === undefined ? undefined : `${session}/${agent}`;
  return held.filter(({ owner }) => (name === undefined ? !owner?.startsWith(`${session}/`) : owner === name));
}

const ENDED = "its session has ended";

function released({ lease, cancelRequest }: Task): TaskEvent | undefined {
  if (!lease) return undefined;
  // Whoever was asked to stop, and is gone, has stopped.
  if (cancelRequest) return { type: "task.cancelled", reason: cancelRequest.reason ?? ENDED };
  return { type: "task.released", fence: lease.fence, reason: ENDED };
}

/** Only where the fence is still the session's own: a lease that was lost is not touched. */
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
 * For whoever knows that a holder lives although nothing is heard of it: a server whose client is still there. Says how long the
 * shortest of its leases lasts, so that the next look is in time; undefined when it holds nothing, or its session has ended:
 * then only what it does itself keeps its leases.
 */
export async function keepAlive(store: EventStore, session: string, owner: string): Promise<number | undefined> {
  const { held = [], state } = await store.view(SESSIONS, sessionStream(session));
  const own = held.filter((one) => (one.owner ?? session) === owner);
  if (own.length === 0) return undefined;
  let shortest = Number.POSITIVE_INFINITY;
  // The session itself is not locked: what it holds meanwhile is seen at the next beat.
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
