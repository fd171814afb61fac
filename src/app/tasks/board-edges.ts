import { fail, ok, type Result } from "../../core/result.js";
import type { TaskError } from "../../core/task/command.js";
import { checkEdges } from "../../core/task/limits.js";
import type { TaskPolicy } from "../../core/task/policy.js";
import { exists, type Task } from "../../core/task/task.js";
import type { Script } from "../../store/script.js";
import { leadsTo } from "../../store/tasks/task-index.js";
import type { WorkingTasks } from "./working-tasks.js";

/**
 * The blockers that are new, each once; or why they are refused. `isAcyclic`: it is known that no cycle comes of it.
 */
export function* checkBlockers(
  tasks: WorkingTasks,
  task: Task,
  asked: readonly number[],
  { policy, isAcyclic = false }: { readonly policy: TaskPolicy; readonly isAcyclic?: boolean },
): Script<Result<readonly number[], TaskError>> {
  const present = new Set(task.blockedBy);
  const wanted = [...new Set(asked)].filter((blocker) => !present.has(blocker));
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
  const circle = isAcyclic || task.blocks.length === 0 ? undefined : yield* findWay(tasks, [task.number], known);
  return circle ? fail(cyclicEdge(circle)) : ok(known);
}

/** A new task between its blockers and those it blocks: all in one look, however many they are. */
export function* checkBetween(
  tasks: WorkingTasks,
  number: number,
  blockers: readonly number[],
  blocked: readonly number[],
): Script<TaskError | undefined> {
  if (blockers.length === 0 || blocked.length === 0) return undefined;
  const way = yield* findWay(tasks, blocked, blockers);
  return way && cyclicEdge([...way, number]);
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

/**
 * The way from a task to what it blocks, and so on. Edge writers lock the list, so two cannot close a cycle together.
 */
function* findWay(
  tasks: WorkingTasks,
  starts: readonly number[],
  ends: readonly number[],
): Script<readonly number[] | undefined> {
  const goals = new Set<number>();
  // No way leads to a task without blockers; most new ones have none.
  for (const end of ends) if (starts.includes(end) || (yield* tasks.get(end)).blockedBy.length > 0) goals.add(end);
  if (goals.size === 0) return undefined;
  // One query says no, whatever the size. It does not see edges that were changed earlier in this write.
  if (tasks.tied.size === 0 && !(yield* leadsTo(tasks.transaction, tasks.list, starts, [...goals]))) return undefined;
  yield* tasks.loadEdges(starts);
  return walk(tasks, starts, goals);
}

/** Breadth first, along the tasks that each one blocks: the shortest circle is the one that is named. */
function walk(
  tasks: WorkingTasks,
  starts: readonly number[],
  goals: ReadonlySet<number>,
): readonly number[] | undefined {
  const cameFrom = new Map<number, number | undefined>(starts.map((start) => [start, undefined]));
  // A map tells its entries in the order they came, also those that come meanwhile.
  for (const from of cameFrom.keys()) {
    if (goals.has(from)) return wayTo(cameFrom, from);
    for (const to of tasks.blockedTasks(from)) if (!cameFrom.has(to)) cameFrom.set(to, from);
  }
  return undefined;
}

function wayTo(cameFrom: ReadonlyMap<number, number | undefined>, goal: number): readonly number[] {
  const way: number[] = [];
  for (let at: number | undefined = goal; at !== undefined; at = cameFrom.get(at)) way.push(at);
  return way.reverse();
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
