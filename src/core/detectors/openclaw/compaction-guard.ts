import { objectAt } from "../../json.js";
import { loopRules, SINCE } from "./loop-rules.js";

/** The calls right after a compaction: if they are all the same, the compaction has not helped. */
export interface CompactionGuard {
  /** How many calls are watched. */
  readonly window: number;
  readonly seen: readonly GuardedCall[];
}

/** `signature`: of tool and arguments; `outcome`: of what came back. */
export interface GuardedCall {
  readonly tool: string;
  readonly signature: string;
  readonly outcome?: string | undefined;
}

export interface PersistingLoop {
  readonly code: "compaction_loop_persisted";
  readonly message: string;
}

const WINDOW = 3;

/** On unless it is switched off by name; undefined where it is. */
export function guardCompaction(config: unknown, edition?: string): CompactionGuard | undefined {
  const { enabled, postCompactionGuard } = objectAt(config);
  if (enabled === false) return undefined;
  const { windowSize } = objectAt(postCompactionGuard);
  const isSet = loopRules(config, edition).month < SINCE.constants && Number.isInteger(windowSize);
  return { window: isSet && Number(windowSize) > 0 ? Number(windowSize) : WINDOW, seen: [] };
}

/** After each call. The guard is undefined from the call on that shows that something has changed. */
export function guardCall(
  { window, seen }: CompactionGuard,
  call: GuardedCall,
): { readonly guard?: CompactionGuard; readonly loop?: PersistingLoop } {
  const all = [...seen, call];
  const isSame = all.every(
    ({ signature, outcome }) => signature === call.signature && outcome === call.outcome && outcome !== undefined,
  );
  if (!isSame) return {};
  if (all.length < window) return { guard: { window, seen: all } };
  const message = `CRITICAL: tool ${call.tool} repeated ${all.length} times with identical arguments and identical results within ${window} attempts after auto-compaction. The compaction did not break the loop. Aborting to prevent runaway resource use.`;
  return { loop: { code: "compaction_loop_persisted", message } };
}
