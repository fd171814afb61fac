import { defined } from "../json.js";
import { fail, ok, type Result } from "../result.js";
import { leftText } from "../text/time-text.js";
import { excessOf } from "../value-limits.js";
import type { Hold, TaskCommand, TaskError } from "./command.js";
import type { TaskDetails, TaskEvent } from "./events.js";
import { patchedMetadata } from "./evolve.js";
import { backoff, checkHold, held, isRenewedJustNow } from "./lease.js";
import { checkDetails, checkLength, checkNote, checkText, checkValue } from "./limits.js";
import type { TaskPolicy } from "./policy.js";
import { isLive, standingOf } from "./standing.js";
import { isOpen, type Task } from "./task.js";

export interface Circumstances {
  /** The store's clock. */
  readonly now: number;
  readonly openBlockers: readonly number[];
  readonly policy: TaskPolicy;
}

export type Decided = Result<readonly TaskEvent[], TaskError>;

type Command<Type extends TaskCommand["type"]> = Extract<TaskCommand, { type: Type }>;

/** The events of a command on one existing task. Edges need two tasks and are decided in the board. */
export function decide(task: Task, command: TaskCommand, circumstances: Circumstances): Decided {
  switch (command.type) {
    case "claim":
      return claim(task, command, circumstances);
    case "renew":
      return renew(task, command, circumstances);
    case "release":
      return release(task, command, circumstances);
    case "complete":
      return complete(task, command, circumstances);
    case "fail":
      return failTask(task, command, circumstances);
    case "cancel":
      return cancel(task, command, circumstances);
    case "reopen":
      return ok(isOpen(task) && !(task.cancelRequest && !task.lease) ? [] : [{ type: "task.reopened" }]);
    case "change":
      return change(task, command, circumstances);
    case "move":
      return move(task, command, circumstances);
    case "note":
      return note(task, command, circumstances);
    case "wait":
      return wait(task, command, circumstances);
    case "wake":
      return wake(task, command);
    case "link":
      return ok([{ type: "todo.linked", ...command.link }]);
    case "unlink":
      return ok([{ type: "todo.unlinked", ...command.link }]);
  }
}

function checked(refused: TaskError | undefined, event: TaskEvent): Decided {
  return refused ? fail(refused) : ok([event]);
}

function claim(task: Task, { owner, ttl, session }: Command<"claim">, { now, openBlockers }: Circumstances): Decided {
  if (!isOpen(task)) return fail(taskClosed(task));
  const { blockedBy, waitsFor } = standingOf(task, openBlockers, now);
  if (blockedBy.length > 0) return fail(taskBlocked(task, blockedBy, "claimed"));
  if (isLive(task.lease, now)) return fail(held(task, owner, now));
  if (waitsFor) return fail(taskWaiting(task, now));
  if (task.cancelRequest) return fail(cancelPending(task));
  if (task.retryAt !== undefined && task.retryAt > now) return fail(backingOff(task, task.retryAt - now));
  return ok([claimedEvent(task, { owner, ttl, session }, now)]);
}

function claimedEvent(
  { fence }: Task,
  { owner, ttl, session, isSoft }: { owner: string; ttl: number; session?: string | undefined; isSoft?: true },
  now: number,
): TaskEvent {
  return defined({ type: "task.claimed", owner, fence: fence + 1, until: now + ttl, ttl, session, isSoft });
}

function renew(task: Task, { hold, ttl, progress }: Command<"renew">, circumstances: Circumstances): Decided {
  const { now, policy } = circumstances;
  const { lease } = task;
  const may = mayHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (!lease) return fail(notHeld(task));
  const until = Math.max(lease.until, now + (ttl ?? lease.ttl));
  if (progress === undefined && isRenewedJustNow(task, until)) return ok([]);
  const renewed = defined({ type: "task.renewed", fence: lease.fence, until, progress });
  return checked(checkText(policy.limits, "progress", progress), renewed);
}

function release(task: Task, { hold, reason }: Command<"release">, circumstances: Circumstances): Decided {
  const { lease, cancelRequest } = task;
  const may = mayHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (!lease) return fail(notHeld(task));
  // A holder that releases after a cancel request has complied: the task is cancelled.
  const left = cancelRequest
    ? defined({ type: "task.cancelled", reason: cancelRequest.reason || reason })
    : defined({ type: "task.released", fence: lease.fence, reason });
  return checked(checkText(circumstances.policy.limits, "reason", reason), left);
}

function complete(task: Task, { hold, evidence }: Command<"complete">, circumstances: Circumstances): Decided {
  const { openBlockers, policy, now } = circumstances;
  const may = mayHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (openBlockers.length > 0) return fail(taskBlocked(task, openBlockers, "completed"));
  if (task.wait && !may.value.isHolder) return fail(taskWaiting(task, now));
  const completed = defined({ type: "task.completed", fence: task.lease?.fence, evidence });
  return checked(checkNote(policy.limits, task, evidence, "evidence"), completed);
}

function failTask(task: Task, { hold, reason, isFinal }: Command<"fail">, circumstances: Circumstances): Decided {
  const { now, policy } = circumstances;
  const may = mayHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (!task.lease && policy.moves === "leased") return fail(notHeld(task));
  const failures = task.failures + 1;
  const isOver = isFinal === true || failures >= task.maxAttempts || task.cancelRequest !== undefined;
  const retryAt = isOver ? undefined : now + backoff(failures);
  const failed = defined({ type: "task.failed", fence: task.lease?.fence, reason, retryAt });
  return checked(checkText(policy.limits, "reason", reason), failed);
}

