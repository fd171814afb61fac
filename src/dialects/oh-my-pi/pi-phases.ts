import type { NewPhase } from "../../core/todo/command.js";
import type { Todo, TodoList, TodoStatus } from "../../core/todo/list.js";
import { type TodoPolicy, WHOLE_LIST } from "../../core/todo/policy.js";

/** A list as oh-my-pi keeps it, in its results, its session files and its own markdown. */
export interface PiPhase {
  readonly name: string;
  readonly tasks: readonly PiTask[];
}

export interface PiTask {
  readonly content: string;
  readonly status: PiStatus;
  readonly notes?: readonly string[];
}

export type PiStatus = "pending" | "in_progress" | "completed" | "abandoned";

export interface CompletedTask {
  readonly phase: string;
  readonly content: string;
}

export function isOpenTask({ status }: PiTask): boolean {
  return status === "pending" || status === "in_progress";
}

/** One todo is in progress whenever one is open, and a batch does what it can. */
export const PI_POLICY: TodoPolicy = {
  ...WHOLE_LIST,
  focus: "demote",
  promote: "always",
  batch: "partial",
  duplicates: "refuse",
  scope: "main",
};

export function phasesOf(list: TodoList): readonly PiPhase[] {
  return list.phases.map(({ name, todos }) => ({ name, tasks: todos.map(taskOf) }));
}

function taskOf({ text: content, status, notes }: Todo): PiTask {
  const word = status === "cancelled" ? "abandoned" : status;
  return notes.length === 0 ? { content, status: word } : { content, status: word, notes };
}

/** All of it: a todo that came with no notes has none, whatever it had before. */
export function newPhases(phases: readonly PiPhase[]): readonly NewPhase[] {
  return phases.map(({ name, tasks }) => ({
    name,
    todos: tasks.map(({ content, status, notes = [] }) => ({ text: content, status: statusOf(status), notes })),
  }));
}

function statusOf(status: PiStatus): TodoStatus {
  return status === "abandoned" ? "cancelled" : status;
}
