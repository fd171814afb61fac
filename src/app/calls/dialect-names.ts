import type { Failure } from "../../core/result.js";
import { offeredTools, type ToolDefinition } from "../../dialects/dialect.js";
import { DIALECTS, findDialect, findTaskDialect, TASK_DIALECTS } from "../../dialects/registry.js";

// What surfaces need to know about dialects; they do not import them.
export type { Answer, ToolDefinition } from "../../dialects/dialect.js";

/** Everything that goes by one name: tools for a list, tools for tasks, or both. */
export interface NamedDialect {
  readonly name: string;
  readonly summary: string;
  readonly tools: readonly ToolDefinition[];
  /** What a model is offered; `tools` also has what is only answered. */
  readonly offered: readonly ToolDefinition[];
  readonly guidance?: string;
  /** Tools that it has, and that were not asked for: neither offered nor answered. */
  readonly withheld: readonly string[];
}

/** Its task tool is offered only where somebody asked for it: every definition costs tokens in every request. */
const OWN = "milepost";

export const DIALECT_NAMES: readonly string[] = [
  ...new Set([...DIALECTS, ...TASK_DIALECTS].map((dialect) => dialect.name)),
];

export function hasOptionalTasks(name: string): boolean {
  return name === OWN;
}

export function findNamedDialect(name: string, { withTasks = true } = {}): NamedDialect | undefined {
  const list = findDialect(name);
  const found = findTaskDialect(name);
  const isWithheld = hasOptionalTasks(name) && !withTasks;
  const tasks = isWithheld ? undefined : found;
  const first = list ?? tasks;
  if (!first) return undefined;
  return {
    name,
    summary: first.summary,
    tools: [...(list?.tools ?? []), ...(tasks?.tools ?? [])],
    offered: [...(list ? offeredTools(list) : []), ...(tasks?.tools ?? [])],
    withheld: isWithheld ? (found?.tools ?? []).map((tool) => tool.name) : [],
    ...(list?.guidance === undefined ? undefined : { guidance: list.guidance }),
  };
}

export function unknownDialect(name: string | undefined): Failure {
  const names = DIALECT_NAMES.join(", ");
  return { code: "unknown-dialect", message: `There is no dialect ${JSON.stringify(name)}. Dialects: ${names}.` };
}
