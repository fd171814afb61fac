import { EMPTY_LIST, type Todo, type TodoList, todosOf } from "../../todo/list.js";
import type { SeenTask } from "../observation.js";
import type { ClientList } from "./client-list.js";

/** The one list of a session that is shown, told of and reminded of. */
export interface CurrentList {
  readonly list: TodoList;
  /** `client`: tasks that the client itself keeps, with the client's own ids as numbers; we cannot change them. */
  readonly keeper: "session" | "client";
  /** The client's own tool that changes it; undefined for ours. */
  readonly tool: string | undefined;
}

/** With these Claude Code's model makes tasks, and moves them on. */
export const TASK_MAKER = "TaskCreate";
const TASK_MOVER = "TaskUpdate";

/** The session's todo list where there are todos, else the tasks that its client keeps. They are never mixed. */
export function currentList(list: TodoList, { tool, tasks }: Pick<ClientList, "tool" | "tasks">): CurrentList {
  const shown = todosOf(list).length > 0 ? [] : shownTasks(tasks);
  if (shown.length === 0) return { list, keeper: "session", tool };
  return { list: taskList(shown), keeper: "client", tool: TASK_MOVER };
}

/** Of some only a change is known, because nobody told us how they began. */
function shownTasks(tasks: readonly (SeenTask & { readonly isDeleted?: true })[]): readonly SeenTask[] {
  return tasks.filter(({ subject, isDeleted }) => subject !== "" && isDeleted !== true);
}

/** What a person and a model call such a list, and what is on it. */
export function nounOf({ keeper }: Pick<CurrentList, "keeper">): "todo" | "task" {
  return keeper === "client" ? "task" : "todo";
}

const NUMBER = /^[1-9]\d{0,8}$/;

function taskList(tasks: readonly SeenTask[]): TodoList {
  let next = tasks.reduce((most, { id }) => (NUMBER.test(id) ? Math.max(most, Number(id)) : most), 0) + 1;
  const todos = tasks.map(({ id, subject, status, activeForm }): Todo => {
    const number = NUMBER.test(id) ? Number(id) : next++;
    return { number, text: subject, status, key: id, notes: [], evidence: [], ...(activeForm && { activeForm }) };
  });
  return { ...EMPTY_LIST, nextNumber: next, phases: [{ name: "", todos }] };
}
