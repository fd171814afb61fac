import type { Targets, TodoEdit, TodoError } from "../../core/todo/command.js";
import type { PiOp } from "./pi-schema.js";

/** One operation as core does it. `error` is what is wrong with it when core has nothing to say against it. */
export interface PiStep {
  readonly edit: TodoEdit;
  readonly error?: string;
}

/** Changes nothing, and keeps its place among the edits. */
const NOTHING: TodoEdit = { type: "add", todos: [] };

export function stepOf(op: PiOp): PiStep {
  switch (op.op) {
    case "init":
      return init(op);
    case "start":
      return onTask(op, (target) => ({ edit: { type: "move", target, to: "in_progress" } }));
    case "done":
      return { edit: { type: "move", target: targetsOf(op), to: "completed" } };
    case "drop":
      return { edit: { type: "move", target: targetsOf(op), to: "cancelled" } };
    case "rm":
      return { edit: { type: "remove", target: targetsOf(op) } };
    case "append":
      return append(op);
    case "note":
      return onTask(op, (target) => note(target, op.text));
  }
}

/** Without a list it fails, and has emptied the old one all the same. */
function init({ list }: PiOp): PiStep {
  if (!list) return { edit: { type: "clear" }, error: "Missing list for init operation" };
  const phases = list.map(({ phase: name, items }) => ({
    name,
    todos: items.map((text) => ({ text, status: "pending" as const, notes: [] })),
  }));
  return { edit: { type: "replace", phases } };
}

type TextTarget = { readonly text: string };

function onTask({ task }: PiOp, step: (target: TextTarget) => PiStep): PiStep {
  return task ? step({ text: task }) : { edit: NOTHING, error: "Missing task content" };
}

/** An empty text names nothing, so it means all there are. */
function targetsOf({ task, phase }: PiOp): Targets {
  if (task) return { text: task };
  return phase ? { phase } : { all: true };
}

function append({ phase, items = [] }: PiOp): PiStep {
  if (!phase) return { edit: NOTHING, error: "Missing phase name for append operation" };
  if (items.length === 0) return { edit: NOTHING, error: "Missing items for append operation" };
  return { edit: { type: "add", phase, todos: items.map((text) => ({ text })) } };
}

function note(target: TextTarget, said = ""): PiStep {
  const text = said.trimEnd();
  // No details at all: core only looks whether the todo is there, which is the complaint that goes first.
  if (text === "") return { edit: { type: "detail", target, details: {} }, error: "Missing text for note operation" };
  return { edit: { type: "note", target, text } };
}

/** What oh-my-pi says where core refused an edit. */
export function errorText({ code, target = { all: true }, isListEmpty = false, message }: TodoError): string {
  if ("phase" in target) return `Phase "${target.phase}" not found`;
  if (!("text" in target)) return message;
  const { text } = target;
  return code === "duplicate-todo" ? `Task "${text}" already exists` : taskNotFound(text, isListEmpty);
}

/** In every version: models like to name tasks by numbers. */
export function taskNotFound(text: string, isListEmpty: boolean): string {
  if (/^task-\d+$/.test(text))
    return `Task "${text}" not found. Tasks are referenced by content, not by IDs — pass the task's full text from the previous result.`;
  const hint = isListEmpty ? " (todo list is empty — was it replaced or not yet created?)" : "";
  return `Task "${text}" not found${hint}`;
}
