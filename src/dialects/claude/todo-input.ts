import { isObject, type JsonObject, own } from "../../core/json.js";
import { type Issue, optionIssues, type Path, sizeIssues } from "../wording/zod-issues.js";
import { keyIssues, typeIssue } from "./todo-issues.js";

export const CLAUDE_STATUSES = ["pending", "in_progress", "completed"] as const;
export type ClaudeStatus = (typeof CLAUDE_STATUSES)[number];

/** Issues of a TodoWrite input, in the order of the schema. */
export function findIssues(input: JsonObject, hasActiveForm: boolean): readonly Issue[] {
  const { todos } = input;
  const issues: readonly Issue[] = Array.isArray(todos)
    ? todos.flatMap((item, index) => itemIssues(item, ["todos", index], hasActiveForm))
    : [typeIssue("array", ["todos"], todos)];
  return [...issues, ...keyIssues(input, ["todos"])];
}

function itemIssues(item: unknown, path: Path, hasActiveForm: boolean): readonly Issue[] {
  if (!isObject(item)) return [typeIssue("object", path, item)];
  return [
    ...textIssues(own(item, "content"), [...path, "content"], "Content cannot be empty"),
    ...optionIssues(own(item, "status"), [...path, "status"], CLAUDE_STATUSES),
    ...(hasActiveForm
      ? textIssues(own(item, "activeForm"), [...path, "activeForm"], "Active form cannot be empty")
      : []),
  ];
}

function textIssues(value: unknown, path: Path, whenEmpty: string): readonly Issue[] {
  const issues = typeof value === "string" ? [] : [typeIssue("string", path, value)];
  return [...issues, ...sizeIssues(value, path, { minimum: 1, whenSmall: whenEmpty })];
}
