import { isObject, type JsonObject, listAt, objectAt } from "../../core/json.js";
import type { NewPhase, NewTodo } from "../../core/todo/command.js";
import { PRIORITIES, type Priority, type TodoList, type TodoStatus } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, inputValue, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { WORK_STATUSES, WORK_WORDS, type WorkStatus, workTodos } from "../work-status.js";

const PLAN = "plan";

const ENTRY = {
  type: "object",
  properties: {
    content: { type: "string" },
    priority: { type: "string", enum: PRIORITIES },
    status: { type: "string", enum: WORK_STATUSES },
  },
  required: ["content", "priority", "status"],
};

/** The `plan` update of the Agent Client Protocol: what an agent shows to its editor, whole with each update. */
export const acp: Dialect = {
  name: "acp",
  summary: "Agent Client Protocol plan: replaces the whole list with each update",
  tools: [
    {
      name: PLAN,
      title: "Plan",
      description: "Replace the plan: every entry with its priority and status, as a `plan` update of ACP has them.",
      inputSchema: {
        type: "object",
        properties: { entries: { type: "array", items: ENTRY } },
        required: ["entries"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: WHOLE_LIST,
  vocabulary: {
    editions: "ACP v1; v2's `cancelled` is understood",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["priority"],
  },
  parse,
  show: (list) => ({ entries: planEntries(list) }),
};

interface PlanEntry {
  readonly content: string;
  readonly priority: Priority;
  readonly status: WorkStatus;
}

/** The list as the entries of a plan. Every agent that has no priorities says `medium`. */
export function planEntries(list: TodoList): readonly PlanEntry[] {
  return workTodos(list).map(({ text: content, status, priority = "medium" }) => ({ content, priority, status }));
}

function parse({ tool, input }: ToolCall): Parsed {
  if (tool !== PLAN) return refuse(`There is no tool ${tool}; a plan is written with ${PLAN}.`);
  const value = objectAt(inputValue(input));
  if (!Array.isArray(value.entries)) return refuse("A plan has `entries`: a list of {content, priority, status}.");
  const entries = listAt(value.entries);
  const todos = entries.flatMap((entry) => todoOf(entry) ?? []);
  // Entries that are none are skipped, as the protocol says; with nothing left it was no plan, and the list stays.
  if (todos.length === 0 && entries.length > 0)
    return refuse("No entry of this plan has a content and a known status.");
  const { explanation } = extrasOf(value);
  return {
    type: "command",
    command: {
      type: "replace",
      phases: phasesOf(todos),
      ...(typeof explanation === "string" && { explanation }),
    },
    render: (outcome) => {
      if (!outcome.ok) return { text: outcome.error.message, isError: true };
      const done = todos.filter(({ todo }) => todo.status === "completed").length;
      return { text: `Plan updated (${done}/${todos.length} done)`, isError: false };
    },
  };
}

interface PlacedTodo {
  readonly todo: NewTodo;
  readonly phase: string;
}

function todoOf(entry: unknown): PlacedTodo | undefined {
  const { content, status: word, priority } = objectAt(entry);
  const status = statusOf(word);
  if (typeof content !== "string" || status === undefined) return undefined;
  const { phase, activeForm } = extrasOf(objectAt(entry));
  const known = PRIORITIES.find((one) => one === priority);
  return {
    todo: {
      text: content,
      status,
      // What agents without priorities say.
      ...(known && { priority: known === "medium" ? null : known }),
      ...(typeof activeForm === "string" && { activeForm }),
    },
    phase: typeof phase === "string" ? phase : "",
  };
}

const STATUSES: ReadonlyMap<unknown, TodoStatus> = new Map<unknown, TodoStatus>([
  ...WORK_STATUSES.map((status) => [status, status] as const),
  ["cancelled", "cancelled"],
]);

/** Words behind an underscore are an agent's own: what they stand for is open, until the agent says otherwise. */
function statusOf(word: unknown): TodoStatus | undefined {
  return STATUSES.get(word) ?? (typeof word === "string" && word.startsWith("_") ? "pending" : undefined);
}

/** What the protocol has no field for goes where it leaves room for everybody: `_meta`, under our name. */
function extrasOf({ _meta: meta }: JsonObject): JsonObject {
  return isObject(meta) ? objectAt(meta.milepost) : {};
}

function phasesOf(todos: readonly PlacedTodo[]): readonly NewPhase[] {
  const phases = new Map<string, NewTodo[]>();
  for (const { todo, phase } of todos) {
    const known = phases.get(phase);
    if (known) known.push(todo);
    else phases.set(phase, [todo]);
  }
  return [...phases].map(([name, items]) => ({ name, todos: items }));
}

/** A list with all that `parse` reads of it: phases, active forms and cancelled todos too. */
export function wholePlan(list: TodoList): JsonObject {
  const entries = list.phases.flatMap(({ name, todos }) =>
    todos.map(({ text: content, status, priority = "medium", activeForm }) => {
      const extras = { ...(name !== "" && { phase: name }), ...(activeForm !== undefined && { activeForm }) };
      const meta = Object.keys(extras).length > 0 ? { _meta: { milepost: extras } } : undefined;
      return { content, priority, status, ...meta };
    }),
  );
  const { explanation } = list;
  return explanation === undefined ? { entries } : { entries, _meta: { milepost: { explanation } } };
}
