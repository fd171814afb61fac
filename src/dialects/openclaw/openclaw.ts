import { isObject } from "../../core/json.js";
import { fail, type Result } from "../../core/result.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Answer, type Dialect, inputValue, LIST_TOOL, type Parsed, refuse, type ToolCall } from "../dialect.js";
import { countStatus, WORK_STATUSES, WORK_WORDS, workTodos } from "../work-status.js";
import { checkArguments } from "./card-arguments.js";
import { MOST_STEPS, type OpenclawCard, readCard, readPlan } from "./openclaw-input.js";

const CARD = "progress_card";
const PLAN = "update_plan";

const STEP = {
  type: "object",
  properties: { step: { type: "string" }, status: { type: "string", enum: WORK_STATUSES } },
  required: ["step", "status"],
};

const GUIDANCE = `The card stays beside the session, for somebody who does not read the conversation.
Make one only where the work is substantial and has two or more real steps in sequence: not for a greeting, a quick \
question or a single step, and make up no steps to have one. A card that is there may always be changed or cleared.
- Use markdown, plan or both, whichever shows the work best, with no fact in both parts.
- markdown is short: a table for comparisons and figures, one bold line for a plain state, or, while something long \
runs, one bar, first in the note: <progress aria-label="Tests 40/60" value="40" max="60"></progress>, its short \
label with purpose and count. Other HTML is removed. Link what has an address, issues and pull requests too.
- plan: steps in order, pending, in_progress (at most one) or completed, only for work that is truly sequential. \
Leave it out where a table, a bar or a sentence says more.
- Update the card when something that matters changes (work finished or stuck, new results), not with every message. \
Unfinished and blocked work stays on it.
- When all is done, clear it with {} before your last reply, and sum up there, not on the card.`;

/** OpenClaw: a card of notes and steps that each call replaces, and the plan tool that it had before. */
export const openclaw: Dialect = {
  name: "openclaw",
  summary: "OpenClaw progress_card: replaces the whole card, a note and a plan, with each call",
  tools: [
    {
      name: CARD,
      title: "Progress card",
      description: `Replace this session's progress card with \`markdown\`, \`plan\` or both; a call with neither \
clears it; what a call leaves out is removed. At most 50 steps of 512 bytes, and 8192 bytes of markdown.\n${GUIDANCE}`,
      inputSchema: {
        type: "object",
        properties: { markdown: { type: "string" }, plan: { type: "array", items: STEP, maxItems: MOST_STEPS } },
        additionalProperties: false,
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
    {
      name: PLAN,
      title: "Update plan",
      description:
        "Set the plan: every step with its status, at most one in_progress. `explanation` says why it changed.",
      inputSchema: {
        type: "object",
        properties: { explanation: { type: "string" }, plan: { type: "array", items: STEP, minItems: 1 } },
        required: ["plan"],
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
      isRetired: true,
    },
  ],
  // The two tools have limits of their own.
  policy: { ...WHOLE_LIST, focus: "reject", scope: "main", revision: "every-write" },
  vocabulary: {
    editions: "OpenClaw 2026.4 to 2026.9",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["explanation"],
    limits: "50 steps of 512 bytes, 8,192 bytes of markdown",
  },
  parse,
  show,
  guidance: { text: GUIDANCE, place: "description" },
};

function parse({ tool, input }: ToolCall): Parsed {
  if (tool !== CARD && tool !== PLAN) return refuse(`Tool ${tool} not found`);
  const read = tool === CARD ? cardIn(inputValue(input)) : planIn(inputValue(input));
  if (!read.ok) return refuse(read.error);
  const { note, steps } = read.value;
  const todos = steps.map(({ step, status }) => ({ text: step, status }));
  const explanation = note === undefined ? undefined : { explanation: note };
  return {
    type: "command",
    command: { type: "replace", phases: todos.length === 0 ? [] : [{ name: "", todos }], ...explanation },
    render: (outcome) => {
      if (outcome.ok) return tool === CARD ? receipt(read.value, outcome.value.after) : planUpdated(read.value);
      const { code, message } = outcome.error;
      const text = code === "another-in-progress" ? "plan can contain at most one in_progress step" : message;
      return { text: tool === CARD ? cardError(text) : text, isError: true };
    },
  };
}

/** The host checks the arguments before the tool does, each in words of its own. */
function cardIn(value: unknown): Result<OpenclawCard, string> {
  const checked = checkArguments(CARD, value);
  if (!checked.ok) return checked;
  const read = readCard(checked.value);
  return read.ok ? read : fail(cardError(read.error));
}

function planIn(value: unknown): Result<OpenclawCard, string> {
  return isObject(value) ? readPlan(value) : fail(`${PLAN} arguments must be an object`);
}

function cardError(error: string): string {
  return block({ status: "error", tool: CARD, error });
}

/** What the host makes of a value for its model. */
function block(value: object): string {
  return JSON.stringify(value, null, 2);
}

function receipt({ note, steps }: OpenclawCard, { revision }: TodoList): Answer {
  if (note === undefined && steps.length === 0) return cardAnswer("cleared", { revision: null, steps: null });
  const [completed, total] = [countStatus(steps, "completed"), steps.length];
  const count = total === 0 ? "" : `, ${completed}/${total} done`;
  const data = { revision, steps: total === 0 ? null : { completed, total } };
  return cardAnswer(`updated (rev ${revision}${count})`, data);
}

function cardAnswer(what: string, data: object): Answer {
  return { text: `Progress card ${what}\n${block(data)}`, isError: false, data };
}

/** The older tool tells its model nothing, and its host everything. */
function planUpdated({ note, steps }: OpenclawCard): Answer {
  const explanation = note === undefined ? undefined : { explanation: note };
  return { text: "", isError: false, data: { status: "updated", ...explanation, plan: steps } };
}

function show(list: TodoList): object {
  const plan = workTodos(list).map(({ text: step, status }) => ({ step, status }));
  return list.explanation === undefined ? { plan } : { markdown: list.explanation, plan };
}
