import { type Failure, fail, ok, type Result } from "../../../core/result.js";
import { LEASE } from "../../../core/task/lease.js";
import type { TodoLink } from "../../../core/task/task.js";
import { decide } from "../../../core/todo/decide.js";
import { type TodoList, todosOf } from "../../../core/todo/list.js";
import { milepost } from "../../../dialects/milepost/todo-tool.js";
import type { EventStore, Transaction, Write } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import { sessionStream } from "../../../store/stream.js";
import { SESSIONS, sessionEvent } from "../../session/session-view.js";
import { type EditPlace, editWrites } from "../../todo/person-edit.js";
import { LISTS } from "../../views.js";
import { heldWrites } from "../leases/lease-notes.js";
import { Board, type BoardOptions, noTask } from "../task-board.js";

export interface LinkPlace {
  readonly session: string;
  readonly agent?: string | undefined;
  /** The person who ties them. */
  readonly by: string;
}

export interface Linked {
  readonly task: number;
  readonly todo: number;
  readonly session: string;
}

/** A todo becomes a task too. Who is at the todo holds the task. */
export function promoteTodo(
  store: EventStore,
  place: LinkPlace,
  options: Pick<BoardOptions, "list" | "policy">,
  number: number,
): Promise<Result<Linked>> {
  return onBoth(store, place, options, function* (board, list) {
    const todo = todosOf(list).find((one) => one.number === number);
    if (!todo) return fail(noTodo(place.session, number));
    const { text, notes, status, activeForm } = todo;
    const added = yield* board.add({ subject: text, description: notes.join("\n\n"), activeForm });
    if (!added.ok) return added;
    const isAtIt = status === "in_progress";
    const task = added.value.number;
    const taken = isAtIt ? yield* board.run(task, claimFor(place)) : added;
    return taken.ok ? ok({ task, todo: number, writes: [] }) : taken;
  });
}

/** A task becomes a todo of a session too, and the session holds it. */
export function pullTask(
  store: EventStore,
  place: LinkPlace,
  options: Pick<BoardOptions, "list" | "policy">,
  name: string,
): Promise<Result<Linked>> {
  return onBoth(store, place, options, function* (board, list) {
    const found = yield* board.find(name);
    if (!found) return fail(noTask(options.list, name));
    const { number: task, subject, lease, activeForm } = found.task;
    const isHeld = lease?.session === place.session;
    const taken = isHeld ? ok(found.task) : yield* board.run(task, claimFor(place));
    if (!taken.ok) return taken;
    const todos = [
      { text: subject, status: "pending" as const, ...(activeForm === undefined ? undefined : { activeForm }) },
    ];
    const decided = decide(list, { type: "edit", edits: [{ type: "add", todos }] }, milepost.policy);
    if (!decided.ok) return fail(decided.error);
    const writes = editWrites(editPlace(place), `milepost task pull ${task}`, decided.value.events);
    return ok({ task, todo: list.nextNumber, writes });
  });
}

interface Tied {
  readonly task: number;
  readonly todo: number;
  readonly writes: readonly Write[];
}

function onBoth(
  store: EventStore,
  place: LinkPlace,
  options: Pick<BoardOptions, "list" | "policy">,
  work: (board: Board, list: TodoList) => Script<Result<Tied>>,
): Promise<Result<Linked>> {
  const { session, agent, by } = place;
  return store.commit(function* (transaction) {
    const stream = sessionStream(session, agent);
    const board = new Board(transaction, { ...options, owner: by, session });
    const done = yield* work(board, yield* transaction.view(LISTS, stream));
    if (!done.ok) return done;
    const { task, todo, writes } = done.value;
    const known = yield* knownLink(transaction, stream, { list: options.list, task, todo });
    if (known) return fail(known);
    const link: TodoLink = { session, ...(agent === undefined ? undefined : { agent }), todo };
    const linked = yield* board.run(task, { type: "link", link });
    if (!linked.ok) return linked;
    const held = yield* heldWrites(transaction, board.changed, { list: options.list, owner: by, session });
    const told = sessionEvent({ type: "task.linked", todo, list: options.list, task });
    return ok({
      writes: [...board.writes(), ...held, ...writes, { stream, events: [{ ...told, actor: by }] }],
      answer: { task, todo, session },
    });
  });
}

function* knownLink(
  transaction: Transaction,
  stream: string,
  { list, task, todo }: { readonly list: string; readonly task: number; readonly todo: number },
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

function editPlace({ session, agent, by }: LinkPlace): EditPlace {
  return { stream: sessionStream(session, agent), by };
}

function noTodo(session: string, number: number): Failure {
  return { code: "no-todo", message: `No todo ${number}. The list: milepost todo list --session ${session}` };
}
