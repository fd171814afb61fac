import { fail, ok, type Result } from "../../../core/result.js";
import type { Hold, TaskCommand } from "../../../core/task/command.js";
import { isOpen, type Task } from "../../../core/task/task.js";
import { cutCodePoints } from "../../../core/text/length.js";
import type { Steps, TaskBoard } from "../../task-dialect.js";
import { claimBest, claimedLines, claimedText, claimNamed } from "./claim-answer.js";
import { noSuchTask, resolveOne, runOn } from "./named-tasks.js";
import { cancelNotice, nameOf, numbered, numberedRun, spanText, waitText } from "./task-answer.js";
import type { TaskName } from "./task-names.js";
import type { TaskRequest } from "./task-request.js";
import { toWait } from "./wait-request.js";

interface Work {
  readonly board: TaskBoard;
  readonly request: TaskRequest;
  readonly hold: Hold;
  /** Tasks that this call may have made ready. */
  readonly freed: Set<number>;
  /** Tasks that the answer is about. */
  readonly named: Set<number>;
}

/** Sentences of the answer's first line, and lines below it. */
interface Told {
  readonly sentences: readonly string[];
  readonly lines?: readonly string[];
}

type Action = (work: Work) => Steps<Result<Told>>;

/** All that a call asks for, in a fixed order; the first refusal ends it. */
export function* workOn(board: TaskBoard, request: TaskRequest): Steps<Result<readonly string[]>> {
  const hold = { owner: board.owner, fence: request.fence };
  const work: Work = { board, request, hold, freed: new Set(), named: new Set() };
  const sentences: string[] = [];
  const lines: string[] = [];
  if (request.block || request.unblock || request.add.length > 0) yield* board.lockEdges();
  for (const act of ACTIONS) {
    const told = yield* act(work);
    if (!told.ok) return told;
    sentences.push(...told.value.sentences);
    lines.push(...(told.value.lines ?? []));
  }
  lines.unshift(...(yield* notices(work)));
  return ok(sentences.length === 0 ? lines : [sentences.join(" "), ...lines]);
}

function* addTasks({ board, request: { add }, freed }: Work): Steps<Result<Told>> {
  const numbers = new Map<string, number>();
  for (const { subject, details, after } of add) {
    const { parent, assignee: _, activeForm: __, ...rest } = details;
    const blockedBy: number[] = [];
    for (const one of after) {
      const blocker = typeof one === "number" ? one : numbers.get(one.words);
      if (blocker === undefined)
        return fail({
          code: "no-task",
          message: '"after" takes numbers, or the subject of a task added before it in the same call.',
        });
      blockedBy.push(blocker);
    }
    const added = yield* board.add({ ...rest, subject, parent: parent ?? undefined, blockedBy });
    if (!added.ok) return added;
    numbers.set(subject, added.value.number);
    freed.add(added.value.number);
  }
  return tell(add.length === 0 ? [] : [`Added ${numberedRun([...freed])}.`]);
}

function* change({ board, request: { edit }, hold, named }: Work): Steps<Result<Told>> {
  if (!edit) return tell([]);
  const changed = yield* runOn(board, edit.task, { type: "change", hold, details: edit.details });
  if (!changed.ok) return changed;
  named.add(changed.value.number);
  return tell([`Changed #${changed.value.number}.`]);
}

function* reopen({ board, request, freed }: Work): Steps<Result<Told>> {
  const reopened = yield* each(board, request.reopen, { type: "reopen" });
  if (!reopened.ok) return reopened;
  for (const { number } of reopened.value) freed.add(number);
  return tell(sentence("Reopened", reopened.value));
}

