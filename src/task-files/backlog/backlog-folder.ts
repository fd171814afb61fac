import { type JsonObject, scalarText } from "../../core/json.js";
import type { TaskPriority } from "../../core/task/task.js";
import { fitIds } from "../fit-ids.js";
import { keptOf, readStatus, statusWords, withKept, writeStatus } from "../foreign-words.js";
import { type FoundTask, settle, teller } from "../found-task.js";
import { CARRIED, carriedFromText, carriedOf, restore } from "../lossless.js";
import { type PortableTask, travelling } from "../portable-task.js";
import type { Problem, ReadTasks, TaskFile, TaskFormat, WrittenTasks } from "../task-format.js";
import { type BacklogBody, readBody, writeBody } from "./body.js";
import { asText, type FrontMatter, type FrontValue, readFrontMatter } from "./front-matter.js";
import { dateAt, dateText, toMinute } from "./minute.js";
import { writeFrontMatter } from "./write-front-matter.js";

const NAME = "backlog";
const PART = /^(?:\.?backlog\/)?(?:(tasks|completed|drafts|archive\/tasks)\/)?[^/]+\.md$/i;
const TASK_NAME = /^([a-z]+-\d+(?:\.\d+)*)(?:[ ]-[ ](.*))?$/is;
const ARCHIVE = "archive/tasks";

const STATUSES = statusWords(
  { "to do": "pending", draft: "pending", "in progress": "in_progress", done: "completed" },
  { pending: "To Do", in_progress: "In Progress", completed: "Done", failed: "To Do", cancelled: "To Do" },
);

const PRIORITIES: readonly TaskPriority[] = ["high", "medium", "low"];

/** `subtasks` only says again what their own files say. */
const KNOWN = [
  ...["id", "title", "status", "assignee", "created_date", "updated_date", "labels", "dependencies", "parent_task_id"],
  ...["subtasks", "priority", CARRIED],
];

/** A folder of Backlog.md: one Markdown file for each task. */
export const backlogFolder: TaskFormat = {
  name: NAME,
  summary: "A folder of Backlog.md: one Markdown file each",
  kind: "folder",
  isPart,
  recognises: (files) =>
    files.some(({ path, text }) => isPart(path) && /^\ufeff?---\r?\n/.test(text) && /^status:/m.test(text)),
  read: readFolder,
  write: writeFolder,
};

function isPart(path: string): boolean {
  return PART.test(path) && TASK_NAME.test(stemOf(path));
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
}

function folderOf(path: string): string {
  return PART.exec(path)?.[1]?.toLowerCase() ?? "tasks";
}

function readFolder(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const read = files.filter(({ path }) => /\.md$/i.test(path)).map((file) => readTask(file, problems));
  // Ids are written in any case: `task-1` depends on `TASK-2`.
  const ids = new Map(read.map(({ task }) => [task.id.toLowerCase(), task.id]));
  const idOf = (id: string) => ids.get(id.toLowerCase()) ?? id;
  const found = read.map(({ where, task, carried }) => {
    const parent = task.parent === undefined ? undefined : idOf(task.parent);
    const blockedBy = [...new Set(task.blockedBy.map(idOf))];
    return { where, task: restore({ ...task, parent, blockedBy }, carried, NAME) };
  });
  return settle(found, problems);
}

function readTask({ path, text }: TaskFile, problems: Problem[]): FoundTask & { readonly carried: unknown } {
  const front = readFrontMatter(path, text, problems);
  const { fields } = front;
  const words = (key: string) => asText(fields.get(key)).trim() || undefined;
  const [, idInName = `~${stemOf(path)}`, titleInName] = TASK_NAME.exec(stemOf(path)) ?? [];
  const body: BacklogBody = readBody(front.body);
  const [assignee, ...others] = listOf(fields.get("assignee"));
  const folder = folderOf(path);
  const { status, kept: word } = readStatus(STATUSES, words("status"), teller(problems, path));
  const isGone = folder === ARCHIVE && status !== "completed";
  const priority = PRIORITIES.find((one) => one === words("priority")?.toLowerCase());
  const kept = {
    ...restOf(front),
    status: isGone && words("status") !== STATUSES.writes.cancelled ? words("status") : word,
    folder: folder === "tasks" || isGone ? undefined : folder,
    assignees: others.length > 0 ? [assignee, ...others] : undefined,
    priority: words("priority") === priority ? undefined : words("priority"),
  };
  const task = travelling({
    id: words("id") ?? idInName,
    subject: words("title") ?? titleInName?.replaceAll("-", " ") ?? "",
    description: body.description,
    status: isGone ? "cancelled" : status,
    priority,
    labels: [...new Set(listOf(fields.get("labels")))],
    assignee,
    parent: words("parent_task_id"),
    blockedBy: listOf(fields.get("dependencies")),
    notes: body.notes,
    createdAt: dateAt(words("created_date")),
    updatedAt: dateAt(words("updated_date")),
    metadata: withKept({}, NAME, kept),
  });
  return { where: path, task, carried: carriedFromText(fields.get(CARRIED)) };
}

