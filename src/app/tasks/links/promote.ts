import { defined } from "../../../core/json.js";
import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import type { TaskLink } from "../../../core/session/events.js";
import { LEASE } from "../../../core/task/lease.js";
import { OUR_POLICY } from "../../../core/task/policy.js";
import { decide } from "../../../core/todo/decide.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import { milepost } from "../../../dialects/milepost/todo-tool.js";
import type { EventStore, Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { editWrites } from "../../todo/person-edit.js";
import { LISTS } from "../../views.js";
import { Board, noTask } from "../task-board.js";

export interface LinkPlace {
  readonly list: string;
  readonly session: string;
  readonly agent?: string | undefined;
  /** The person who links them. */
  readonly by: string;
}

export interface Linked {
  readonly task: number;
  readonly todo: number;
  readonly session: string;
}

/** Adds a task for a todo. If the todo is in progress, its session holds the task. */
export function promoteTodo(store: EventStore, place: LinkPlace, number: number): Promise<Result<Linked>> {
  return onBoth(store, place, function* (board, list) {
    const todo = todosOf(list).find((one) => one.number === number);
    if (!todo) return fail(noTodo(place.session, number));
    const { text, notes, status, activeForm } = todo;
    const added = yield* board.add({ subject: text, description: notes.join("\n\n"), activeForm });
    if (!added.ok) return added;
    const task = added.value.number;
    const taken = status === "in_progress" ? yield* board.run(task, claimFor(place)) : added;
    return taken.ok ? ok({ task, todo: number, writes: [] }) : taken;
  });
}

/** Adds a todo for a task. Its session holds the task. */
export function pullTask(store: EventStore, place: LinkPlace, name: string): Promise<Result<Linked>> {
  return onBoth(store, place, function* (board, list) {
    const found = yield* board.find(name);
    if (!found) return fail(noTask(place.list, name));
    const { number: task, subject, lease, activeForm } = found.task;
    const isHeld = lease?.session === place.session;
    const taken = isHeld ? ok(found.task) : yield* board.run(task, claimFor(place));
    if (!taken.ok) return taken;
    const todos = [defined({ text: subject, status: "pending", activeForm })];
    const decided = decide(list, { type: "edit", edits: [{ type: "add", todos }] }, milepost.policy);
    if (!decided.ok) return fail(decided.error);
    const edited = { stream: sessionStream(place.session, place.agent), by: place.by };
    const writes = editWrites(edited, `milepost task pull ${task}`, decided.value.events);
    return ok({ task, todo: list.nextNumber, writes });
  });
}

type Tied = Omit<Linked, "session"> & { readonly writes: readonly Write[] };

function onBoth(
  store: EventStore,
  { list, session, agent, by }: LinkPlace,
  work: (board: Board, list: TodoList) => Script<Result<Tied>>,
): Promise<Result<Linked>> {
  return store.commit(function* (transaction) {
    const stream = sessionStream(session, agent);
    const board = new Board(transaction, { list, policy: OUR_POLICY, owner: by, session });
    const done = yield* work(board, yield* transaction.view(LISTS, stream));
    if (!done.ok) return done;
    const { task, todo, writes } = done.value;
    const known = yield* knownLink(transaction, stream, { list, task, todo });
    if (known) return fail(known);
    const linked = yield* board.run(task, { type: "link", link: defined({ session, agent, todo }) });
    if (!linked.ok) return linked;
    const outcome = yield* board.outcome();
    const told = { ...sessionEvent({ type: "task.linked", todo, list, task }), actor: by };
    return ok({
      writes: [...outcome.writes, ...writes, { stream, events: [told] }],
      answer: { task, todo, session },
    });
  });
}

function* knownLink(
  transaction: Transaction,
  stream: string,
  { list, task, todo }: TaskLink,
): Script<Failure | undefined> {
  const { links = [] } = yield* transaction.view(SESSIONS, stream);
  const known = links.find((link) => link.todo === todo || (link.list === list && link.task === task));
  if (!known) return undefined;
  const message = `Todo ${known.todo} is already linked to task #${known.task} of ${known.list}. Nothing was changed.`;
  return { code: "already-linked", message };
}

function claimFor({ session, agent }: LinkPlace) {
  const owner = agent === undefined ? session : `${session}/${agent}`;
  return { type: "claim", owner, ttl: LEASE.session, session } as const;
}

function noTodo(session: string, number: number): Failure {
  return { code: "no-todo", message: `No todo ${number}. The list: milepost todo list --session ${session}` };
}
