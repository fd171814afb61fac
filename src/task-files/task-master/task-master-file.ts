import { isObject, type JsonObject, listAt, textAt } from "../../core/json.js";
import type { TaskPriority } from "../../core/task/task.js";
import * as json from "../file-values.js";
import { fitIds } from "../fit-ids.js";
import { keptOf, ownMetadata, readStatus, statusWords, unreadFields, withKept, writeStatus } from "../foreign-words.js";
import { settle, teller } from "../found-task.js";
import { CARRIED, carriedOf, restore } from "../lossless.js";
import { type PortableTask, travelling } from "../portable-task.js";
import { joinSections, splitSections } from "../sections.js";
import type { Problem, ReadTasks, TaskFile, TaskFormat, WrittenTasks } from "../task-format.js";
import { type Branch, dependenciesToJson, type Nest, nestTasks } from "./nested-tasks.js";
import { dependenciesOf, isTagged, type Place, placesIn } from "./task-places.js";

const NAME = "task-master";

const STATUSES = statusWords(
  {
    pending: "pending",
    "in-progress": "in_progress",
    done: "completed",
    completed: "completed",
    cancelled: "cancelled",
    review: "in_progress",
    deferred: "pending",
    blocked: "pending",
  },
  // Blocked: what has failed for good is not offered there as the next task.
  { pending: "pending", in_progress: "in-progress", completed: "done", failed: "blocked", cancelled: "cancelled" },
);

const PRIORITIES: readonly TaskPriority[] = ["critical", "high", "medium", "low"];

const TEXTS = [
  ["details", "Details"],
  ["testStrategy", "Test Strategy"],
] as const;

const KNOWN = [
  ...["id", "title", "description", "details", "testStrategy", "status", "priority", "dependencies", "subtasks"],
  ...["assignee", "tags", "createdAt", "updatedAt", "metadata"],
];

/** The `tasks.json` of Task Master: lists under tags, or the one list of older versions. */
export const taskMasterFile: TaskFormat = {
  name: NAME,
  summary: "The tasks.json of Task Master",
  kind: "file",
  recognises: ([file]) => file !== undefined && isTaskMaster(json.parseJson(file.text)),
  read: readFile,
  write: writeFile,
};

function isTaskMaster(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isTagged(value)) return true;
  return listAt(value.tasks).some((task) => isObject(task) && "title" in task && !("subject" in task));
}

function readFile(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const found = files.flatMap(({ path, text }) => {
    const places = placesIn(path, json.parseJson(text), problems);
    const ids = new Set(places.map(({ id }) => id));
    return places.map((place) => ({ where: place.where, task: readTask(place, ids, problems) }));
  });
  return settle(found, problems);
}

function readTask(place: Place, ids: ReadonlySet<string>, problems: Problem[]): PortableTask {
  const { value } = place;
  const tell = teller(problems, place.where);
  const { status, kept: word } = readStatus(STATUSES, value.status, tell);
  const priority = PRIORITIES.find((one) => one === value.priority);
  const metadata = json.keptObject(value.metadata, tell);
  const kept = {
    ...unreadFields(value, KNOWN, tell),
    status: word,
    priority: priority === undefined && value.priority != null ? json.tame(value.priority).value : undefined,
    tag: place.parent === undefined && place.tag !== "master" ? place.tag : undefined,
  };
  const sections = TEXTS.map(([field, heading]) => ({ heading, text: textAt(value[field]) ?? "" }));
  const task = travelling({
    id: place.id,
    subject: json.wordsAt(value.title) ?? "",
    description: joinSections(textAt(value.description) ?? "", sections),
    status,
    priority,
    parent: place.parent,
    blockedBy: dependenciesOf(place, ids),
    labels: json.labelsAt(value.tags),
    assignee: json.wordsAt(value.assignee),
    createdAt: json.fileTimeAt(value.createdAt),
    updatedAt: json.fileTimeAt(value.updatedAt),
    metadata: withKept(json.omit(metadata, CARRIED), NAME, kept),
  });
  return restore(task, metadata[CARRIED], NAME);
}

function writeFile(tasks: readonly PortableTask[]): WrittenTasks {
  // Ids that are wanted here follow from where a task hangs; this only sees to edges that lead nowhere.
  const fitted = fitIds(tasks, { fits: () => true, make: String });
  const nest = nestTasks(fitted.tasks, (task) => json.wordsAt(keptOf(task.metadata, NAME).tag) ?? "master");
  const shown = new Map(readFile(render(nest, new Map())).tasks.map((task) => [task.id, task]));
  const carried = new Map(nest.tasks.map((task) => [task.id, carriedOf(task, shown.get(task.id), NAME)]));
  return { files: render(nest, carried), problems: fitted.problems };
}

function render({ tags }: Nest, carried: ReadonlyMap<string, JsonObject>): readonly TaskFile[] {
  const lists = [...tags].map(([tag, branches]) => {
    const tasks = branches.map((branch) => ({
      ...toRecord(branch, carried.get(branch.task.id)),
      subtasks: branch.subtasks.map((leaf) => toRecord(leaf, carried.get(leaf.task.id))),
    }));
    return [tag, { tasks, metadata: {} }];
  });
  return [{ path: "tasks.json", text: `${JSON.stringify(Object.fromEntries(lists), undefined, 2)}\n` }];
}

function toRecord(branch: Branch, carried: JsonObject = {}): JsonObject {
  const { task } = branch;
  const kept = keptOf(task.metadata, NAME);
  const metadata = withKept(json.omit(ownMetadata(task.metadata, NAME), CARRIED), CARRIED, carried);
  const headings = TEXTS.map(([, heading]) => heading);
  const { first, sections } = splitSections(task.description, headings);
  return {
    id: branch.number,
    title: task.subject,
    description: first,
    details: sections.get("Details") ?? "",
    testStrategy: sections.get("Test Strategy") ?? "",
    status: writeStatus(STATUSES, task.status, kept.status),
    priority: task.priority === "lowest" ? "low" : (task.priority ?? kept.priority),
    dependencies: dependenciesToJson(branch),
    assignee: task.assignee,
    tags: task.labels.length > 0 ? task.labels : undefined,
    createdAt: json.isoTime(task.createdAt),
    updatedAt: json.isoTime(task.updatedAt),
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    ...json.omit(kept, ...KNOWN, "tag"),
  };
}
