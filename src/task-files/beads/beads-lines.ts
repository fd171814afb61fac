import { isObject, type JsonObject, listAt, textAt } from "../../core/json.js";
import { TASK_PRIORITIES } from "../../core/task/task.js";
import * as json from "../file-values.js";
import { fitIds } from "../fit-ids.js";
import { keptOf, ownMetadata, readStatus, statusWords, unreadFields, withKept, writeStatus } from "../foreign-words.js";
import { type FoundTask, settle, teller } from "../found-task.js";
import { CARRIED, carriedOf, restore } from "../lossless.js";
import { type PortableNote, type PortableTask, travelling } from "../portable-task.js";
import { joinSections, splitSections } from "../sections.js";
import type { Problem, ReadTasks, TaskFile, TaskFormat, Tell, WrittenTasks } from "../task-format.js";
import { edgesToJson, readEdges } from "./beads-edges.js";

const NAME = "beads";

const STATUSES = statusWords(
  {
    open: "pending",
    in_progress: "in_progress",
    hooked: "in_progress",
    closed: "completed",
    blocked: "pending",
    deferred: "pending",
    pinned: "pending",
    // Deleted, but still there for those who have not heard of it.
    tombstone: "cancelled",
  },
  { pending: "open", in_progress: "in_progress", completed: "closed", failed: "closed", cancelled: "closed" },
);

const TEXTS = [
  ["design", "Design"],
  ["acceptance_criteria", "Acceptance Criteria"],
  ["notes", "Notes"],
] as const;

const KNOWN = [
  ...["id", "title", "description", "design", "acceptance_criteria", "notes", "status", "priority", "assignee"],
  ...["labels", "dependencies", "comments", "created_at", "updated_at", "closed_at", "close_reason", "metadata"],
];

/** The type of an issue about which nothing else is said. */
const USUAL = "task";

/** What `bd export` writes: one issue a line. */
export const beadsLines: TaskFormat = {
  name: NAME,
  summary: "Issues of beads: JSON lines",
  kind: "file",
  recognises: ([file]) => file !== undefined && (/\.jsonl$/i.test(file.path) || isIssue(firstRecord(file.text))),
  read: readLines,
  write: writeLines,
};

function isIssue(value: unknown): boolean {
  return isObject(value) && typeof value.title === "string" && "issue_type" in value;
}

function firstRecord(text: string): unknown {
  const start = json.withoutMark(text).trimStart();
  if (start.startsWith("[")) return listAt(json.parseJson(start))[0];
  return start.startsWith("{") ? json.parseJson(start.split("\n", 1)[0] ?? "") : undefined;
}

function readLines(files: readonly TaskFile[]): ReadTasks {
  const problems: Problem[] = [];
  const found = files.flatMap(({ text }) =>
    recordsIn(json.withoutMark(text)).flatMap(({ where, value }) => readIssue(where, value, problems)),
  );
  return settle(found, problems);
}

function recordsIn(text: string): readonly { readonly where: string; readonly value: unknown }[] {
  // `bd list --json` prints one list.
  const list = text.trimStart().startsWith("[") ? json.parseJson(text) : undefined;
  if (Array.isArray(list)) return list.map((value, index) => ({ where: `issue ${index + 1}`, value }));
  return text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : { where: `line ${index + 1}`, value: json.parseJson(line) }));
}

function readIssue(where: string, value: unknown, problems: Problem[]): readonly FoundTask[] {
  const tell = teller(problems, where);
  const why = whyNoIssue(value);
  if (why !== undefined || !isObject(value)) {
    tell(why ?? json.NOT_JSON);
    return [];
  }
  const metadata = json.keptObject(value.metadata, tell);
  const { task, kept } = fromIssue(value, `~${where.replace(" ", "-")}`, tell);
  const edges = readEdges(value.dependencies, task.id, tell);
  const others = unreadFields(value, KNOWN, tell);
  const rest = { ...others, issue_type: others.issue_type === USUAL ? undefined : others.issue_type, ...kept };
  const whole = {
    ...task,
    parent: edges.parent,
    blockedBy: edges.blockedBy,
    metadata: withKept(json.omit(metadata, CARRIED), NAME, { ...rest, dependencies: edges.kept }),
  };
  return [{ where, task: restore(whole, metadata[CARRIED], NAME) }];
}

function whyNoIssue(value: unknown): string | undefined {
  if (value === undefined) return json.NOT_JSON;
  if (!isObject(value)) return "Not an issue: the line is not a JSON object.";
  const { _type: type, id, title } = value;
  if (type !== undefined && type !== "issue") return "Not an issue, but another kind of beads record; it was skipped.";
  return (json.fileIdAt(id) ?? json.wordsAt(title)) === undefined
    ? "Not an issue: it has neither an id nor a title."
    : undefined;
}

