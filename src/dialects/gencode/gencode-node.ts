import type { TodoError } from "../../core/todo/command.js";
import { focusOf, type Todo, type TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL } from "../dialect.js";
import { type Line, styled } from "../styled-line.js";
import { countStatus, WORK_STATUSES, WORK_WORDS, type WorkStatus, workTodos } from "../work-status.js";
import { type GencodeItem, parseCall, TOOL } from "./gencode-input.js";

const GUIDANCE = `The list shows the person what you are doing, and is your own memory from turn to turn.
Keep one, also unasked, for three or more steps, for anything that needs planning, and for several tasks at once; \
write down right away what new instructions ask for. No list for a single plain task, a trivial one of fewer than \
three steps, a question or a chat.
- pending is not begun; in_progress is being worked on; completed is done.
- Mark a todo in_progress before you begin it. Exactly one todo is in_progress, and it is finished before the next \
begins.
- Keep it current: complete each todo the moment it is done, never several later in one go. Add the work you \
discover; remove what no longer matters.
- completed means all of it is done: not with failing tests, half an implementation, open errors or files not found. \
Blocked? Add a todo for what must be resolved.
- Split complex work into steps of a good size. Name each todo twice: content, what to do ("Fix the login"); \
activeForm, what is being done ("Fixing the login").`;

/** gencode 0.5 as its last Node version ran: no limits, ids by position, and nothing is ever cleared. */
export const gencodeNode: Dialect = {
  name: "gencode/node-0.5",
  summary: "gencode 0.5 TodoWrite: replaces the whole list with each call, one todo in progress",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Replace the todo list: every todo with each call.\n${GUIDANCE}`,
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
  parse: (call) => parseCall(call, { hasId: true }, { written, refused }),
  show,
  panel,
  guidance: { text: GUIDANCE, place: "description" },
};

function refused({ code, message, actual }: TodoError): string {
  return code === "another-in-progress"
    ? `Only one task should be in_progress at a time. Found ${actual} tasks in progress.`
    : `Failed to update todos: ${message}`;
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

function written(items: readonly GencodeItem[]): string {
  const [done, active, open] = (["completed", "in_progress", "pending"] as const).map((one) => countStatus(items, one));
  const rows = items.map(({ content, status, activeForm }, index) => {
    return `${index + 1}. ${MARKS[status]} ${status === "in_progress" ? activeForm : content}`;
  });
  const body = rows.length === 0 ? "Todo list is empty." : rows.join("\n");
  return `Todos updated: ${done} completed, ${active} in progress, ${open} pending\n\n${body}`;
}

const ICONS: Readonly<Record<WorkStatus, string>> = { pending: "○", in_progress: "▸", completed: "✓" };
const ICON_STYLES = { pending: "muted", in_progress: "warning", completed: "success" } as const;

/** One todo needs no row of its own: the header says it all. */
function panel(list: TodoList): readonly Line[] {
  const todos = workTodos(list);
  if (todos.length === 0) return [];
  const count = `${countStatus(todos, "completed")}/${todos.length}`;
  const focus = focusOf(list);
  const doing = focus && `${focus.activeForm || focus.text} `;
  const header = focus
    ? [styled("warning", ICONS.in_progress), ` ${doing}`, styled("muted", `(${count})`)]
    : [styled("muted", `Tasks ${count}`)];
  return [[], ["  ", ...header], ...(todos.length === 1 ? [] : todos.map(todoRow))];
}

function todoRow({ status, text }: Pick<Todo, "text"> & { readonly status: WorkStatus }): Line {
  const icon = styled(ICON_STYLES[status], ICONS[status]);
  return status === "completed" ? ["   ", styled("dim", icon, " ", styled("strike", text))] : ["   ", icon, ` ${text}`];
}
