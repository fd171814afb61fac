import { fail, ok, type Result } from "../../../core/result.js";
import type { TodoList } from "../../../core/todo/list.js";
import { taskNotFound } from "../pi-ops.js";
import { type BlockableStatus, type DraftPhase, type DraftTask, draftPhases, isActionable } from "./blockable-tasks.js";
import type { TodoOp } from "./todo-op-schema.js";

/** The list after one operation, or everything that is wrong with it: then nothing changes. */
export function applyOp(list: TodoList, op: TodoOp): Result<readonly DraftPhase[], readonly string[]> {
  const done = changedPhases(list, op);
  if (done.ok) keepOneActive(done.value.flatMap(({ tasks }) => tasks));
  return done;
}

type Changed = Result<DraftPhase[], readonly string[]>;

function changedPhases(list: TodoList, op: TodoOp): Changed {
  const phases = draftPhases(list);
  switch (op.op) {
    case "init":
      return init(phases, op);
    case "append":
      return append(phases, op);
    case "start":
      return op.task ? onTargets(phases, op, (task) => start(phases, task)) : fail(["Missing task content"]);
    case "done":
      return onTargets(phases, op, close("completed"));
    case "drop":
      return onTargets(phases, op, close("abandoned"));
    case "block":
      return onNamedTargets(phases, op, (task) => block(task, op.reason));
    case "unblock":
      return onNamedTargets(phases, op, unblock);
    case "rm":
      return remove(phases, op);
    case "view":
      return ok(phases);
  }
}

/** Of tasks in progress the first stays so; where there is none, the first pending one becomes it. */
export function keepOneActive(tasks: readonly { status: BlockableStatus }[]): void {
  const [first, ...others] = tasks.filter(({ status }) => status === "in_progress");
  for (const task of others) task.status = "pending";
  const next = first ?? tasks.find(({ status }) => status === "pending");
  if (next) next.status = "in_progress";
}

const DEFAULT_PHASE = "Tasks";

function init(phases: readonly DraftPhase[], { list, items = [], phase = DEFAULT_PHASE }: TodoOp): Changed {
  const wanted = list ?? (items.length > 0 ? [{ phase, items }] : undefined);
  if (!wanted) return fail(["Missing list for init operation"]);
  const errors = repeated(wanted);
  if (errors.length > 0) return fail(errors);
  // A task of the same text is the todo that it was, with its notes and evidence.
  const old = new Map(
    phases.flatMap(({ tasks }) => tasks.map(({ content, from }) => [content, from] as const)).reverse(),
  );
  return ok(wanted.map(({ phase: name, items: texts }) => ({ name, tasks: texts.map((text) => newTask(text, old)) })));
}

function newTask(content: string, old: ReadonlyMap<string, DraftTask["from"]>): DraftTask {
  return { content, status: "pending", from: old.get(content) };
}

function repeated(list: NonNullable<TodoOp["list"]>): readonly string[] {
  const phases = new Set<string>();
  const tasks = new Set<string>();
  const isKnown = (names: Set<string>, name: string) => names.has(name) || !names.add(name);
  return list.flatMap(({ phase, items }) => [
    ...(isKnown(phases, phase) ? [`Duplicate phase "${phase}" in init list`] : []),
    ...items.filter((item) => isKnown(tasks, item)).map((item) => `Duplicate task "${item}" in init list`),
  ]);
}

function append(phases: DraftPhase[], { phase: name, items = [] }: TodoOp): Changed {
  if (!name) return fail(["Missing phase name for append operation"]);
  if (items.length === 0) return fail(["Missing items for append operation"]);
  const known = new Set(phases.flatMap(({ tasks }) => tasks.map(({ content }) => content)));
  const taken = items.filter((item) => known.has(item) || !known.add(item));
  if (taken.length > 0) return fail(taken.map((item) => `Task "${item}" already exists`));
  const added = items.map((content): DraftTask => ({ content, status: "pending" }));
  const phase = phases.find((one) => one.name === name);
  if (!phase) return ok([...phases, { name, tasks: added }]);
  phase.tasks.push(...added);
  return ok(phases);
}

function onTargets(phases: DraftPhase[], op: TodoOp, change: (task: DraftTask) => void): Changed {
  const targets = targetsOf(phases, op);
  if (!targets.ok) return targets;
  targets.value.forEach(change);
  return ok(phases);
}

function onNamedTargets(phases: DraftPhase[], op: TodoOp, change: (task: DraftTask) => void): Changed {
  return op.task || op.phase ? onTargets(phases, op, change) : fail([`${op.op} requires a task or phase target`]);
}

/** A task comes before a phase, and an empty text names nothing: then all tasks are meant. */
function targetsOf(phases: readonly DraftPhase[], { task, phase }: TodoOp): Result<DraftTask[], readonly string[]> {
  const all = phases.flatMap(({ tasks }) => tasks);
  if (task) {
    const found = all.find(({ content }) => content === task);
    return found ? ok([found]) : fail([taskNotFound(task, all.length === 0)]);
  }
  if (!phase) return ok(all);
  const found = phases.find(({ name }) => name === phase);
  return found ? ok(found.tasks) : fail([`Phase "${phase}" not found`]);
}

function start(phases: readonly DraftPhase[], target: DraftTask): void {
  for (const { tasks } of phases) for (const task of tasks) if (task.status === "in_progress") task.status = "pending";
  target.status = "in_progress";
}

function close(status: "completed" | "abandoned"): (task: DraftTask) => void {
  return (task) => {
    task.status = status;
  };
}

/** Closed tasks stay closed. The note is one line, because markdown keeps it on the line of its task. */
function block(task: DraftTask, reason = ""): void {
  if (!isActionable(task) && task.status !== "blocked") return;
  task.status = "blocked";
  delete task.blocker;
  const blocker = reason.replace(/\s+/g, " ").trim();
  if (blocker !== "") task.blocker = blocker;
}

function unblock(task: DraftTask): void {
  if (task.status !== "blocked") return;
  task.status = "pending";
  delete task.blocker;
}

/** Phases stay, also empty ones. */
function remove(phases: DraftPhase[], op: TodoOp): Changed {
  const targets = targetsOf(phases, op);
  if (!targets.ok) return targets;
  const gone = new Set(targets.value);
  for (const phase of phases) phase.tasks = phase.tasks.filter((task) => !gone.has(task));
  return ok(phases);
}
