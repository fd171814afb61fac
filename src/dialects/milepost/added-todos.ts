import type { JsonObject } from "../../core/json.js";
import type { TodoStatus } from "../../core/todo/list.js";
import { type Complain, givenFields, oneLine, readItems, readSentence, stripMarker } from "./spelling.js";

/** A todo as `add` names it: a plain text, or what an object says of it. */
export interface AddedTodo {
  readonly text: string;
  readonly status?: TodoStatus | undefined;
  /** What is being done, for people: "Running tests" beside "Run tests". */
  readonly activeForm?: string | undefined;
}

const ADD_EXAMPLE = 'as in {"add":["first todo","second todo"]}.';
const ITEM_EXAMPLE = 'as in {"add":[{"text":"Run tests","activeForm":"Running tests"}]}.';
const FOCUS_EXAMPLE = '{"add":[{"text":"first todo","status":"in_progress"},"second todo"]}';

/** Texts, objects, or both, in any spelling that models use. */
export function readAddedTodos(value: unknown, complain: Complain): readonly AddedTodo[] {
  if (value === undefined) return [];
  const items = readItems(value);
  if (!items) complain(`"add" takes texts, ${ADD_EXAMPLE}`);
  const todos = (items ?? []).map((item) =>
    typeof item === "string" ? { text: stripMarker(oneLine(item)) } : readItem(item, complain),
  );
  if (todos.some(({ text }) => text === ""))
    complain(`"add" has an empty text; say in a few words what to do, ${ADD_EXAMPLE}`);
  const active = todos.filter(({ status }) => status === "in_progress").length;
  if (active > 1)
    complain(`"add" has ${active} todos in progress; mark only the one that you work on now: ${FOCUS_EXAMPLE}.`);
  return todos;
}

const KEYS = ["text", "content", "status", "activeForm", "active_form"];

function readItem(item: JsonObject, complain: Complain): AddedTodo {
  const unknown = Object.keys(item).find((key) => !KEYS.includes(key));
  if (unknown !== undefined)
    complain(
      `A todo in "add" has no field ${JSON.stringify(unknown.slice(0, 40))}, only text, status and activeForm, ${ITEM_EXAMPLE}`,
    );
  const { text, content, status, activeForm, active_form: otherForm } = givenFields(item);
  if (text !== undefined && content !== undefined && text !== content)
    complain(`"text" and "content" of a todo are the same field; send one of them, ${ITEM_EXAMPLE}`);
  return {
    text: stripMarker(readSentence("text", text ?? content, complain) ?? ""),
    status: readStatus(status, complain),
    activeForm: readSentence("activeForm", activeForm ?? otherForm, complain),
  };
}

/** As agents write them, whatever stands between the words: in_progress, inProgress, "in progress". */
const STATUS_WORDS: Readonly<Record<TodoStatus, readonly string[]>> = {
  pending: ["pending", "todo", "open", "notstarted"],
  in_progress: ["inprogress", "active", "started", "doing", "now"],
  completed: ["completed", "complete", "done", "finished", "closed"],
  cancelled: ["cancelled", "canceled", "dropped", "abandoned"],
};

function readStatus(value: unknown, complain: Complain): TodoStatus | undefined {
  if (value === undefined) return undefined;
  const word = typeof value === "string" ? value.toLowerCase().replace(/[\s_-]/g, "") : "";
  const statuses = Object.keys(STATUS_WORDS) as TodoStatus[];
  const status = statuses.find((one) => STATUS_WORDS[one].includes(word));
  if (!status) complain(`"status" of a todo is ${statuses.join(", ")}, or left out: ${FOCUS_EXAMPLE}.`);
  return status;
}