function* tie(work: Work): Steps<Result<Told>> {
  const { block, unblock } = work.request;
  const sentences: string[] = [];
  for (const [edges, verb] of [
    [unblock, "unblock"],
    [block, "block"],
  ] as const) {
    if (!edges) continue;
    const number = yield* resolveOne(work.board, edges.task);
    if (!number.ok) return number;
    if (!(yield* work.board.find(number.value))) return fail(noSuchTask(number.value));
    const blockers: number[] = [];
    for (const name of edges.blockers) {
      const blocker = yield* resolveOne(work.board, name);
      if (!blocker.ok) return blocker;
      blockers.push(blocker.value);
    }
    const tied = yield* work.board[verb](number.value, blockers);
    if (!tied.ok) return tied;
    const found = yield* work.board.find(number.value);
    const open = found?.standing.blockedBy ?? [];
    work.named.add(number.value);
    if (open.length === 0) work.freed.add(number.value);
    sentences.push(
      open.length === 0 ? `#${number.value} has no open blocker.` : `#${number.value} is blocked by ${numbered(open)}.`,
    );
  }
  return tell(sentences);
}

const PROGRESS_MAX = 200;

/** A note of the holder also renews its lease. */
function* note({ board, request: { note: noted, fence }, hold, named }: Work): Steps<Result<Told>> {
  if (!noted) return tell([]);
  const done = yield* runOn(board, noted.task ?? "held", { type: "note", text: noted.text });
  if (!done.ok) return done;
  const { number, lease } = done.value;
  named.add(number);
  if (lease?.owner === board.owner || fence !== undefined) {
    const progress = cutCodePoints(noted.text, PROGRESS_MAX);
    const renewed = yield* board.run(number, { type: "renew", hold, progress });
    // Without a fence a failed renewal is ignored: a note needs no lease.
    if (!renewed.ok && fence !== undefined) return renewed;
  }
  return tell([`Noted on #${number}.`]);
}

function* progress({ board, request, hold, named }: Work): Steps<Result<Told>> {
  if (!request.progress) return tell([]);
  const { task, text } = request.progress;
  const renewed = yield* runOn(board, task ?? "held", { type: "renew", hold, progress: text });
  if (!renewed.ok) return renewed;
  named.add(renewed.value.number);
  return tell([`Progress kept with #${renewed.value.number}.`]);
}

function* complete({ board, request: { done, evidence, fence }, hold, freed }: Work): Steps<Result<Told>> {
  const completed: Task[] = [];
  const before: Task[] = [];
  for (const name of done) {
    const number = yield* resolveOne(board, name);
    if (!number.ok) return number;
    const known = (yield* board.find(number.value))?.task;
    // A repeated "done" is no error, and its evidence is kept as a note.
    const isRepeated = known?.status === "completed" && known.closedBy === board.owner && fence === undefined;
    const command: TaskCommand = { type: "complete", hold, evidence };
    if (known && isRepeated && evidence === undefined) {
      before.push(known);
      continue;
    }
    const closed = yield* runOn(board, number.value, isRepeated ? { type: "note", text: evidence ?? "" } : command);
    if (!closed.ok) return closed;
    (isRepeated ? before : completed).push(closed.value);
  }
  return tell([
    ...sentence("Already done:", before),
    ...sentence("Done", completed),
    ...(yield* nowReady(board, completed, freed)),
  ]);
}

const MOST_LOOKED_AT = 50;

/** Tasks whose last open blocker this was. */
function* nowReady(board: TaskBoard, closed: readonly Task[], freed: Set<number>): Steps<readonly string[]> {
  const ready: number[] = [];
  for (const number of new Set(closed.flatMap(({ blocks }) => blocks).slice(0, MOST_LOOKED_AT))) {
    const found = yield* board.find(number);
    if (!found?.standing.isReady) continue;
    ready.push(number);
    freed.add(number);
  }
  return ready.length === 0 ? [] : [`Now ready: ${numbered(ready)}.`];
}

function* failTasks({ board, request, hold }: Work): Steps<Result<Told>> {
  const failed = yield* each(board, request.fail, { type: "fail", hold, reason: request.reason ?? "" });
  if (!failed.ok) return failed;
  return tell(
    failed.value.map(({ number, failures, maxAttempts, retryAt }) =>
      retryAt === undefined
        ? `Failed #${number} for good.`
        : `Failed #${number} (${failures} of ${maxAttempts}); ready again in ${spanText(retryAt - board.now)}.`,
    ),
  );
}

