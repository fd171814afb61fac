import { fail, ok, type Result } from "../../core/result.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { TodoEdit } from "../../core/todo/command.js";
import {
  type Evidence,
  focusOf,
  isOpen,
  type Todo,
  type TodoList,
  type TodoStatus,
  todosOf,
} from "../../core/todo/list.js";
import { type Reference, stripMarker } from "./spelling.js";
import type { Request } from "./todo-request.js";

/** A request against the list as it is: what is to be done, and what was so already. */
export interface Plan {
  readonly edits: readonly TodoEdit[];
  readonly alreadyOpen: readonly number[];
  readonly alreadyDone: readonly number[];
  readonly alreadyDropped: readonly number[];
}

/** Only words can name nothing here; a number that is not on the list is core's to refuse. */
export function planRequest(request: Request, list: TodoList): Result<Plan, string> {
  const adding = planAdding(request.add, list);
  const problems: string[] = [];
  const find = (references: readonly Reference[]) => [
    ...new Set(references.flatMap((reference) => resolve(reference, list, adding.fresh, problems))),
  ];
  const named: Named = {
    done: find(request.done),
    drop: find(request.drop),
    order: find(request.order),
    start: find(request.start === undefined || request.start === "none" ? [] : [request.start])[0],
    note: undefined,
  };
  const note = request.note && planNote(request.note, named, list, find);
  if (request.note && note?.number === undefined)
    problems.push('Nothing is in progress; say which todo is meant, as in {"note":"#3 text"}.');
  problems.push(...contradictions(named));
  const [problem] = problems;
  return problem === undefined ? ok(compose(request, { ...named, note }, adding, list)) : fail(problem);
}

interface Named {
  readonly done: readonly number[];
  readonly drop: readonly number[];
  readonly order: readonly number[];
  readonly start: number | undefined;
  readonly note: { readonly number: number | undefined; readonly text: string } | undefined;
}

interface Adding {
  readonly fresh: readonly string[];
  readonly open: readonly number[];
  readonly done: readonly number[];
}

/** A plan that is sent again adds nothing that is open or done. Alone, the text of a finished todo is new work. */
function planAdding(texts: readonly string[], list: TodoList): Adding {
  const wanted = new Set(texts.map(sameWords));
  const present = todosOf(list).filter((todo) => wanted.has(sameWords(todo.text)));
  const open = present.filter(isOpen);
  const done = open.length > 0 ? present.filter((todo) => todo.status === "completed") : [];
  const known = new Set([...open, ...done].map((todo) => sameWords(todo.text)));
  return {
    fresh: texts.filter((text) => !known.has(sameWords(text))),
    open: open.map(({ number }) => number),
    done: done.map(({ number }) => number),
  };
}

function resolve(
  reference: Reference,
  list: TodoList,
  fresh: readonly string[],
  problems: string[],
): readonly number[] {
  if (typeof reference === "number") return [reference];
  const todos = todosOf(list);
  if (reference === "open") return todos.filter(isOpen).map(({ number }) => number);
  if (reference === "focus") {
    const focus = focusOf(list);
    if (!focus) problems.push("Nothing is in progress; say which number is meant.");
    return focus ? [focus.number] : [];
  }
  // `add` takes a pasted "2. Fix it" as "Fix it"; the same words mean the same todo here.
  const added = fresh.findIndex((text) => sameWords(text) === sameWords(stripMarker(reference.words)));
  if (added >= 0) return [list.nextNumber + added];
  const same = todos.filter((todo) => isNamed(todo, reference.words));
  const found = same.find(isOpen) ?? same[0];
  if (!found) problems.push(`No todo is called "${promptText(reference.words, 60)}"; use its number.`);
  return found ? [found.number] : [];
}

