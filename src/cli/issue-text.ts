import type * as z from "zod";
import type { Command, Given } from "../app/command.js";
import { kebab } from "./options.js";

type Issue = z.core.$ZodIssue;

/** What is wrong with a flag, or a word in its place, as the person knows it. */
export function issueText(issue: Issue, { words = [], input }: Pick<Command, "words" | "input">, given: Given): string {
  const name = String(issue.path[0] ?? "");
  const shown = words.includes(name) ? name.toUpperCase() : `--${kebab(name)}`;
  if (given[name] !== undefined) return `${shown}: ${wrongText(issue)}`;
  const what = input.shape[name]?.description;
  return `${shown} is required${what === undefined ? "" : `: ${what}`}`;
}

/** The schema's own words are for programmers. */
function wrongText(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected === "number" || issue.expected === "int" ? "use a whole number" : "invalid value";
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? "it is empty" : `use ${issue.minimum} or more`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array" ? "it is too long" : `use ${issue.maximum} or less`;
    default:
      return issue.message;
  }
}
