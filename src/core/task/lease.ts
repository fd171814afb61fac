import { fail, ok, type Result } from "../result.js";
import { agoText, leftText } from "../text/time-text.js";
import type { Hold, TaskError } from "./command.js";
import type { TaskPolicy } from "./policy.js";
import { isOpen, type Task } from "./task.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds. */
export const LEASE = {
  /** Renewed by the session's activity. */
  session: 10 * MINUTE,
  /** Outside a session nobody can see whether work goes on. */
  bare: 30 * MINUTE,
  shortest: 5 * SECOND,
  longest: 24 * 60 * MINUTE,
  /** After a call the model thinks: the lease lasts this much longer. */
  afterCall: MINUTE,
};

/** In whole milliseconds. */
export function clampTtl(ttl: number, shortest = LEASE.shortest): number {
  return Math.round(Math.min(LEASE.longest, Math.max(shortest, Number.isNaN(ttl) ? LEASE.session : ttl)));
}

const COALESCED_MS = 50;

/** The renewal would gain too little to be worth a write. */
export function isRenewedJustNow({ lease }: Task, until: number): boolean {
  return lease !== undefined && until - lease.until < COALESCED_MS;
}

/** When a third of the lease is used up: two failed renewals lose nothing, and writes stay few. */
export function isRenewalDue({ lease }: Task, now: number): boolean {
  return lease !== undefined && now - lease.since >= lease.ttl / 3;
}

const BACKOFF = { first: 30 * SECOND, longest: 60 * MINUTE };

export function backoff(failures: number): number {
  return Math.min(BACKOFF.longest, BACKOFF.first * 2 ** Math.min(20, Math.max(0, failures - 1)));
}

/** May this writer change the task? A holder may omit its fence after a single claim, or at a terminal. */
export function checkHold(
  task: Task,
  { owner, fence, isTyped = false }: Hold,
  { policy, now }: { readonly policy: TaskPolicy; readonly now: number },
): Result<{ isHolder: boolean }, TaskError> {
  const { lease, fence: last, number } = task;
  if (!lease) return checkUnheld(task, { owner, fence }, policy);
  // Dialects without leases have no fence to show, and could not reclaim an abandoned task.
  const isFree = policy.moves === "free" && (lease.isSoft === true || lease.until <= now || lease.owner === owner);
  if (isFree && fence === undefined) return ok({ isHolder: lease.owner === owner });
  if (fence !== undefined && fence !== last) return fail(staleFence(task, owner, fence));
  if (lease.owner !== owner) {
    const past = task.pastLeases.find((one) => one.owner === owner);
    return fail(past && fence === undefined ? staleFence(task, owner, past.fence) : held(task, owner, now));
  }
  // A session knows its own claims. Two processes with one owner name may not: one of them may be stale.
  const isAmbiguous =
    fence === undefined && lease.session === undefined && task.pastLeases.some((one) => one.owner === owner);
  if (isAmbiguous && !isTyped)
    return fail({
      code: "fence-needed",
      message: `${owner} has claimed task #${number} more than once. Pass the fence of your claim; the newest is ${last}.`,
    });
  return ok({ isHolder: true });
}

/** A task without a lease is open to all, except to a former holder whose fence is stale. */
function checkUnheld(task: Task, { owner, fence }: Hold, policy: TaskPolicy): Result<{ isHolder: boolean }, TaskError> {
  const last = task.pastLeases.find((one) => one.owner === owner)?.fence;
  const shown = fence ?? (policy.moves === "leased" ? last : undefined);
  if (shown !== undefined && shown !== task.fence) return fail(staleFence(task, owner, shown));
  return fence === undefined ? ok({ isHolder: false }) : fail(letGo(task, fence));
}

function letGo({ number, status }: Task, fence: number): TaskError {
  if (status !== "pending" && status !== "in_progress")
    return { code: "task-closed", message: `Task #${number} is already ${status}; fence ${fence} has ended.` };
  return {
    code: "task-not-held",
    message: `Nobody holds task #${number}: fence ${fence} was released. Claim it again.`,
  };
}

export function held({ number, lease }: Task, owner: string, now: number): TaskError {
  const code = "task-held";
  if (!lease) return { code, message: `Task #${number} is held by somebody.` };
  const left = lease.until - now;
  if (lease.owner === owner)
    return {
      code,
      message: `You already hold task #${number} for another ${leftText(left)}, with fence ${lease.fence}. Renew or complete it.`,
    };
  if (left <= 0)
    return {
      code,
      message: `The lease of ${lease.owner} on task #${number} expired ${agoText(-left)}. Claim it first.`,
    };
  const who = `${lease.owner} for another ${leftText(left)}`;
  return {
    code,
    message: `Task #${number} is held by ${who}. Claim another one, or ask the holder to release it.`,
  };
}

function staleFence(task: Task, owner: string, fence: number): TaskError {
  const { number, lease, fence: last, status } = task;
  const now = lease
    ? `${lease.owner} holds it now with fence ${lease.fence}`
    : `the newest is ${last}, and the task is ${status.replace("_", " ")}`;
  const canClaim = lease?.owner !== owner && isOpen(task);
  const next = canClaim ? "Nothing was changed; claim the task again." : "Nothing was changed.";
  return {
    code: "stale-fence",
    message: `Fence ${fence} of ${owner} is stale for task #${number}: ${now}. ${next}`,
  };
}
