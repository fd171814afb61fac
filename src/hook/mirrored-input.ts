import { isObject, type JsonObject } from "../core/json.js";
import { counted } from "../core/text/length.js";
import { cutText, excessOf, fitValue, LARGEST_VALUE } from "../core/value-limits.js";

/** Where a client's own list tool has its todos, and their texts. */
const LISTS: Readonly<Record<string, { readonly list: string; readonly text: string }>> = {
  TodoWrite: { list: "todos", text: "content" },
  update_plan: { list: "plan", text: "step" },
};

/** Bytes of each text, from what our own tool allows down to a title. */
const TEXTS = [16_000, 2000, 200];

/** The input as one value may be. The client has taken it already: long texts are cut, todos without room counted. */
export function fitListInput(tool: string, input: JsonObject): JsonObject {
  if (excessOf(input) === undefined) return input;
  const { list, text } = LISTS[tool] ?? { list: "", text: "" };
  const { [list]: todos, ...others } = input;
  if (!Array.isArray(todos)) return fitValue(input) as JsonObject;
  const rest = fitTexts(others, TEXTS[1] ?? 0);
  for (const bytes of TEXTS) {
    const cut = { ...rest, [list]: todos.map((todo) => fitTexts(todo, bytes)) };
    if (excessOf(cut) === undefined) return cut;
  }
  return {
    ...rest,
    [list]: fitting(
      todos.map((todo) => fitTexts(todo, TEXTS.at(-1) ?? 0)),
      text,
    ),
  };
}

function fitTexts(value: JsonObject, bytes: number): JsonObject;
function fitTexts(value: unknown, bytes: number): unknown;
function fitTexts(value: unknown, bytes: number): unknown {
  if (!isObject(value)) return fitValue(value);
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    typeof field === "string" ? cutText(field, bytes) : excessOf(field) ? fitValue(field) : field,
  ]);
  return Object.fromEntries(fields);
}

/** Room for the todo that stands for the others, and for the fields beside the list. */
const KEPT = LARGEST_VALUE / 2;

/** The first todos, and one more that says how many there are besides. */
function fitting(todos: readonly unknown[], text: string): readonly unknown[] {
  let room = KEPT;
  const end = todos.findIndex((todo) => {
    room -= JSON.stringify(todo).length;
    return room < 0;
  });
  const left = end < 0 ? [] : todos.slice(end);
  const first = left.find(isObject);
  if (!first) return todos;
  const isOver = left.every((todo) => isObject(todo) && todo.status === "completed");
  const mark = `[left out by Milepost: ${counted(left.length, "todo")}]`;
  const form = "activeForm" in first ? { activeForm: mark } : undefined;
  return [...todos.slice(0, end), { ...first, [text]: mark, ...form, status: isOver ? "completed" : "pending" }];
}
