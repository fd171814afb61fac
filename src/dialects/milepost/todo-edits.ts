import { fail, ok, type Result } from "../../core/result.js";
import { promptText } from "../../core/text/prompt-text.js";
import type { NewTodo, TodoEdit } from "../../core/todo/command.js";
import {
  type Evidence,
  focusOf,
  isOpen,
  type Todo,
  type TodoList,
  type TodoStatus,
  todosOf,
} from "../../core/todo/list.js";
import type { AddedTodo } from "./added-todos.js";
import { type Reference, stripMarker } from "./spelling.js";
import { type Adding, matchAdded, sameWords } from "./todo-matching.js";
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
  const adding = matchAdded(request.add, list);
  const problems: string[] = [];
  const added = (wanted: TodoStatus) =>
    adding.items.flatMap(({ number, status }) => (status === wanted ? [number] : []));
  const find = (references: readonly Reference[]) => [
    ...new Set(references.flatMap((reference) => resolve(reference, list, adding, problems))),
  ];
  const [active] = added("in_progress");
  const named: Named = {
    done: [...new Set([...find(request.done), ...added("completed")])],
    drop: [...new Set([...find(request.drop), ...added("cancelled")])],
    order: find(request.order),
    start: find(request.start === undefined || request.start === "none" ? [] : [request.start])[0] ?? active,
    note: undefined,
  };
  if (active !== undefined && (request.start === "none" || named.start !== active)) problems.push(TWO_STARTED);
  const note = request.note && planNote(request.note, named, list, find);
  if (request.note && note?.number === undefined)
    problems.push('Nothing is in progress; say which todo is meant, as in {"note":"#3 text"}.');
  problems.push(...contradictions(named, active === undefined ? '"start"' : '"add"'));
  const [problem] = problems;
  return problem === undefined ? ok(compose(request, { ...named, note }, adding, list)) : fail(problem);
}

const TWO_STARTED =
  '"add" has a todo in progress and "start" says otherwise; send one of them: {"add":["first todo","second todo"],"start":"second todo"}.';

interface Named {
  readonly done: readonly number[];
  readonly drop: readonly number[];
  readonly order: readonly number[];
  readonly start: number | undefined;
  readonly note: { readonly number: number | undefined; readonly text: string } | undefined;
}

function resolve(reference: Reference, list: TodoList, { items }: Adding, problems: string[]): readonly number[] {
  if (typeof reference === "number") return [reference];
  const todos = todosOf(list);
  if (reference === "open") return todos.filter(isOpen).map(({ number }) => number);
  if (reference === "focus") {
    const focus = focusOf(list);
    if (!focus) problems.push("Nothing is in progress; say which number is meant.");
    return focus ? [focus.number] : [];
  }
  // `add` takes a pasted "2. Fix it" as "Fix it"; the same words mean the same todo here.
  const added = items.find(({ isNew, words }) => isNew && words === sameWords(stripMarker(reference.words)));
  if (added) return [added.number];
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

function contradictions({ done, drop, start }: Named, starting: string): readonly string[] {
  const twice = [
    { fields: '"done" and "drop"', number: done.find((number) => drop.includes(number)) },
    { fields: `"done" and ${starting}`, number: done.find((number) => number === start) },
    { fields: `"drop" and ${starting}`, number: drop.find((number) => number === start) },
  ];
  return twice.flatMap(({ fields, number }) =>
    number === undefined ? [] : [`${fields} both name ${number}; choose one.`],
  );
}

/** New todos come before closed ones, so that adding while finishing the last one goes on with the same list. */
function compose(request: Request, named: Named, adding: Adding, list: TodoList): Plan {
  const { order, start, note } = named;
  const closing = planClosing(request, named, list);
  // Details before new todos: those may end a finished list, and with it what is detailed.
  const edits: TodoEdit[] = adding.items.flatMap(({ number, activeForm, isNew }) =>
    isNew || activeForm === undefined ? [] : [{ type: "detail", target: { number }, details: { activeForm } }],
  );
  const fresh = adding.items.filter(({ isNew }) => isNew);
  if (fresh.length > 0) edits.push({ type: "add", todos: fresh.map(newTodo) });
  edits.push(...closing.edits);
  if (order.length > 0) edits.push({ type: "order", targets: order.map((number) => ({ number })) });
  if (start !== undefined) edits.push({ type: "move", target: { number: start }, to: "in_progress" });
  const focus = request.start === "none" ? focusOf(list)?.number : undefined;
  if (focus !== undefined && !named.done.includes(focus) && !named.drop.includes(focus))
    edits.push({ type: "move", target: { number: focus }, to: "pending" });
  if (note?.number !== undefined) edits.push({ type: "note", target: { number: note.number }, text: note.text });
  return {
    edits,
    alreadyOpen: adding.alreadyOpen,
    alreadyDone: [...new Set([...adding.alreadyDone, ...closing.done])].filter((number) => number !== start),
    alreadyDropped: closing.dropped,
  };
}

/** Its status comes with an edit of its own, so that it counts as for any other todo. */
function newTodo({ text, activeForm }: AddedTodo): NewTodo {
  return activeForm === undefined ? { text } : { text, activeForm };
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
