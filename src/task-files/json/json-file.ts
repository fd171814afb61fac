import { isObject, type JsonObject } from "../../core/json.js";
import { fileIdAt, NOT_JSON, parseJson, wordsAt } from "../file-values.js";
import { fitIds } from "../fit-ids.js";
import { keptOf, ownMetadata } from "../foreign-words.js";
import { type FoundTask, settle, teller } from "../found-task.js";
import type { PortableTask } from "../portable-task.js";
import type { Problem, ReadTasks, TaskFile, TaskFormat, WrittenTasks } from "../task-format.js";
import { taskFromJson, taskToJson } from "./task-json.js";

const NAME = "json";

/** What `milepost task list --json` prints. */
export const jsonFile: TaskFormat = {
  name: NAME,
  summary: "Milepost's own JSON: all fields of a task",
  kind: "file",
  recognises: ([file]) => file !== undefined && (/\.json$/i.test(file.path) || /^\ufeff?\s*[[{]/.test(file.text)),
  read: readJson,
  write: writeJson,
};

function readJson(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const found = files.flatMap(({ path, text }) => {
    const tasks = tasksIn(parseJson(text));
    if (typeof tasks !== "string") return tasks.flatMap((task, index) => readTask(task, index, problems));
    problems.push({ where: path, message: tasks });
    return [];
  });
  return settle(found, problems);
}

/** The tasks of a file, or what is wrong with it. */
function tasksIn(value: unknown): readonly unknown[] | string {
  if (value === undefined) return NOT_JSON;
  if (Array.isArray(value)) return value;
  if (isObject(value) && Array.isArray(value.tasks)) return value.tasks;
  if (isObject(value) && isObject(value.task)) return [value.task];
  return 'There are no tasks in it: use an array, or {"tasks": [...]}.';
}

function readTask(value: unknown, index: number, problems: Problem[]): readonly FoundTask[] {
  const isTask = isObject(value) && (fileIdAt(value.id) ?? wordsAt(value.subject)) !== undefined;
  const where = `task ${index + 1}`;
  if (isTask) return [{ where, task: taskFromJson(value, `~${index + 1}`, teller(problems, where)) }];
  problems.push({ where, message: "Not a task: it has neither an id nor a subject." });
  return [];
}

function writeJson(tasks: readonly PortableTask[]): WrittenTasks {
  const { tasks: fitted, problems } = fitIds(tasks, {
    fits: (id) => id.trim() === id && id !== "" && !id.startsWith("~"),
    make: String,
  });
  const text = `${JSON.stringify({ tasks: fitted.map(toJson) }, undefined, 2)}\n`;
  return { files: [{ path: "tasks.json", text }], problems };
}

function toJson(task: PortableTask): JsonObject {
  const { status } = keptOf(task.metadata, NAME);
  if (status === undefined || task.status !== "pending") return taskToJson(task);
  return { ...taskToJson({ ...task, metadata: ownMetadata(task.metadata, NAME) }), status };
}
