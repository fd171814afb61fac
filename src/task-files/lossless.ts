import { isObject, type JsonObject } from "../core/json.js";
import { omit, parseJson, tame } from "./file-values.js";
import { keptOf, ownMetadata, withKept } from "./foreign-words.js";
import { taskFromJson, taskToJson } from "./json/task-json.js";
import type { PortableTask } from "./portable-task.js";

/** Under this name a format's own files carry what the format has no place for. */
export const CARRIED = "milepost";

const NEVER = ["id"];

/**
 * What would be lost: for each such field what the format makes of it, and what it is. Whoever reads the file again
 * takes the second only where the first still stands: what somebody changed there since counts.
 */
export function carriedOf(task: PortableTask, shown: PortableTask | undefined, format: string): JsonObject {
  const is = form(task, format);
  const seen = shown ? form(shown, format) : {};
  const fields = Object.keys(is).filter((field) => !NEVER.includes(field) && !isSame(is[field], seen[field]));
  return Object.fromEntries(fields.map((field) => [field, { shown: seen[field], is: is[field] }]));
}

export function restore(task: PortableTask, carried: unknown, format: string): PortableTask {
  if (!isObject(carried)) return task;
  const seen = form(task, format);
  const lost = Object.entries(carried).filter(
    ([field, one]) => Object.hasOwn(seen, field) && isObject(one) && isSame(one.shown, seen[field]),
  );
  if (lost.length === 0) return task;
  const whole = { ...seen, ...Object.fromEntries(lost.map(([field, one]) => [field, isObject(one) ? one.is : null])) };
  const restored = taskFromJson(whole, task.id, () => undefined);
  // Its word for the status was only the nearest it had.
  const isMoved = lost.some(([field]) => field === "status");
  const kept = omit(keptOf(task.metadata, format), ...(isMoved ? ["status"] : []));
  return { ...restored, id: task.id, metadata: withKept(restored.metadata, format, kept) };
}

/** What the format itself had goes back there; it is not carried as well. */
function form(task: PortableTask, format: string): JsonObject {
  return taskToJson({ ...task, metadata: ownMetadata(task.metadata, format) });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(tame(one).value) === JSON.stringify(tame(other).value);
}

/** Where there is room for text alone. */
export function carriedFromText(text: unknown): unknown {
  return typeof text === "string" ? parseJson(text) : undefined;
}
