import type { Failure } from "../../core/result.js";
import { offeredTools, type ToolDefinition } from "../../dialects/dialect.js";
import { milepostPlan, PLAN_TOOL } from "../../dialects/milepost/plan/plan-tool.js";
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
  /** What a server tells its clients: the guidance, unless that is in the tool's description. */
  readonly instructions?: string;
  /** Tools that it has, and that were not asked for: neither offered nor answered. `flag`: what asks for it. */
  readonly withheld: readonly { readonly name: string; readonly flag: string }[];
}

/** Its tools for tasks and plans are offered only where somebody asked: a definition costs tokens in every request. */
const OWN = "milepost";

export const DIALECT_NAMES: readonly string[] = [
  ...new Set([...DIALECTS, ...TASK_DIALECTS].map((dialect) => dialect.name)),
];

export function hasOptionalTools(name: string): boolean {
  return name === OWN;
}

export function isPlanTool(dialect: string, tool: string): boolean {
  return dialect === OWN && tool === PLAN_TOOL;
}

/** Which of our own optional tools were asked for. */
interface Asked {
  readonly withTasks?: boolean;
  readonly withPlans?: boolean;
}

export function findNamedDialect(
  name: string,
  { withTasks = true, withPlans = true }: Asked = {},
): NamedDialect | undefined {
  const list = findDialect(name);
  const tasks = findTaskDialect(name);
  const first = list ?? tasks;
  if (!first) return undefined;
  const isOwn = hasOptionalTools(name);
  const more = [
    { tools: tasks?.tools ?? [], isWithheld: isOwn && !withTasks, flag: "--tasks" },
    { tools: isOwn ? [milepostPlan] : [], isWithheld: !withPlans, flag: "--plans" },
  ];
  const others = more.flatMap(({ tools, isWithheld }) => (isWithheld ? [] : tools));
  return {
    name,
    summary: first.summary,
    tools: [...(list?.tools ?? []), ...others],
    offered: [...(list ? offeredTools(list) : []), ...others],
    withheld: more.flatMap(({ tools, isWithheld, flag }) =>
      isWithheld ? tools.map((tool) => ({ name: tool.name, flag })) : [],
    ),
    ...(list?.guidance?.place === "instructions" ? { instructions: list.guidance.text } : undefined),
  };
}

export function unknownDialect(name: string | undefined): Failure {
  const names = DIALECT_NAMES.join(", ");
  return { code: "unknown-dialect", message: `There is no dialect ${JSON.stringify(name)}. Dialects: ${names}.` };
}
