import { backlogFolder } from "./backlog-folder.js";
import { beadsLines } from "./beads-lines.js";
import { claudeFolder } from "./claude-folder.js";
import type { TaskFile, TaskFormat } from "./format.js";
import { jsonFile } from "./json-file.js";
import { markdownChecklist } from "./markdown-checklist.js";
import { taskMasterFile } from "./task-master-file.js";

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
