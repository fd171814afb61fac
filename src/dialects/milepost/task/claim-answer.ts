import { ok, type Result } from "../../../core/result.js";
import { LEASE } from "../../../core/task/lease.js";
import type { StandingTask } from "../../../core/task/query.js";
import { TASK_PRIORITIES, type Task } from "../../../core/task/task.js";
import { promptText } from "../../../core/text/prompt-text.js";
import type { Steps, TaskBoard } from "../../task-dialect.js";
import { resolveOne, runOn } from "./named-tasks.js";
import { quotedLines, titled } from "./task-answer.js";
import type { TaskName } from "./task-names.js";

/** A task that the caller already holds is not claimed again. */
export function* claimNamed(board: TaskBoard, name: TaskName): Steps<Result<{ task: Task; isNew: boolean }>> {
  const number = yield* resolveOne(board, name);
  if (!number.ok) return number;
  const found = yield* board.find(number.value);
  if (found?.task.lease?.owner === board.owner && !found.standing.isStale)
    return ok({ task: found.task, isNew: false });
  const claimed = yield* runOn(board, number.value, claimCommand(board));
  return claimed.ok ? ok({ task: claimed.value, isNew: true }) : claimed;
}

function claimCommand({ owner, session }: TaskBoard) {
  return { type: "claim", owner, ttl: LEASE.session, session: session === "" ? undefined : session } as const;
}

const MOST_COMPARED = 20;

/** {"done":3,"claim":-1} may claim a task that 3 blocked. The store does not know yet that it is ready. */
export function* claimBest(board: TaskBoard, freed: ReadonlySet<number>): Steps<Result<Task | undefined>> {
  const own = yield* bestOf(board, freed);
  const others = own ? yield* board.list({ isReady: true, limit: MOST_COMPARED }) : [];
  const isFirst = own && [own, ...others.filter((one) => isFor(one, board))].sort(byUrgency)[0] === own;
  if (isFirst) return yield* runOn(board, own.task.number, claimCommand(board));
  const claimed = yield* board.claimBest(LEASE.session);
  if (!claimed.ok || claimed.value || !own) return claimed;
  return yield* runOn(board, own.task.number, claimCommand(board));
}

function* bestOf(board: TaskBoard, numbers: ReadonlySet<number>): Steps<StandingTask | undefined> {
  const ready: StandingTask[] = [];
  for (const number of numbers) {
    const found = yield* board.find(number);
    if (found?.standing.isReady && isFor(found, board)) ready.push(found);
  }
  return ready.sort(byUrgency)[0];
}

function isFor({ task: { assignee } }: StandingTask, { owner }: TaskBoard): boolean {
  return assignee === undefined || assignee === owner;
}

function byUrgency({ task: a }: StandingTask, { task: b }: StandingTask): number {
  const urgency = TASK_PRIORITIES.indexOf(a.priority) - TASK_PRIORITIES.indexOf(b.priority);
  return urgency || a.createdAt - b.createdAt || a.number - b.number;
}

const DESCRIPTION_SHOWN = 600;

export function claimedLines(task: Task): readonly string[] {
  const { description, notes, reason, payload, number } = task;
  const note = notes.at(-1);
  return [
    ...quotedLines(description, DESCRIPTION_SHOWN),
    ...(description.length > DESCRIPTION_SHOWN ? [`All of it: {"list":"#${number}"}`] : []),
    ...(reason === undefined ? [] : [`Failed before: ${promptText(reason)}`]),
    ...(payload === undefined ? [] : [`Signal: ${promptText(JSON.stringify(payload) ?? "")}`]),
    ...(note === undefined ? [] : [`Note: ${promptText(note.text)}`]),
  ];
}

export function claimedText(task: Task, isNew: boolean, isFlow: boolean): string {
  const lease = isNew && !isFlow ? ` (lease ${LEASE.session / 60_000} min, renewed while you work)` : "";
  return `${isNew ? "Claimed" : "You hold"} ${titled(task)}${lease}`;
}
