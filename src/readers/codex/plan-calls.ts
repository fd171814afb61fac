import { cutText, isObject, type JsonObject, objectAt } from "../../core/json.js";
import type { NewTodo } from "../../core/todo/command.js";
import { statusAt } from "../../core/todo/list.js";

export interface PlanWrite {
  readonly todos: readonly NewTodo[];
  readonly explanation?: string | undefined;
}

/** What a call wants to write: all of a plan, or what changes with our own `todo`. */
export type ListWrite = PlanWrite | { readonly own: JsonObject };

/** Far beyond any list a person reads; what is kept between two looks must stay small. */
const MOST_TODOS = 500;
const TEXT_MAX = 2000;

/** Undefined for what the client cannot have taken for a list. */
export function readPlan(value: unknown): PlanWrite | undefined {
  const { plan, explanation } = objectAt(value);
  if (!Array.isArray(plan)) return undefined;
  const steps = plan.slice(0, MOST_TODOS);
  if (!steps.every((step) => isObject(step) && typeof step.step === "string")) return undefined;
  return { todos: steps.map(readStep), explanation: cutText(explanation, TEXT_MAX) };
}

function readStep({ step, status }: JsonObject): NewTodo {
  return { text: boundedText(step), status: statusAt(status) ?? "pending" };
}

/** The list in the stdout of `codex exec`: it says only what is completed. */
export function readTodoList({ items }: JsonObject): PlanWrite | undefined {
  if (!Array.isArray(items)) return undefined;
  const todos = items.slice(0, MOST_TODOS).map(objectAt);
  if (!todos.every(({ text }) => typeof text === "string")) return undefined;
  const steps = todos.map(({ text, completed }) => ({
    step: text,
    status: completed === true ? "completed" : "pending",
  }));
  return { todos: steps.map(readStep) };
}

function boundedText(value: unknown): string {
  return cutText(value, TEXT_MAX) ?? "";
}
