import { type JsonObject, objectAt } from "../../core/json.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, inputValue, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { WORK_STATUSES, WORK_WORDS } from "../work-status.js";
import { mendedJson } from "./mended-json.js";
import { complaintAbout, ID_MAX, type QwenTodo } from "./qwen-input.js";
import { isSameList, knownTodos, withKeptBlockers, writtenTodo } from "./qwen-items.js";

const TOOL = "todo_write";

const GUIDANCE = `The person sees the list, and follows the work by it.
Keep one when the person asks, and for large or unclear work: with phases or an order, several outcomes, or \
checkpoints that help. No list for a single step, a question, or what can simply be done.
- Few todos, each an outcome that can be checked, in the order of the work; not one for every file, command or error.
- At most one todo is in_progress. The list is never stale: completed is set when all of it is done, not for work that \
is stuck or partly done.
- Change the list when the plan changes, and leave out what no longer matters.
- blockedBy: ids of todos in the same list that must be completed first, only where that is really so. What you leave \
out stays as it was while anything is open; [] takes it away.`;

/** Qwen Code: the whole list with each call, todos by their ids; a finished list stays. */
export const qwen: Dialect = {
  name: "qwen",
  summary: "Qwen Code todo_write: replaces the whole list with each call, todos by their ids",
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
                status: { type: "string", enum: WORK_STATUSES },
                id: { type: "string", maxLength: ID_MAX },
                blockedBy: { type: "array", items: { type: "string", maxLength: ID_MAX }, uniqueItems: true },
              },
              required: ["content", "status", "id"],
              additionalProperties: false,
            },
          },
        },
        required: ["todos"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: { ...WHOLE_LIST, scope: "session" },
  vocabulary: {
    editions: "Qwen Code 0.24",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["id"],
    limits: "ids of 500 characters",
  },
  parse,
  show: (list) => [...knownTodos(list).values()].map(({ item }) => item),
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input }: ToolCall, list: TodoList): Parsed {
  if (tool !== TOOL) return refuse(`Tool "${tool}" not found in registry.`);
  const given = inputValue(input);
  const value = objectAt("text" in input && given === input.text ? mendedJson(given) : given);
  const complaint = complaintAbout(value.todos);
  if (complaint !== undefined) return refuse(complaint);
  const written = writtenList(value, list);
  if (typeof written === "string") return { type: "answer", answer: { text: failed(written), isError: false } };
  const known = knownTodos(list);
  const todos = written.map((item) => writtenTodo(item, known));
  return {
    type: "command",
    command: { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos }] },
    render: (outcome) => {
      if (!outcome.ok) return { text: failed(outcome.error.message), isError: true };
      return isSameList(written, known) ? UNCHANGED : receipt(written);
    },
  };
}

/** What the call makes of the list; a text is what went wrong while it ran. */
function writtenList(value: JsonObject, list: TodoList): readonly QwenTodo[] | string {
  const { modified_by_user: isModified, modified_content: modified } = value;
  if (!isModified || modified === undefined)
    return withKeptBlockers(value.todos as readonly QwenTodo[], knownTodos(list));
  try {
    // Where a person changed the call, the host puts their text here. The original reads the field of whatever it is.
    const todos = JSON.parse(String(modified)).todos;
    return complaintAbout(todos) ?? todos;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const UNCHANGED: Answer = {
  text: withReminder(
    "Todo list is already up to date. No changes were needed.",
    "Your todo list was not modified because it is already current. Continue with your existing tasks.",
  ),
  isError: false,
};

function receipt(written: readonly QwenTodo[]): Answer {
  const text =
    written.length === 0
      ? withReminder(
          "Todo list has been cleared.",
          "Your todo list is now empty. DO NOT mention this explicitly to the user. You have no pending tasks in your todo list.",
        )
      : withReminder(
          "Todos have been modified successfully. Ensure that you continue to use the todo list to track your progress. Please proceed with the current tasks if applicable",
          `Your todo list has changed. DO NOT mention this explicitly to the user. Here are the latest contents of your todo list:\n\n${JSON.stringify(written)}. Continue on with the tasks at hand if applicable.`,
        );
  return { text, isError: false };
}

function failed(reason: string): string {
  return withReminder(
    "Failed to modify todos. An error occurred during the operation.",
    `Todo list modification failed with error: ${reason}. You may need to retry or handle this error appropriately.`,
  );
}

function withReminder(text: string, reminder: string): string {
  return `${text}\n\n<system-reminder>\n${reminder}\n</system-reminder>`;
}
