import type { TodoError } from "../../core/todo/command.js";
import { type Answer, type Dialect, LIST_TOOL, type Parsed, type ToolCall, type Written } from "../dialect.js";
import { panel } from "./panel.js";
import { readPiArguments } from "./pi-arguments.js";
import { errorText, type PiStep, stepOf } from "./pi-ops.js";
import { PI_POLICY, phasesOf } from "./pi-phases.js";
import { type PiOp, TODO_WRITE } from "./pi-schema.js";
import { completedTasks, summaryText } from "./summary.js";
import { onWire } from "./wire-text.js";

const TOOL = "todo_write";
const LABEL = "Todo Write";

const GUIDANCE = `Keep a list for three or more steps, for a set of tasks, and when the person asks for one. New \
instructions in the middle of the work are added before you go on.
- Where the person gives a plan or a checklist, each of its points is a task of its own before you begin: none \
merged, none left out.
- A task is named by its exact text; there are no ids such as task-1. Texts and phase names are unique and stay as \
they are.
- Task: five to ten words, what is done and not how. Phase: a short noun ("Storage"), without a number or letter in \
front.
- One task is in_progress; when it is done, the first pending one on the list starts by itself. There is no op for \
pending: every task that init or append puts on the list is pending until it starts.
- Mark a task done right after it is finished. Work through the phases in order.
- Blocked? In the current phase, append a task that clears the way, or drop the blocked one.
- note keeps a reminder for yourself with a task.`;

/** oh-my-pi: ordered operations on a list with phases. Each does what it can, and one task is always in progress. */
export const ohMyPi: Dialect = {
  name: "oh-my-pi",
  summary: "oh-my-pi todo_write: ordered operations on a list with phases",
  tools: [
    {
      name: TOOL,
      title: LABEL,
      description: `A todo list in phases. \`init\` sets all of it; \`start\`, \`done\`, \`drop\`, \`rm\` and \
\`note\` name a task; \`append\` adds tasks to a phase, new or not. \`done\`, \`drop\` and \`rm\` also take a phase, \
and without either mean every task.
${GUIDANCE}`,
      inputSchema: { ...TODO_WRITE },
      annotations: LIST_TOOL,
      traits: {
        label: LABEL,
        summary: "Write a structured todo list to track progress within a session",
        approval: "read",
        concurrency: "exclusive",
        strict: true,
        loadMode: "discoverable",
      },
    },
  ],
  policy: PI_POLICY,
  vocabulary: {
    editions: "oh-my-pi 15.6 to 15.8",
    writes: "changes",
    statuses: { pending: "pending", in_progress: "in_progress", completed: "completed", cancelled: "abandoned" },
    carries: ["phases", "notes"],
  },
  parse,
  show: phasesOf,
  panel,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input, storage }: ToolCall): Parsed {
  if (tool !== TOOL) return refuseCall(`Tool ${tool} not found`);
  const read = readPiArguments(tool, input);
  return read.ok ? onWire(applyOps(read.value.ops, storage)) : refuseCall(read.error);
}

/** Refused by the host: the tool has not run, so there are no details. */
function refuseCall(text: string): Parsed {
  return { type: "answer", answer: { text, isError: true, data: {} } };
}

/** The tool itself, behind the host's validation. */
export function applyOps(ops: readonly PiOp[], storage: ToolCall["storage"] = "session"): Parsed {
  const steps = ops.map(stepOf);
  return {
    type: "command",
    command: { type: "edit", edits: steps.map(({ edit }) => edit) },
    render: (outcome) =>
      outcome.ok ? answerOf(outcome.value, steps, storage) : { text: outcome.error.message, isError: true, data: {} },
  };
}

function answerOf({ before, after, refused }: Written, steps: readonly PiStep[], storage: string): Answer {
  const errors = errorsOf(steps, refused);
  const phases = phasesOf(after);
  const completed = completedTasks(phasesOf(before), phases);
  return {
    text: summaryText(phases, errors),
    isError: errors.length > 0,
    data: { phases, storage, ...(completed.length === 0 ? undefined : { completedTasks: completed }) },
  };
}

/** In the order of the operations; core's own word on one goes first. */
function errorsOf(steps: readonly PiStep[], refused: readonly TodoError[]): readonly string[] {
  const byEdit = new Map(refused.map((error) => [error.edit, errorText(error)]));
  return steps.flatMap(({ error }, at) => byEdit.get(at) ?? error ?? []);
}