function listOf(value: FrontValue | undefined): readonly string[] {
  const list = Array.isArray(value) ? value : [asText(value)];
  return list.map((item: string) => item.trim()).filter((item) => item !== "");
}

function restOf({ fields }: FrontMatter): JsonObject {
  const dates = ["created_date", "updated_date"].filter((key) => dateAt(asText(fields.get(key))) === undefined);
  const rest = [...fields].filter(([key, value]) => (!KNOWN.includes(key) || dates.includes(key)) && value !== null);
  return Object.fromEntries(rest);
}

function writeFolder(tasks: readonly PortableTask[]): WrittenTasks {
  const fitted = fitIds(tasks.map(toMinute), {
    fits: (id) => /^[A-Za-z]+-\d{1,15}(?:\.\d{1,15})*$/.test(id),
    suggest: (id) => `task-${id}`,
    make: (count) => `task-${count}`,
    fold: (id) => id.toLowerCase(),
  });
  const plain = fitted.tasks.map((task) => toFile(task, {}));
  const shown = new Map(readFolder(plain).tasks.map((task) => [task.id, task]));
  const files = fitted.tasks.map((task) => toFile(task, carriedOf(task, shown.get(task.id), NAME)));
  return { files, problems: fitted.problems };
}

function toFile(task: PortableTask, carried: JsonObject): TaskFile {
  const kept = keptOf(task.metadata, NAME);
  const isGone = task.status === "cancelled";
  const status = isGone ? (kept.status ?? "To Do") : writeStatus(STATUSES, task.status, kept.status);
  const fields: readonly (readonly [string, FrontValue | undefined])[] = [
    ["id", task.id],
    ["title", task.subject],
    ["status", asFront(status)],
    ["assignee", assigneesOf(task, kept.assignees)],
    ["created_date", dateText(task.createdAt)],
    ["updated_date", dateText(task.updatedAt)],
    ["labels", task.labels],
    ["dependencies", task.blockedBy],
    ["parent_task_id", task.parent],
    ["priority", priorityOf(task, kept.priority)],
    ...Object.entries(kept)
      .filter(([key]) => !OURS.includes(key) && /^[A-Za-z_][\w.-]*$/.test(key))
      .map(([key, value]) => [key, asFront(value)] as const),
    [CARRIED, Object.keys(carried).length > 0 ? JSON.stringify(carried) : undefined],
  ];
  const folder = isGone ? ARCHIVE : kept.folder === "completed" || kept.folder === "drafts" ? kept.folder : "tasks";
  const text = `${writeFrontMatter(fields)}\n\n${writeBody(task)}`;
  return { path: `${folder}/${task.id.toLowerCase()} - ${slugOf(task.subject)}.md`, text };
}

/** Written from the task itself; a date that could not be read goes back as it was. */
const OURS = [...KNOWN.filter((key) => !key.endsWith("_date")), "folder", "assignees"];

function asFront(value: unknown): FrontValue | undefined {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  return Array.isArray(value) ? textsOf(value) : undefined;
}

function assigneesOf({ assignee }: PortableTask, kept: unknown): FrontValue {
  if (assignee === undefined) return [];
  return Array.isArray(kept) && kept[0] === assignee ? textsOf(kept) : [assignee];
}

function textsOf(values: readonly unknown[]): readonly string[] {
  return values.flatMap((value) => scalarText(value) ?? []);
}

function priorityOf({ priority }: PortableTask, kept: unknown): FrontValue | undefined {
  const nearest = priority === "critical" ? "high" : priority === "lowest" ? "low" : priority;
  const isSame = typeof kept === "string" && (nearest === undefined || kept.toLowerCase() === nearest);
  return isSame ? kept : nearest;
}

const SLUG_MAX = 60;

/** Nothing in a file's name can lead out of the folder. */
function slugOf(subject: string): string {
  const words = subject.slice(0, 4 * SLUG_MAX).match(/[\p{L}\p{N}]+/gu) ?? [];
  return Array.from(words.join("-")).slice(0, SLUG_MAX).join("") || "task";
}
