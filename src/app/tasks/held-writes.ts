import type { Task } from "../../core/task/task.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { NewEvent, Write } from "../../store/event-store.js";
import { sessionStream } from "../../store/stream.js";
import { sessionEvent } from "../sessions.js";

interface Change {
  readonly before: Task;
  readonly after: Task;
}

/**
 * What a session has to know of its tasks: which it holds, and that it has not forgotten them. It goes into the session's own
 * stream in the same commit, so a hook needs no second look to know what to keep alive.
 */
export function heldWrites(list: string, changes: readonly Change[], writer: string): readonly Write[] {
  const events = new Map<string, NewEvent[]>();
  const tell = (session: string, event: NewEvent) => {
    const known = events.get(session);
    if (known) known.push(event);
    else events.set(session, [event]);
  };
  for (const { before, after } of changes) {
    const { number: task, subject } = after;
    const [left, taken] = [before.lease, after.lease];
    const isSame = left?.fence === taken?.fence;
    if (left?.session !== undefined && !isSame) {
      tell(left.session, sessionEvent({ type: "task.left", list, task }));
      const lost = taken && taken.owner !== left.owner ? lostWord(after, left.fence) : undefined;
      if (lost !== undefined) tell(left.session, sessionEvent({ type: "notice.left", text: lost }));
    }
    if (taken?.session === undefined) continue;
    const held = { list, task, fence: taken.fence, subject: subject.slice(0, SUBJECT_MAX).toWellFormed() };
    if (after.cancelRequest && !before.cancelRequest)
      tell(taken.session, sessionEvent({ type: "notice.left", text: cancelWord(after) }));
    if (!isSame) tell(taken.session, sessionEvent({ type: "task.taken", ...held }));
    else if (taken.session === writer) tell(writer, sessionEvent({ type: "task.touched", list, task }));
  }
  return [...events].map(([session, own]) => ({ stream: sessionStream(session), events: own }));
}

const SUBJECT_MAX = 200;

/** Its lease was over, and somebody else has taken it: the model must not go on as if nothing had happened. */
function lostWord({ number, lease }: Task, fence: number): string {
  return `Task #${number} is no longer yours: the lease (fence ${fence}) was over, and ${promptText(lease?.owner ?? "", 100)} holds it now with fence ${lease?.fence}. What you write to it is refused.`;
}

function cancelWord({ number, cancelRequest }: Task): string {
  const why = cancelRequest?.reason === undefined ? "" : `: ${promptText(cancelRequest.reason, 200)}`;
  return `${promptText(cancelRequest?.by ?? "Somebody", 100)} wants task #${number} cancelled${why}. Stop working on it, and release or cancel it.`;
}
