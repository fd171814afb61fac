import type { CallEnd, CallStart } from "../../core/call/call-facts.js";
import type { JsonObject } from "../../core/json.js";
import type { AgentMode } from "../../core/session/session-plan.js";
import type { Ask } from "../../core/session/state/asked-text.js";

/** A call of a tool, as the messages between editor and agent tell of it. */
interface AcpCall {
  readonly call: string;
  readonly tool: string;
  readonly server?: string | undefined;
  /** What it is about, in one line. */
  readonly subject?: string | undefined;
}

/** What one message between an editor and its agent tells of one session. */
export type AcpFact = { readonly session: string } & (
  | {
      readonly type: "opened";
      readonly how: "startup" | "resume" | "fork";
      readonly folder?: string | undefined;
      /** The session that it is a copy of. */
      readonly from?: string | undefined;
    }
  | { readonly type: "closed" }
  | { readonly type: "turn.started" }
  /** `because`: how it was cut short. `lastWords`: the end of what the agent said in it. */
  | {
      readonly type: "turn.ended";
      readonly because?: "interrupted" | "failed" | undefined;
      readonly lastWords: string;
    }
  | { readonly type: "asked"; readonly ask: Ask }
  | { readonly type: "answered" }
  | { readonly type: "mode.told"; readonly mode: AgentMode }
  | ({ readonly type: "call.started"; readonly facts: CallStart } & AcpCall)
  | ({
      readonly type: "call.ended";
      readonly status: "completed" | "failed" | "cancelled";
      readonly problem?: string | undefined;
      readonly facts: CallStart & CallEnd;
      readonly milliseconds: number;
    } & AcpCall)
  /** The whole list of the agent, as an input of the dialect `acp`. */
  | { readonly type: "plan.told"; readonly plan: JsonObject }
  | { readonly type: "compaction"; readonly isOver: boolean }
);

/** Told without its session: who reads knows which one it is. */
export type AcpNews = AcpFact extends infer Fact ? (Fact extends AcpFact ? Omit<Fact, "session"> : never) : never;
