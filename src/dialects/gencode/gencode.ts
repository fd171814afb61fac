import type { TodoError } from "../../core/todo/command.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL } from "../dialect.js";
import { countStatus, WORK_STATUSES, WORK_WORDS, workTodos } from "../work-status.js";
import { panel } from "./gencode-box.js";
import { type GencodeItem, type GencodeShape, parseCall, TOOL } from "./gencode-input.js";

const SHAPE = { hasId: false, mostTodos: 20, mostCharacters: 500 } as const satisfies GencodeShape;
const TEXT = { type: "string", minLength: 1, maxLength: SHAPE.mostCharacters };

const GUIDANCE = `The list shows the person how far you are, and is your own memory: each answer repeats your plan.
Keep one for complex work of three or more steps, for several tasks at once, and for anything that needs planning. \
No list for a single plain task, a trivial one, a mere question.
- Only one todo is in_progress at a time. Mark each completed at once when it is done.
- Name each todo twice: content, what to do ("Fix the login"); activeForm, what is being done ("Fixing the login").`;

/** gencode as its published proposal describes it; what was built is another dialect. */
export const gencode: Dialect = {
  name: "gencode",
  summary: "gencode's proposed TodoWrite: replaces the whole list with each call, 20 todos, one in progress",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Replace the todo list: every todo with each call, at most 20.\n${GUIDANCE}`,
      inputSchema: {
        type: "object",
        properties: {
          todos: {
            type: "array",
            maxItems: SHAPE.mostTodos,
            items: {
              type: "object",
              properties: { content: TEXT, status: { type: "string", enum: WORK_STATUSES }, activeForm: TEXT },
              required: ["content", "status", "activeForm"],
            },
          },
        },
        required: ["todos"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  // The limits are the schema's: it tells of everything at once that is wrong with a call.
  policy: { ...WHOLE_LIST, focus: "reject", scope: "session" },
  vocabulary: {
    editions: "gencode's proposal 0005",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["active form"],
    limits: "20 todos, 500 characters a text",
  },
  parse: (call) => parseCall(call, SHAPE, { written, refused }),
  show,
  panel,
  guidance: { text: GUIDANCE, place: "description" },
};

function refused({ code, message }: TodoError): string {
  return code === "another-in-progress" ? "Only one task can be in_progress at a time" : message;
}

function show(list: TodoList): readonly GencodeItem[] {
  return workTodos(list).map(({ text, status, activeForm = text }) => ({ content: text, status, activeForm }));
}

/** The model's own plan, so that it finds it again in what it was answered. */
function written(items: readonly GencodeItem[]): string {
  if (items.length === 0) return "No todos.";
  const rows = items.map(({ content, status, activeForm }) => {
    if (status === "in_progress") return `[>] ${content} <- ${activeForm}`;
    return status === "completed" ? `[x] ${content}` : `[ ] ${content}`;
  });
  return [...rows, "", `(${countStatus(items, "completed")}/${items.length} completed)`].join("\n");
}
