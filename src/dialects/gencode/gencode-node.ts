import type { NewTodo } from "../../core/todo/command.js";
import { focusOf, type TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { countStatus, WORK_STATUSES, WORK_WORDS, type WorkStatus, workTodos } from "../work-status.js";
import { type GencodeItem, readItems } from "./gencode-input.js";

const TOOL = "TodoWrite";

/** gencode 0.5 as its last Node version ran: no limits, ids by position, and nothing is ever cleared. */
export const gencodeNode: Dialect = {
  name: "gencode/node-0.5",
  summary: "gencode 0.5 TodoWrite: replaces the whole list with each call, one todo in progress",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description:
        "Replace the todo list: every todo with each call, at most one in_progress. `content` says what to do, `activeForm` what is being done.",
      inputSchema: {
        type: "object",
        properties: {
          todos: {
            type: "array",
            items: {
              type: "object",
              properties: {
                content: { type: "string", minLength: 1 },
                status: { type: "string", enum: WORK_STATUSES },
                activeForm: { type: "string", minLength: 1 },
                id: { type: "string" },
              },
              required: ["content", "status", "activeForm"],
            },
          },
        },
        required: ["todos"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: { ...WHOLE_LIST, focus: "reject", scope: "session" },
  vocabulary: {
    editions: "gencode 0.5",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["active form", "id"],
  },
  parse,
  show,
  panel,
};

function parse(call: ToolCall): Parsed {
  if (call.tool !== TOOL) return refuse(`Unknown tool: ${call.tool}`);
  const read = readItems(call.input, { hasId: true });
  if (!read.ok) return refuse(read.error);
  const items = read.value;
  return {
    type: "command",
    command: { type: "replace", phases: items.length === 0 ? [] : [{ name: "", todos: items.map(toTodo) }] },
    render: (outcome): Answer => {
      if (outcome.ok) return { text: updated(items), isError: false };
      const { code, message, actual } = outcome.error;
      const isFocus = code === "another-in-progress";
      return { text: isFocus ? tooManyActive(actual) : `Failed to update todos: ${message}`, isError: true };
    },
  };
}

function tooManyActive(count: number | undefined): string {
  return `Only one task should be in_progress at a time. Found ${count} tasks in progress.`;
}

/** Only an id that was sent is a key: one made from the position would follow the place, not the todo. */
function toTodo({ content, status, activeForm, id }: GencodeItem): NewTodo {
  return { text: content, status, activeForm, key: id || null };
}

function show(list: TodoList): readonly GencodeItem[] {
  return workTodos(list).map(({ text, status, activeForm = text, key }, index) => ({
    content: text,
    status,
    activeForm,
    id: key || `todo-${index + 1}`,
  }));
}

const MARKS: Readonly<Record<WorkStatus, string>> = { pending: "[ ]", in_progress: "[>]", completed: "[x]" };

function updated(items: readonly GencodeItem[]): string {
  const [done, active, open] = (["completed", "in_progress", "pending"] as const).map((one) => countStatus(items, one));
  const rows = items.map(({ content, status, activeForm }, index) => {
    return `${index + 1}. ${MARKS[status]} ${status === "in_progress" ? activeForm : content}`;
  });
  const body = rows.length === 0 ? "Todo list is empty." : rows.join("\n");
  return `Todos updated: ${done} completed, ${active} in progress, ${open} pending\n\n${body}`;
}

const ICONS: Readonly<Record<WorkStatus, string>> = { pending: "○", in_progress: "▸", completed: "✓" };

/** One todo needs no row of its own: the header says it all. */
function panel(list: TodoList): readonly string[] {
  const todos = workTodos(list);
  if (todos.length === 0) return [];
  const count = `${countStatus(todos, "completed")}/${todos.length}`;
  const focus = focusOf(list);
  const header = focus ? `${ICONS.in_progress} ${focus.activeForm ?? focus.text} (${count})` : `Tasks ${count}`;
  const rows = todos.length === 1 ? [] : todos.map(({ status, text }) => `   ${ICONS[status]} ${text}`);
  return ["", `  ${header}`, ...rows];
}
