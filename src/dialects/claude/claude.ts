import { defined, isObject, type JsonObject, own } from "../../core/json.js";
import type { NewTodo } from "../../core/todo/command.js";
import { PRIORITIES, type Todo, type TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { WORK_WORDS, workTodos } from "../work-status.js";
import { invalid, parseJson, readInput, toolUseError, unparsed } from "./client-checks.js";
import { CLAUDE_STATUSES, type ClaudeStatus, findIssues } from "./todo-input.js";
import { describeIssues } from "./todo-issues.js";

const TOOL = "TodoWrite";
const WRITTEN =
  "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable";

const GUIDANCE = `The list is how you plan, and how the person follows you.
Keep one, also unasked, for three or more steps, for anything that needs planning, for several tasks at once, and \
when the person asks; note new instructions as todos as soon as they arrive. No list for a single plain task, \
anything trivial or of fewer than three trivial steps, a question or a chat. In doubt, keep one.
- pending is not begun; in_progress is being worked on; completed is done.
- Mark a todo in_progress before you begin it. Exactly one todo is in_progress, and it is finished before the next \
begins.
- Keep it current: complete each todo the moment it is done, never several later in one go. Add the work you \
discover; remove what no longer matters.
- completed means all of it is done. With failing tests, half an implementation, open errors, or files or \
dependencies not found, it stays in_progress. Blocked? A new todo says what must be resolved.
- Extent not known yet? Look first, then list what you found. Tests or builds that must pass are a todo too.
- Break large work into small, specific todos that can be acted on, clearly named. Each has two forms: content, what \
to do ("Fix the login"); activeForm, what is being done ("Fixing the login").`;

/** Claude Code: the whole list with each call; a finished list is emptied, though the answer still shows it. */
export const claude: Dialect = {
  name: "claude",
  summary: "Claude Code TodoWrite: replaces the whole list with each call",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Replace this session's todo list. Send every todo each time.\n${GUIDANCE}`,
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
  guidance: { text: GUIDANCE, place: "description" },
};

function parse(call: ToolCall): Parsed {
  if (call.tool !== TOOL) return refuse(toolUseError(`Error: No such tool available: ${call.tool}`));
  const read = readInput(call.input);
  if (typeof read === "string") return refuse(invalid(unparsed(TOOL, read)));
  const input = withParsedList(read);
  const isOlder = isOlderShape(input.todos);
  const issues = findIssues(input, !isOlder);
  if (issues.length > 0) return refuse(invalid(describeIssues(TOOL, issues)));
  // `findIssues` has looked at every field that is read from here on.
  const todos = (input.todos as readonly JsonObject[]).map(isOlder ? fromOlderItem : fromItem);
  return {
    type: "command",
    command: { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos }] },
    render(outcome) {
      if (!outcome.ok) return { text: invalid(outcome.error.message), isError: true };
      const data = { oldTodos: oldItems(outcome.value.before), newTodos: todos.map(toItem) };
      return { text: WRITTEN, isError: false, data };
    },
  };
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
  const { text, status } = fromItem(item);
  return defined({ text, status, key: String(item.id), activeForm: null, priority });
}

function oldItems(list: TodoList): readonly object[] {
  return workTodos(list).map(toItem);
}

function toItem(todo: Todo | NewTodo): object {
  const { text: content, status, activeForm, priority, key } = todo;
  if (activeForm != null || key == null) return { content, status, activeForm: activeForm ?? content };
  return { content, status, ...(priority == null ? undefined : { priority }), id: key };
}
