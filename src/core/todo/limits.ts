import { defined } from "../json.js";
import { codePointLength, utf8Length } from "../text/length.js";
import type { NewTodo, TodoError } from "./command.js";
import type { TodoLimits } from "./policy.js";

type Field = NonNullable<TodoError["field"]>;

/** The first text of a new todo that breaks a limit; emptiness is looked at before length, as people read it. */
export function checkTodo(limits: TodoLimits, todo: NewTodo, index: number): TodoError | undefined {
  const { text, activeForm } = todo;
  return (
    checkEmpty(limits, "text", text, index) ??
    (activeForm == null ? undefined : checkEmpty(limits, "activeForm", activeForm, index)) ??
    checkLength(limits, "text", text, index) ??
    (activeForm == null ? undefined : checkLength(limits, "activeForm", activeForm, index)) ??
    checkNewNotes(limits, todo.notes ?? [], index)
  );
}

function checkNewNotes(limits: TodoLimits, notes: readonly string[], index: number): TodoError | undefined {
  for (const note of notes) {
    const refused = checkEmpty(limits, "note", note, index) ?? checkLength(limits, "note", note, index);
    if (refused) return refused;
  }
  return checkNotes(limits, notes.length);
}

export function checkText(limits: TodoLimits, field: Field, text: string): TodoError | undefined {
  return checkEmpty(limits, field, text) ?? checkLength(limits, field, text);
}

export function checkCount(limits: TodoLimits, actual: number): TodoError | undefined {
  if (limits.todos === null || actual <= limits.todos) return undefined;
  return {
    code: "too-many-todos",
    message: `A list holds at most ${limits.todos} todos; this would make ${actual}. Merge small steps, or add the rest later.`,
    actual,
    limit: limits.todos,
  };
}

export function checkNotes(limits: TodoLimits, actual: number): TodoError | undefined {
  if (limits.notes === null || actual <= limits.notes) return undefined;
  return {
    code: "too-many-notes",
    message: `A todo has at most ${limits.notes} notes, and as many pieces of evidence. Put the rest into a file and note its name.`,
    actual,
    limit: limits.notes,
  };
}

function checkEmpty(limits: TodoLimits, field: Field, text: string, index?: number): TodoError | undefined {
  const { emptyText } = limits;
  const hasText = emptyText === "refuse" ? text.trim() !== "" : /\P{White_Space}/u.test(text);
  if (emptyText === "allow" || hasText) return undefined;
  return {
    code: "empty-text",
    message: `The ${field} is empty. Say in a few words what to do.`,
    field,
    ...defined({ index }),
  };
}

function checkLength(limits: TodoLimits, field: Field, text: string, index?: number): TodoError | undefined {
  const { codePoints, bytes } = limits;
  // A string has at most as many code points as UTF-16 units and at most three bytes a unit: short texts need no count.
  if (codePoints !== null && text.length > codePoints) {
    const actual = codePointLength(text);
    if (actual > codePoints) return tooLong(field, "characters", actual, codePoints, index);
  }
  if (bytes !== null && text.length * 3 > bytes) {
    const actual = utf8Length(text);
    if (actual > bytes) return tooLong(field, "bytes", actual, bytes, index);
  }
  return undefined;
}

function tooLong(field: Field, unit: "characters" | "bytes", actual: number, limit: number, index?: number): TodoError {
  const message = `The ${field} has ${actual} ${unit}; the limit is ${limit}. Shorten it, or put details into a file.`;
  return { code: "text-too-long", message, field, unit, actual, limit, ...defined({ index }) };
}
