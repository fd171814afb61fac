import type { NewTodo } from "../../core/todo/command.js";
import { PRIORITIES, TODO_STATUSES, type TodoList, todosOf } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { FIELDS, invalidCall, type OpencodeItem, readTodos } from "./todo-schema.js";

const TOOL = "todowrite";

const GUIDANCE = `The list organizes the work, and shows the person how far it is.
Keep one, also unasked, for three or more steps, for work that needs planning, for several tasks at once, and \
when asked for one; note new instructions as todos as they arrive. No list for a single plain task, for fewer than \
three trivial steps, for a question or a chat. In doubt, keep one.
- pending is not begun; in_progress is being worked on; completed is done; cancelled is not needed any more.
- Mark a todo in_progress before you begin it. While work remains, exactly one todo is in_progress.
- Complete each at once, never several later in one go. Add the work you discover.
- completed: only when you have checked the work, never because you mean to do it. Blocked or half done, it stays \
in_progress, and a new todo says what must be resolved.
- Break large work into small, specific todos that can be acted on. Commands that the person gave stay word for word.`;

/** opencode: the whole list with each call, answered as JSON; any text passes for a status and for a priority. */
export const opencode: Dialect = {
  name: "opencode",
  summary: "opencode todowrite: replaces the whole list with each call, and answers it as JSON",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Replace this session's todo list: every todo with each call, each with content, status and \
priority.\n${GUIDANCE}`,
      inputSchema: {
        type: "object",
        properties: {
          todos: {
            type: "array",
            items: {
              type: "object",
              properties: {
                content: { type: "string", description: "What to do, in a few words" },
                status: { type: "string", description: TODO_STATUSES.join(", ") },
                priority: { type: "string", description: PRIORITIES.join(", ") },
              },
              required: FIELDS,
            },
          },
        },
        required: ["todos"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: WHOLE_LIST,
  vocabulary: {
    editions: "opencode 1.18",
    writes: "the whole list",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "completed", cancelled: "cancelled" },
    carries: ["priority"],
  },
  parse,
  show: opencodeItems,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input }: ToolCall): Parsed {
  if (tool.toLowerCase() !== TOOL)
    return refuse(invalidCall(`Model tried to call unavailable tool '${tool}'. Available tools: ${TOOL}.`));
  const read = readTodos(TOOL, input, { isRenamed: tool !== TOOL });
  if (!read.ok) return refuse(read.error);
  const items = read.value;
  return {
    type: "command",
    command: { type: "replace", phases: items.length === 0 ? [] : [{ name: "", todos: items.map(newOpencodeTodo) }] },
    render: (outcome) =>
      outcome.ok
        ? { text: JSON.stringify(items, null, 2), isError: false, data: { todos: items } }
        : { text: outcome.error.message, isError: true },
  };
}

/** A status of the model's own is shown there as one that is not begun, and so it is here. */
export function newOpencodeTodo({ content, status, priority }: OpencodeItem): NewTodo {
  const known = PRIORITIES.find((one) => one === priority);
  return {
    text: content,
    status: TODO_STATUSES.find((one) => one === status) ?? "pending",
    // Without one every todo has to say something: that word says nothing.
    ...(known && { priority: known === "medium" ? null : known }),
  };
}

function opencodeItems(list: TodoList): readonly OpencodeItem[] {
  return todosOf(list).map(({ text: content, status, priority = "medium" }) => ({ content, status, priority }));
}
