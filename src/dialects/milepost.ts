import type { TodoEdit } from "../core/todo/command.js";
import { focusOf, isOpen, type TodoList, type TodoStatus, todosOf } from "../core/todo/list.js";
import { type Dialect, LIST_TOOL, type Parsed, type ToolCall } from "./dialect.js";
import { refusal, renderRefused, renderWritten } from "./milepost-answer.js";
import { type Request, readRequest } from "./milepost-input.js";

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
        "Todo list of this session. Send only what changes; todos have numbers. Finishing one starts the next. {} shows the list.",
      inputSchema: {
        type: "object",
        properties: {
          add: { type: "array", items: { type: "string" }, description: "new todos in order, a few words each" },
          done: { type: "integer", description: "number of the todo really finished" },
          evidence: { type: "string", description: "what shows that it is done" },
          start: { type: "integer", description: "work on this now, not the next; 0: on nothing" },
          note: { type: "string", description: 'kept with the todo at hand; "#4 text" for another' },
          drop: { ...NUMBERS, description: "no longer needed" },
          order: { ...NUMBERS, description: "these first" },
          show: { type: "boolean" },
        },
        additionalProperties: false,
      },
      annotations: LIST_TOOL,
    },
  ],
  policy: {
    focus: "demote",
    promote: "on-close",
    batch: "atomic",
    clearWhenDone: "on-add",
    scope: "agent",
    limits: { todos: 1000, notes: 100, codePoints: 4000, bytes: null, emptyText: "refuse" },
  },
  parse,
};

function parse(call: ToolCall, list: TodoList): Parsed {
  if (call.tool !== TOOL) return { type: "answer", answer: refusal(`The only tool is "${TOOL}".`, list) };
  const read = readRequest(call.input, list);
  if (!read.ok) return { type: "answer", answer: refusal(read.error, list) };
  const request = read.value;
  const plan = planCall(request, list);
  if (request.note && plan.noteOn === undefined)
    return { type: "answer", answer: refusal('Nothing is in progress; say which todo: {"note":"#3 text"}.', list) };
  return {
    type: "command",
    command: { type: "edit", edits: editsOf(request, plan, list), advance: request.start !== "none" },
    render: (outcome) =>
      outcome.ok ? renderWritten(request, plan.present, outcome.value) : renderRefused(outcome.error, list),
  };
}

/** A request against the list as it is: which texts are new, and which todos the other words mean. */
interface Plan {
  readonly fresh: readonly string[];
  readonly present: readonly number[];
  readonly start: number | undefined;
  readonly noteOn: number | undefined;
}

function planCall({ add, done, start, note }: Request, list: TodoList): Plan {
  // A model that forgot its list adds it again: what is open already is not added twice.
  const open = new Map(todosOf(list).flatMap((todo) => (isOpen(todo) ? [[todo.text, todo.number] as const] : [])));
  const fresh = add.filter((text) => !open.has(text));
  const numberOf = (text: string) => open.get(text) ?? list.nextNumber + fresh.indexOf(text);
  const startNumber = typeof start === "object" ? numberOf(start.text) : start;
  const started = startNumber === "none" ? undefined : startNumber;
  return {
    fresh,
    present: add.flatMap((text) => open.get(text) ?? []),
    start: started,
    noteOn: note?.on ?? (done.length === 1 ? done[0] : undefined) ?? started ?? focusOf(list)?.number,
  };
}

/** New todos come before closed ones, so that adding while finishing the last one goes on with the same list. */
function editsOf({ done, evidence, start, drop, order, note }: Request, plan: Plan, list: TodoList): TodoEdit[] {
  const edits: TodoEdit[] = [];
  const move = (number: number, to: TodoStatus) => edits.push({ type: "move", target: { number }, to });
  if (plan.fresh.length > 0) edits.push({ type: "add", todos: plan.fresh.map((text) => ({ text })) });
  for (const number of done) {
    const target = { number };
    if (evidence === undefined) move(number, "completed");
    else edits.push({ type: "move", target, to: "completed", evidence: { text: evidence } });
  }
  for (const number of drop) move(number, "cancelled");
  if (order.length > 0) edits.push({ type: "order", targets: order.map((number) => ({ number })) });
  const focus = focusOf(list)?.number;
  if (plan.start !== undefined) move(plan.start, "in_progress");
  else if (start === "none" && focus !== undefined && !done.includes(focus) && !drop.includes(focus))
    move(focus, "pending");
  if (note && plan.noteOn !== undefined) edits.push({ type: "note", target: { number: plan.noteOn }, text: note.text });
  return edits;
}
