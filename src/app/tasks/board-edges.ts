import { fail, ok, type Result } from "../../core/result.js";
import type { TaskError } from "../../core/task/command.js";
import { checkEdges } from "../../core/task/limits.js";
import type { TaskPolicy } from "../../core/task/policy.js";
import { exists, type Task } from "../../core/task/task.js";
import type { Script } from "../../store/script.js";
import { dependentsOf, leadsTo } from "../../store/tasks/task-index.js";
import type { WorkingTasks } from "./working-tasks.js";

/** The blockers that are new, each once; or why they are refused. */
export function* checkBlockers(
  tasks: WorkingTasks,
  task: Task,
  asked: readonly number[],
  policy: TaskPolicy,
): Script<Result<readonly number[], TaskError>> {
  const wanted = [...new Set(asked)].filter((blocker) => !task.blockedBy.includes(blocker));
  const known: number[] = [];
  for (const blocker of wanted) {
    if (exists(yield* tasks.get(blocker))) known.push(blocker);
    else if (policy.edges === "acyclic") return fail(unknownEdge(tasks, blocker));
  }
  const tooMany = checkEdges(policy.limits, task.number, task.blockedBy.length + known.length);
  if (tooMany) return fail(tooMany);
  for (const blocker of known) {
    const refused = checkEdges(policy.limits, blocker, (yield* tasks.get(blocker)).blocks.length + 1);
    if (refused) return fail(refused);
  }
  if (policy.edges === "free" || known.length === 0) return ok(known);
  if (known.includes(task.number)) return fail(selfEdge(task.number));
  const circle = yield* findCircle(tasks, task, known);
  return circle ? fail(cyclicEdge(circle)) : ok(known);
}

export function* addEdges(tasks: WorkingTasks, number: number, blockers: readonly number[]): Script<void> {
  if (blockers.length === 0) return;
  yield* tasks.apply(number, [{ type: "blockers.added", tasks: blockers }]);
  for (const blocker of blockers) yield* tasks.apply(blocker, [{ type: "dependents.added", tasks: [number] }]);
}

export function* removeEdges(tasks: WorkingTasks, number: number, blockers: readonly number[]): Script<void> {
  if (blockers.length === 0) return;
  yield* tasks.apply(number, [{ type: "blockers.removed", tasks: blockers }]);
  for (const blocker of blockers) yield* tasks.apply(blocker, [{ type: "dependents.removed", tasks: [number] }]);
}

/** The cycle that these blockers would close. Edge writers lock the list, so two cannot close a cycle together. */
function* findCircle(
  tasks: WorkingTasks,
  { number, blocks }: Task,
  blockers: readonly number[],
): Script<readonly number[] | undefined> {
  if (blocks.length === 0) return undefined;
  const { transaction, list } = tasks;
  // Edges added earlier in this write are not in the table yet.
  const isTied = tasks.changed.some(({ before, after }) => before.blocks.length !== after.blocks.length);
  if (!isTied && !(yield* leadsTo(transaction, list, number, blockers))) return undefined;
  return yield* walk(tasks, number, blockers);
}

/** Breadth first, along the tasks that each one blocks. */
function* walk(tasks: WorkingTasks, start: number, goals: readonly number[]): Script<readonly number[] | undefined> {
  const cameFrom = new Map<number, number | undefined>([[start, undefined]]);
  for (let level = [start]; level.length > 0; ) {
    const next: number[] = [];
    for (const [from, to] of yield* stepsFrom(tasks, level)) {
      if (cameFrom.has(to)) continue;
      cameFrom.set(to, from);
      if (goals.includes(to)) return wayTo(cameFrom, to);
      next.push(to);
    }
    level = next;
  }
  return undefined;
}

function* stepsFrom(tasks: WorkingTasks, level: readonly number[]): Script<readonly (readonly [number, number])[]> {
  const unknown = level.filter((number) => !tasks.known(number));
  const steps = [...(yield* dependentsOf(tasks.transaction, tasks.list, unknown))];
  for (const number of level) for (const to of tasks.known(number)?.blocks ?? []) steps.push([number, to]);
  return steps;
}

function wayTo(cameFrom: ReadonlyMap<number, number | undefined>, goal: number): readonly number[] {
  const way: number[] = [];
  for (let at: number | undefined = goal; at !== undefined; at = cameFrom.get(at)) way.unshift(at);
  return way;
}

const MOST_NAMED = 12;

function cyclicEdge(circle: readonly number[]): TaskError {
  const names = [...circle, ...circle.slice(0, 1)].map((number) => `#${number}`);
  const short = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED - 2), "...", names.at(-1)] : names;
  return {
    code: "cyclic-edge",
    message: `This would create a cycle: ${short.join(" blocks ")}. Nothing was changed; remove one of these blockers first.`,
    tasks: circle,
  };
}

function selfEdge(number: number): TaskError {
  return { code: "self-edge", message: `Task #${number} cannot block itself.`, tasks: [number] };
}

function unknownEdge({ list }: WorkingTasks, number: number): TaskError {
  return { code: "unknown-edge", message: `There is no task #${number} in the list ${list}.`, tasks: [number] };
}

const DEEPEST = 64;

/** The parent exists and is not a subtask of the task. */
export function* checkParent(
  tasks: WorkingTasks,
  number: number,
  parent: number | undefined,
): Script<TaskError | undefined> {
  if (parent === undefined) return undefined;
  if (!exists(yield* tasks.get(parent))) return badParent(`There is no task #${parent} in the list ${tasks.list}.`);
  for (let [at, depth]: [number | undefined, number] = [parent, 1]; at !== undefined; depth += 1) {
    if (at === number) return badParent(`Task #${number} cannot be a subtask of itself.`);
    if (depth > DEEPEST) return badParent(`Subtasks can be at most ${DEEPEST} levels deep.`);
    at = (yield* tasks.get(at)).parent;
  }
  return undefined;
}

function badParent(message: string): TaskError {
  return { code: "bad-parent", message };
}
