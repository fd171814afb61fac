import type { CallEnd, CallStart } from "../call/call-facts.js";
import type { TodoList, TodoStatus } from "../todo/list.js";
import type { PullRequest } from "./pull-request.js";
import type { Ask } from "./state/asked-text.js";
import type { Cut } from "./state/reason.js";

/** As the agent itself counts them: Codex counts what came from its cache as input too, Claude Code does not. */
export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly total: number;
}

/** `sign` -1 takes the second away. */
export function sumTokens(a: Tokens, b: Tokens, sign: 1 | -1 = 1): Tokens {
  return {
    input: a.input + sign * b.input,
    output: a.output + sign * b.output,
    cacheRead: a.cacheRead + sign * b.cacheRead,
    cacheWrite: a.cacheWrite + sign * b.cacheWrite,
    reasoning: a.reasoning + sign * b.reasoning,
    total: a.total + sign * b.total,
  };
}

export const NO_TOKENS: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, total: 0 };

/** Tokens in the model's context with its last reply, as its agent counts them. `window`: null where nobody tells. */
export interface SeenContext {
  readonly used: number;
  readonly window: number | null;
}

/** A plan as an agent's client tells of it. */
export interface SeenPlan {
  /** Names the plan in its session. Claude Code: the id of the call of ExitPlanMode. Codex: the id of the turn. */
  readonly key: string;
  readonly text: string;
  /** `draft`: it is still being written. */
  readonly status: "draft" | "proposed" | "approved" | "rejected";
  /** Why it was rejected, in the person's words. */
  readonly reason?: string;
  /** It was approved with a text that the person had changed. */
  readonly isEdited?: true;
}

/** A plan, when it was first told of, and when it was decided on: milliseconds, 0 where no record had a time. */
export interface KnownPlan extends SeenPlan {
  readonly at: number;
  readonly decidedAt?: number;
}

/** What an agent was told to reach, above its list. `status`: as the agent says it; Codex has six, Claude three. */
export interface Goal {
  readonly text: string;
  readonly status: string;
}

/** Reached or given up: finished things are not put before a model again. */
export function isOpenGoal({ status }: Goal): boolean {
  return status !== "complete" && status !== "failed";
}

/** A task as an agent's own tools keep it. */
export interface SeenTask {
  readonly id: string;
  readonly subject: string;
  readonly status: TodoStatus;
  readonly activeForm?: string;
  readonly owner?: string;
  readonly blocks: readonly string[];
  readonly blockedBy: readonly string[];
}

/** What one record of a transcript tells. Counts of tokens and money are totals so far, not what was added. */
export type Fact =
  /** Who it is. What is left out was not told, and what was known stays. */
  | {
      readonly type: "session.seen";
      readonly agent: string;
      /** Null: what looked like a sub-agent is none. */
      readonly parent?: string | null | undefined;
      readonly folder?: string | undefined;
      readonly branch?: string | undefined;
      readonly version?: string | undefined;
      readonly model?: string | undefined;
    }
  /** `person`: the beginning of the first prompt, where the agent has given it no title. */
  | { readonly type: "title.given"; readonly title: string; readonly by: "agent" | "person" }
  | { readonly type: "turn.started" }
  /** What looked like a turn was none: nobody had said anything. */
  | { readonly type: "turn.undone" }
  | {
      readonly type: "turn.ended";
      readonly isAsking: boolean;
      /** A plan that the turn proposed is asked about; by default it is a question. */
      readonly about?: "plan" | undefined;
      /** What it asks, in one line. */
      readonly text?: string | undefined;
      /** How it was cut short. */
      readonly because?: Cut | undefined;
      /** Of a usage limit, where it is told: milliseconds. */
      readonly resetsAt?: number | undefined;
    }
  /** The agent has closed the session; what it says later opens it again. */
  | { readonly type: "session.left" }
  /** The agent goes on by itself at that time (milliseconds; null: it does not), again and again by a schedule. */
  | { readonly type: "wake.set"; readonly until: number | null; readonly schedule?: string | undefined }
  | { readonly type: "list.changed"; readonly list: TodoList }
  /** The agent has written its list, also one that is as it was. Comes before the change that the write makes. */
  | { readonly type: "list.written" }
  /** What the model has said, as a mark of its words. */
  | { readonly type: "words.said"; readonly words: string }
  /** The client found its goal not reached, and sent the agent on. */
  | { readonly type: "goal.fired"; readonly goal: string }
  /** A task of ours is held until then; null: it is left. */
  | { readonly type: "task.leased"; readonly task: string; readonly until: number | null }
  /** The model says that its work cannot be checked here, and why. */
  | { readonly type: "check.waived"; readonly reason: string }
  /** A sub-agent of this session began, for the todo that was in progress, or has ended. */
  | { readonly type: "agent.started"; readonly agent: string }
  | { readonly type: "agent.ended"; readonly agent: string }
  /** A write has closed the last todo of this list. Comes before the change that the write makes. */
  | { readonly type: "list.finished"; readonly list: TodoList }
  | { readonly type: "plan.changed"; readonly plan: SeenPlan | null }
  | { readonly type: "goal.changed"; readonly goal: Goal | null }
  | { readonly type: "task.changed"; readonly task: SeenTask }
  | { readonly type: "task.deleted"; readonly id: string }
  | {
      readonly type: "call.started";
      readonly call: string;
      readonly tool: string;
      readonly server?: string | undefined;
      /** What it is about, in one line. */
      readonly subject?: string | undefined;
      /** Keeping a list, a plan or tasks is not the work itself. */
      readonly isWork: boolean;
      /** It waits for a person's answer. */
      readonly isAsking: boolean;
      /** For what, where that is known. */
      readonly ask?: Ask | undefined;
      /** Calls of one reply have the same; absent where the agent does not say. */
      readonly reply?: string | undefined;
      readonly facts?: CallStart | undefined;
    }
  /** A call that is open waits for a person's answer; null: for none any more. */
  | { readonly type: "call.asked"; readonly call: string; readonly ask: Ask | null }
  | {
      readonly type: "call.ended";
      readonly call: string;
      readonly status: "completed" | "failed" | "cancelled";
      readonly problem?: string | undefined;
      readonly facts?: CallEnd | undefined;
    }
  | { readonly type: "context.compacted" }
  /** `context`: of the one reply that they were last used for, where it is told. */
  | { readonly type: "tokens.used"; readonly tokens: Tokens; readonly context?: SeenContext | undefined }
  | { readonly type: "money.spent"; readonly dollars: number }
  | { readonly type: "pull-request.named"; readonly pullRequest: PullRequest };

/** A fact, the session it belongs to (or the sub-agent, as `session/agent`), and when it was written down. */
export type Observation = Fact & { readonly session: string; readonly at?: number | undefined };
