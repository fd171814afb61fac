import { claudeTasks } from "./claude/task-tools.js";
import { milepostTask } from "./milepost/task/task-tool.js";
import { nexoTaskflow } from "./nexo/taskflow.js";
import type { TaskDialect } from "./task-dialect.js";

/** Every dialect that has tools for tasks. One that has tools for a list too goes by the same name in both tables. */
export const TASK_DIALECTS: readonly TaskDialect[] = [milepostTask, claudeTasks, nexoTaskflow];

export function findTaskDialect(name: string): TaskDialect | undefined {
  return TASK_DIALECTS.find((dialect) => dialect.name === name);
}
