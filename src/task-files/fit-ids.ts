import type { PortableTask } from "./portable-task.js";
import type { Problem } from "./task-format.js";

export interface IdRule {
  fits(id: string): boolean;
  /** Tried first for an id that does not fit. */
  suggest?(id: string): string;
  make(count: number): string;
  /** For formats in which two spellings are one id. */
  fold?(id: string): string;
  /** New numbers come after this one too. */
  readonly after?: number;
}

interface FittedTasks {
  readonly tasks: readonly PortableTask[];
  readonly problems: readonly Problem[];
}

/** Tasks under ids that a format can hold, and naming only tasks that are written with them. */
export function fitIds(tasks: readonly PortableTask[], rule: IdRule): FittedTasks {
  const names = newNames(tasks, rule);
  let missing = 0;
  const nameOf = (id: string): readonly string[] => {
    const name = names.get(id);
    if (name === undefined) missing += 1;
    return name === undefined ? [] : [name];
  };
  const fitted = tasks.map((task) => ({
    ...task,
    id: names.get(task.id) ?? task.id,
    parent: task.parent === undefined ? undefined : nameOf(task.parent)[0],
    blockedBy: task.blockedBy.flatMap(nameOf),
  }));
  const message = `${missing} ${missing === 1 ? "dependency points" : "dependencies point"} to tasks that are not exported; skipped.`;
  return { tasks: fitted, problems: missing > 0 ? [{ where: "all tasks", message }] : [] };
}

function newNames(tasks: readonly PortableTask[], { fits, suggest, make, fold = (id) => id, after = 0 }: IdRule) {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const take = (id: string, name: string): boolean => {
    if (!fits(name) || taken.has(fold(name))) return false;
    names.set(id, name);
    taken.add(fold(name));
    return true;
  };
  const rest = tasks.filter(({ id }) => !names.has(id) && !take(id, id));
  const highest = Math.max(after, highestEnd(names.values()));
  // Where an id stands at the brim, no number after it would ever fit: then those that are free below do.
  let count = fits(make(highest + rest.length)) ? highest : 0;
  for (const { id } of rest) {
    if (names.has(id) || (suggest && take(id, suggest(id)))) continue;
    do count += 1;
    while (!take(id, make(count)));
  }
  return names;
}

/** New numbers come after all that are there. */
function highestEnd(ids: Iterable<string>): number {
  let highest = 0;
  for (const id of ids) highest = Math.max(highest, Number(/\d{1,15}$/.exec(id)?.[0] ?? 0));
  return highest;
}
