import { isObject, type JsonObject, listAt } from "../../core/json.js";
import { fileIdAt, keptObject } from "../file-values.js";
import type { PortableTask } from "../portable-task.js";
import type { Tell } from "../task-format.js";

/** beads' own list of kinds that keep an issue from being worked on. */
const BLOCKING = ["blocks", "conditional-blocks", "waits-for"];
const PARENT = "parent-child";
const PLAIN = ["blocks", PARENT];

interface Edges {
  readonly parent: string | undefined;
  readonly blockedBy: readonly string[];
  /** Edges that say more than ours, as they stood there. */
  readonly kept: readonly JsonObject[] | undefined;
}

export function readEdges(value: unknown, owner: string, tell: Tell): Edges {
  const blockedBy: string[] = [];
  const kept: JsonObject[] = [];
  let parent: string | undefined;
  for (const one of listAt(value)) {
    const to = targetOf(one, owner);
    if (to === undefined || !isObject(one)) {
      tell("One of its dependencies has no target; it was skipped.");
      continue;
    }
    const type = one.type ?? "blocks";
    const isParent = type === PARENT && parent === undefined;
    if (isParent) parent = to;
    if (isBlocking(type)) blockedBy.push(to);
    if (!PLAIN.some((plain) => plain === type) || (type === PARENT && !isParent)) kept.push(keptObject(one, tell));
  }
  return { parent, blockedBy: [...new Set(blockedBy)], kept: kept.length > 0 ? kept : undefined };
}

function isBlocking(type: unknown): boolean {
  return BLOCKING.some((kind) => kind === type);
}

function targetOf(value: unknown, owner: string): string | undefined {
  if (!isObject(value)) return undefined;
  const from = fileIdAt(value.issue_id);
  return from === undefined || from === owner ? fileIdAt(value.depends_on_id) : undefined;
}

export function edgesToJson(task: PortableTask, kept: unknown): readonly JsonObject[] | undefined {
  const { id, parent, blockedBy } = task;
  const others = listAt(kept).filter(isObject);
  const edge = (to: string, type: string): JsonObject => ({ issue_id: id, depends_on_id: to, type });
  const blockers = others.filter(({ type }) => isBlocking(type));
  const special = new Map(blockers.map((one) => [fileIdAt(one.depends_on_id), one]));
  const edges = [
    ...blockedBy.map((to) => special.get(to) ?? edge(to, "blocks")),
    ...(parent === undefined ? [] : [edge(parent, PARENT)]),
    // What is no blocker is of no concern here; it goes back as it came.
    ...others.filter(({ type }) => !isBlocking(type)),
  ];
  return edges.length > 0 ? edges : undefined;
}
