import { fail, ok, type Result } from "../core/result.js";
import { focusOf, isOpen, type TodoList, todosOf } from "../core/todo/list.js";
import { isObject, type JsonObject, type ToolInput } from "./dialect.js";
import { checkJsonSize } from "./json-limits.js";

const FIELDS = ["add", "done", "evidence", "start", "note", "drop", "order", "show"];

/** A call as it was meant, whatever spelling the model chose. */
export interface Request {
  readonly add: readonly string[];
  readonly done: readonly number[];
  readonly evidence: string | undefined;
  /** A number, a text that this call adds, or none at all. */
  readonly start: number | { readonly text: string } | "none" | undefined;
  readonly note: { readonly text: string; readonly on: number | undefined } | undefined;
  readonly drop: readonly number[];
  readonly order: readonly number[];
  /** The number from which on the list is shown. */
  readonly show: number | undefined;
}

/** Where a reader says how to repair the call; the first complaint becomes the answer. */
type Complain = (repair: string) => void;

export function readRequest(input: ToolInput, list: TodoList): Result<Request, string> {
  const fields = readFields(input);
  if (!fields.ok) return fields;
  const { add, done, evidence, start, note, drop, order } = fields.value;
  const complaints: string[] = [];
  const complain: Complain = (repair) => complaints.push(repair);
  const added = readTexts(add, complain);
  const request: Request = {
    add: added,
    done: done === true ? readFocus(list, complain) : readNumbers("done", done, list, complain),
    evidence: readSentence("evidence", evidence, complain),
    start: readStart(start, added, list, complain),
    note: readNote(note, list, complain),
    drop: drop === "all" ? openNumbers(list) : readNumbers("drop", drop, list, complain),
    order: readNumbers("order", order, list, complain),
    show: readShow(fields.value, complain),
  };
  if (request.evidence !== undefined && request.done.length === 0)
    complain('"evidence" goes with "done", as in {"done":3,"evidence":"npm test passes"}.');
  const first = complaints[0];
  return first === undefined ? ok(request) : fail(first);
}

function readFields(input: ToolInput): Result<JsonObject, string> {
  const value = "value" in input ? input.value : parseOnce(input.text);
  if (!isObject(value)) return fail('The arguments must be one JSON object, such as {"done":1}.');
  const size = checkJsonSize(value);
  if (!size.ok) return size;
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown === undefined) return ok(value);
  return fail(
    `This tool has no field ${JSON.stringify(unknown.slice(0, 40))}. It takes changes, not the whole list: ` +
      `${FIELDS.join(", ")}. For example {"add":["first todo","second todo"]}, later {"done":1}.`,
  );
}

/** Models write lists as JSON strings now and then. Parsed once, by decision: a string inside it stays a string. */
function parseOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readTexts(value: unknown, complain: Complain): readonly string[] {
  if (value === undefined || value === null) return [];
  const texts = typeof value === "string" ? splitTexts(value) : value;
  if (Array.isArray(texts) && texts.every((text) => typeof text === "string" && oneLine(text) !== ""))
    return texts.map((text) => stripMarker(oneLine(text)));
  complain('"add" takes texts that are not empty, as in {"add":["first todo","second todo"]}.');
  return [];
}

function splitTexts(text: string): unknown {
  const parsed = text.trimStart().startsWith("[") ? parseOnce(text) : undefined;
  return Array.isArray(parsed) ? parsed : text.split("\n").filter((line) => line.trim() !== "");
}

/** A todo is one line; what cannot be printed is not worth keeping in a list that people and models read. */
function oneLine(text: string): string {
  return text.toWellFormed().replace(/\s+/g, " ").replace(CONTROL, controlPicture).trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made visible
const CONTROL = /[\u0000-\u001f\u007f]/g;

function controlPicture(control: string): string {
  return control === "\u007f" ? "\u2421" : String.fromCharCode(0x2400 + control.charCodeAt(0));
}

/** A list pasted as markdown brings its own bullets and numbers; ours would stand beside them. */
function stripMarker(text: string): string {
  return text.replace(/^(?:[-*+] +)?(?:\[ ?\] +)?(?:\d{1,3}[.)] +)?(?=\S)/, "");
}

