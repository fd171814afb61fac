import { isDeepStrictEqual } from "node:util";
import { fail, ok, type Result } from "../../../core/result.js";
import type { Hold, TaskCommand } from "../../../core/task/command.js";
import type { TaskDetails } from "../../../core/task/events.js";
import { DEFAULT_PRIORITY, isOpen, type Task, type TaskSource } from "../../../core/task/task.js";
import type { EventStore } from "../../../store/event-store.js";
import type { Script } from "../../../store/script.js";
import type { TravellingTask } from "../../../task-files/portable-task.js";
import type { Problem } from "../../../task-files/task-format.js";
import { onBoard } from "../on-board.js";
import type { Board, BoardOptions } from "../task-board.js";
import { toNewTask } from "./portable-tasks.js";

/** What became of each task of a file, or would become of it. */
export interface ImportedTask {
  readonly id: string;
  readonly subject: string;
  readonly done: "added" | "changed" | "unchanged" | "refused";
  /** Its number here. */
  readonly task: number | null;
  /** Which fields differ. */
  readonly fields: readonly string[];
}

export interface ImportOutcome {
  readonly tasks: readonly ImportedTask[];
  readonly problems: readonly Problem[];
}

/** What earlier pieces of the file have become. */
interface Known {
  readonly numbers: Map<string, number>;
}

/** In pieces, so that others get their turn; a second run finds what the first has taken. */
const PIECE = 250;

export interface Imports {
  readonly format: string;
  /** Blockers and parents first. */
  readonly tasks: readonly TravellingTask[];
  /** The file was written from this list: up to here, a number in it is that of a task. */
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
  const known: Known = { numbers: new Map() };
  const outcome: ImportOutcome[] = [];
  for (let at = 0; at < tasks.length; at += PIECE) {
    const piece = tasks.slice(at, at + PIECE);
    const numbers = new Map(known.numbers);
    const done = await onBoard(store, place, (board) => takePiece(board, imports, piece, { numbers }));
    if (!done.ok) return done;
    for (const [id, number] of numbers) known.numbers.set(id, number);
    outcome.push(done.value);
    progress(at + piece.length);
  }
  return ok({
    tasks: outcome.flatMap((one) => one.tasks),
    problems: outcome.flatMap((one) => one.problems),
  });
}

/** Everything is done, told, and then not written: what is told is exactly what would be done. */
async function tryOut(store: EventStore, place: BoardOptions, imports: Imports): Promise<Result<ImportOutcome>> {
  let outcome: Result<ImportOutcome> | undefined;
  await onBoard(store, place, function* (board) {
    outcome = yield* takePiece(board, imports, imports.tasks, { numbers: new Map() });
    return fail({ code: "dry-run", message: "Nothing is written." });
  });
  return outcome ?? ok({ tasks: [], problems: [] });
}

function* takePiece(
  board: Board,
  imports: Imports,
  piece: readonly TravellingTask[],
  known: Known,
): Script<Result<ImportOutcome>> {
  // Two that import the same file at once must not both add what neither has found.
  yield* board.lockEdges();
  const tasks: ImportedTask[] = [];
  const problems: Problem[] = [];
  for (const task of piece) {
    const complain = (message: string) => problems.push({ where: `task ${task.id}`, message });
    const source = sourceOf(task, imports);
    const found = (yield* findOwn(board, task, imports)) ?? (yield* board.findImported(source, task.uuid));
    const taken = found
      ? yield* bringUp(board, found, task, { known, complain })
      : yield* addNew(board, task, source, { known, complain });
    if (taken.task !== null) known.numbers.set(task.id, taken.task);
    tasks.push({ id: task.id, subject: task.subject, ...taken });
  }
  return ok({ tasks, problems });
}

/** An id that was made up is made of the words of the task, so it is the same the next time. */
function sourceOf({ id }: TravellingTask, { format, highest }: Imports): TaskSource {
  // A number that somebody wrote into a file of this list is not the number that another file gave.
  return { format, id: highest !== undefined && NUMBER.test(id) ? `#${id}` : id };
}

const NUMBER = /^[1-9]\d{0,14}$/;

