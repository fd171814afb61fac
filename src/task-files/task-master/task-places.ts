import { isObject, type JsonObject, listAt } from "../../core/json.js";
import { fileIdAt, idsAt, NOT_JSON, wordsAt } from "../file-values.js";
import type { Problem } from "../task-format.js";

/** A task, and where in the file it hangs. */
export interface Place {
  readonly where: string;
  /** `1`, `1.2` for a subtask, `tag:1` under another tag than `master`. */
  readonly id: string;
  readonly tag: string;
  readonly parent: string | undefined;
  readonly value: JsonObject;
}

/** Task Master itself has one level of subtasks. */
const DEEPEST = 64;

export function isTagged(value: JsonObject): boolean {
  return (
    !Array.isArray(value.tasks) && Object.values(value).some((list) => isObject(list) && Array.isArray(list.tasks))
  );
}

export function placesIn(path: string, value: unknown, problems: Problem[]): readonly Place[] {
  if (isObject(value) && Array.isArray(value.tasks)) return placesOf({ tag: "master", list: value.tasks }, problems);
  if (!isObject(value) || !isTagged(value)) {
    problems.push({ where: path, message: value === undefined ? NOT_JSON : "It has no tasks of Task Master." });
    return [];
  }
  return Object.entries(value).flatMap(([tag, list]) => {
    if (isObject(list) && Array.isArray(list.tasks))
      return placesOf({ tag: tag.toWellFormed(), list: list.tasks }, problems);
    problems.push({ where: path, message: "One of its tags has no list of tasks; it was skipped." });
    return [];
  });
}

/** An id that may stand in a message; anything else in a file could be anything. */
const PLAIN_ID = /^[\w.:-]{1,60}$/;

interface List {
  readonly tag: string;
  readonly list: readonly unknown[];
  readonly parent?: string;
  readonly depth?: number;
}

function placesOf({ tag, list, parent, depth = 0 }: List, problems: Problem[]): readonly Place[] {
  return list.flatMap((value, index) => {
    const inTag = tag === "master" ? "" : `${tag}:`;
    const before = parent === undefined ? inTag : `${parent}.`;
    const own = isObject(value) ? localId(value) : undefined;
    const where =
      own !== undefined && PLAIN_ID.test(before + own) ? `task ${before}${own}` : `task ${index + 1} of its list`;
    if (!isObject(value) || (own ?? wordsAt(value.title)) === undefined) {
      problems.push({ where, message: "Not a task: it has neither an id nor a title." });
      return [];
    }
    const id = `${before}${own ?? `~${index + 1}`}`;
    const place = { where, id, tag, parent, value };
    const subtasks = listAt(value.subtasks);
    if (subtasks.length > 0 && depth >= DEEPEST) {
      problems.push({ where, message: `Its subtasks are deeper than ${DEEPEST} levels; they were skipped.` });
      return [place];
    }
    return [place, ...placesOf({ tag, list: subtasks, parent: id, depth: depth + 1 }, problems)];
  });
}

/** Subtasks are also met with their whole id. */
function localId(value: JsonObject): string | undefined {
  const id = fileIdAt(value.id);
  return id?.slice(id.lastIndexOf(".") + 1) || undefined;
}

/** Inside subtasks a bare number is a sibling; where there is none, a task of the list. */
export function dependenciesOf({ parent, tag, value }: Place, ids: ReadonlySet<string>): readonly string[] {
  const inTag = tag === "master" ? "" : `${tag}:`;
  const named = idsAt(value.dependencies).map((id) => {
    const sibling = `${parent}.${id}`;
    return parent !== undefined && ids.has(sibling) ? sibling : `${inTag}${id}`;
  });
  return [...new Set(named)];
}
