import type { NewTodo, Rewrite, Target, Targets, TodoEdit, TodoError } from "./command.js";
import { closeDraft, draftOrder, draftTodos, inOrder, openDraft } from "./draft.js";
import { checkNotes, checkText, checkTodo } from "./limits.js";
import { type Evidence, isOpen, type Todo } from "./list.js";
import { replaceList } from "./replace.js";
import {
  addTodo,
  detailTodo,
  findTodo,
  keepFocus,
  linkParent,
  moveTodo,
  orderList,
  record,
  removeTodos,
  type Write,
} from "./write.js";

type Refusal = TodoError | undefined;
type Edit<Type extends TodoEdit["type"]> = Extract<TodoEdit, { type: Type }>;

/** Applies one edit, or answers why not; a refused edit has recorded nothing, but for what a partial batch may add. */
export function applyEdit(write: Write, edit: TodoEdit): Refusal {
  switch (edit.type) {
    case "replace":
      return rewrite(write, edit);
    case "add":
      return add(write, edit);
    case "move":
      return move(write, edit);
    case "rename":
      return rename(write, edit);
    case "detail":
      return onTodo(write, edit.target, (todo) => detail(write, todo, edit.details));
    case "note":
      return note(write, edit);
    case "order":
      return order(write, edit);
    case "remove":
      return onTodos(write, edit.target, (todos) => {
        removeTodos(write, todos);
        return undefined;
      });
    case "clear":
      if (write.draft.phases.length > 0) record(write, { type: "list.cleared" });
      return undefined;
  }
}

/** A parent that cannot be is found out late: then everything is taken back. */
function rewrite(write: Write, edit: Rewrite): Refusal {
  const before = closeDraft(write.draft);
  const { isAdvancing, events } = write;
  const recorded = events.length;
  const refused = replaceList(write, edit);
  if (!refused) return undefined;
  Object.assign(write.draft, openDraft(before));
  events.length = recorded;
  write.isAdvancing = isAdvancing;
  return refused;
}

function onTodo(write: Write, target: Target, apply: (todo: Todo) => Refusal): Refusal {
  const todo = findTodo(write.draft, target);
  return todo ? apply(todo) : unknownTodo(write, target);
}

function onTodos(write: Write, target: Targets, apply: (todos: readonly Todo[]) => Refusal): Refusal {
  const { draft } = write;
  if ("all" in target) return apply(draftTodos(draft));
  if (!("phase" in target)) return onTodo(write, target, (todo) => apply([todo]));
  const phase = draft.phases.find(({ name }) => name === target.phase);
  if (phase) return apply(inOrder(draft, phase.numbers));
  return { code: "unknown-phase", message: "No phase has that name. Look at the list again.", target };
}

function unknownTodo({ draft }: Write, target: Target): TodoError {
  const name = "number" in target ? `the number ${target.number}` : "that name";
  const isListEmpty = draft.todos.size === 0;
  return { code: "unknown-todo", message: `No todo has ${name}. Look at the list again.`, target, isListEmpty };
}

function add(write: Write, edit: Edit<"add">): Refusal {
  const hasOpen = draftTodos(write.draft).some(isOpen);
  // A finished list makes way for the next one.
  const isCleared = write.policy.clearWhenDone === "on-add" && write.draft.phases.length > 0;
  const isNewList = edit.todos.length > 0 && !hasOpen && isCleared;
  // Looked up before anything is added: a new todo may have the very text or key that names its parent.
  const parents = edit.todos.map(({ parent }) => parent && !isNewList && findTodo(write.draft, parent));
  const refusal = firstRefused(write, edit.todos, parents);
  if (refusal && write.policy.batch === "atomic") return refusal;
  const todos = edit.todos.slice(0, refusal?.index ?? edit.todos.length);
  if (todos.length === 0 && edit.phase === undefined) return refusal;
  if (!hasOpen && todos.length > 0) write.isAdvancing = true;
  if (isNewList && todos.length > 0) record(write, { type: "list.cleared" });
  const phase = openPhase(write, edit.phase);
  for (const [index, todo] of todos.entries()) {
    const number = addTodo(write, todo, phase);
    const parent = parents[index];
    if (parent) record(write, { type: "todo.detailed", number, parent: parent.number });
  }
  return refusal;
}

