import { isObject, type JsonObject, listAt, objectAt, oneLine } from "../../core/json.js";
import { redactStart } from "../../core/secrets/redact.js";
import type { NewPhase, NewTodo } from "../../core/todo/command.js";
import { newPhases, type PiPhase, type PiStatus, type PiTask } from "../../dialects/oh-my-pi/pi-phases.js";

/** The tool that keeps the list, up to 15.8 and since. Others have tools of the newer name, too. */
const TOOL = "todo_write";
const NEW_TOOL = "todo";

export const LIST_TOOLS: readonly string[] = [TOOL, NEW_TOOL];

/** What a person did to the list by hand: the whole list again. Undefined for any other entry. */
export function editedPhases({ customType, data }: JsonObject): readonly NewPhase[] | undefined {
  return customType === "user_todo_edit" ? phasesAt(objectAt(data).phases) : undefined;
}

/** The whole list in the result of a call. `isAsked`: of oh-my-pi's own tool, not of another one with its name. */
export function writtenPhases(message: JsonObject, isAsked: boolean): readonly NewPhase[] | undefined {
  const details = objectAt(message.details);
  if (message.isError) return undefined;
  if (message.toolName === TOOL) return phasesAt(details.phases);
  if (message.toolName !== NEW_TOOL) return undefined;
  return isAsked || typeof details.op === "string" ? phasesAt(details.phases) : extensionPhases(details.todos);
}

const ARGUMENTS = ["op", "ops", "list", "items"];

/** What a call of oh-my-pi's own tool does, told from a tool of the same name by what it is asked. */
export function listUse(tool: unknown, input: JsonObject): "write" | "read" | undefined {
  if (tool !== NEW_TOOL || !ARGUMENTS.some((name) => Object.hasOwn(input, name))) return undefined;
  return input.op === "view" ? "read" : "write";
}

/** The result shows the list as it was: nobody wanted to change it, or it could not be done. */
export function isListRead({ details }: JsonObject): boolean {
  const { op, action, error } = objectAt(details);
  return op === "view" || action === "list" || error !== undefined;
}

function phasesAt(value: unknown): readonly NewPhase[] | undefined {
  return Array.isArray(value) ? newPhases(value.flatMap(phaseAt)) : undefined;
}

function phaseAt(value: unknown): readonly PiPhase[] {
  if (!isObject(value)) return [];
  return [{ name: wordsAt(value.name) ?? "", tasks: listAt(value.tasks).flatMap(taskAt) }];
}

/** A task without a text is none; an empty text is one. */
function taskAt(value: unknown): readonly PiTask[] {
  const { content, status, notes, blocker } = objectAt(value);
  const text = wordsAt(content);
  if (text === undefined) return [];
  const known = STATUSES.find((word) => word === status);
  const written = (typeof notes === "string" ? [notes] : listAt(notes)).flatMap((note) => wordsAt(note) ?? []);
  if (known) return [{ content: text, status: known, notes: written }];
  return [{ content: text, status: "pending", notes: [...written, ...statusNote(status, blocker)] }];
}

const STATUSES: readonly PiStatus[] = ["pending", "in_progress", "completed", "abandoned"];

/** A status that we have no word for is the nearest one, and a note says what it was. */
function statusNote(status: unknown, blocker: unknown): readonly string[] {
  const word = oneLine(status, STATUS_MAX);
  const why = oneLine(blocker);
  return word === undefined ? [] : [why === undefined ? word : `${word}: ${why}`];
}

const STATUS_MAX = 40;

/** The list of pi's example extension: no phases, and a todo is done or not. */
function extensionPhases(value: unknown): readonly NewPhase[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const todos = value.flatMap(extensionTodo);
  // Something else keeps its todos under the same name.
  if (todos.length < value.length) return undefined;
  return todos.length === 0 ? [] : [{ name: "", todos }];
}

function extensionTodo(value: unknown): readonly NewTodo[] {
  const { id, text, done } = objectAt(value);
  const words = wordsAt(text);
  if (words === undefined) return [];
  return [{ text: words, status: done === true ? "completed" : "pending", key: Number.isInteger(id) ? `${id}` : null }];
}

/** Longer ones are cut by oh-my-pi itself. */
const TEXT_MAX = 500_000;

/** A lone surrogate becomes U+FFFD: no store could keep it. */
function wordsAt(value: unknown): string | undefined {
  return typeof value === "string" ? redactStart(value, TEXT_MAX).toWellFormed() : undefined;
}
