import { defined, type JsonObject } from "../../../core/json.js";
import type { TaskDetails } from "../../../core/task/events.js";
import { TASK_PRIORITIES, type TaskPriority } from "../../../core/task/task.js";
import { showControl } from "../../../core/text/visible.js";
import {
  type Complain,
  givenFields,
  oneLine,
  readItems,
  readReferences,
  readSentence,
  stripMarker,
} from "../spelling.js";

export interface AddedTask {
  readonly subject: string;
  readonly details: TaskDetails;
  /** A number, or the subject of one that the same call adds before. */
  readonly after: readonly (number | { readonly words: string })[];
}

const MOST_ADDED = 200;
const ADD_EXAMPLE = 'as in {"add":["first task","second task"]}';

/** Subjects, or objects where the tasks of one call differ. Fields beside `add` apply to all of them. */
export function readAdded(fields: JsonObject, complain: Complain): readonly AddedTask[] {
  if (fields.add === undefined) return [];
  const items = readItems(fields.add);
  if (items === undefined) complain(`"add" takes subjects, ${ADD_EXAMPLE}.`);
  if (items && items.length > MOST_ADDED) complain(`"add" takes at most ${MOST_ADDED} tasks a call.`);
  if (items && items.length > 1 && fields.description !== undefined)
    complain('One "description" is for one new task; use {"add":[{"subject":"...","description":"..."}]}.');
  if (fields.subject !== undefined)
    complain(`"subject" is for a task that is there; new ones go into "add", ${ADD_EXAMPLE}.`);
  const shared = readDetails(fields, complain);
  const after = readAfter(fields.after ?? fields.by, complain);
  return (items ?? []).slice(0, MOST_ADDED).map((item) => {
    const task =
      typeof item === "string"
        ? { subject: stripMarker(oneLine(item)), details: {}, after: [] }
        : readItem(item, complain);
    if (task.subject === "") complain(`"add" has an empty subject; say in a few words what to do, ${ADD_EXAMPLE}.`);
    return { subject: task.subject, details: { ...shared, ...task.details }, after: [...after, ...task.after] };
  });
}

const KEYS = ["subject", "description", "priority", "after", "by", "parent", "labels"];

function readItem(item: JsonObject, complain: Complain): AddedTask {
  const unknown = Object.keys(item).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    complain(
      `A new task has no field ${JSON.stringify(unknown.slice(0, 40))}, only subject, description, priority, after, parent, labels.`,
    );
  const { subject, ...given } = givenFields(item);
  return {
    subject: typeof subject === "string" ? stripMarker(oneLine(subject)) : "",
    details: readDetails(given, complain),
    after: readAfter(given.after ?? given.by, complain),
  };
}

function readAfter(value: unknown, complain: Complain): AddedTask["after"] {
  return readReferences("after", value, complain, "tasks").flatMap((one) => {
    if (one !== "focus" && one !== "open") return [one];
    complain('"after" takes the numbers of tasks, such as [3,4].');
    return [];
  });
}

export function readDetails(fields: JsonObject, complain: Complain): TaskDetails {
  return defined({
    subject: readSentence("subject", fields.subject, complain),
    description: readDescription(fields.description, complain),
    priority: readPriority(fields.priority, complain),
    parent: readParent(fields.parent, complain),
    labels: readLabels(fields.labels, complain),
  });
}

/** May have several lines; control characters are made visible. */
function readDescription(value: unknown, complain: Complain): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "string") complain('"description" takes a text.');
  const lines = typeof value === "string" ? value.toWellFormed().split(/\r\n?|\n/) : [];
  return lines
    .map((line) =>
      line
        .replaceAll("\t", "  ")
        .replace(/\p{Cc}/gu, showControl)
        .trimEnd(),
    )
    .join("\n")
    .trim();
}

const OTHER_PRIORITIES: Readonly<Record<string, TaskPriority>> = {
  urgent: "critical",
  highest: "critical",
  normal: "medium",
  minor: "low",
};

/** Its name, or 0 to 4 as other systems count ("P1", "1"). */
function readPriority(value: unknown, complain: Complain): TaskPriority | undefined {
  if (value === undefined) return undefined;
  const name = typeof value === "string" || typeof value === "number" ? String(value).trim().toLowerCase() : "";
  const [, digit] = /^p?([0-4])$/.exec(name) ?? [];
  const known = TASK_PRIORITIES.find((one) => one === name) ?? TASK_PRIORITIES[Number(digit ?? Number.NaN)];
  const priority = known ?? (Object.hasOwn(OTHER_PRIORITIES, name) ? OTHER_PRIORITIES[name] : undefined);
  if (!priority) complain(`"priority" is one of ${TASK_PRIORITIES.join(", ")}.`);
  return priority;
}

function readParent(value: unknown, complain: Complain): number | undefined {
  const [parent, ...others] = readReferences("parent", value, complain, "tasks");
  if (value !== undefined && (typeof parent !== "number" || others.length > 0))
    complain('"parent" takes the number of one task.');
  return typeof parent === "number" ? parent : undefined;
}

function readLabels(value: unknown, complain: Complain): readonly string[] | undefined {
  if (value === undefined) return undefined;
  const labels = typeof value === "string" ? value.split(",") : value;
  if (Array.isArray(labels) && labels.every((label) => typeof label === "string"))
    return [...new Set(labels.map(oneLine))];
  complain('"labels" takes texts, as in ["parser","urgent"].');
  return undefined;
}
