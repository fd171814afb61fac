import { fail, ok, type Result } from "../../core/result.js";
import type { NewPhase } from "../../core/todo/command.js";
import type { TodoList } from "../../core/todo/list.js";
import { fromMarkdown, toMarkdown } from "../../dialects/oh-my-pi/markdown.js";
import { newPhases, phasesOf } from "../../dialects/oh-my-pi/pi-phases.js";
import { shownList } from "./shown-list.js";

/** As a person reads and edits it: one line a text. */
export function listMarkdown(list: TodoList): string {
  return toMarkdown(phasesOf(shownList(list)));
}

const ERRORS_MAX = 5;

/** The list that a text means, all of it or nothing; `what` is what the text is called. */
export function readMarkdown(text: string, what: string): Result<readonly NewPhase[]> {
  const { phases, errors } = fromMarkdown(text);
  if (errors.length === 0) return ok(newPhases(phases));
  const more = errors.length > ERRORS_MAX ? `; and ${errors.length - ERRORS_MAX} more` : "";
  return fail("refused", `${what} cannot be read as a list. ${errors.slice(0, ERRORS_MAX).join("; ")}${more}.`);
}
