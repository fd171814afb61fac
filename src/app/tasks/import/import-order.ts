import type { PortableTask } from "../../../task-files/portable-task.js";
import type { Problem } from "../../../task-files/task-format.js";

interface Ordered {
  readonly tasks: readonly PortableTask[];
  readonly problems: readonly Problem[];
}

/** Parents and blockers first, in linear time. Edges to unknown tasks and edges that close a cycle are dropped. */
export function inOrder(tasks: readonly PortableTask[]): Ordered {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const walk: Walk = { byId, problems: [], done: new Map(), open: new Set() };
  for (const task of tasks) visit(task, walk);
  return { tasks: [...walk.done.values()], problems: walk.problems };
}

interface Walk {
  readonly byId: ReadonlyMap<string, PortableTask>;
  readonly problems: Problem[];
  readonly done: Map<string, PortableTask>;
  /** On the path to the current task. */
  readonly open: Set<string>;
}

interface Step {
  readonly task: PortableTask;
  readonly kept: Set<string>;
  /** Parent and blockers that have not been visited. */
  readonly needs: string[];
}

/** With its own stack: a chain of 10,000 tasks would overflow the call stack. */
function visit(root: PortableTask, walk: Walk): void {
  const stack: Step[] = [];
  const enter = (task: PortableTask) => {
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
        // Looked at again when the other one is done.
        step.needs.push(need);
        enter(other);
      }
    }
  }
}

function leave({ task, kept }: Step, { done, open }: Walk): void {
  open.delete(task.id);
  const { parent, ...rest } = task;
  const hasParent = parent !== undefined && kept.has(parent);
  const blockedBy = task.blockedBy.filter((blocker) => kept.has(blocker));
  done.set(task.id, { ...rest, ...(hasParent ? { parent } : undefined), blockedBy });
}

function leftOut(task: PortableTask, need: string, isCircle: boolean): Problem {
  const what = task.parent === need ? "parent" : "blocker";
  const why = isCircle ? "would create a cycle" : "is not in the file";
  return { where: `task ${task.id}`, message: `Its ${what} ${need} ${why}; the task was imported without it.` };
}
