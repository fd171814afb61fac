import { GUIDANCE } from "../../core/text/guidance-text.js";
import type { TodoList } from "../../core/todo/list.js";
import { type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { renderRefused, renderWritten, unchanged, withOpenTodos } from "./todo-answer.js";
import { planRequest } from "./todo-edits.js";
import { type Request, readRequest } from "./todo-request.js";

const TOOL = "todo";
const NUMBERS = { type: "array", items: { type: "integer" } };

/** Our own tool: changes instead of lists, numbers instead of texts, one line back. */
export const milepost: Dialect = {
  name: "milepost",
  summary: "Our own todo tool: changes by number, one-line answers, few tokens",
  tools: [
    {
      name: TOOL,
      title: "Todo",
      description:
        "This session's todos. Send only what changes; todos have numbers. Finishing one starts the next. {} shows all.",
      // Other fields are refused with what to send instead; a client that checked them first would only say no.
      inputSchema: {
        type: "object",
        properties: {
          add: {
            type: "array",
            items: { type: ["string", "object"] },
            description: 'new todos in order: "Run tests" or {text,status,activeForm:"Running tests"}',
          },
          done: { type: "integer", description: "number really finished" },
          evidence: { type: "string", description: "what shows it" },
          start: { type: "integer", description: "work on this now; -1: nothing" },
          note: { type: "string", description: 'on the todo at hand; "#4 text": on another' },
          drop: { ...NUMBERS, description: "no longer needed" },
          order: { ...NUMBERS, description: "these first" },
          show: { type: "boolean" },
        },
      },
      annotations: LIST_TOOL,
    },
  ],
  policy: {
    focus: "demote",
    promote: "on-close",
    batch: "atomic",
    clearWhenDone: "on-add",
    duplicates: "allow",
    revision: "on-change",
    scope: "agent",
    limits: { todos: 1000, notes: 100, codePoints: 4000, bytes: null, emptyText: "refuse" },
  },
  vocabulary: {
    editions: "our own",
    writes: "changes",
    statuses: { pending: "open", in_progress: "in progress", completed: "done", cancelled: "dropped" },
    carries: ["notes", "active form"],
  },
  parse,
  told: (answer, notices) => ({ ...answer, text: [answer.text, ...notices].join("\n") }),
  show: ({ explanation, phases }) => (explanation === undefined ? { phases } : { explanation, phases }),
  guidance: { text: GUIDANCE, place: "instructions" },
};

function parse(call: ToolCall, list: TodoList): Parsed {
  if (call.tool !== TOOL) return refuse(unchanged(`The only tool is "${TOOL}".`));
  const read = readRequest(call.input);
  if (!read.ok) return refuse(unchanged(read.error));
  const isPlanning = call.mode === "plan";
  if (isPlanning && isWork(read.value)) return refuse(unchanged(PLANNING));
  const planned = planRequest(read.value, list);
  if (!planned.ok) return refuse(withOpenTodos(planned.error, list));
  const { start, show } = read.value;
  const { edits } = planned.value;
  return {
    type: "command",
    command: edits.length === 0 ? { type: "read" } : { type: "edit", edits, advance: start !== "none" && !isPlanning },
    render: (outcome) =>
      outcome.ok ? renderWritten(planned.value, show, outcome.value) : renderRefused(outcome.error, list),
  };
}

/** What a person has not agreed to yet is written down, and neither begun nor done. */
const PLANNING =
  'In plan mode todos are neither started nor finished: {"add":["first todo"]} lists them now, {"start":1} begins after plan mode.';

function isWork({ add, start, done }: Request): boolean {
  if (done.length > 0 || (start !== undefined && start !== "none")) return true;
  return add.some(({ status }) => status === "in_progress" || status === "completed");
}
