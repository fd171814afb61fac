import type { PlanDraft } from "../../core/plan/seen-plan-text.js";
import type { SeenPlan } from "../../core/session/observation.js";
import { EMPTY_LIST, type TodoList } from "../../core/todo/list.js";
import type { Moment } from "./moments.js";
import type { ListWrite } from "./plan-calls.js";

/** What has happened since the turn began. */
export interface Turn {
  readonly id?: string | undefined;
  /** By a person. */
  readonly isSaid: boolean;
  readonly isCompacted: boolean;
  /** A call was made, or the agent said something. */
  readonly isWorked: boolean;
  readonly hasPlan: boolean;
  /** The last thing the agent said is a question. */
  readonly isAsking: boolean;
  readonly question?: string | undefined;
  /** A mark of the last thing the agent said, as long as no call follows it. */
  readonly words?: string | undefined;
}

export const NEW_TURN: Turn = { isSaid: false, isCompacted: false, isWorked: false, hasPlan: false, isAsking: false };

/** What a compaction leaves behind: one, two or all of these, each once. */
export type CompactionSign = "line" | "item" | "event";

export interface ThreadState {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
  /** Of the turn that runs, as far as it is written. */
  readonly draft: PlanDraft | null;
  readonly mode: string;
  readonly isTitled: boolean;
  readonly isRunning: boolean;
  /** How many have begun. */
  readonly turns: number;
  readonly turn: Turn;
  readonly wasAsking: boolean;
  /** Of the last compaction. */
  readonly signs: readonly CompactionSign[];
  readonly moments: readonly Moment[];
  /** When the usage limit that is reached ends: seconds. */
  readonly resetsAt?: number | undefined;
  /** Lists that are written once their call is answered well. */
  readonly writes: readonly (ListWrite & { readonly call: string })[];
  /** Replies that made calls; calls that begin before one of them is answered are of one reply. */
  readonly replies: number;
  readonly isReplyOver: boolean;
  /** Sub-agents that began and have not ended. */
  readonly agents: readonly string[];
}

export const NEW_THREAD: ThreadState = {
  list: EMPTY_LIST,
  plan: null,
  draft: null,
  mode: "",
  isTitled: false,
  isRunning: false,
  turns: 0,
  turn: NEW_TURN,
  wasAsking: false,
  signs: [],
  moments: [],
  writes: [],
  replies: 0,
  isReplyOver: true,
  agents: [],
};
