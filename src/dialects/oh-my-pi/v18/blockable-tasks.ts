import { defined, objectAt } from "../../../core/json.js";
import type { NewPhase, NewTodo, TodoCommand } from "../../../core/todo/command.js";
import type { Todo, TodoList, TodoStatus } from "../../../core/todo/list.js";
import { BLOCKED, isBlockNote } from "../../block-note.js";

/** A list as oh-my-pi 18 keeps it, in its results, its session files and its own markdown. */
export interface BlockablePhase {
  readonly name: string;
  readonly tasks: readonly BlockableTask[];
}

export interface BlockableTask {
  readonly content: string;
  readonly status: BlockableStatus;
  /** What a blocked task waits for; it stays when the task is started or closed later. */
  readonly blocker?: string;
}

export type BlockableStatus = "pending" | "in_progress" | "completed" | "abandoned" | "blocked";

/** Neither closed nor blocked. */
export function isActionable({ status }: Pick<BlockableTask, "status">): boolean {
  return status === "pending" || status === "in_progress";
}

export function isClosed({ status }: Pick<BlockableTask, "status">): boolean {
  return status === "completed" || status === "abandoned";
}

// "was blocked: why" keeps what a started task waited for, because oh-my-pi shows that again in its list.
const WAS_BLOCKED = "was blocked";

function isOfBlocking(note: string): boolean {
  return isBlockNote(note) || note.startsWith(`${WAS_BLOCKED}: `);
}

export function blockablePhases(list: TodoList): readonly BlockablePhase[] {
  return list.phases.map(({ name, todos }) => ({ name, tasks: todos.map(taskOf) }));
}

function taskOf({ text: content, status, notes }: Todo): BlockableTask {
  const word = status === "cancelled" ? "abandoned" : status;
  const note = notes.findLast(isOfBlocking);
  if (note === undefined) return { content, status: word };
  const isBlocked = status === "pending" && !note.startsWith(WAS_BLOCKED);
  const at = note.indexOf(": ");
  const blocker = at < 0 ? undefined : note.slice(at + 2);
  return { content, status: isBlocked ? BLOCKED : word, ...defined({ blocker }) };
}

function blockNotes({ status, blocker }: BlockableTask): readonly string[] {
  if (status !== BLOCKED) return blocker === undefined ? [] : [`${WAS_BLOCKED}: ${blocker}`];
  return [blocker === undefined ? BLOCKED : `${BLOCKED}: ${blocker}`];
}

function statusOf(status: BlockableStatus): TodoStatus {
  if (status === BLOCKED) return "pending";
  return status === "abandoned" ? "cancelled" : status;
}

/** A list that nothing was known of before. */
export function newBlockablePhases(phases: readonly BlockablePhase[]): readonly NewPhase[] {
  return phases.map(({ name, tasks }) => ({ name, todos: tasks.map((task) => writtenTodo(task, undefined)) }));
}

/** A task while an operation works on it; `from`: the todo that it is. */
export type DraftTask = { -readonly [Field in keyof BlockableTask]: BlockableTask[Field] } & {
  readonly from?: Todo | undefined;
};

export interface DraftPhase {
  readonly name: string;
  tasks: DraftTask[];
}

export function draftPhases(list: TodoList): DraftPhase[] {
  return list.phases.map(({ name, todos }) => ({ name, tasks: todos.map((from) => ({ ...taskOf(from), from })) }));
}

/** The list as the agent's own tool tells it; undefined for anything else. A task of a known text is that todo. */
export function toldPhases(list: TodoList, told: unknown): readonly DraftPhase[] | undefined {
  if (!Array.isArray(told) || !told.every(isToldPhase)) return undefined;
  const known = [...draftPhases(list).flatMap(({ tasks }) => tasks)];
  return told.map(({ name, tasks }) => ({
    name,
    tasks: tasks.map(({ content, status, blocker }) => {
      const at = known.findIndex((task) => task.content === content);
      const [same] = at < 0 ? [] : known.splice(at, 1);
      return { content, status, ...defined({ blocker, from: same?.from }) };
    }),
  }));
}

export function isSameList(one: readonly BlockablePhase[] | undefined, other: readonly BlockablePhase[]): boolean {
  const texts = (phases: readonly BlockablePhase[]) =>
    JSON.stringify(
      phases.map(({ name, tasks }) => [name, tasks.map((task) => [task.content, task.status, task.blocker])]),
    );
  return one !== undefined && texts(one) === texts(other);
}

function isToldPhase(value: unknown): value is BlockablePhase {
  const { name, tasks } = objectAt(value);
  return typeof name === "string" && Array.isArray(tasks) && tasks.every(isToldTask);
}

function isToldTask(value: unknown): value is BlockableTask {
  const { content, status, blocker } = objectAt(value);
  const isKnown = STATUSES.some((word) => word === status);
  return typeof content === "string" && isKnown && (blocker === undefined || typeof blocker === "string");
}

const STATUSES: readonly BlockableStatus[] = ["pending", "in_progress", "completed", "abandoned", BLOCKED];

/** The whole list as the operation left it. It has chosen the next task itself: core would start a blocked one. */
export function writeCommand({ explanation }: TodoList, phases: readonly DraftPhase[]): TodoCommand {
  const written = phases.map(({ name, tasks }) => ({ name, todos: tasks.map((task) => writtenTodo(task, task.from)) }));
  return {
    type: "edit",
    edits: [{ type: "replace", phases: written, ...defined({ explanation }) }],
    advance: false,
  };
}

/** Notes of other dialects stay as they are; only those that say "blocked" follow the task. */
function writtenTodo(task: BlockableTask, from: Todo | undefined): NewTodo {
  const todo = { text: task.content, status: statusOf(task.status), ...defined({ number: from?.number }) };
  if (from && isSameState(task, taskOf(from))) return todo;
  return { ...todo, notes: [...(from?.notes ?? []).filter((note) => !isOfBlocking(note)), ...blockNotes(task)] };
}

function isSameState(one: BlockableTask, other: BlockableTask): boolean {
  return one.status === other.status && one.blocker === other.blocker;
}