/** Words as the model wrote them, or as our own answers print them: `#3 Run tests`, `3. Run tests`. */
function isNamed(todo: Todo, words: string): boolean {
  if (sameWords(todo.text) === sameWords(words)) return true;
  const [, number, rest = ""] = /^#?(\d{1,9})[.:]? (.+)$/.exec(words) ?? [];
  return Number(number) === todo.number && sameWords(todo.text).startsWith(sameWords(rest.replace(/…$/, "")));
}

/** A text as an answer shows it: a model that copies it back means the same todo. */
function sameWords(text: string): string {
  return promptText(text, text.length + 1);
}

/** A note belongs to the todo named with it or in it, else to the one finished, started or in progress. */
function planNote(
  { text, on }: NonNullable<Request["note"]>,
  { done, start }: Named,
  list: TodoList,
  find: (references: readonly Reference[]) => readonly number[],
): NonNullable<Named["note"]> {
  const [, number, rest] = /^#(\d{1,9})[:.,]? (.+)$/.exec(text) ?? [];
  if (rest !== undefined && todosOf(list).some((todo) => todo.number === Number(number)))
    return { number: Number(number), text: rest };
  const named = on === undefined ? undefined : find([on])[0];
  return { number: named ?? (done.length === 1 ? done[0] : undefined) ?? start ?? focusOf(list)?.number, text };
}

function contradictions({ done, drop, start }: Named): readonly string[] {
  const twice = [
    { fields: '"done" and "drop"', number: done.find((number) => drop.includes(number)) },
    { fields: '"done" and "start"', number: done.find((number) => number === start) },
    { fields: '"drop" and "start"', number: drop.find((number) => number === start) },
  ];
  return twice.flatMap(({ fields, number }) =>
    number === undefined ? [] : [`${fields} both name ${number}; choose one.`],
  );
}

/** New todos come before closed ones, so that adding while finishing the last one goes on with the same list. */
function compose(request: Request, named: Named, adding: Adding, list: TodoList): Plan {
  const { order, start, note } = named;
  const closing = planClosing(request, named, list);
  const edits: TodoEdit[] = [];
  if (adding.fresh.length > 0) edits.push({ type: "add", todos: adding.fresh.map((text) => ({ text })) });
  edits.push(...closing.edits);
  if (order.length > 0) edits.push({ type: "order", targets: order.map((number) => ({ number })) });
  if (start !== undefined) edits.push({ type: "move", target: { number: start }, to: "in_progress" });
  const focus = request.start === "none" ? focusOf(list)?.number : undefined;
  if (focus !== undefined && !named.done.includes(focus) && !named.drop.includes(focus))
    edits.push({ type: "move", target: { number: focus }, to: "pending" });
  if (note?.number !== undefined) edits.push({ type: "note", target: { number: note.number }, text: note.text });
  return {
    edits,
    alreadyOpen: adding.open,
    alreadyDone: [...new Set([...adding.done, ...closing.done])],
    alreadyDropped: closing.dropped,
  };
}

/** Only open todos are closed: a finished one is not dropped by the way, a dropped one not finished. */
function planClosing({ evidence }: Request, { done, drop }: Named, list: TodoList) {
  const statuses = new Map(todosOf(list).map(({ number, status }) => [number, status]));
  const closing = { edits: [] as TodoEdit[], done: [] as number[], dropped: [] as number[] };
  const close = (number: number, to: TodoStatus, proof?: { readonly evidence: Evidence }) => {
    const status = statuses.get(number);
    if (status === "cancelled") closing.dropped.push(number);
    if (status === "completed") closing.done.push(number);
    const isClosed = status === "cancelled" || status === "completed";
    // Evidence may come late: a todo that is done already still takes it.
    if (!isClosed || (proof && status === "completed"))
      closing.edits.push({ type: "move", target: { number }, to, ...proof });
  };
  for (const number of done)
    close(number, "completed", evidence === undefined ? undefined : { evidence: { text: evidence } });
  for (const number of drop) close(number, "cancelled");
  return closing;
}
