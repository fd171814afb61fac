import type { Result } from "../core/result.js";
import type { NewTask, TaskCommand, TaskError } from "../core/task/command.js";
import type { TaskPolicy } from "../core/task/policy.js";
import type { StandingTask, TaskQuery } from "../core/task/query.js";
import type { Task } from "../core/task/task.js";
import type { Signal } from "../core/task/wait-until.js";
import type { Answer, ToolCall, ToolDefinition } from "./dialect.js";

/** Work that asks the board step by step. Whoever has the board runs it, inside one write transaction. */
export type Steps<T> = Generator<unknown, T, never>;

/** One list's tasks during one call: it sees its own writes; all are committed together, none after an error. */
export interface TaskBoard {
  /** The store's clock, the same for the whole call. */
  readonly now: number;
  /** Who calls: the session, or the sub-agent in it. Leases are in this name. */
  readonly owner: string;
  /** Empty when the call named none, for a dialect that needs one. */
  readonly session: string;
  /** Undefined for one that is not there, or was deleted. A text is a number (`3`, `#3`) or a UUID. */
  find(name: number | string): Steps<StandingTask | undefined>;
  /** By number, but for `isReady`: by priority, then age. */
  list(query: TaskQuery): Steps<readonly StandingTask[]>;
  /** How many there are, whatever the limit of the query. */
  count(query: TaskQuery): Steps<number>;
  add(task: NewTask): Steps<Result<Task, TaskError>>;
  /** On a task that is there. */
  run(number: number, command: TaskCommand): Steps<Result<Task, TaskError>>;
  /** The best by priority, then age, of those ready before this call; undefined for none. `ttl` in milliseconds. */
  claimBest(ttl: number): Steps<Result<Task | undefined, TaskError>>;
  /** Before anything else in a call that ties tasks: two such calls must not wait for each other. */
  lockEdges(): Steps<void>;
  /** Edges from each blocker to the task, kept on both sides. */
  block(number: number, blockers: readonly number[]): Steps<Result<Task, TaskError>>;
  unblock(number: number, blockers: readonly number[]): Steps<Result<Task, TaskError>>;
  /** Takes it away, and every edge to it. Its number is not given again. */
  remove(number: number): Steps<Result<undefined, TaskError>>;
  /** Wakes everybody who waits for it. */
  signal(signal: Signal, payload?: unknown): Steps<readonly Task[]>;
}

/** One agent's tools for tasks: data, and an answer that never throws, whatever the input. */
export interface TaskDialect {
  readonly name: string;
  readonly summary: string;
  readonly tools: readonly ToolDefinition[];
  readonly policy: TaskPolicy;
  /** Which list is meant when nobody says: the session's own, or the one of the project. */
  readonly scope: "session" | "project";
  /** The original refuses a call without one: the board says `""` then, in place of the default session. */
  readonly needsSession?: true;
  answer(call: ToolCall, board: TaskBoard): Steps<Answer>;
  /** Adds what else the model should know to an answer; only a dialect whose answers are our own has room for it. */
  told?(answer: Answer, notices: readonly string[]): Answer;
}