function cancel(task: Task, { hold, reason, isForced }: Command<"cancel">, circumstances: Circumstances): Decided {
  const { now, policy } = circumstances;
  if (!isOpen(task)) return fail(taskClosed(task));
  const refused = checkText(policy.limits, "reason", reason);
  if (refused) return fail(refused);
  const isOthers = isLive(task.lease, now) && !checkHold(task, hold, circumstances).ok;
  if (isOthers && hold.fence !== undefined) return mayHold(task, hold, circumstances) as Decided;
  return ok([defined({ type: isOthers && !isForced ? "cancel.requested" : "task.cancelled", reason })]);
}

function change(task: Task, { hold, details }: Command<"change">, circumstances: Circumstances): Decided {
  const may = checkHold(task, hold, circumstances);
  // Anybody may edit a task. A stale fence is refused all the same: its owner does not know that it lost the lease.
  if (!may.ok && hold.fence !== undefined) return may;
  const refused = checkDetails(circumstances.policy.limits, details) ?? checkMerged(task, details);
  return checked(refused, { type: "task.changed", ...details });
}

/** Many small changes must not add up to more than one may bring. What an older version let grow may still change. */
function checkMerged({ metadata: before }: Task, { metadata }: TaskDetails): TaskError | undefined {
  if (!metadata || excessOf(before)) return undefined;
  return checkValue("metadata", patchedMetadata(before, metadata));
}

function note(task: Task, { text }: Command<"note">, { policy }: Circumstances): Decided {
  return checked(checkNote(policy.limits, task, text), { type: "task.noted", text });
}

function move(task: Task, { hold, to, ttl, session }: Command<"move">, circumstances: Circumstances): Decided {
  const { now } = circumstances;
  const may = checkHold(task, hold, circumstances);
  if (!may.ok) return may;
  const { status } = task;
  const moved: readonly TaskEvent[] = status === to ? [] : [{ type: "task.moved", from: status, to }];
  // The writer's own lease is kept.
  if (to !== "in_progress" || ttl === undefined || isLive(task.lease, now)) return ok(moved);
  return ok([...moved, claimedEvent(task, { owner: hold.owner, ttl, session, isSoft: true }, now)]);
}

function wait(task: Task, { hold, wait: until }: Command<"wait">, circumstances: Circumstances): Decided {
  const { policy } = circumstances;
  const may = mayHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (task.cancelRequest && policy.moves === "leased") return fail(cancelPending(task));
  const refused =
    until.kind === "event"
      ? (checkText(policy.limits, "topic", until.topic) ??
        checkLength(policy.limits, "correlation id", until.correlation))
      : undefined;
  return checked(refused, { type: "wait.begun", wait: until });
}

function wake(task: Task, { by, payload }: Command<"wake">): Decided {
  if (!task.wait || !isOpen(task))
    return fail({
      code: "not-waiting",
      message: `Task #${task.number} is not waiting, so there is no wait to end.`,
    });
  return checked(checkValue("payload", payload), defined({ type: "wait.ended", by, payload }));
}

/** For commands that need an open task. A stale fence is reported before the closed status, because it is the cause. */
function mayHold(task: Task, hold: Hold, circumstances: Circumstances): Result<{ isHolder: boolean }, TaskError> {
  const may = checkHold(task, hold, circumstances);
  if (!may.ok) return may;
  if (isOpen(task)) return may;
  const past = task.pastLeases.find((one) => one.owner === hold.owner);
  const isLate = past !== undefined && past.fence < task.fence;
  return isLate ? checkHold(task, { ...hold, fence: past.fence }, circumstances) : fail(taskClosed(task));
}

function taskClosed({ number, status }: Task): TaskError {
  return {
    code: "task-closed",
    message: `Task #${number} is already ${status}. To work on it again, reopen it first.`,
  };
}

function notHeld({ number }: Task): TaskError {
  return { code: "task-not-held", message: `Nobody holds task #${number}. Claim it first.` };
}

function taskBlocked({ number }: Task, tasks: readonly number[], what: string): TaskError {
  const MOST = 5;
  const names = tasks.slice(0, MOST).map((task) => `#${task}`);
  const rest = tasks.length > MOST ? ` and ${tasks.length - MOST} more` : "";
  const them = tasks.length === 1 ? "that" : "those";
  return {
    code: "task-blocked",
    message: `Task #${number} cannot be ${what}: it is blocked by ${names.join(", ")}${rest}. Complete ${them} first, or unblock it.`,
    tasks,
  };
}

function taskWaiting({ number, wait: until }: Task, now: number): TaskError {
  const what =
    until?.kind === "timer"
      ? `for another ${leftText(until.at - now)}`
      : until?.kind === "event"
        ? `for a signal of ${JSON.stringify(until.topic)}`
        : "for a person";
  return { code: "task-waiting", message: `Task #${number} waits ${what}. Claim another one, or wake it.` };
}

function backingOff({ number, failures, maxAttempts }: Task, left: number): TaskError {
  return {
    code: "task-backing-off",
    message: `Task #${number} has failed ${failures} of ${maxAttempts} times; it can be retried in ${leftText(left)}.`,
  };
}

function cancelPending({ number }: Task): TaskError {
  return {
    code: "cancel-pending",
    message: `A cancel of task #${number} was requested. Release or cancel it; if it is still needed, reopen it then.`,
  };
}