/** A higher number was written by hand: the list may have given it to another task since. */
function* findOwn(board: Board, { id }: TravellingTask, { highest = 0 }: Imports): Script<Task | undefined> {
  return NUMBER.test(id) && Number(id) <= highest ? (yield* board.find(Number(id)))?.task : undefined;
}

interface Taking {
  readonly known: Known;
  readonly complain: (message: string) => void;
}

type Taken = Omit<ImportedTask, "id" | "subject">;

function* addNew(board: Board, task: TravellingTask, source: TaskSource, { known, complain }: Taking): Script<Taken> {
  const numberOf = (id: string) => known.numbers.get(id) ?? [];
  const added = yield* board.add({
    ...toNewTask(task, source, board.now),
    parent: task.parent === undefined ? undefined : known.numbers.get(task.parent),
    blockedBy: task.blockedBy.flatMap(numberOf),
  });
  if (added.ok) return { done: "added", task: added.value.number, fields: [] };
  complain(added.error.message);
  return { done: "refused", task: null, fields: [] };
}

/**
 * What the file says of a task that is here. What is closed here stays closed, and nothing that was said is taken away.
 */
function* bringUp(board: Board, task: Task, file: TravellingTask, { known, complain }: Taking): Script<Taken> {
  const { number } = task;
  const hold = { owner: board.owner };
  const details = differences(task, file, known);
  const fields = Object.keys(details);
  if (fields.length > 0) {
    const changed = yield* board.run(number, { type: "change", hold, details });
    if (!changed.ok) complain(changed.error.message);
  }
  const blockers = file.blockedBy.flatMap((id) => known.numbers.get(id) ?? []);
  const more = blockers.filter((blocker) => !task.blockedBy.includes(blocker));
  if (more.length > 0) {
    fields.push("blockedBy");
    const blocked = yield* board.block(number, more);
    if (!blocked.ok) complain(blocked.error.message);
  }
  const step = stepTo(task, file, hold);
  if (step) {
    fields.push("status");
    const moved = yield* board.run(number, step);
    if (!moved.ok) complain(moved.error.message);
  }
  for (const { text } of file.notes.filter((note) => !task.notes.some((one) => one.text === note.text))) {
    fields.push("notes");
    const noted = yield* board.run(number, { type: "note", text });
    if (!noted.ok) complain(noted.error.message);
  }
  return { done: fields.length > 0 ? "changed" : "unchanged", task: number, fields: [...new Set(fields)] };
}

/** From a task's status to that in the file; never back. */
function stepTo(task: Task, { status, reason }: TravellingTask, hold: Hold): TaskCommand | undefined {
  if (!isOpen(task)) return undefined;
  switch (status) {
    case "pending":
      return undefined;
    case "in_progress":
      // Whoever has begun it there holds nothing here. What waits here was put aside by somebody who knew why.
      return task.status === "pending" && !task.wait ? { type: "move", hold, to: status } : undefined;
    case "completed":
      return { type: "complete", hold };
    case "failed":
    case "cancelled":
      return { type: "cancel", hold, reason: reason ?? `${status} in the file it was imported from` };
  }
}

function differences(task: Task, file: TravellingTask, { numbers }: Known): TaskDetails {
  const parent = file.parent === undefined ? undefined : numbers.get(file.parent);
  const wanted: TaskDetails = {
    subject: file.subject,
    description: file.description,
    ...(file.activeForm === undefined ? undefined : { activeForm: file.activeForm }),
    priority: file.priority ?? DEFAULT_PRIORITY,
    labels: file.labels,
    ...(file.assignee === undefined ? undefined : { assignee: file.assignee }),
    ...(parent === undefined ? undefined : { parent }),
    ...(file.maxAttempts === undefined ? undefined : { maxAttempts: file.maxAttempts }),
  };
  const details = Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(task[name as keyof Task], value));
  const metadata = Object.entries(file.metadata).filter(
    ([key, value]) => !isDeepStrictEqual(task.metadata[key], value),
  );
  return {
    ...(Object.fromEntries(details) as TaskDetails),
    ...(metadata.length === 0 ? undefined : { metadata: Object.fromEntries(metadata) }),
  };
}
