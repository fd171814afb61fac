import type { Lease, Task } from "../../../core/task/task.js";
import { addTo } from "../../../core/task/task-graph.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { NewEvent, Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { sessionEvent } from "../../session/session-view.js";

interface Change {
  readonly before: Task;
  readonly after: Task;
}

interface Writer {
  readonly list: string;
  readonly owner: string;
  readonly session: string;
}

type Told = Map<string, NewEvent[]>;

/** Tells sessions about their leases, in their own streams: a hook finds what to renew in the view it reads anyway. */
export function* heldWrites(
  transaction: Transaction,
  changes: readonly Change[],
  writer: Writer,
): Script<readonly Write[]> {
  const told: Told = new Map();
  for (const change of changes) {
    tellLoser(told, change, writer);
    tellHolder(told, change, writer);
  }
  const writes: Write[] = [];
  for (const [stream, events] of told) {
    // A session deleted with `milepost forget` must not come back because another one writes about it.
    const isOwn = stream === sessionStream(writer.session) || events.some(({ type }) => type === "task.taken");
    if (isOwn || (yield* transaction.version(stream)) > 0) writes.push({ stream, events });
  }
  return writes;
}

/** Tells the former holder that its lease has ended, and why, unless it ended the lease itself. */
function tellLoser(told: Told, { before, after }: Change, { list, owner }: Writer): void {
  const { lease: left } = before;
  if (left?.session === undefined || left.fence === after.lease?.fence) return;
  addTo(told, sessionStream(left.session), sessionEvent({ type: "task.left", list, task: after.number }));
  if (owner === left.owner) return;
  addTo(told, ownStream(left), sessionEvent({ type: "notice.left", text: lostWord(after, left.fence, owner) }));
}

function tellHolder(told: Told, { before, after }: Change, { list, session: writer }: Writer): void {
  const { lease: taken, number: task } = after;
  if (taken?.session === undefined) return;
  if (after.cancelRequest && !before.cancelRequest)
    addTo(told, ownStream(taken), sessionEvent({ type: "notice.left", text: cancelWord(after) }));
  const { session, fence, owner } = taken;
  const subject = after.subject.slice(0, SUBJECT_MAX).toWellFormed();
  const held = { list, task, fence, subject, ...(owner === session ? undefined : { owner }) };
  if (before.lease?.fence !== fence) addTo(told, sessionStream(session), sessionEvent({ type: "task.taken", ...held }));
  else if (session === writer) addTo(told, sessionStream(session), sessionEvent({ type: "task.touched", list, task }));
}

/** A sub-agent's lease is reported to the sub-agent's own stream. */
function ownStream({ owner, session = "" }: Lease): string {
  const [, agent] = owner.startsWith(`${session}/`) ? (/^[^/]+\/([A-Za-z0-9._:-]+)$/.exec(owner) ?? []) : [];
  return sessionStream(session, agent);
}

const SUBJECT_MAX = 200;

/** Sent to the model: without it, the model would go on working on a task it has lost. */
function lostWord({ number, lease, status, isDeleted, reason }: Task, fence: number, by: string): string {
  const who = promptText(by, 100);
  if (lease)
    return `Task #${number} is no longer yours: your lease (fence ${fence}) expired, and ${promptText(lease.owner, 100)} holds it now with fence ${lease.fence}. Your writes to it are refused.`;
  const what = isDeleted ? "removed" : status === "pending" ? "released" : `set to ${status}`;
  const why = reason === undefined || isDeleted ? "" : `: ${promptText(reason, 200)}`;
  return `Task #${number} is no longer yours: it was ${what} by ${who}${why}. Stop working on it.`;
}

function cancelWord({ number, cancelRequest }: Task): string {
  const why = cancelRequest?.reason === undefined ? "" : `: ${promptText(cancelRequest.reason, 200)}`;
  return `${promptText(cancelRequest?.by ?? "Somebody", 100)} wants task #${number} cancelled${why}. Stop working on it, and release or cancel it.`;
}
