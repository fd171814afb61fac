import { isObject, type JsonObject, own } from "./dialect.js";
import {
  exactKindOf,
  type Issue,
  optionIssues,
  type Path,
  sizeIssues,
  type TypeIssue,
  typeIssue as typeIssueOf,
} from "./zod-issues.js";

export const CLAUDE_STATUSES = ["pending", "in_progress", "completed"] as const;
export type ClaudeStatus = (typeof CLAUDE_STATUSES)[number];

/** Everything that is wrong with a TodoWrite input, in the order of the schema. */
export function findIssues(input: JsonObject, hasActiveForm: boolean): readonly Issue[] {
  const { todos } = input;
  const issues: Issue[] = Array.isArray(todos)
    ? todos.flatMap((item, index) => itemIssues(item, ["todos", index], hasActiveForm))
    : [typeIssue("array", ["todos"], todos)];
  const keys = Object.keys(input).filter((key) => key !== "todos" && key !== "__proto__");
  if (keys.length > 0) issues.push({ code: "unrecognized_keys", keys, path: [], message: unrecognized(keys) });
  return issues;
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

function typeIssue(expected: TypeIssue["expected"], path: Path, value: unknown): TypeIssue {
  return typeIssueOf(expected, path, exactKindOf(value));
}

function unrecognized(keys: readonly string[]): string {
  const names = keys.map((key) => `"${key}"`).join(", ");
  return `Unrecognized ${keys.length === 1 ? "key" : "keys"}: ${names}`;
}

const MOST_INVALID = 20;

/** Claude Code's wording: zod's own list while only values are wrong, sentences as soon as the shape is. */
export function describeIssues(tool: string, issues: readonly Issue[]): string {
  const missing: string[] = [];
  const unexpected: string[] = [];
  const mistyped: string[] = [];
  const invalid: string[] = [];
  for (const issue of issues) {
    const path = pathText(issue.path);
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) unexpected.push(`An unexpected parameter \`${key}\` was provided`);
    else if (issue.code !== "invalid_type") invalid.push(`The parameter \`${path}\` is invalid: ${issue.message}`);
    else if (issue.message.endsWith("received undefined"))
      missing.push(`The required parameter \`${path}\` is missing`);
    else mistyped.push(mistypedText(path, issue));
  }
  const shape = [...missing, ...unexpected, ...mistyped];
  if (shape.length === 0) return JSON.stringify(issues, null, 2);
  const lines = [...shape, ...invalid.slice(0, MOST_INVALID), ...notListed(invalid.length - MOST_INVALID)];
  return `${tool} failed due to the following ${lines.length > 1 ? "issues" : "issue"}:\n${lines.join("\n")}`;
}

function mistypedText(path: string, issue: TypeIssue): string {
  const received = /received (\w+)/.exec(issue.message)?.[1] ?? "unknown";
  return `The parameter \`${path}\` type is expected as \`${issue.expected}\` but provided as \`${received}\``;
}

function notListed(count: number): readonly string[] {
  return count > 0 ? [`(${count} more ${count === 1 ? "issue" : "issues"} not listed)`] : [];
}

function pathText(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text === "" ? part : `${text}.${part}`;
  }, "");
}