/** After a cancel request, a released task is cancelled. */
function* release({ board, request: { release: names, reason }, hold, freed }: Work): Steps<Result<Told>> {
  const left = yield* each(board, names, { type: "release", hold, reason });
  if (!left.ok) return left;
  const over = left.value.filter((task) => !isOpen(task));
  return tell([
    ...sentence("Released", left.value.filter(isOpen)),
    ...sentence("Cancelled", over),
    ...(yield* nowReady(board, over, freed)),
  ]);
}

function* cancel({ board, request: { cancel: names, reason }, hold, freed }: Work): Steps<Result<Told>> {
  const asked = yield* each(board, names, { type: "cancel", hold, reason });
  if (!asked.ok) return asked;
  const over = asked.value.filter((task) => !isOpen(task));
  const others = asked.value.filter(isOpen);
  return tell([
    ...sentence("Cancelled", over),
    ...others.map(({ number, lease }) => `Asked ${nameOf(lease?.owner)} to stop #${number}.`),
    ...(yield* nowReady(board, over, freed)),
  ]);
}

function* wait({ board, request, hold }: Work): Steps<Result<Told>> {
  if (!request.wait) return tell([]);
  const { task, span } = request.wait;
  const begun = yield* runOn(board, task ?? "held", { type: "wait", hold, wait: toWait(span, board.now) });
  if (!begun.ok) return begun;
  const { number, wait: until } = begun.value;
  return tell(until ? [`#${number} waits ${waitText(until, board.now)}; you no longer hold it.`] : []);
}

function* claim({ board, request, freed, named }: Work): Steps<Result<Told>> {
  const { claim: wanted, done } = request;
  const isFlow = done.length > 0;
  if (wanted === "best") {
    const claimed = yield* claimBest(board, freed);
    if (!claimed.ok) return claimed;
    if (!claimed.value) return tell(['Nothing is ready. {"list":"open"} shows why.']);
    named.add(claimed.value.number);
    return tell([claimedText(claimed.value, true, isFlow)], claimedLines(claimed.value));
  }
  const sentences: string[] = [];
  const lines: string[] = [];
  for (const name of wanted) {
    const claimed = yield* claimNamed(board, name);
    if (!claimed.ok) return claimed;
    const { task, isNew } = claimed.value;
    const isFirst = sentences.length === 0;
    named.add(task.number);
    // A title ends its line, so that nothing in it can look like what we say next.
    (isFirst ? sentences : lines).push(claimedText(task, isNew, isFlow || !isFirst));
    if (wanted.length === 1) lines.push(...claimedLines(task));
  }
  return tell(sentences, lines);
}

/** Tasks are added first, so that others can wait for them, and closed before others are claimed. */
const ACTIONS: readonly Action[] = [
  addTasks,
  change,
  reopen,
  tie,
  note,
  progress,
  complete,
  failTasks,
  release,
  cancel,
  wait,
  claim,
];

/** Cancel requests for the tasks of the answer. */
function* notices({ board, named }: Work): Steps<readonly string[]> {
  const said: string[] = [];
  for (const number of named) {
    const found = yield* board.find(number);
    if (found) said.push(...cancelNotice(found.task, board.owner));
  }
  return said;
}

function* each(board: TaskBoard, names: readonly TaskName[], command: TaskCommand): Steps<Result<readonly Task[]>> {
  const tasks: Task[] = [];
  for (const name of names) {
    const done = yield* runOn(board, name, command);
    if (!done.ok) return done;
    tasks.push(done.value);
  }
  return ok(tasks);
}

function tell(sentences: readonly string[], lines: readonly string[] = []): Result<Told> {
  return ok({ sentences, lines });
}

function sentence(what: string, tasks: readonly Task[]): readonly string[] {
  return tasks.length === 0 ? [] : [`${what} ${numbered(tasks.map(({ number }) => number))}.`];
}
