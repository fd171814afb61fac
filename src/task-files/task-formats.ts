import { backlogFolder } from "./backlog/backlog-folder.js";
import { beadsLines } from "./beads/beads-lines.js";
import { markdownChecklist } from "./checklist/markdown-checklist.js";
import { claudeFolder } from "./claude/claude-tasks.js";
import { jsonFile } from "./json/json-file.js";
import type { TaskFile, TaskFormat } from "./task-format.js";
import { taskMasterFile } from "./task-master/task-master-file.js";

/** Every format, in the order in which they are asked whether a file is theirs: the choosy ones first. */
export const TASK_FORMATS: readonly TaskFormat[] = [
  claudeFolder,
  backlogFolder,
  beadsLines,
  taskMasterFile,
  jsonFile,
  markdownChecklist,
];

export function findTaskFormat(name: string): TaskFormat | undefined {
  return TASK_FORMATS.find((format) => format.name === name);
}

export function recogniseTasks(files: readonly TaskFile[]): TaskFormat | undefined {
  return TASK_FORMATS.find((format) => format.recognises(files));
}
