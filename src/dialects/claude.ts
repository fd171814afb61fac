import type { NewTodo } from "../core/todo/command.js";
import { PRIORITIES, type Todo, type TodoList } from "../core/todo/list.js";
import { WHOLE_LIST } from "../core/todo/policy.js";
import { CLAUDE_STATUSES, type ClaudeStatus, describeIssues, findIssues } from "./claude-input.js";
import {
  type Dialect,
  isObject,
  type JsonObject,
  LIST_TOOL,
  own,
  type Parsed,
  refuse,
  type ToolCall,
  type ToolInput,
} from "./dialect.js";
import { WORK_WORDS, workTodos } from "./work-status.js";

const TOOL = "TodoWrite";
const WRITTEN =
  "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable";

/** Claude Code: the whole list with each call; a finished list is emptied, though the answer still shows it. */
export const claude: Dialect = {
  name: "claude",
  summary: "Claude Code TodoWrite: replaces the whole list with each call",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description:
        "Replace this session's todo list. Send every todo each time, exactly one of them in_progress; `content` says what to do, `activeForm` what is being done.",
      inputSchema: {
        type: "object",
        properties: {
          todos: {
            type: "array",
            items: {
              type: "object",
              properties: {
                content: { type: "string", minLength: 1 },
                status: { type: "string", enum: CLAUDE_STATUSES },
                activeForm: { type: "string", minLength: 1 },
              },
              required: ["content", "status", "activeForm"],
              additionalProperties: false,
            },
          },
        },
        required: ["todos"],
        additionalProperties: false,
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: { ...WHOLE_LIST, clearWhenDone: "now" },
  vocabulary: {
    editions: "Claude Code 1.0 to 2.1",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["active form"],
  },
  parse,
  show: oldItems,
};

function parse(call: ToolCall): Parsed {
  if (call.tool !== TOOL) return refuse(toolUseError(`Error: No such tool available: ${call.tool}`));
  const read = readInput(call.input);
  if (typeof read === "string") return refuse(invalid(unparsed(read)));
  const input = withParsedList(read);
  const isOlder = isOlderShape(input.todos);
  const issues = findIssues(input, !isOlder);
  if (issues.length > 0) return refuse(invalid(describeIssues(TOOL, issues)));
  // `findIssues` has looked at every field that is read from here on.
  const todos = (input.todos as readonly JsonObject[]).map(isOlder ? fromOlderItem : fromItem);
  return {
    type: "command",
    command: { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos }] },
    render: (outcome) =>
      outcome.ok
        ? {
            text: WRITTEN,
            isError: false,
            data: { oldTodos: oldItems(outcome.value.before), newTodos: todos.map(toItem) },
          }
        : { text: invalid(outcome.error.message), isError: true },
  };
}

function toolUseError(text: string): string {
  return `<tool_use_error>${text}</tool_use_error>`;
}

function invalid(text: string): string {
  return toolUseError(`InputValidationError: ${text}`);
}

/** The input as an object, or the text that is not JSON. The client spreads whatever the model sent into an object. */
function readInput(input: ToolInput): JsonObject | string {
  if ("value" in input) return rawInput(input.value) ?? spread(input.value);
  if (input.text === "") return {};
  const value = parseJson(input.text);
  return value === undefined ? input.text : spread(value);
}

/** A complaint for each of a million characters helps nobody, and costs gigabytes. */
const MOST_SPREAD = 10_000;

function spread(value: unknown): JsonObject {
  return { ...Object(typeof value === "string" ? value.slice(0, MOST_SPREAD) : value) };
}

/** The client's own mark for arguments that it could not parse. */
function rawInput(value: unknown): string | undefined {
  if (!isObject(value) || Object.keys(value).length !== 1) return undefined;
  const mark = own(value, "__unparsedToolInput");
  const raw = isObject(mark) ? own(mark, "raw") : undefined;
  return typeof raw === "string" ? raw : undefined;
}

/** Undefined when it is no JSON; one byte order mark in front is forgiven. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

const MOST_RAW = 200;

function unparsed(raw: string): string {
  const cut = raw.slice(0, MOST_RAW);
  const sent = raw.length > MOST_RAW && /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return [
    `${TOOL} was called with input that could not be parsed as JSON.`,
    `You sent (first ${sent.length} of ${raw.length} bytes): ${sent}`,
    "Common causes: unescaped backslashes in file paths (use / or \\\\), unescaped control characters, or truncated output. Retry with valid JSON.",
  ].join("\n");
}

/** Models often send the list as a JSON string; the original takes it when it holds an array. */
function withParsedList(input: JsonObject): JsonObject {
  const list = typeof input.todos === "string" ? parseJson(input.todos) : undefined;
  return Array.isArray(list) ? { ...input, todos: list } : input;
}

/** Older definitions had a required `id`, sometimes a `priority`, and no `activeForm`. */
function isOlderShape(todos: unknown): boolean {
  if (!Array.isArray(todos) || todos.length === 0) return false;
  return todos.every(
    (item) => isObject(item) && typeof own(item, "id") === "string" && own(item, "activeForm") === undefined,
  );
}

function fromItem(item: JsonObject): NewTodo {
  return { text: String(item.content), status: item.status as ClaudeStatus, activeForm: String(item.activeForm) };
}

function fromOlderItem(item: JsonObject): NewTodo {
  const priority = PRIORITIES.find((known) => known === item.priority);
  return {
    text: String(item.content),
    status: item.status as ClaudeStatus,
    key: String(item.id),
    activeForm: null,
    ...(priority === undefined ? undefined : { priority }),
  };
}

function oldItems(list: TodoList): readonly object[] {
  return workTodos(list).map(toItem);
}

function toItem(todo: Todo | NewTodo): object {
  const { text: content, status, activeForm, priority, key } = todo;
  if (activeForm != null || key == null) return { content, status, activeForm: activeForm ?? content };
  return { content, status, ...(priority == null ? undefined : { priority }), id: key };
}
