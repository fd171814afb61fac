import type { JsonObject } from "../../core/json.js";
import { exactKindOf, type Issue, type Path, type TypeIssue, typeIssue as typeIssueOf } from "../wording/zod-issues.js";

export function typeIssue(expected: TypeIssue["expected"], path: Path, value: unknown): TypeIssue {
  return typeIssueOf(expected, path, exactKindOf(value));
}

/** Keys that the schema does not have. The client's schemas never see `__proto__`. */
export function keyIssues(input: JsonObject, known: readonly string[]): readonly Issue[] {
  const keys = Object.keys(input).filter((key) => !known.includes(key) && key !== "__proto__");
  return keys.length > 0 ? [{ code: "unrecognized_keys", keys, path: [], message: unrecognized(keys) }] : [];
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
    else if (issue.code === "invalid_union")
      invalid.push(`The parameter \`${path}\` matches none of the accepted forms`);
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
