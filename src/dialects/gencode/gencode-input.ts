import { isObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewTodo, TodoError } from "../../core/todo/command.js";
import { inputValue, type Parsed, refuse, type ToolCall, type ToolInput } from "../dialect.js";
import { type Issue, kindOf, optionIssues, type Path, sizeIssues, typeIssue } from "../wording/zod-issues.js";
import { WORK_STATUSES, type WorkStatus } from "../work-status.js";

export interface GencodeItem {
  readonly content: string;
  readonly status: WorkStatus;
  readonly activeForm: string;
  readonly id?: string;
}

/** In what the schemas of gencode differ. */
export interface GencodeShape {
  readonly hasId: boolean;
  readonly mostTodos?: number;
  /** As JavaScript counts a text: an emoji is two. */
  readonly mostCharacters?: number;
}

export const TOOL = "TodoWrite";

interface Wording {
  readonly written: (items: readonly GencodeItem[]) => string;
  readonly refused: (error: TodoError) => string;
}

/** Every call replaces the whole list. */
export function parseCall(call: ToolCall, shape: GencodeShape, { written, refused }: Wording): Parsed {
  if (call.tool !== TOOL) return refuse(`Unknown tool: ${call.tool}`);
  const read = readItems(call.input, shape);
  if (!read.ok) return refuse(read.error);
  const items = read.value;
  // Only an id that was sent is a key: one made from the position would follow the place, not the todo.
  const toTodo = ({ content, status, activeForm, id }: GencodeItem): NewTodo => {
    const todo = { text: content, status, activeForm };
    return shape.hasId ? { ...todo, key: id || null } : todo;
  };
  return {
    type: "command",
    command: { type: "replace", phases: items.length === 0 ? [] : [{ name: "", todos: items.map(toTodo) }] },
    render: (outcome) =>
      outcome.ok ? { text: written(items), isError: false } : { text: refused(outcome.error), isError: true },
  };
}

function readItems(input: ToolInput, shape: GencodeShape): Result<readonly GencodeItem[], string> {
  const value = inputValue(input);
  const issues = findGencodeIssues(value, shape);
  if (issues.length > 0) return fail(`Invalid input: ${JSON.stringify(issues, null, 2)}`);
  // `findGencodeIssues` has looked at every field that is read from here on.
  return ok((value as { readonly todos: readonly GencodeItem[] }).todos);
}

/** A complaint for each of a million items helps nobody, and would not fit into one text. */
const MOST_ISSUES = 10_000;

/** Everything that is wrong with an input, in the order of the schema. */
export function findGencodeIssues(value: unknown, shape: GencodeShape): readonly Issue[] {
  if (!isObject(value)) return [typeIssue("object", [], kindOf(value))];
  const todos = own(value, "todos");
  const issues: Issue[] = Array.isArray(todos) ? [] : [typeIssue("array", ["todos"], kindOf(todos))];
  for (const [index, item] of Array.isArray(todos) ? todos.entries() : []) {
    if (issues.length >= MOST_ISSUES) break;
    issues.push(...itemIssues(item, ["todos", index], shape));
  }
  return [...issues, ...sizeIssues(todos, ["todos"], maximum(shape.mostTodos))];
}

function itemIssues(item: unknown, path: Path, shape: GencodeShape): readonly Issue[] {
  if (!isObject(item)) return [typeIssue("object", path, kindOf(item))];
  const id = shape.hasId ? own(item, "id") : undefined;
  const size = { minimum: 1, ...maximum(shape.mostCharacters) };
  return [
    ...textIssues(own(item, "content"), [...path, "content"]),
    ...sizeIssues(own(item, "content"), [...path, "content"], size),
    ...optionIssues(own(item, "status"), [...path, "status"], WORK_STATUSES),
    ...textIssues(own(item, "activeForm"), [...path, "activeForm"]),
    ...sizeIssues(own(item, "activeForm"), [...path, "activeForm"], size),
    ...(id === undefined ? [] : textIssues(id, [...path, "id"])),
  ];
}

function textIssues(value: unknown, path: Path): readonly Issue[] {
  return typeof value === "string" ? [] : [typeIssue("string", path, kindOf(value))];
}

function maximum(most: number | undefined): { readonly maximum?: number } {
  return most === undefined ? {} : { maximum: most };
}
