import { isObject, own } from "../../core/json.js";
import { fail, ok, type Result } from "../../core/result.js";
import type { NewTodo, TodoError } from "../../core/todo/command.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, inputValue, LIST_TOOL, type Parsed, type ToolCall } from "../dialect.js";
import { type ArgumentSchema, schemaViolations } from "../wording/json-schema.js";
import { countStatus, isWorkStatus, WORK_STATUSES, WORK_WORDS, type WorkStatus, workTodos } from "../work-status.js";

const TOOL = "TodoWrite";
const INSTRUCTIONS =
  "Todos updated. Keep exactly one item `in_progress` at a time. Mark completed IMMEDIATELY after finishing each task; do not batch completions.";

const GUIDANCE = `Use the list often, and without being asked, for work of three or more steps: write down the steps \
inside this goal, see how far you are and what is left.
- Exactly one todo is in_progress for as long as work is left.
- Complete each todo the moment it is done, never several later in one go. A list with all todos completed is \
emptied: the next plan begins with an empty list.
- Each todo has two forms: content, what to do ("Fix the login"); activeForm, what is being done ("Fixing the \
login"), which people see while it is in_progress.`;

/** Unknown keys pass, and so does `active_form` next to what is required. */
const NEXO_SCHEMA: ArgumentSchema = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      items: {
        type: "object",
        properties: {
          content: { type: "string" },
          status: { type: "string", enum: WORK_STATUSES },
          activeForm: { type: "string" },
        },
        required: ["content", "status", "activeForm"],
      },
    },
  },
  required: ["todos"],
};

/** nexo-rs as its handler alone answers, over MCP or with validation off: `active_form` is taken too. */
export const nexo: Dialect = {
  name: "nexo",
  summary: "nexo-rs TodoWrite: replaces the whole list with each call, empties a finished one",
  tools: [
    {
      name: TOOL,
      title: "Write todos",
      description: `Replace the todo list of this goal: every todo with each call, at most 50, each text in at most \
200 bytes.\n${GUIDANCE}`,
      inputSchema: NEXO_SCHEMA,
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: {
    ...WHOLE_LIST,
    clearWhenDone: "now",
    scope: "session",
    limits: { ...WHOLE_LIST.limits, todos: 50, bytes: 200, emptyText: "refuse-white-space" },
  },
  vocabulary: {
    editions: "nexo-rs of May 2026",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["active form"],
  },
  parse,
  show,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse(call: ToolCall): Parsed {
  if (call.tool !== TOOL) return answered(refusal(`unknown tool: ${call.tool}`));
  const read = readItems(inputValue(call.input));
  if (!read.ok) return answered(handlerError(read.error));
  const items = read.value;
  return {
    type: "command",
    command: { type: "replace", phases: items.length === 0 ? [] : [{ name: "", todos: items.map(toTodo) }] },
    render: (outcome) => (outcome.ok ? written(items, outcome.value.before) : handlerError(errorText(outcome.error))),
  };
}

/** Keys are in alphabetical order, as in the original's JSON. */
interface Item {
  readonly active_form: string;
  readonly content: string;
  readonly status: WorkStatus;
}

/** The first wrong item is reported; limits are only checked for a list without any. */
function readItems(value: unknown): Result<readonly Item[], string> {
  const todos = isObject(value) ? own(value, "todos") : undefined;
  if (!Array.isArray(todos)) return fail(`${TOOL} requires \`todos\` (array)`);
  const items: Item[] = [];
  for (const [index, todo] of todos.entries()) {
    const item = readItem(todo);
    if (!item.ok) return fail(`todo[${index}]: ${item.error}`);
    items.push(item.value);
  }
  return ok(items);
}

function readItem(item: unknown): Result<Item, string> {
  const field = (key: string) => (isObject(item) ? own(item, key) : undefined);
  const content = field("content");
  if (typeof content !== "string") return fail("missing string `content`");
  const status = field("status");
  if (typeof status !== "string") return fail("missing string `status`");
  if (!isWorkStatus(status)) return fail(`unknown status \`${status}\` (expected ${WORK_STATUSES.join("|")})`);
  // An `activeForm` that is there hides the other spelling, whatever it holds.
  const camel = field("activeForm");
  const activeForm = camel === undefined ? field("active_form") : camel;
  if (typeof activeForm !== "string") return fail("missing string `activeForm` (or `active_form`)");
  return ok({ active_form: activeForm, content, status });
}

function toTodo({ active_form: activeForm, content: text, status }: Item): NewTodo {
  return { text, status, activeForm };
}

/** Shows the sent list, even if it is emptied because all todos are completed. */
function written(items: readonly Item[], before: TodoList): Answer {
  const response = {
    in_progress_count: countStatus(items, "in_progress"),
    instructions: INSTRUCTIONS,
    new_todos: items,
    old_todos: show(before),
    wiped_on_all_completed: items.length > 0 && countStatus(items, "completed") === items.length,
  };
  return { text: JSON.stringify(response), isError: false, data: response };
}

function show(list: TodoList): readonly Item[] {
  return workTodos(list).map(({ text, status, activeForm = text }) => ({
    active_form: activeForm,
    content: text,
    status,
  }));
}

function errorText({ code, message, index, field, actual, limit }: TodoError): string {
  const where = `todo item #${index}: \`${field === "activeForm" ? "active_form" : "content"}\``;
  if (code === "too-many-todos") return `too many todo items: ${actual} > max ${limit}. Consolidate the list.`;
  if (code === "empty-text") return `${where} is empty`;
  return code === "text-too-long" ? `${where} is ${actual} bytes (max ${limit})` : message;
}

/** An error of the handler reaches the model with this word in front. */
export function handlerError(error: string): Answer {
  return { text: `error: ${error}`, isError: true, data: { error } };
}

/** Refused before the handler is called. */
export function refusal(error: string): Answer {
  return { text: error, isError: true, data: { error } };
}

function answered(answer: Answer): Parsed {
  return { type: "answer", answer };
}

/** nexo-rs as its own agent loop answers: the schema is checked first, so `active_form` alone is refused. */
export const nexoStrict: Dialect = {
  ...nexo,
  name: "nexo/strict",
  summary: "nexo-rs TodoWrite behind its schema: `activeForm` is required",
  parse: parseStrict,
};

function parseStrict(call: ToolCall, list: TodoList): Parsed {
  const isKnown = nexo.tools.some(({ name }) => name === call.tool);
  const violations = isKnown ? schemaViolations(NEXO_SCHEMA, inputValue(call.input)) : [];
  if (violations.length === 0) return nexo.parse(call, list);
  return answered(refusal(`invalid arguments: ${violations.join("; ")}`));
}
