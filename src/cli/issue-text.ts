import type * as z from "zod";
import type { Command } from "../app/command.js";
import { kebab } from "./flag-name.js";

type Issue = z.core.$ZodIssue;

/** What is wrong with a flag, or a word in its place, as the person knows it. */
export function issueText(issue: Issue, { words = [], input }: Pick<Command, "words" | "input">): string {
  const name = String(issue.path[0] ?? "");
  const shown = words.includes(name) ? name.toUpperCase() : `--${kebab(name)}`;
  const wrong = wrongText(issue);
  if (wrong !== undefined) return `${shown}: ${wrong}`;
  const what = input.shape[name]?.description;
  return `${shown} is needed${what === undefined ? "" : `: ${what}`}`;
}

/** Undefined for what is missing. The schema's own words are for programmers. */
function wrongText(issue: Issue): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected !== "number" && issue.expected !== "int") return undefined;
      return issue.input === undefined && !("received" in issue) ? undefined : "use a whole number";
    case "too_small":
      return issue.origin === "string" || issue.origin === "array" ? "it is empty" : `use ${issue.minimum} or more`;
    case "too_big":
      return issue.origin === "string" || issue.origin === "array" ? "it is too long" : `use ${issue.maximum} or less`;
    default:
      return issue.message;
  }
}
