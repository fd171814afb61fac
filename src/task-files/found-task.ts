import { named } from "./foreign-words.js";
import type { PortableTask } from "./portable-task.js";
import type { Problem, ReadTasks, Tell } from "./task-format.js";

/** A task, and where it stands. */
export interface FoundTask {
  readonly where: string;
  readonly task: PortableTask;
}

export function teller(problems: Problem[], where: string): Tell {
  return (message) => {
    problems.push({ where, message });
  };
}

/** What holds of every format: ids are unique, what is named is there, and a task says something. */
export function settle(found: readonly FoundTask[], soFar: readonly Problem[]): ReadTasks {
  const problems = [...soFar];
  const unique = withUniqueIds(found, problems);
  const ids = new Set(unique.map(({ task }) => task.id));
  const tasks = unique.map(({ task, where }) => {
    const tell = teller(problems, where);
    return withSubject(withKnownNames(task, ids, tell), tell);
  });
  return { tasks, problems };
}

function withUniqueIds(found: readonly FoundTask[], problems: Problem[]): readonly FoundTask[] {
  const taken = new Set(found.map(({ task }) => task.id));
  const met = new Map<string, number>();
  return found.map(({ task, where }) => {
    const times = (met.get(task.id) ?? 0) + 1;
    met.set(task.id, times);
    if (times === 1) return { task, where };
    let count = times;
    while (taken.has(`${task.id}~${count}`)) count += 1;
    const id = `${task.id}~${count}`;
    met.set(task.id, count);
    taken.add(id);
    // Two tasks without a name may well say the same.
    if (!task.id.startsWith("~"))
      problems.push({ where, message: `The id ${named(task.id)} is used twice; this task was read as ${named(id)}.` });
    return { task: { ...task, id }, where };
  });
}

function withKnownNames(task: PortableTask, ids: ReadonlySet<string>, tell: Tell): PortableTask {
  const { parent, blockedBy } = task;
  const isOrphan = parent !== undefined && !ids.has(parent);
  if (isOrphan) tell(`Its parent ${named(parent)} does not exist; the task was read without one.`);
  const known = [...new Set(blockedBy)].filter((id) => {
    if (!ids.has(id)) tell(`It depends on ${named(id)}, which does not exist; that dependency was skipped.`);
    return ids.has(id);
  });
  return { ...task, blockedBy: known, parent: isOrphan ? undefined : parent };
}

const SUBJECT_MAX = 200;

function withSubject(task: PortableTask, tell: Tell): PortableTask {
  if (task.subject.trim() !== "") return task;
  tell("It has no title; the start of its text, or its id, is used.");
  const [line = ""] = task.description.trim().slice(0, SUBJECT_MAX).split("\n");
  return { ...task, subject: line.trim().toWellFormed() || task.id };
}
