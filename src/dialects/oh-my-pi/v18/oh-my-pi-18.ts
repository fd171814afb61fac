import { objectAt } from "../../../core/json.js";
import type { TodoList } from "../../../core/todo/list.js";
import { type Answer, type Dialect, LIST_TOOL, type Parsed, type ToolCall, type ToolInput } from "../../dialect.js";
import { readInput } from "../pi-arguments.js";
import { withLiteralBackslashes } from "../pi-json.js";
import { PI_POLICY } from "../pi-phases.js";
import { completedTasks } from "../summary.js";
import { onWire } from "../wire-text.js";
import { blockablePhases, isSameList, toldPhases, writeCommand } from "./blockable-tasks.js";
import { complaintsAbout } from "./complaints.js";
import { repairedArguments } from "./host-repair.js";
import { opSummary } from "./op-summary.js";
import { applyOp } from "./todo-op.js";
import { TODO, type TodoOp } from "./todo-op-schema.js";

const TOOL = "todo";
const LABEL = "Todo";

const GUIDANCE = `Keep a list for three or more steps, for several tasks at once, and when the person asks for one; \
add new instructions before you go on.
- Everything the person listed is a task of its own before you begin: none merged, none left to memory.
- A task has five to ten words: what is done, not how. Its exact text is its name (there are no ids); when you have \
lost it, view shows it: never guess. Texts and phase names are unique and stay as they are.
- Phase: a short noun ("Storage"), without a number or letter in front. Work through the phases in order.
- One task is in_progress. When it is closed or blocked, the first pending one starts by itself, in an earlier phase \
too; what is done stays done.
- Mark a task done right after it is finished. Drop what is no longer wanted.
- block a task, with the reason, where somebody else must act first: it stays on the list, does not start by itself, \
and you are not reminded of it. unblock it when it can go on. Where you can clear the way yourself, append a task \
for that.
- Call the tool beside other work of the same turn, not alone. The person follows the same list.`;

/** oh-my-pi since 16.1: one operation a call, all of it or nothing, and tasks that wait for somebody else. */
export const ohMyPi18: Dialect = {
  name: "oh-my-pi/18",
  summary: "oh-my-pi 18 todo: one operation a call on a list with phases",
  tools: [
    {
      name: TOOL,
      title: LABEL,
      description: `A todo list in phases, one operation a call. \`init\` sets all of it from \`list\` or flat \`items\`; \
\`append\` adds \`items\` to a \`phase\`; \`start\` names a task; \`done\`, \`drop\` and \`rm\` take a task or a phase, and \
without either mean every task; \`block\` (with \`reason\`) and \`unblock\` take a task or a phase; \`view\` only shows it.
${GUIDANCE}`,
      inputSchema: { ...TODO },
      annotations: LIST_TOOL,
      traits: {
        label: LABEL,
        summary: "Write a structured todo list to track progress within a session",
        approval: "read",
        concurrency: "exclusive",
        strict: true,
        lenientArgValidation: true,
        loadMode: "discoverable",
      },
    },
  ],
  policy: { ...PI_POLICY, batch: "atomic" },
  vocabulary: {
    editions: "oh-my-pi 18.3",
    writes: "changes",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "completed", cancelled: "abandoned" },
    carries: ["phases"],
  },
  parse,
  show: blockablePhases,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input, storage, result }: ToolCall, list: TodoList): Parsed {
  if (tool !== TOOL) return { type: "answer", answer: { text: `Tool ${tool} not found`, isError: true, data: {} } };
  const args = repairedArguments(readArguments(input));
  const told = toldPhases(list, result);
  // Who has only looked has written nothing, unless the list is another one than we know.
  const isLook = objectAt(args).op === "view" && isSameList(told, blockablePhases(list));
  return told && !isLook ? recorded(list, told) : onWire(applyTodo(args, list, storage));
}

/** Nobody reads the answer: the model has that of the agent. */
function recorded(list: TodoList, told: Parameters<typeof writeCommand>[1]): Parsed {
  const command = writeCommand(list, told);
  return { type: "command", command, render: ({ ok }) => ({ text: "", isError: !ok }) };
}

function readArguments(input: ToolInput): unknown {
  if (!("text" in input)) return input.value;
  for (const text of [input.text, withLiteralBackslashes(input.text)]) {
    try {
      return JSON.parse(text);
    } catch {
      // As any version reads it, then.
    }
  }
  return readInput(input);
}

/** The tool itself, behind the host. */
export function applyTodo(args: unknown, list: TodoList, storage: ToolCall["storage"] = "session"): Parsed {
  const phases = blockablePhases(list);
  const op = readOp(args, phases.length > 0);
  if (typeof op === "string") return { type: "answer", answer: { text: op, isError: true, data: { phases, storage } } };
  if (op.op === "view") return { type: "answer", answer: answerOf(list, op, [], storage) };
  const applied = applyOp(list, op);
  if (!applied.ok) return { type: "answer", answer: answerOf(list, op, applied.error, storage) };
  return {
    type: "command",
    command: writeCommand(list, applied.value),
    render: (outcome) => {
      if (!outcome.ok) return { text: outcome.error.message, isError: true, data: {} };
      const { before, after } = outcome.value;
      const completed = completedTasks(blockablePhases(before), blockablePhases(after));
      return answerOf(after, op, [], storage, completed);
    },
  };
}

function answerOf(
  list: TodoList,
  { op }: TodoOp,
  errors: readonly string[],
  storage: string,
  completed: ReturnType<typeof completedTasks> = [],
): Answer {
  const phases = blockablePhases(list);
  const done = completed.length === 0 ? undefined : { completedTasks: completed };
  return {
    text: opSummary(phases, errors, op === "view"),
    isError: errors.length > 0,
    data: { op, phases, storage, ...done },
  };
}

/** The operation, or what is wrong with the arguments. */
function readOp(args: unknown, hasPhases: boolean): TodoOp | string {
  const complaints = complaintsAbout(TODO, args);
  if (complaints.length === 0) return args as TodoOp;
  const fields = args as Partial<TodoOp> | null | undefined;
  const op = fields && typeof fields === "object" && fields.op === undefined ? impliedOp(fields, hasPhases) : undefined;
  if (op && complaintsAbout(TODO, { ...fields, op }).length === 0) return { ...fields, op };
  return `Invalid todo arguments: ${complaints.join("\n")}`;
}

/** Models forget to say what they want when it is plain: a whole list, or tasks for a phase or for no list yet. */
function impliedOp({ list, items, phase }: Partial<TodoOp>, hasPhases: boolean): "init" | "append" | undefined {
  if (Array.isArray(list) && list.length > 0) return "init";
  if (!Array.isArray(items) || items.length === 0) return undefined;
  if (typeof phase === "string" && phase) return "append";
  return hasPhases ? undefined : "init";
}
