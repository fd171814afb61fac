import { churnMessage, genericCriticalMessage, globalMessage, LOOP_MESSAGES as SAY } from "./loop-messages.js";
import type { LoopRecord } from "./loop-records.js";
import { type LoopRules, SINCE } from "./loop-rules.js";
import * as streaks from "./loop-streaks.js";

export type LoopDetector =
  | "unknown_tool_repeat"
  | "global_circuit_breaker"
  | "known_poll_no_progress"
  | "ping_pong"
  | "generic_repeat"
  | "argument_churn";

/** What OpenClaw says before a call: `critical` refuses it, `warning` lets it run. */
export type ToolLoopVerdict =
  | { readonly stuck: false }
  | {
      readonly stuck: true;
      readonly level: "warning" | "critical";
      readonly detector: LoopDetector;
      readonly count: number;
      readonly message: string;
      /** The tool that takes turns with this one. */
      readonly pairedToolName?: string;
      /** The same for the same loop. */
      readonly warningKey: string;
      readonly livenessSignal?: "argument_churn";
    };

type Found = Extract<ToolLoopVerdict, { readonly stuck: true }>;

/** The call that is about to be made. `isCommand`: its failures count whatever its arguments are. */
export interface ProbedCall extends streaks.LoopProbe {
  readonly isPoll: boolean;
  readonly isCommand: boolean;
  readonly run?: string | undefined;
}

/** The first rule that holds. */
export function decideLoop(all: readonly LoopRecord[], probe: ProbedCall, rules: LoopRules): ToolLoopVerdict {
  if (!rules.isEnabled) return { stuck: false };
  const records = rules.month >= SINCE.runs ? all.filter(({ run }) => run === probe.run) : all;
  const { count, outcome = "none" } = longest(records, probe, rules);
  const { tool, signature } = probe;
  const call = `${tool}:${signature}`;
  const hasChurn = rules.month >= SINCE.churn;
  const churn = hasChurn ? streaks.argumentChurn(records, probe) : streaks.NO_CHURN;
  const signal: Partial<Found> = churn.count >= rules.warning ? { livenessSignal: "argument_churn" } : {};
  const missing = missingTool(records, tool, rules);
  if (missing) return missing;
  if (count >= rules.global) {
    const message = globalMessage(tool, count, rules);
    return found("critical", "global_circuit_breaker", count, message, { warningKey: `global:${call}:${outcome}` });
  }
  const polled = pollLoop(probe, count, rules, `poll:${call}:${outcome}`, signal);
  if (polled) return polled;
  const turns = pingPongLoop(records, probe, rules, signal);
  if (turns) return turns;
  const isGeneric = !probe.isPoll && rules.hasGeneric;
  if (isGeneric && rules.month >= SINCE.genericCritical && count >= rules.critical) {
    const message = genericCriticalMessage(tool, count, rules);
    return found("critical", "generic_repeat", count, message, { warningKey: `generic:${call}:${outcome}` });
  }
  if (churn.count >= rules.warning) {
    const message = churnMessage(tool, churn.count, churn.variants);
    const key = { warningKey: `argument-churn:${tool}`, ...signal };
    return found("warning", "argument_churn", churn.count, message, key);
  }
  const same = records.filter((record) => record.tool === tool && record.signature === signature).length;
  if (!isGeneric || same < rules.warning) return { stuck: false };
  const words = SAY.genericWarning(tool, same);
  return found("warning", "generic_repeat", same, words, { warningKey: `generic:${call}` });
}

function found(
  level: Found["level"],
  detector: LoopDetector,
  count: number,
  message: string,
  rest: Pick<Found, "warningKey"> & Partial<Found>,
): Found {
  return { ...rest, stuck: true, level, detector, count, message };
}

function longest(records: readonly LoopRecord[], probe: ProbedCall, rules: LoopRules) {
  const own = streaks.noProgress(records, probe);
  if (!probe.isCommand || rules.month < SINCE.churn) return own;
  const any = streaks.sameFailure(records, probe);
  return any.count > own.count ? any : own;
}

function missingTool(records: readonly LoopRecord[], tool: string, rules: LoopRules): Found | undefined {
  const { count, missing } = streaks.missingStreak(records, tool);
  if (rules.month < SINCE.runs || count < rules.unknown) return undefined;
  const warningKey = `unknown-tool:${tool}:${missing}`;
  return found("critical", "unknown_tool_repeat", count, SAY.missing(missing, count), { warningKey });
}

function pollLoop(probe: ProbedCall, count: number, rules: LoopRules, warningKey: string, signal: Partial<Found>) {
  const detector = "known_poll_no_progress";
  if (!probe.isPoll || !rules.hasPoll || count < rules.warning) return undefined;
  if (count >= rules.critical)
    return found("critical", detector, count, SAY.pollCritical(probe.tool, count), { warningKey });
  return found("warning", detector, count, SAY.pollWarning(probe.tool, count), { warningKey, ...signal });
}

function pingPongLoop(records: readonly LoopRecord[], probe: ProbedCall, rules: LoopRules, signal: Partial<Found>) {
  const { count, paired, isProven } = streaks.pingPong(records, probe);
  if (!rules.hasPingPong || !paired || count < rules.warning) return undefined;
  const warningKey = `pingpong:${[probe.signature, paired.signature].sort().join("|")}`;
  const pair = { warningKey, pairedToolName: paired.tool };
  if (count >= rules.critical && isProven)
    return found("critical", "ping_pong", count, SAY.pingPongCritical(probe.tool, count), pair);
  return found("warning", "ping_pong", count, SAY.pingPongWarning(probe.tool, count), { ...pair, ...signal });
}