function fromIssue(issue: JsonObject, id: string, tell: Tell) {
  const { status, kept: word } = readStatus(STATUSES, issue.status, tell);
  const end = status === "completed" ? readEnd(json.wordsAt(issue.close_reason)) : { status };
  const priority = typeof issue.priority === "number" ? TASK_PRIORITIES[issue.priority] : undefined;
  const sections = TEXTS.map(([field, heading]) => ({ heading, text: textAt(issue[field]) ?? "" }));
  const task = travelling({
    id: json.fileIdAt(issue.id) ?? id,
    subject: json.wordsAt(issue.title) ?? "",
    description: joinSections(textAt(issue.description) ?? "", sections),
    ...end,
    priority,
    labels: json.labelsAt(issue.labels),
    assignee: json.wordsAt(issue.assignee),
    notes: listAt(issue.comments).flatMap(fromComment),
    createdAt: json.fileTimeAt(issue.created_at),
    updatedAt: json.fileTimeAt(issue.updated_at),
    closedAt: json.fileTimeAt(issue.closed_at),
  });
  const kept = {
    status: word,
    priority: priority === undefined && issue.priority !== undefined ? json.tame(issue.priority).value : undefined,
    close_reason: end.status === "completed" || status !== "completed" ? json.wordsAt(issue.close_reason) : undefined,
    metadata: isObject(issue.metadata) || issue.metadata == null ? undefined : json.tame(issue.metadata).value,
  };
  return { task, kept };
}

const OURS = /^(failed|cancelled)(?:: (.*))?$/s;
const GIVEN_UP = /^(?:canceled|won'?t ?fix|abandoned|rejected|duplicate|obsolete)\b/i;

/** beads has one end for all; how it ended stands at the beginning of the reason. */
function readEnd(reason: string | undefined): Pick<PortableTask, "status" | "reason"> {
  const [, status, why] = OURS.exec(reason ?? "") ?? [];
  if (status === "failed" || status === "cancelled") return { status, reason: why };
  return reason !== undefined && GIVEN_UP.test(reason) ? { status: "cancelled", reason } : { status: "completed" };
}

function endReason({ status, reason }: PortableTask, kept: unknown): unknown {
  if (status === "completed") return kept;
  if (status === "cancelled" && reason !== undefined && GIVEN_UP.test(reason)) return reason;
  if (status === "failed" || status === "cancelled") return reason === undefined ? status : `${status}: ${reason}`;
  return kept;
}

function fromComment(value: unknown): readonly PortableNote[] {
  const text = isObject(value) ? json.wordsAt(value.text) : undefined;
  if (!isObject(value) || text === undefined) return [];
  return [{ text, by: json.wordsAt(value.author), at: json.fileTimeAt(value.created_at) }];
}

function writeLines(tasks: readonly PortableTask[]): WrittenTasks {
  const fitted = fitIds(tasks, {
    fits: (id) => /^[A-Za-z][\w-]*-[\w.]+$/.test(id),
    suggest: (id) => `bd-${id}`,
    make: (count) => `bd-${count}`,
  });
  const render = (carried?: ReadonlyMap<string, JsonObject>): readonly TaskFile[] => {
    const lines = fitted.tasks.map((task) => `${JSON.stringify(toIssue(task, carried?.get(task.id) ?? {}))}\n`);
    return [{ path: "issues.jsonl", text: lines.join("") }];
  };
  const shown = new Map(readLines(render()).tasks.map((task) => [task.id, task]));
  const carried = new Map(fitted.tasks.map((task) => [task.id, carriedOf(task, shown.get(task.id), NAME)]));
  return { files: render(carried), problems: fitted.problems };
}

function toIssue(task: PortableTask, carried: JsonObject): JsonObject {
  const kept = keptOf(task.metadata, NAME);
  const metadata = withKept(json.omit(ownMetadata(task.metadata, NAME), CARRIED), CARRIED, carried);
  const { first, sections } = splitSections(
    task.description,
    TEXTS.map(([, heading]) => heading),
  );
  const texts = TEXTS.map(([field, heading]) => [field, sections.get(heading) || undefined]);
  const status = writeStatus(STATUSES, task.status, kept.status);
  // beads refuses a closed issue without a time, and an open one with it.
  const closedAt = status === "closed" ? (task.closedAt ?? task.updatedAt ?? task.createdAt ?? 0) : undefined;
  return {
    id: task.id,
    title: task.subject,
    description: first || undefined,
    ...Object.fromEntries(texts),
    status,
    priority: task.priority
      ? TASK_PRIORITIES.indexOf(task.priority)
      : (kept.priority ?? TASK_PRIORITIES.indexOf("medium")),
    issue_type: USUAL,
    assignee: task.assignee,
    created_at: json.isoTime(task.createdAt),
    updated_at: json.isoTime(task.updatedAt),
    closed_at: json.isoTime(closedAt),
    close_reason: status === "closed" ? endReason(task, kept.close_reason) : kept.close_reason,
    labels: task.labels.length > 0 ? task.labels : undefined,
    dependencies: edgesToJson(task, kept.dependencies),
    comments: commentsToJson(task),
    metadata: Object.keys(metadata).length > 0 ? metadata : kept.metadata,
    ...json.omit(kept, ...KNOWN),
  };
}

function commentsToJson({ id, notes }: PortableTask): readonly JsonObject[] | undefined {
  if (notes.length === 0) return undefined;
  return notes.map(({ text, by, at }, index) => ({
    id: String(index + 1),
    issue_id: id,
    author: by,
    text,
    created_at: json.isoTime(at),
  }));
}
