import { isObject, type JsonObject, objectAt } from "../../json.js";

/** What OpenClaw reads below `tools.loopDetection`. From 2026.8 on it takes `enabled` alone. */
export interface ToolLoopConfig {
  readonly enabled?: boolean;
  readonly historySize?: number;
  readonly warningThreshold?: number;
  readonly criticalThreshold?: number;
  readonly globalCircuitBreakerThreshold?: number;
  readonly unknownToolThreshold?: number;
  readonly detectors?: {
    readonly genericRepeat?: boolean;
    readonly knownPollNoProgress?: boolean;
    readonly pingPong?: boolean;
  };
}

/** A config and an edition, as the detection uses them. `month`: of 2026, in which the edition came out. */
export interface LoopRules {
  readonly month: number;
  readonly isEnabled: boolean;
  readonly window: number;
  readonly warning: number;
  readonly critical: number;
  readonly global: number;
  readonly unknown: number;
  readonly hasGeneric: boolean;
  readonly hasPoll: boolean;
  readonly hasPingPong: boolean;
}

const NEWEST_EDITION = "2026.9.6";

/** The first month whose edition has it. */
export const SINCE = {
  /** Calls of another run are not counted; a tool that is not there has a detector; `exec` has its own outcome. */
  runs: 4,
  genericCritical: 5,
  /** Ids of messages sent are left out of outcomes; a refusal of our own is no outcome. */
  sends: 7,
  constants: 8,
  /** Refusals count, churn, failures of `exec` whatever the arguments, unchanged writes, other words. */
  churn: 9,
} as const;

export function loopRules(config: unknown, edition: string = NEWEST_EDITION): LoopRules {
  const month = editionMonth(edition);
  const given = objectAt(config);
  const set: JsonObject = month >= SINCE.constants ? {} : given;
  const warning = positive(set.warningThreshold, 10);
  const critical = above(warning, positive(set.criticalThreshold, 20));
  const detectors = objectAt(set.detectors);
  return {
    month,
    isEnabled: isObject(config) && given.enabled === true,
    window: positive(set.historySize, 30),
    warning,
    critical,
    global: above(critical, positive(set.globalCircuitBreakerThreshold, 30)),
    unknown: positive(set.unknownToolThreshold, 10),
    hasGeneric: detectors.genericRepeat !== false,
    hasPoll: detectors.knownPollNoProgress !== false,
    hasPingPong: detectors.pingPong !== false,
  };
}

/** What cannot be read is taken for the newest. */
function editionMonth(edition: string): number {
  const [, year = 2026, month = 9] = (/^(\d{4})\.(\d{1,2})(?:\.|$)/.exec(edition) ?? []).map(Number);
  return (year - 2026) * 12 + month;
}

function positive(value: unknown, otherwise: number): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : otherwise;
}

function above(least: number, value: number): number {
  return value > least ? value : least + 1;
}
