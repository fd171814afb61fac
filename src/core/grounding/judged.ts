import { workItems } from "../session/finished/list-times.js";
import type { SeenTask } from "../session/observation.js";
import { type Todo, type TodoList, todosOf } from "../todo/list.js";
import { allRuns, type SessionWork } from "./seen-work.js";
import { taskItems } from "./task-times.js";
import { groundOf, NO_FACTS, type TodoFacts } from "./todo-facts.js";
import { type Judgement, judge } from "./verdict.js";
import { type Span, spansOf } from "./work-times.js";

/** What the facts say of a todo or a task; `judgement` null where nobody claims that it is completed. */
export interface Judged {
  readonly facts: TodoFacts;
  readonly judgement: Judgement | null;
}

export type JudgeTodo = (todo: Todo) => Judged;
export type JudgeTask = (task: Pick<SeenTask, "id" | "status">) => Judged;

/** The todos of a session's list, held against what ran; undefined where nobody knows what ran. */
export function judgeList(list: TodoList, work: SessionWork): JudgeTodo | undefined {
  return judgeTodos(spansOf(work.times, workItems(list)), work);
}

/** The todos of a list that came to its end: what ran afterwards may tell of them, too. */
export function judgeTodos(spans: readonly Span<number>[], work: SessionWork): JudgeTodo | undefined {
  if (work.isUntold) return undefined;
  const ground = groundOf({ spans, runs: allRuns(work), files: work.files });
  return ({ number: key, ...todo }) => ({
    facts: ground.facts.get(key) ?? NO_FACTS,
    judgement: judge(ground, { ...todo, key }, work.waived),
  });
}

type Task = Pick<SeenTask, "id" | "status"> & { readonly isDeleted?: true };

/** The tasks that a client keeps, likewise. */
export function judgeTasks(tasks: readonly Task[], work: SessionWork): JudgeTask | undefined {
  if (work.isUntold) return undefined;
  const spans = spansOf(work.tasks, taskItems(tasks));
  const ground = groundOf({ spans, runs: allRuns(work), files: work.files });
  return ({ id: key, status }) => ({
    facts: ground.facts.get(key) ?? NO_FACTS,
    judgement: judge(ground, { key, status }, work.waived),
  });
}

/** The list that is shown of a session: its own, or the tasks of its client, which are known by their keys. */
export function judgeShown(list: TodoList, keeper: "session" | "client", work: SessionWork) {
  if (keeper === "session") return judgeList(list, work);
  const taskOf = ({ key = "", status }: Todo) => ({ id: key, status });
  const judgeTask = judgeTasks(todosOf(list).map(taskOf), work);
  return judgeTask && ((todo: Todo) => judgeTask(taskOf(todo)));
}