function firstRefused(write: Write, todos: readonly NewTodo[], parents: readonly unknown[]) {
  const isRepeated = repeats(write);
  for (const [index, todo] of todos.entries()) {
    const refused =
      checkTodo(write.policy.limits, todo, index) ??
      (todo.parent && !parents[index] ? unknownTodo(write, todo.parent) : undefined) ??
      (isRepeated(todo.text) ? duplicateTodo(todo.text) : undefined);
    if (refused) return { ...refused, index };
  }
  return undefined;
}

/** Says of one text after another whether the list has it, or had it told before. */
function repeats({ policy, draft }: Write): (text: string) => boolean {
  if (policy.duplicates === "allow") return () => false;
  const texts = new Set(draftTodos(draft).map(({ text }) => text));
  return (text) => texts.size === texts.add(text).size;
}

function duplicateTodo(text: string): TodoError {
  return { code: "duplicate-todo", message: "A todo with that text is on the list already.", target: { text } };
}

/** The named phase, opened if need be; without a name the last one. */
function openPhase(write: Write, name: string | undefined): number {
  const { phases } = write.draft;
  const found = name === undefined ? phases.length - 1 : phases.findIndex((phase) => phase.name === name);
  if (found >= 0) return found;
  record(write, { type: "phase.opened", name: name ?? "" });
  return phases.length - 1;
}

function move(write: Write, edit: Edit<"move">): Refusal {
  return onTodos(write, edit.target, (todos) => {
    for (const todo of todos) {
      const refused = checkEvidence(write, newEvidence(todo, edit), todo);
      if (refused) return refused;
    }
    for (const todo of todos) moveOne(write, todo, edit);
    return undefined;
  });
}

function moveOne(write: Write, todo: Todo, edit: Edit<"move">): void {
  const evidence = newEvidence(todo, edit);
  if (evidence) record(write, { type: "todo.evidenced", number: todo.number, evidence });
  if (edit.to === "in_progress" && write.policy.focus === "demote") keepFocus(write, todo.number);
  moveTodo(write, todo, edit.to);
}

/** A call that is repeated proves nothing more. */
function newEvidence(todo: Todo, { evidence }: Edit<"move">): Evidence | undefined {
  const isKnown = todo.evidence.some(
    ({ text, call, by }) => text === evidence?.text && call === evidence.call && by === evidence.by,
  );
  return isKnown ? undefined : evidence;
}

function checkEvidence({ policy }: Write, evidence: Evidence | undefined, todo: Todo): Refusal {
  if (!evidence) return undefined;
  return checkText(policy.limits, "evidence", evidence.text) ?? checkNotes(policy.limits, todo.evidence.length + 1);
}

function rename(write: Write, { target, text }: Edit<"rename">): Refusal {
  return onTodo(write, target, (todo) => {
    const refused = checkText(write.policy.limits, "text", text);
    if (refused || todo.text === text) return refused;
    record(write, { type: "todo.renamed", number: todo.number, from: todo.text, to: text });
    return undefined;
  });
}

function detail(write: Write, todo: Todo, { parent, ...details }: Edit<"detail">["details"]): Refusal {
  const { activeForm } = details;
  const refused =
    (activeForm ? checkText(write.policy.limits, "activeForm", activeForm) : undefined) ??
    (typeof parent === "number" ? linkParent(write, todo.number, { number: parent }) : undefined);
  if (refused) return refused;
  if (parent === null && todo.parent !== undefined)
    record(write, { type: "todo.detailed", number: todo.number, parent });
  detailTodo(write, todo, details);
  return undefined;
}

function note(write: Write, { target, text }: Edit<"note">): Refusal {
  return onTodo(write, target, (todo) => {
    const { limits } = write.policy;
    const refused = checkText(limits, "note", text) ?? checkNotes(limits, todo.notes.length + 1);
    if (refused) return refused;
    record(write, { type: "todo.noted", number: todo.number, text });
    return undefined;
  });
}

/** Each phase keeps its own todos; inside it the named ones come first. */
function order(write: Write, { targets }: Edit<"order">): Refusal {
  const first: number[] = [];
  for (const target of targets) {
    const todo = findTodo(write.draft, target);
    if (!todo) return unknownTodo(write, target);
    if (!first.includes(todo.number)) first.push(todo.number);
  }
  const phases = draftOrder(write.draft).map(({ name, numbers }) => {
    const here = new Set(numbers);
    const named = first.filter((number) => here.has(number));
    return { name, numbers: [...named, ...numbers.filter((number) => !named.includes(number))] };
  });
  orderList(write, phases);
  return undefined;
}
