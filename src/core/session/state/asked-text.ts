import { isObject, type JsonObject, listAt, objectAt, oneLine, textAt } from "../../json.js";
import type { Asked } from "./reason.js";

/** What a person is asked, and with what. */
export interface Ask {
  readonly kind: Asked;
  readonly text?: string;
  /** Labels of the answers that are offered; never empty. */
  readonly choices?: readonly string[];
}

/** More is not read at a glance; the client shows the whole of it. */
const TEXT_MAX = 300;
const LOOKED_AT = 4 * TEXT_MAX;

/** One line of it, without secrets; undefined where nothing is left. */
export function askedText(text: string): string | undefined {
  return oneLine(text, TEXT_MAX);
}

const QUESTIONS: readonly string[] = ["AskUserQuestion", "request_user_input", "ask", "clarify", "question"];
const MOST_QUESTIONS = 20;

/** A tool that waits for a person by itself; undefined for one that does not. */
export function askOf(tool: string, input: JsonObject): Ask | undefined {
  if (tool === "ExitPlanMode") return ask("plan", firstLine(textAt(input.plan) ?? ""));
  if (tool === "request_permissions") return ask("permission", textAt(input.reason) ?? "");
  return QUESTIONS.includes(tool) ? withChoices(ask("question", questionsIn(input)), choicesIn(input)) : undefined;
}

/** As many as there are number keys. */
const MOST_CHOICES = 9;
const CHOICE_MAX = 100;

/** Of the first question: a client shows one at a time. A label is a text, or in an object beside its description. */
function choicesIn(input: JsonObject): readonly string[] {
  const [first = input] = listAt(input.questions);
  const { options, choices } = objectAt(first);
  const offered = listAt(Array.isArray(options) ? options : choices).slice(0, MOST_CHOICES);
  return offered.flatMap((one) => oneLine(isObject(one) ? one.label : one, CHOICE_MAX) ?? []);
}

function withChoices(asked: Ask, choices: readonly string[]): Ask {
  return choices.length === 0 ? asked : { ...asked, choices };
}

/** What a client asks a permission for. */
export function permissionFor(tool: string, input: unknown): Ask {
  const asked = isObject(input) ? input : {};
  const subject = SUBJECTS.map((name) => lineOf(asked[name])).find((text) => text !== "") ?? "";
  return askOf(tool, asked) ?? ask("permission", subject === "" ? tool : `${tool}: ${subject}`);
}

function ask(kind: Asked, words: string): Ask {
  const text = askedText(words);
  return text === undefined ? { kind } : { kind, text };
}

const SUBJECTS = ["command", "cmd", "file_path", "path", "notebook_path", "url", "query", "pattern", "description"];

function lineOf(value: unknown): string {
  const parts = Array.isArray(value) ? value.slice(0, MOST_QUESTIONS) : [value];
  return parts.filter((part) => typeof part === "string").join(" ");
}

function questionsIn(input: JsonObject): string {
  const many = listAt(input.questions).slice(0, MOST_QUESTIONS);
  return (many.length > 0 ? many : [input]).map((one) => textAt(objectAt(one).question) ?? "").join(" ");
}

/** The title of a plan is its first line that says anything. */
export function firstLine(text: string): string {
  const line = text
    .slice(0, LOOKED_AT)
    .split("\n")
    .map((one) => one.replace(/^[#\s>*-]+/, "").trim())
    .find((one) => one !== "");
  return line ?? "";
}

/** The last line of an answer that ends with a question. */
export function lastLine(text: string): string | undefined {
  const whole = text.trimEnd();
  return askedText(whole.slice(whole.lastIndexOf("\n") + 1));
}
