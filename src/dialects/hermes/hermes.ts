import { TODO_STATUSES, type TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, LIST_TOOL, type Parsed, type ToolCall, type ToolInput } from "../dialect.js";
import { dumps, loads } from "../wording/python-json.js";
import { fromJson, isDict, isList, isTrue, type PythonDict, PythonError, typeName } from "../wording/python-value.js";
import { hermesDigest } from "./hermes-digest.js";
import { type HermesItem, mergeItems, replaceItems, withSoundParents } from "./hermes-items.js";
import { itemsOf, phasesOf } from "./hermes-list.js";

const GUIDANCE = `Keep a list for work of three or more steps and for several tasks at once; when all of N things \
are asked for, list each of them, so that none is lost.
- The order is the priority. One item is in_progress at a time.
- Complete an item only when you have checked the work, never because you mean to do it.
- What failed is cancelled, and a revised item added. Split a large phase into items that name its id as their \
parent.
- Call the tool without parameters to read the list; every call returns all of it.`;

const TOOL = {
  name: "todo_list",
  title: "Todo list",
  description: `The task list of this session. \`merge: false\`, the default, replaces it; \`merge: true\` changes items \
by their id and appends new ones.\n${GUIDANCE}`,
  inputSchema: {
    type: "object",
    properties: {
      todos: {
        type: "array",
        items: {
          type: "object",
          properties: {
            id: { type: "string" },
            content: { type: "string" },
            status: { type: "string", enum: TODO_STATUSES },
            parent: { type: "string" },
          },
          required: ["id", "content", "status"],
        },
      },
      merge: { type: "boolean", default: false },
    },
    required: [],
  },
  annotations: { ...LIST_TOOL, idempotentHint: true },
} as const;

/** Hermes, edition 2026-09: the list whole or by id, and almost anything is taken for an item. */
export const hermes: Dialect = {
  name: "hermes",
  summary: "Hermes todo_list: replaces the whole list, or merges items by id",
  tools: [TOOL, { ...TOOL, name: "todo", title: "Todo list, older name", isRetired: true }],
  // A merge that breaks off half-way keeps what it did.
  policy: { ...WHOLE_LIST, batch: "partial" },
  vocabulary: {
    editions: "Hermes 2026-09",
    writes: "the whole list, or changes by id",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "completed", cancelled: "cancelled" },
    carries: ["id", "parent"],
    limits: "256 todos, 4,000 characters a text; more is cut off",
  },
  parse,
  show: (list) => itemsOf(list).map(shown),
  digest: hermesDigest,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse(call: ToolCall, list: TodoList): Parsed {
  if (!hermes.tools.some(({ name }) => name === call.tool)) return refused({ error: `Unknown tool: ${call.tool}` });
  const input = readInput(call.input);
  if (!input)
    return refused({
      error: "Invalid tool arguments",
      message: "Tool arguments must be a valid JSON object; tool was not executed.",
    });
  try {
    return write(call.tool, input, list);
  } catch (error) {
    if (error instanceof PythonError) return { type: "answer", answer: raised(call.tool, error.message) };
    throw error;
  }
}

/** Undefined for what is no JSON object. */
function readInput(input: ToolInput): PythonDict | undefined {
  const text = "text" in input ? input.text : input.source;
  const value = text === undefined ? fromJson("value" in input ? input.value : undefined) : loads(text);
  return isDict(value) ? value : undefined;
}

function write(tool: string, input: PythonDict, list: TodoList): Parsed {
  const asked = input.get("todos") ?? null;
  if (asked === null) return { type: "command", command: { type: "read" }, render: () => answer(list) };
  const entries = typeof asked === "string" ? loads(asked) : asked;
  if (entries === undefined) return refused({ error: "todos must be a list of objects, got unparseable string" });
  if (!isList(entries)) return refused({ error: `todos must be a list, got ${typeName(entries)}` });
  return rewrite(
    tool,
    list,
    isTrue(input.get("merge")) ? mergeItems(itemsOf(list), entries) : { items: replaceItems(entries) },
  );
}

function rewrite(tool: string, list: TodoList, { items, problem }: ReturnType<typeof mergeItems>): Parsed {
  const { explanation } = list;
  const kept = items.length === 0 || explanation === undefined ? undefined : { explanation };
  const broken = problem === undefined ? undefined : { isBroken: true };
  // The original would show a parent that cannot be until its next whole write; our list cannot hold one.
  const sound = problem === undefined ? items : withSoundParents(items);
  return {
    type: "command",
    command: { type: "replace", phases: phasesOf(list, sound), ...kept, ...broken },
    render: (outcome) => {
      if (problem !== undefined) return raised(tool, problem);
      if (outcome.ok) return answer(outcome.value.after);
      const { code, message } = outcome.error;
      // The original has no such rule: it comes as what the tool itself does not take.
      return code === "another-in-progress" ? rejected({ error: message }) : raised(tool, message);
    },
  };
}

function answer(list: TodoList): Answer {
  const todos = itemsOf(list).map(shown);
  const counts = TODO_STATUSES.map((word) => [word, todos.filter(({ status }) => status === word).length] as const);
  const summary = { total: todos.length, ...Object.fromEntries(counts) };
  const data = { todos, revision: list.revision, summary };
  return { text: dumps(data), isError: false, data };
}

function shown({ id, content, status, parent }: HermesItem): Omit<HermesItem, "number"> {
  return parent === undefined ? { id, content, status } : { id, content, status, parent };
}

/** The tool's own words for what it does not take. */
function refused(data: object): Parsed {
  return { type: "answer", answer: rejected(data) };
}

function rejected(data: object): Answer {
  return { text: dumps(data), isError: true, data };
}

/** An exception inside the tool. */
function raised(tool: string, message: string): Answer {
  return { text: `Error executing tool '${tool}': ${message}`, isError: true };
}
