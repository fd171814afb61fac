import { defined, isSameJson } from "../../../core/json.js";
import { ok, type Result } from "../../../core/result.js";
import type { Hold, TaskCommand } from "../../../core/task/command.js";
import type { TaskDetails } from "../../../core/task/events.js";
import { DEFAULT_PRIORITY, isOpen, type Task, type TaskSource } from "../../../core/task/task.js";
import type { EventStore } from "../../../store/event-store.js";
import { lookTransaction } from "../../../store/log/look-transaction.js";
import type { Script } from "../../../store/script.js";
import { giveWay } from "../../../store/upkeep/give-way.js";
import type { PortableTask } from "../../../task-files/portable-task.js";
import type { Problem } from "../../../task-files/task-format.js";
import { Board, type BoardOptions, onBoard } from "../task-board.js";
import { toNewTask } from "./portable-tasks.js";

export interface ImportedTask {
  readonly id: string;
  readonly subject: string;
  readonly done: "added" | "changed" | "unchanged" | "refused";
  /** Its number here. */
  readonly task: number | null;
  /** Changed fields. */
  readonly fields: readonly string[];
}

interface ImportOutcome {
  readonly tasks: readonly ImportedTask[];
  readonly problems: readonly Problem[];
}

/** Task numbers by the ids in the file. */
type Numbers = Map<string, number>;

/** Tasks per commit, so that others can write in between. A second run finds what the first has imported. */
const PIECE = 100;
/**
 * Milliseconds of decisions per commit, where tasks are large or have many edges. Writing takes about as long again.
 */
const PIECE_MS = 60;

interface Imports {
  readonly format: string;
  /** Blockers and parents first. */
  readonly tasks: readonly PortableTask[];
  /** The file was exported from this list: an id up to this one is a task number of the list. */
  readonly highest?: number | undefined;
  readonly isDry: boolean;
  readonly progress: (count: number) => void;
}

export async function importTasks(
  store: EventStore,
  place: BoardOptions,
  imports: Imports,
): Promise<Result<ImportOutcome>> {
  const { tasks, progress } = imports;
  if (imports.isDry) return tryOut(store, place, imports);
  let known: Numbers = new Map();
  const outcome: ImportOutcome[] = [];
  for (let at = 0; at < tasks.length; ) {
    const piece = tasks.slice(at, at + PIECE);
    let numbers = known;
    const done = await onBoard(store, place, function* (board) {
      // Inside: after a deadlock it is run again, and begins with what is committed.
      numbers = new Map(known);
      const start = performance.now();
      const isOver = () => performance.now() - start > PIECE_MS;
      return yield* takePiece(board, imports, { tasks: piece, numbers, isOver });
    });
    if (!done.ok) return done;
    known = numbers;
    outcome.push(done.value);
    at += done.value.tasks.length;
    progress(at);
    if (at < tasks.length) await giveWay();
  }
  return ok({ tasks: outcome.flatMap(({ tasks }) => tasks), problems: outcome.flatMap(({ problems }) => problems) });
}

/** Dry run: the same steps on what is there now, and nothing is written. Nobody waits for it. */
function tryOut(store: EventStore, place: BoardOptions, imports: Imports): Promise<Result<ImportOutcome>> {
  return store.look((look) => {
    const board = new Board(lookTransaction(look), place);
    return takePiece(board, imports, { tasks: imports.tasks, numbers: new Map(), isOver: () => false });
  });
}

interface Piece {
  readonly tasks: readonly PortableTask[];
  readonly numbers: Numbers;
  /** The write has taken long enough: the rest is for the next one. */
  readonly isOver: () => boolean;
}

function* takePiece(
  board: Board,
  imports: Imports,
  { tasks: piece, numbers, isOver }: Piece,
): Script<Result<ImportOutcome>> {
  // Two imports of one file at the same time must not add its tasks twice.
  yield* board.lockEdges();
  const tasks: ImportedTask[] = [];
  const problems: Problem[] = [];
  for (const task of piece) {
    const complain = (done: Result<unknown>) => {
      if (!done.ok) problems.push({ where: `task ${task.id}`, message: done.error.message });
    };
    const source = sourceOf(task, imports);
    const found = (yield* findOwn(board, task, imports)) ?? (yield* board.findImported(source, task.uuid));
    const taken = found
      ? yield* bringUp(board, found, task, { numbers, complain })
      : yield* addNew(board, task, source, { numbers, complain });
    if (taken.task !== null) numbers.set(task.id, taken.task);
    tasks.push({ id: task.id, subject: task.subject, ...taken });
    if (isOver()) break;
  }
  return ok({ tasks, problems });
}