const NUMBERS = /^#?\d{1,9}(?: ?- ?#?\d{1,9})?(?:[ ,;]+#?\d{1,9}(?: ?- ?#?\d{1,9})?)*$/;
const MOST_NUMBERS = 1000;

/** 3, "3", "#3", [3,4], "3,4", "3-5", or a todo's exact text. */
function readNumbers(field: string, value: unknown, list: TodoList, complain: Complain): readonly number[] {
  if (value === undefined || value === null) return [];
  const items = typeof value === "string" && value.trimStart().startsWith("[") ? parseOnce(value) : value;
  const numbers = (Array.isArray(items) ? items : [items]).flatMap((item) => toNumbers(item, list));
  if (numbers.length <= MOST_NUMBERS && numbers.every((number) => Number.isSafeInteger(number) && number > 0))
    return [...new Set(numbers)];
  complain(`"${field}" takes the numbers of todos, such as 3 or [3,4].`);
  return [];
}

function toNumbers(item: unknown, list: TodoList): readonly number[] {
  if (typeof item === "number") return [item];
  if (typeof item !== "string") return [Number.NaN];
  const text = oneLine(item.slice(0, 10_000));
  if (!NUMBERS.test(text)) return [todosOf(list).find((todo) => todo.text === text)?.number ?? Number.NaN];
  return Array.from(text.matchAll(/(\d+)(?: ?- ?#?(\d+))?/g)).flatMap(([, first, last]) => range(first, last));
}

function range(from: string | undefined, to: string | undefined): readonly number[] {
  const first = Number(from);
  const size = Number(to ?? from) - first + 1;
  return size >= 1 && size <= MOST_NUMBERS ? Array.from({ length: size }, (_, index) => first + index) : [Number.NaN];
}

function readFocus(list: TodoList, complain: Complain): readonly number[] {
  const focus = focusOf(list);
  if (focus) return [focus.number];
  complain('Nothing is in progress; "done" takes a number.');
  return [];
}

function openNumbers(list: TodoList): readonly number[] {
  return todosOf(list)
    .filter(isOpen)
    .map((todo) => todo.number);
}

function readStart(value: unknown, added: readonly string[], list: TodoList, complain: Complain): Request["start"] {
  if (value === 0 || value === false || value === "none" || value === "0") return "none";
  if (typeof value === "string" && added.includes(oneLine(value))) return { text: oneLine(value) };
  const numbers = readNumbers("start", value, list, complain);
  if (numbers.length > 1) complain('"start" takes one number: only one todo is in progress at a time.');
  return numbers[0];
}

function readSentence(field: string, value: unknown, complain: Complain): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && oneLine(value) !== "") return oneLine(value);
  complain(`"${field}" takes a short text.`);
  return undefined;
}

/** A text for the todo at hand; "#4 text", or {"4":"text"}, for a certain one. */
function readNote(value: unknown, list: TodoList, complain: Complain): Request["note"] {
  const entries = isObject(value) ? Object.entries(value) : [];
  const [entry] = entries;
  if (!entry) {
    const text = readSentence("note", value, complain);
    const [, number, rest] = /^#(\d{1,9})[:.,]? (.+)$/.exec(text ?? "") ?? [];
    if (number !== undefined && rest !== undefined) return { text: rest, on: Number(number) };
    return text === undefined ? undefined : { text, on: undefined };
  }
  if (entries.length > 1) complain('"note" takes one text per call.');
  const [on] = readNumbers("note", entry[0], list, complain);
  const text = readSentence("note", entry[1], complain);
  return text === undefined ? undefined : { text, on };
}

function readShow(fields: JsonObject, complain: Complain): number | undefined {
  const { show } = fields;
  if (show === true || show === "true" || Object.keys(fields).length === 0) return 1;
  if (show === undefined || show === null || show === false || show === "false") return undefined;
  if (typeof show === "number" && Number.isSafeInteger(show) && show > 0) return show;
  complain('"show" takes true, or the number from which on the list is shown.');
  return undefined;
}
