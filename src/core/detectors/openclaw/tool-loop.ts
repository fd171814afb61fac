// OpenClaw's detection of tool loops, to the letter: what it would say before a call, given the calls before it. Pure:
// whoever calls brings SHA-256. The library has it as `detectToolLoop`; `live-loops.ts` is for sessions that we watch.
import { isPollCall } from "./call-outcome.js";
import { decideLoop, type ProbedCall, type ToolLoopVerdict } from "./loop-decision.js";
import { type LoopCall, type LoopHost, type LoopRecord, recordAll, runOf } from "./loop-records.js";
import { loopRules, type ToolLoopConfig } from "./loop-rules.js";
import { callSignature, type Sha256 } from "./stable-text.js";

export interface ToolLoopQuestion {
  /** What was called before, the oldest first. */
  readonly history: readonly LoopCall[];
  /** What is about to be called. */
  readonly probe: Pick<LoopCall, "tool" | "args" | "runId">;
  /** Off unless it is enabled, as in the original. */
  readonly config?: ToolLoopConfig | null | undefined;
  /** Which release of OpenClaw speaks: `2026.3.28` to `2026.9.6`, the newest, which is the default. */
  readonly edition?: string | undefined;
}

export function toolLoop({ history, probe, config, edition }: ToolLoopQuestion, sha256: Sha256): ToolLoopVerdict {
  const host: LoopHost = { rules: loopRules(config, edition), sha256 };
  // Nothing is hashed for nobody.
  return host.rules.isEnabled ? loopBefore(recordAll(history, host), probe, host) : { stuck: false };
}

/** The same on records that somebody keeps. */
export function loopBefore(
  records: readonly LoopRecord[],
  { tool, args, runId }: ToolLoopQuestion["probe"],
  { rules, sha256 }: LoopHost,
): ToolLoopVerdict {
  const signature = callSignature(tool, args, sha256);
  const probe: ProbedCall = {
    tool,
    signature,
    isPoll: isPollCall(tool, args),
    isCommand: tool === "exec",
    run: runOf(runId),
  };
  return decideLoop(records, probe, rules);
}
