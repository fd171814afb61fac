import type { RoundCall } from "../call/call-facts.js";

/**
 * One thing that happened in a session, whoever told of it: hooks, a transcript, the library. `at`: milliseconds; 0
 * where nobody told the time. Each step also stands for the silence before it.
 */
export type Step = {
  readonly at: number;
} /** One reply of the model that called tools: calls beside each other are one round. Calls of list tools are left out. */ & (
  | { readonly type: "round"; readonly calls: readonly RoundCall[]; readonly isBatch: boolean }
  /** The agent has written its list. `isForward`: a todo was closed that was open. `isSame`: no status has changed. */
  | {
      readonly type: "list-written";
      readonly isForward: boolean;
      readonly isSame: boolean;
      readonly open: number;
      readonly active: number;
    }
  /** Somebody else has changed the list. */
  | { readonly type: "list-changed"; readonly open: number; readonly active: number }
  /** A person has spoken. */
  | { readonly type: "prompt" }
  /** The agent goes on by itself. */
  | { readonly type: "woken"; readonly by: string }
  /** What the model has said without calling a tool, as a mark of its words. */
  | { readonly type: "said"; readonly words: string }
  | {
      readonly type: "turn-ended";
      /** A mark of the last words. */
      readonly words?: string | undefined;
      readonly because?: string | undefined;
      /** Sub-agents or commands go on without it. */
      readonly background?: number | undefined;
      readonly wakesAt?: number | undefined;
      /** It ends with a question to the person. */
      readonly isAsking?: boolean | undefined;
    }
  | { readonly type: "awaited" }
  | { readonly type: "answered" }
  | { readonly type: "compacted" }
  /** The client found its goal not reached, and sent the agent on. */
  | { readonly type: "goal-fired"; readonly goal: string }
  | { readonly type: "agent-started"; readonly agent: string }
  | { readonly type: "agent-heard"; readonly agent: string }
  | { readonly type: "agent-ended"; readonly agent: string }
  /** A task is held until then, unless its lease is renewed. `ttl`: whatever is heard renews it, for so long. */
  | { readonly type: "leased"; readonly task: string; readonly until: number; readonly ttl?: number }
  | { readonly type: "lease-left"; readonly task: string }
  /** Another live session has changed the same file. */
  | { readonly type: "same-file"; readonly file: string; readonly session: string }
  /** A person says that this is fine. */
  | { readonly type: "muted"; readonly detector: string }
  | { readonly type: "unmuted"; readonly detector: string }
  | { readonly type: "session-ended" }
  /** Nothing has happened; `calling`: since when a call is running. */
  | { readonly type: "tick"; readonly calling?: number | undefined }
);
