import type { TravellingTask } from "../../../task-files/portable-task.js";
import type { Problem } from "../../../task-files/task-format.js";

export interface Ordered {
  /**
   * Parents before what stands below them, blockers before what they block; without edges that lead nowhere or in a
   * circle.
   */
  readonly tasks: readonly TravellingTask[];
  readonly problems: readonly Problem[];
}

/** So that each task can be added with everything it needs already there. Linear, however long chains are. */
export function inOrder(tasks: readonly TravellingTask[]): Ordered {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const problems: Problem[] = [];
  const done = new Map<string, TravellingTask>();
  const open = new Set<string>();
  for (const task of tasks) visit(task, { byId, problems, done, open });
  return { tasks: [...done.values()], problems };
}

interface Walk {
  readonly byId: ReadonlyMap<string, TravellingTask>;
  readonly problems: Problem[];
  readonly done: Map<string, TravellingTask>;
  /** On the way from where the walk began to where it is. */
  readonly open: Set<string>;
}

/** One on the way, with what it still has to see first. */
interface Step {
  readonly task: TravellingTask;
  readonly kept: Set<string>;
  readonly needs: string[];
}

/** With a stack of its own: a chain of 10,000 tasks would be too deep for that of the language. */
function visit(root: TravellingTask, walk: Walk): void {
  const stack: Step[] = [];
  const enter = (task: TravellingTask) => {
    walk.open.add(task.id);
    const needs = [...new Set([...(task.parent === undefined ? [] : [task.parent]), ...task.blockedBy])];
    stack.push({ task, kept: new Set(), needs: needs.reverse() });
  };
  if (!walk.done.has(root.id)) enter(root);
  for (let step = stack.at(-1); step; step = stack.at(-1)) {
    const need = step.needs.pop();
    if (need === undefined) {
      stack.pop();
      leave(step, walk);
    } else if (walk.done.has(need)) step.kept.add(need);
    else {
      const other = walk.byId.get(need);
      if (!other || walk.open.has(need)) walk.problems.push(leftOut(step.task, need, other !== undefined));
      else {
        // Seen again when it is done.
        step.needs.push(need);
        enter(other);
      }
    }
  }
}

function leave({ task, kept }: Step, { done, open }: Walk): void {
  open.delete(task.id);
  const { parent, blockedBy, ...rest } = task;
  const hasParent = parent !== undefined && kept.has(parent);
  done.set(task.id, {
    ...rest,
    ...(hasParent ? { parent } : undefined),
    blockedBy: blockedBy.filter((blocker) => kept.has(blocker)),
  });
}

function leftOut(task: TravellingTask, need: string, isCircle: boolean): Problem {
  const what = task.parent === need ? "parent" : "blocker";
  const why = isCircle ? "would create a cycle" : "is not in the file";
  return { where: `task ${task.id}`, message: `Its ${what} ${need} ${why}; the task was imported without it.` };
}
