import { defined, isObject, type JsonObject, own } from "../../core/json.js";
import type { Issue } from "../wording/zod-issues.js";
import { findTaskIssues, type Parameters } from "./task-input.js";

/** The input after the client's repairs, and what is still wrong with it. */
export interface Repaired {
  readonly input: JsonObject;
  readonly issues: readonly Issue[];
  /** Comes before the issues. */
  readonly hint?: string;
}

/** The client's exact words. */
const ONE_TASK =
  "TaskCreate creates ONE task per call and has no `tasks` or `todos` parameter. Call TaskCreate once per task, passing `subject` (a brief title) and `description` (what needs to be done) as top-level string parameters.\n\n";
const NO_AGENT =
  "This call used Agent-tool parameters (`prompt`/`subagent_type`). TaskCreate adds an item to the task list and takes `subject` and `description` string parameters. To delegate work to a subagent, use the Agent tool instead.\n\n";

export function repairCreate(raw: JsonObject, parameters: Parameters): Repaired {
  const rawIssues = findTaskIssues(raw, parameters);
  if (rawIssues.length === 0) return { input: raw, issues: [] };
  if (hasAny(raw, "tasks", "todos")) return { input: raw, issues: rawIssues, hint: ONE_TASK };
  if (hasAny(raw, "prompt", "subagent_type") && !isWorded(raw))
    return { input: raw, issues: rawIssues, hint: NO_AGENT };
  const input = filled(renamed(raw));
  const issues = findTaskIssues(input, parameters);
  return issues.length > 0 && isWorded(input) ? { input: wordsOf(input), issues: [] } : { input, issues };
}

/** Repairs only names. */
export function repairUpdate(raw: JsonObject, parameters: Parameters): Repaired {
  const named = rename(rename(raw, "id", "taskId"), "task_id", "taskId");
  const input = rename(named, "active_form", "activeForm");
  return { input, issues: findTaskIssues(input, parameters) };
}

function hasAny(input: JsonObject, ...keys: readonly string[]): boolean {
  return keys.some((key) => Object.hasOwn(input, key));
}

function isWord(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function isWorded(input: JsonObject): boolean {
  return isWord(own(input, "subject")) && isWord(own(input, "description"));
}

/** Does not replace an existing field. */
function rename(input: JsonObject, from: string, to: string): JsonObject {
  const value = own(input, from);
  if (own(input, to) !== undefined || !isWord(value)) return input;
  const { [from]: _, ...rest } = input;
  return { ...rest, [to]: value };
}

function renamed(input: JsonObject): JsonObject {
  const titled = rename(rename(input, "title", "subject"), "name", "subject");
  return rename(rename(titled, "content", "description"), "active_form", "activeForm");
}

/** One of the two texts stands for the other. */
function filled(input: JsonObject): JsonObject {
  const subject = own(input, "subject");
  const description = own(input, "description");
  if (subject === undefined && isWord(description)) return { ...input, subject: headOf(description) };
  if (description === undefined && isWord(subject)) return { ...input, description: subject };
  return input;
}

/** Without fields that would be refused. */
function wordsOf(input: JsonObject): JsonObject {
  const activeForm = own(input, "activeForm");
  const metadata = own(input, "metadata");
  return defined({
    subject: own(input, "subject"),
    description: own(input, "description"),
    activeForm: typeof activeForm === "string" ? activeForm : undefined,
    metadata: isObject(metadata) ? metadata : undefined,
  });
}

const LONGEST_HEAD = 80;
/** A space before this leaves too little of the line. */
const SHORTEST_HEAD = 40;

function headOf(description: string): string {
  const [first = ""] = description.split("\n", 1);
  const line = first.trim();
  // A code point has at most two UTF-16 units.
  const points = [...line.slice(0, 2 * (LONGEST_HEAD + 1))];
  if (points.length <= LONGEST_HEAD) return line;
  const head = points.slice(0, LONGEST_HEAD).join("");
  const space = head.lastIndexOf(" ");
  return (space > SHORTEST_HEAD ? head.slice(0, space) : head).trim();
}
