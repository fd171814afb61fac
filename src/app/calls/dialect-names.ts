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
}

export const DIALECT_NAMES: readonly string[] = [
  ...new Set([...DIALECTS, ...TASK_DIALECTS].map((dialect) => dialect.name)),
];

export function findNamedDialect(name: string): NamedDialect | undefined {
  const list = findDialect(name);
  const tasks = findTaskDialect(name);
  const first = list ?? tasks;
  if (!first) return undefined;
  return {
    name,
    summary: first.summary,
    tools: [...(list?.tools ?? []), ...(tasks?.tools ?? [])],
    offered: [...(list ? offeredTools(list) : []), ...(tasks?.tools ?? [])],
    ...(list?.guidance === undefined ? undefined : { guidance: list.guidance }),
  };
}

export function unknownDialect(name: string | undefined): Failure {
  const names = DIALECT_NAMES.join(", ");
  return { code: "unknown-dialect", message: `There is no dialect ${JSON.stringify(name)}. Dialects: ${names}.` };
}
