import { type JsonObject, objectAt } from "../../core/json.js";
import { isWorkStatus, type WorkStatus } from "../work-status.js";

/** A todo as Qwen Code keeps it, with whatever else its model has written into it. */
export interface QwenTodo {
  readonly id: string;
  readonly content: string;
  readonly status: WorkStatus;
  readonly blockedBy?: readonly string[];
}

export const CYCLE = "Todo dependencies must not contain a cycle.";
export const ID_MAX = 500;

const BAD_ID = 'Each todo must have a non-empty "id" string of at most 500 characters.';
const BAD_CONTENT = 'Each todo must have a non-empty "content" string.';
const BAD_STATUS = 'Each todo must have a valid "status" (pending, in_progress, completed).';
const BAD_BLOCKERS = 'Each todo "blockedBy" value must be an array of non-empty Todo IDs of at most 500 characters.';

/** The original's complaint about a list, or undefined: then it is one of `QwenTodo`. */
export function complaintAbout(value: unknown): string | undefined {
  if (!Array.isArray(value)) return 'Parameter "todos" must be an array.';
  const about = value.map(complaintAboutTodo).find((complaint) => complaint !== undefined);
  if (about !== undefined) return about;
  const todos = value as readonly QwenTodo[];
  const ids = new Set(todos.map(({ id }) => id));
  if (ids.size !== todos.length) return "Todo IDs must be unique within the array.";
  const unfit = todos.map((todo) => complaintAboutBlockers(todo, ids)).find((complaint) => complaint !== undefined);
  return unfit ?? (hasCycle(todos) ? CYCLE : undefined);
}

function complaintAboutTodo(item: unknown): string | undefined {
  if (typeof item !== "object" || item === null) return "Each todo must be an object.";
  // A list within the list has none of these fields.
  const { id, content, status, blockedBy }: JsonObject = objectAt(item);
  if (!isName(id)) return BAD_ID;
  if (typeof content !== "string" || content.trim() === "") return BAD_CONTENT;
  if (!isWorkStatus(status)) return BAD_STATUS;
  if (blockedBy !== undefined && !(Array.isArray(blockedBy) && blockedBy.every(isName))) return BAD_BLOCKERS;
  return undefined;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= ID_MAX;
}

function complaintAboutBlockers({ id, blockedBy = [] }: QwenTodo, ids: ReadonlySet<string>): string | undefined {
  if (new Set(blockedBy).size !== blockedBy.length)
    return `Todo "${id}" must not contain duplicate blockedBy references.`;
  if (blockedBy.includes(id)) return `Todo "${id}" must not depend on itself.`;
  const missing = blockedBy.find((blocker) => !ids.has(blocker));
  return missing === undefined ? undefined : `Todo "${id}" references unknown dependency "${missing}".`;
}

/** Whether some of them wait for each other. */
function hasCycle(todos: readonly QwenTodo[]): boolean {
  const waits = new Map(todos.map(({ id, blockedBy = [] }) => [id, blockedBy.length]));
  const followers = new Map<string, string[]>();
  for (const { id, blockedBy = [] } of todos)
    for (const blocker of blockedBy) {
      const known = followers.get(blocker);
      if (known) known.push(id);
      else followers.set(blocker, [id]);
    }
  const free = todos.flatMap(({ id }) => (waits.get(id) === 0 ? [id] : []));
  // Grows while it is gone through: what waited for the last of its blockers is free, too.
  for (const id of free)
    for (const follower of followers.get(id) ?? []) {
      const left = (waits.get(follower) ?? 1) - 1;
      waits.set(follower, left);
      if (left === 0) free.push(follower);
    }
  return free.length !== todos.length;
}
