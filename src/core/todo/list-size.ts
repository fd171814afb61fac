import { counted } from "../text/length.js";
import { cutText, hasLongText, LARGEST_VALUE } from "../value-limits.js";
import { copyEvents } from "./carried-list.js";
import type { TodoError } from "./command.js";
import type { Draft } from "./draft.js";
import type { TodoEvent } from "./events.js";
import { type Phase, type Todo, type TodoList, todosOf } from "./list.js";

// Dialects without limits of their own have these: a list is read and written with every call of its session.

/** Characters of all its texts; more than our own tool lets the todos of a list have. */
const LARGEST_LIST = 4 * 1024 * 1024;
/** What a todo or a phase takes besides its texts. */
const ITEM_SIZE = 50;

function todoSize({ text, activeForm = "", key = "", notes, evidence }: Todo): number {
  let size = ITEM_SIZE + text.length + activeForm.length + key.length;
  for (const note of notes) size += note.length;
  for (const one of evidence) size += one.text.length;
  return size;
}

function phaseSize({ name, todos }: Phase): number {
  return todos.reduce((size, todo) => size + todoSize(todo), ITEM_SIZE + name.length);
}

function listSize({ phases, explanation = "" }: TodoList): number {
  return phases.reduce((size, phase) => size + phaseSize(phase), explanation.length);
}

function draftSize({ phases, todos, explanation = "" }: Draft): number {
  let size = explanation.length;
  for (const { name } of phases) size += ITEM_SIZE + name.length;
  for (const todo of todos.values()) size += todoSize(todo);
  return size;
}

/** Why a write cannot be stored: a text, or the list that it makes, is too large. A list may always shrink. */
export function checkSize(before: TodoList, events: readonly TodoEvent[], after: Draft): TodoError | undefined {
  if (events.some(hasLongText)) return tooLarge("text-too-long", "A text", `${LARGEST_VALUE / 1024} KiB`);
  const size = draftSize(after);
  if (size <= LARGEST_LIST || size <= listSize(before)) return undefined;
  return tooLarge("list-too-large", "The list", `${LARGEST_LIST / 1024 / 1024} MiB`);
}

function tooLarge(code: "text-too-long" | "list-too-large", what: string, most: string): TodoError {
  return { code, message: `${what} is larger than ${most}. Shorten it, or put details into a file.` };
}

interface Room {
  readonly items: number;
  /** Of each text. */
  readonly bytes: number;
  readonly notes: number;
}

/** How much of a list is kept: long texts are cut; then what our own tool can write; then less, until it fits. */
const ROOMS: readonly Room[] = [
  { items: Number.POSITIVE_INFINITY, bytes: LARGEST_VALUE, notes: Number.POSITIVE_INFINITY },
  { items: Number.POSITIVE_INFINITY, bytes: 16_000, notes: 100 },
  { items: 1000, bytes: 16_000, notes: 100 },
  { items: 1000, bytes: 1000, notes: 10 },
  { items: 1000, bytes: 100, notes: 0 },
];

/** One write that cuts down a list which grew before there were limits; nothing for any other. */
export function shrinkEvents(list: TodoList): readonly TodoEvent[] {
  if (isFit(list, LARGEST_LIST)) return [];
  const revision = list.revision + 1;
  return [{ type: "list.cleared", revision }, ...copyEvents(boundList(list, LARGEST_VALUE), revision)];
}

function isFit(list: TodoList, most: number): boolean {
  const size = listSize(list);
  return size <= most && (size <= LARGEST_VALUE / 6 || !hasLongText(list));
}

/** As much of a list as there may be, with marks where something was cut or left out. */
export function boundList(list: TodoList, most: number = LARGEST_LIST): TodoList {
  if (isFit(list, most)) return list;
  let bounded = list;
  for (const room of ROOMS) {
    bounded = cutList(list, room);
    if (listSize(bounded) <= most) break;
  }
  const left = todosOf(list).length - todosOf(bounded).length;
  if (left === 0) return bounded;
  return { ...bounded, explanation: `${bounded.explanation ?? ""}[left out by Milepost: ${counted(left, "todo")}]` };
}

function cutList({ phases, explanation, ...list }: TodoList, { items, ...each }: Room): TodoList {
  let room = items;
  const cut = phases.slice(0, items).map(({ name, todos }) => {
    const kept = todos.slice(0, room);
    room -= kept.length;
    return { name: cutText(name, each.bytes), todos: kept.map((todo) => cutTodo(todo, each)) };
  });
  const said = explanation === undefined ? undefined : { explanation: cutText(explanation, each.bytes) };
  return { ...list, ...said, phases: cut };
}

function cutTodo({ text, activeForm, key, ...todo }: Todo, { bytes, notes }: Omit<Room, "items">): Todo {
  return {
    ...todo,
    text: cutText(text, bytes),
    ...(activeForm === undefined ? undefined : { activeForm: cutText(activeForm, bytes) }),
    // A part of a key finds nothing.
    ...(key === undefined || key.length > bytes ? undefined : { key }),
    notes: todo.notes.slice(0, notes).map((note) => cutText(note, bytes)),
    evidence: todo.evidence.slice(0, notes).map((one) => ({ ...one, text: cutText(one.text, bytes) })),
  };
}