function sourceOf({ id }: PortableTask, { format, highest }: Imports): TaskSource {
  // A number that somebody wrote into an exported file is not an id that another file gave.
  return { format, id: highest !== undefined && NUMBER.test(id) ? `#${id}` : id };
}

const NUMBER = /^[1-9]\d{0,14}$/;

/** A number above `highest` was written by hand: another task may have got it since. */
function* findOwn(board: Board, { id }: PortableTask, { highest = 0 }: Imports): Script<Task | undefined> {
  return NUMBER.test(id) && Number(id) <= highest ? (yield* board.find(Number(id)))?.task : undefined;
}

interface Taking {
  readonly numbers: Numbers;
  readonly complain: (done: Result<unknown>) => void;
}

type Taken = Omit<ImportedTask, "id" | "subject">;

function* addNew(board: Board, task: PortableTask, source: TaskSource, { numbers, complain }: Taking): Script<Taken> {
  const added = yield* board.add({
    ...toNewTask(task, source, board.now),
    parent: task.parent === undefined ? undefined : numbers.get(task.parent),
    blockedBy: task.blockedBy.flatMap((id) => numbers.get(id) ?? []),
  });
  complain(added);
  return { done: added.ok ? "added" : "refused", task: added.ok ? added.value.number : null, fields: [] };
}

/** Updates an existing task from the file. Closed tasks stay closed, and notes are only added. */
function* bringUp(board: Board, task: Task, file: PortableTask, { numbers, complain }: Taking): Script<Taken> {
  const { number } = task;
  const hold = { owner: board.owner };
  const details = differences(task, file, numbers);
  const fields = Object.keys(details);
  if (fields.length > 0) complain(yield* board.run(number, { type: "change", hold, details }));
  const blockers = file.blockedBy.flatMap((id) => numbers.get(id) ?? []);
  const more = blockers.filter((blocker) => !task.blockedBy.includes(blocker));
  if (more.length > 0) {
    fields.push("blockedBy");
    complain(yield* board.block(number, more));
  }
  const step = stepTo(task, file, hold);
  if (step) {
    fields.push("status");
    complain(yield* board.run(number, step));
  }
  for (const { text } of file.notes.filter((note) => !task.notes.some((one) => one.text === note.text))) {
    fields.push("notes");
    complain(yield* board.run(number, { type: "note", text }));
  }
  return { done: fields.length > 0 ? "changed" : "unchanged", task: number, fields: [...new Set(fields)] };
}

/** Towards the status in the file; a closed task is not reopened. */
function stepTo(task: Task, { status, reason }: PortableTask, hold: Hold): TaskCommand | undefined {
  if (!isOpen(task)) return undefined;
  switch (status) {
    case "pending":
      return undefined;
    case "in_progress":
      // Nobody holds it here. A task that waits here was suspended on purpose.
      return task.status === "pending" && !task.wait ? { type: "move", hold, to: status } : undefined;
    case "completed":
      return { type: "complete", hold };
    case "failed":
    case "cancelled":
      return { type: "cancel", hold, reason: reason ?? `${status} in the file it was imported from` };
  }
}

function differences(task: Task, file: PortableTask, numbers: Numbers): TaskDetails {
  const { subject, description, activeForm, priority = DEFAULT_PRIORITY, labels, assignee, maxAttempts } = file;
  const parent = file.parent === undefined ? undefined : numbers.get(file.parent);
  const wanted = defined({ subject, description, activeForm, priority, labels, assignee, parent, maxAttempts });
  const details = Object.entries(wanted).filter(([name, value]) => !isSameJson(task[name as keyof Task], value));
  const metadata = Object.entries(file.metadata).filter(([key, value]) => !isSameJson(task.metadata[key], value));
  return {
    ...(Object.fromEntries(details) as TaskDetails),
    ...(metadata.length === 0 ? undefined : { metadata: Object.fromEntries(metadata) }),
  };
}
