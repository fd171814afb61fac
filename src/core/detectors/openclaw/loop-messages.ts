import { type LoopRules, SINCE } from "./loop-rules.js";

// The original's words: a model that knows them acts on them.
type Words = (tool: string, count: number) => string;

const END = "Session execution blocked to prevent";

export const LOOP_MESSAGES = {
  missing: (tool, count) =>
    `CRITICAL: attempted unavailable tool ${tool} ${count} times. Stop retrying that missing tool and answer without it.`,
  pollCritical: (tool, count) =>
    `CRITICAL: Called ${tool} with identical arguments and no progress ${count} times. This appears to be a stuck polling loop. ${END} resource waste.`,
  pollWarning: (tool, count) =>
    `WARNING: You have called ${tool} ${count} times with identical arguments and no progress. Stop polling and either (1) increase wait time between checks, or (2) report the task as failed if the process is stuck.`,
  pingPongCritical: (_, count) =>
    `CRITICAL: You are alternating between repeated tool-call patterns (${count} consecutive calls) with no progress. This appears to be a stuck ping-pong loop. ${END} resource waste.`,
  pingPongWarning: (_, count) =>
    `WARNING: You are alternating between repeated tool-call patterns (${count} consecutive calls). This looks like a ping-pong loop; stop retrying and report the task as failed.`,
  genericWarning: (tool, count) =>
    `WARNING: You have called ${tool} ${count} times with identical arguments. If this is not making progress, stop retrying and report the task as failed.`,
} as const satisfies Readonly<Record<string, Words>>;

export function globalMessage(tool: string, count: number, { month }: LoopRules): string {
  const repeated = month >= SINCE.churn ? "repeated" : "has repeated";
  return `CRITICAL: ${tool} ${repeated} identical no-progress outcomes ${count} times. Session execution blocked by global circuit breaker to prevent runaway loops.`;
}

export function genericCriticalMessage(tool: string, count: number, { month }: LoopRules): string {
  const same = month >= SINCE.churn ? "identical outcomes" : "identical arguments and identical outcomes";
  return `CRITICAL: Called ${tool} with ${same} ${count} times. ${END} runaway loops.`;
}

export function churnMessage(tool: string, count: number, variants: number): string {
  return `WARNING: ${tool} has cycled through ${variants} repeated argument patterns with the same stable outcome ${count} times. Continued churn is treated as stalled run activity, but this tool call remains allowed.`;
}
