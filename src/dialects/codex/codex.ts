import type { NewTodo } from "../../core/todo/command.js";
import type { TodoList } from "../../core/todo/list.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { type Dialect, LIST_TOOL, type Parsed, refuse, type ToolCall, type ToolInput } from "../dialect.js";
import { writable } from "../json-limits.js";
import { WORK_WORDS, workTodos } from "../work-status.js";
import { type PlanStep, readPlanArguments, STEP_STATUSES } from "./plan-arguments.js";
import { planCell } from "./plan-cell.js";

const TOOL = "update_plan";

const GUIDANCE = `update_plan shows the person how you understood the task and how far you are.
Make a plan for work of many actions, for phases or an order that matters, for unclear work, where checkpoints for \
feedback help, for several requests in one prompt, when asked for a plan or todos, and for further steps that you \
find on the way and will do now. No plan for what is simple (about the easiest quarter) or takes one step: just do \
it, and never make a plan of one step.
- Steps are in order, concrete, can be checked, and have at most seven words. No filler, nothing obvious, nothing \
that you cannot do.
- Exactly one step is in_progress until all are done. A step goes from pending through in_progress to completed; do \
not complete several afterwards, unless one pass of work really finished them together.
- Mark a step completed before you go on to the next. Update the plan after each step, and before you continue when \
steps are split, merged or reordered; explanation says why. Do not let it go stale.
- The person sees the plan: after a call do not repeat it, say what changed and what is next.
- At the end every step is completed by a last call; what is left you take out, and say that it is cancelled or put \
off. A plan alone is no result unless that was asked for.
- Not in Plan mode: the call is refused there.`;

/** Codex: the whole plan with each call, and the parser's own words when a call is wrong. */
export const codex: Dialect = {
  name: "codex",
  summary: "Codex update_plan: replaces the whole plan with each call",
  tools: [
    {
      name: TOOL,
      title: "Update plan",
      description:
        "Set the plan: every step with its status, at most one in_progress. `explanation` says why it changed.",
      inputSchema: {
        type: "object",
        properties: {
          explanation: { type: "string" },
          plan: {
            type: "array",
            items: {
              type: "object",
              properties: { step: { type: "string" }, status: { type: "string", enum: STEP_STATUSES } },
              required: ["step", "status"],
              additionalProperties: false,
            },
          },
        },
        required: ["plan"],
        additionalProperties: false,
      },
      annotations: { ...LIST_TOOL, idempotentHint: true },
    },
  ],
  policy: WHOLE_LIST,
  vocabulary: {
    editions: "Codex 0.110 to 0.166",
    writes: "the whole list",
    statuses: WORK_WORDS,
    carries: ["explanation"],
  },
  parse,
  show,
  panel: planCell,
  // In the instructions that its session begins with; the tool's description is three short lines.
  guidance: { text: GUIDANCE, place: "instructions" },
};

function parse(call: ToolCall): Parsed {
  if (call.tool !== TOOL) return refuse(`unsupported call: ${call.tool}`);
  if (call.mode === "plan") return refuse(`${TOOL} is a TODO/checklist tool and is not allowed in Plan mode`);
  const read = readPlanArguments(argumentText(call.input));
  if (!read.ok) return refuse(shorten(`failed to parse function arguments: ${read.error}`));
  const { explanation, plan } = read.value;
  const phases = plan.length === 0 ? [] : [{ name: "", todos: plan.map(toTodo) }];
  return {
    type: "command",
    command: { type: "replace", phases, ...(explanation === null ? undefined : { explanation }) },
    render: (outcome) =>
      outcome.ok ? { text: "Plan updated", isError: false } : { text: outcome.error.message, isError: true },
  };
}

function show(list: TodoList): object {
  const plan = workTodos(list).map(({ text: step, status }) => ({ step, status }));
  return list.explanation === undefined ? { plan } : { explanation: list.explanation, plan };
}

function toTodo({ step, status }: PlanStep): NewTodo {
  return { text: step, status };
}

function argumentText(input: ToolInput): string {
  return "text" in input ? input.text : (JSON.stringify(writable(input.value, DEEPEST)) ?? "");
}

/** Good arguments are five levels deep. The parser stops before it reads deeper. */
const DEEPEST = 8;

const LONGEST_OUTPUT = 12_000;

/** Codex cuts the middle out of an output before the model sees it. */
function shorten(output: string): string {
  const bytes = new TextEncoder().encode(output);
  if (bytes.length <= LONGEST_OUTPUT) return output;
  const isInside = (at: number) => ((bytes[at] ?? 0) & 0xc0) === 0x80;
  let head = LONGEST_OUTPUT / 2;
  while (isInside(head)) head -= 1;
  let tail = bytes.length - LONGEST_OUTPUT / 2;
  while (isInside(tail)) tail += 1;
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const cut = Math.ceil((bytes.length - LONGEST_OUTPUT) / 4);
  return `${decoder.decode(bytes.subarray(0, head))}…${cut} tokens truncated…${decoder.decode(bytes.subarray(tail))}`;
}
