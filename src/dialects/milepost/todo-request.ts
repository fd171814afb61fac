import { isObject, type JsonObject, parseJson } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { ToolInput } from "../dialect.js";
import { checkJsonSize } from "../json-limits.js";
import { type AddedTodo, readAddedTodos } from "./added-todos.js";
import { type Complain, givenFields, type Reference, readReferences, readSentence } from "./spelling.js";

const FIELDS = ["add", "done", "evidence", "start", "note", "drop", "order", "show"];

/** A call as it was meant, whatever spelling the model chose. Todos are still named as the model named them. */
export interface Request {
  readonly add: readonly AddedTodo[];
  readonly done: readonly Reference[];
  readonly evidence: string | undefined;
  readonly start: Reference | "none" | undefined;
  readonly note: { readonly text: string; readonly on: Reference | undefined } | undefined;
  readonly drop: readonly Reference[];
  readonly order: readonly Reference[];
  readonly show: Shown | undefined;
}

/** The whole list, or the number of the todo from which on it is read. */
export type Shown = number | "all";

/** Reads a call, or says in one sentence how to repair it. */
export function readRequest(input: ToolInput): Result<Request, string> {
  const fields = readFields(input);
  if (!fields.ok) return fields;
  const { add, done, evidence, start, note, drop, order } = fields.value;
  const complaints: string[] = [];
  const complain: Complain = (repair) => complaints.push(repair);
  const request: Request = {
    add: readAddedTodos(add, complain),
    done: readReferences("done", done, complain),
    evidence: readSentence("evidence", evidence, complain),
    start: readStart(start, complain),
    note: readNote(note, complain),
    drop: readReferences("drop", drop, complain),
    order: readReferences("order", order, complain),
    show: readShow(fields.value, complain),
  };
  if (request.evidence !== undefined && request.done.length === 0 && !request.add.some(isCompleted))
    complain('"evidence" goes with "done", as in {"done":3,"evidence":"npm test passes"}.');
  const first = complaints[0];
  return first === undefined ? ok(request) : fail(first);
}

function isCompleted({ status }: AddedTodo): boolean {
  return status === "completed";
}

function readFields(input: ToolInput): Result<JsonObject, string> {
  const value = unwrap("value" in input ? input.value : input.text);
  if (!isObject(value)) return fail('The arguments must be one JSON object, such as {"done":1}.');
  const size = checkJsonSize(value);
  if (!size.ok) return size;
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) return fail(noSuchField(unknown));
  return ok(givenFields(value));
}

/** An object as JSON text, also when that was quoted once more. No text, and null, are an empty call. */
export function unwrap(value: unknown): unknown {
  if (typeof value !== "string") return value ?? {};
  const once = value.trim() === "" ? {} : parseJson(value);
  return typeof once === "string" ? parseJson(once) : once;
}

const HINTS: readonly { readonly keys: readonly string[]; readonly hint: string }[] = [
  {
    keys: ["todos", "todo", "plan", "items", "tasks", "list", "steps", "merge"],
    hint: 'Send only what changes, not the whole list: {"add":["first todo","second todo"]}, later {"done":1}.',
  },
  {
    keys: ["activeForm", "active_form"],
    hint: 'It belongs to a todo in "add", new or on the list: {"add":[{"text":"Run tests","activeForm":"Running tests"}]}.',
  },
  {
    keys: ["rename", "edit", "update", "text", "content", "title"],
    hint: 'To reword a todo, drop it and add it anew: {"drop":[3],"add":["new text"]}.',
  },
  {
    keys: ["reopen", "undo", "reset", "pending", "status", "id"],
    hint: '{"done":3} finishes a todo, {"start":3} takes it up again, {"drop":[3]} gives it up.',
  },
];

function noSuchField(key: string): string {
  const hint =
    HINTS.find(({ keys }) => keys.includes(key))?.hint ?? 'For example {"add":["first todo"]} or {"done":1}.';
  return `There is no field ${JSON.stringify(key.slice(0, 40))}, only ${FIELDS.join(", ")}. ${hint}`;
}

function readStart(value: unknown, complain: Complain): Request["start"] {
  if (value === -1 || value === "-1" || value === "none") return "none";
  const references = readReferences("start", value, complain);
  if (references.length > 1) complain('"start" takes one number: only one todo is in progress at a time.');
  return references[0];
}

/** A text for the todo at hand, or {"4":"text"} for a certain one. */
function readNote(value: unknown, complain: Complain): Request["note"] {
  const entries = isObject(value) ? Object.entries(value) : [];
  const [entry] = entries;
  if (entries.length > 1) complain('"note" takes one text per call.');
  const text = readSentence("note", entry ? entry[1] : value, complain);
  const [on, ...others] = entry ? readReferences("note", entry[0], complain) : [];
  if (others.length > 0) complain('"note" takes one todo per call.');
  return text === undefined ? undefined : { text, on };
}

function readShow(fields: JsonObject, complain: Complain): Shown | undefined {
  const { show } = fields;
  if (show === undefined) return Object.keys(fields).length === 0 ? "all" : undefined;
  if (show === true || show === "true" || show === "all") return "all";
  const from = typeof show === "string" ? Number(show.replace("#", "")) : show;
  if (typeof from === "number" && Number.isSafeInteger(from) && from > 0) return from;
  complain('"show" takes true, or the number from which on the list is shown.');
  return undefined;
}
