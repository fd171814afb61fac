import { isObject, type JsonObject, listAt, objectAt } from "../../core/json.js";
import type { TaskChange, ToldTask } from "../../core/session/client/client-tasks.js";
import type { SeenTask } from "../../core/session/observation.js";
import { statusAt } from "../../core/todo/list.js";
import { boundedText as cut } from "./tool-results.js";

/** Claude Code's own task tools, and those of them that change something. */
export const TASK_TOOLS: readonly string[] = ["TaskCreate", "TaskUpdate", "TaskGet", "TaskList"];

/**
 * What an answer of these tools tells of the session's tasks. `input`: from `askedAt`. `data`: what the tool returned
 * beside its text; sub-agents' files do not have it.
 */
export function taskChange(
  tool: string,
  input: JsonObject,
  text: string,
  data: JsonObject | undefined,
): TaskChange | undefined {
  switch (tool) {
    case "TaskCreate":
      return created(input, text, objectAt(data?.task));
    case "TaskUpdate":
      return updated(input, text, data);
    case "TaskGet":
      return isObject(data?.task) ? seen([data.task], false) : undefined;
    case "TaskList":
      return Array.isArray(data?.tasks) ? seen(data.tasks, true) : undefined;
    default:
      return undefined;
  }
}

function created(input: JsonObject, text: string, made: JsonObject): TaskChange | undefined {
  const id = taskId(made.id) ?? /^Task #(\d{1,9}) created successfully/.exec(text)?.[1];
  const subject = cut(made.subject) ?? cut(input.subject);
  if (id === undefined || subject === undefined) return undefined;
  return { type: "client-task.created", id, subject, ...textsAt(input, ["activeForm"]) };
}

function updated(input: JsonObject, text: string, data: JsonObject | undefined): TaskChange | undefined {
  const id = taskId(input.taskId);
  const isDone = data ? data.success === true : text.startsWith(`Updated task #${id} `);
  if (id === undefined || !isDone) return undefined;
  if (input.status === "deleted") return { type: "client-task.deleted", id };
  const edges = { blocks: idsAt(input.addBlocks), blockedBy: idsAt(input.addBlockedBy) };
  return { type: "client-task.updated", ...toldAt(id, input), ...someOf(edges) };
}

function seen(rows: readonly unknown[], isAll: boolean): TaskChange {
  const tasks = rows.filter(isObject).flatMap((row): readonly ToldTask[] => {
    const id = taskId(row.id);
    const edges = { blocks: idsAt(row.blocks), blockedBy: idsAt(row.blockedBy) };
    return id === undefined ? [] : [{ ...toldAt(id, row), ...someOf(edges) }];
  });
  return { type: "client-tasks.seen", tasks, isAll };
}

function toldAt(id: string, from: JsonObject): ToldTask {
  const status = statusAt(from.status);
  return { id, ...textsAt(from, ["subject", "activeForm", "owner"]), ...(status && { status }) };
}

/** No edges are the usual case, and take no room. */
function someOf(edges: Record<"blocks" | "blockedBy", readonly string[]>): Partial<typeof edges> {
  return Object.fromEntries(Object.entries(edges).filter(([, ids]) => ids.length > 0));
}

const ASKED_TEXTS = ["subject", "activeForm", "owner", "status", "taskId"];
const ASKED_IDS = ["addBlocks", "addBlockedBy"];
const MOST_ASKED = 1000;

/** What has to be known of a call until its answer comes: it is saved, so nothing else may be in it. */
export function askedAt(input: JsonObject): JsonObject {
  const texts = ASKED_TEXTS.flatMap((field) => {
    const text = typeof input[field] === "number" ? String(input[field]) : cut(input[field]);
    return text === undefined ? [] : [[field, text]];
  });
  const ids = ASKED_IDS.map((field) => [field, idsAt(input[field]).slice(0, MOST_ASKED)]);
  return Object.fromEntries([...texts, ...ids]);
}

/** A file of the tasks folder: one task. */
export function taskAt(value: unknown): SeenTask | undefined {
  const file = objectAt(value);
  const id = taskId(file.id);
  const subject = cut(file.subject);
  const status = statusAt(file.status);
  if (id === undefined || subject === undefined || status === undefined) return undefined;
  const texts = textsAt(file, ["activeForm", "owner"]);
  return { id, subject, status, ...texts, blocks: idsAt(file.blocks), blockedBy: idsAt(file.blockedBy) };
}

/** Only those that are there. */
function textsAt(from: JsonObject, fields: readonly string[]): Partial<SeenTask> {
  const texts = fields.map((field) => [field, cut(from[field])] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== undefined));
}

function taskId(value: unknown): string | undefined {
  const id = typeof value === "number" ? String(value) : value;
  return typeof id === "string" && /^[!-~]{1,40}$/.test(id) ? id : undefined;
}

function idsAt(value: unknown): readonly string[] {
  return listAt(value).flatMap((id) => taskId(id) ?? []);
}
