import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, inputValue, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { GEMINI_STATUSES, type GeminiTodo, geminiTodos, newTodos, readTodos } from "./gemini-todos.js";

const TOOL = "write_todos";

const TODO = {
  type: "object",
  properties: { description: { type: "string" }, status: { type: "string", enum: GEMINI_STATUSES } },
  required: ["description", "status"],
  additionalProperties: false,
};

const GUIDANCE = `Subtasks of what the person asked for: none is forgotten, and the person sees how far you are.
- Make a list with the first step as soon as a request takes several steps or needs planning, also when that shows \
half-way. None for a question that one answer settles, for less than two steps, or for a single loop of running, \
reading and mending.
- Divide the work first, then write all of it down; subtasks are clear, and each is another one.
- pending: not begun. in_progress: set before you begin it, at most one. completed: over, and no error is open. \
cancelled: it no longer matters. blocked: it cannot be finished for now.
- Write each start, end and change at once, never several later.
- The list follows the work: add and reword subtasks as you learn more, and keep track of every one of them.`;

/** Gemini CLI: each call brings the whole list. */
export const gemini: Dialect = {
  name: "gemini",
  summary: "Gemini CLI write_todos: replaces the whole list; a todo may be blocked",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Write the session's todo list. \`todos\` is all of it: what a call leaves out is gone, and an \
empty list clears it.\n${GUIDANCE}`,
      inputSchema: {
        type: "object",
        properties: { todos: { type: "array", items: TODO } },
        required: ["todos"],
        additionalProperties: false,
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: { ...WHOLE_LIST, focus: "reject" },
  vocabulary: {
    editions: "Gemini CLI 0.61.0",
    writes: "the whole list",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "completed", cancelled: "cancelled" },
    carries: [],
  },
  parse,
  show: (list) => ({ todos: geminiTodos(list) }),
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input }: ToolCall, list: TodoList): Parsed {
  if (tool !== TOOL) return refuse(`Tool "${tool}" not found.`);
  const read = readTodos(inputValue(input));
  if (!read.ok) return refuse(read.error);
  const todos = read.value;
  return {
    type: "command",
    command: { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos: newTodos(todos, list) }] },
    render: (outcome) => {
      if (outcome.ok) return receipt(todos);
      const { code, message } = outcome.error;
      return { text: code === "another-in-progress" ? TWO_ACTIVE : message, isError: true };
    },
  };
}

const TWO_ACTIVE = 'Invalid parameters: Only one task can be "in_progress" at a time.';

/** The list as it was sent: what core keeps as a note is a status here. */
function receipt(todos: readonly GeminiTodo[]): Answer {
  if (todos.length === 0) return { text: "Successfully cleared the todo list.", isError: false };
  const lines = todos.map(({ status, description }, index) => `${index + 1}. [${status}] ${description}`);
  return {
    text: `Successfully updated the todo list. The current list is now:\n${lines.join("\n")}`,
    isError: false,
  };
}
