import type { Shape } from "../shape.js";
import { promptText } from "../text/prompt-text.js";
import type { AlertLevel } from "./alert.js";
import type { CallMemory } from "./call-memory.js";
import type { Progress, SeenCall } from "./counted-call.js";
import type { Presence } from "./presence.js";
import type { Cycle } from "./round-cycle.js";
import type { Step } from "./step.js";

// The contract of a detector. A detector is a fold without a clock and without settings: the same steps give the same
// alerts, live and from a log. It keeps numbers and marks only, bounded; texts are in its messages alone.

/** From which count on a streak has a level. */
export interface Limits {
  readonly note?: number;
  readonly warn?: number;
  readonly block?: number;
}

/** A streak that is there now. `about`: a mark of what it is about; the same streak has the same one at each step. */
export interface Finding {
  readonly about: number;
  readonly level: AlertLevel;
  readonly count: number;
  readonly message: string;
  /** When it reached the level, where that is not now. */
  readonly at?: number;
}

/** What all detectors see of a step, worked out once. */
export interface Scene {
  readonly step: Step;
  /** The latest time that was told; 0: none was. */
  readonly now: number;
  readonly progress: Progress;
  /** Of a round: its calls, each once. */
  readonly calls: readonly SeenCall[];
  /** After the step. */
  readonly memory: CallMemory;
  readonly presence: Presence;
  /** The rounds repeat each other, twice at least. */
  readonly cycle: Cycle | undefined;
  readonly muted: readonly string[];
}

/** The time without a step that comes before one. `presence`: before the step. */
export interface Quiet {
  readonly step: Step;
  readonly now: number;
  readonly presence: Presence;
}

export interface Judged<State> {
  readonly state: State;
  readonly found?: readonly Finding[];
  /** Streaks that are over; they end before what is found begins. */
  readonly isOver?: (about: number) => boolean;
}

export interface DetectorRules<State> {
  readonly name: string;
  /** What it finds: for people. */
  readonly summary: string;
  readonly limits: Limits;
  /** What is counted: calls, laps, minutes. */
  readonly unit: string;
  /** What ends a streak. */
  readonly ends: string;
  readonly start: State;
  readonly isState: Shape;
  /** It counts calls: what was counted call by call is forgotten where a reply is told again as a whole. */
  readonly isOfCalls?: true | undefined;
  readonly silence?: ((state: State, quiet: Quiet) => Judged<State>) | undefined;
  readonly fold: (state: State, scene: Scene) => Judged<State>;
}

/** A detector of which nobody needs to know what it keeps. */
export type Detector = DetectorRules<unknown>;

/**
 * States come from `start`, from `fold`, or from JSON that `isState` has let pass. All detectors have the same fields
 * in the same order: the engine then reads them faster.
 */
export function detector<State>(rules: DetectorRules<State>): Detector {
  const { name, summary, limits, unit, ends, start, isState, isOfCalls, silence, fold } = rules;
  return { name, summary, limits, unit, ends, start, isState, isOfCalls, silence, fold } as Detector;
}

/** For a detector that keeps nothing of its own. */
export const STATELESS = { start: undefined, isState: (value: unknown) => value === undefined || value === null };

export const everything = () => true;

export function levelOf(count: number, limits: Limits): AlertLevel | undefined {
  const { note = Number.POSITIVE_INFINITY, warn = Number.POSITIVE_INFINITY, block = Number.POSITIVE_INFINITY } = limits;
  if (count >= block) return "block";
  if (count >= warn) return "warn";
  return count >= note ? "note" : undefined;
}

const NAME_MAX = 40;

/** Too short and too plain for anything but a name. */
const PLAIN = /^[A-Za-z][\w.-]{0,14}$/;

/** The name of a tool, a file or a session inside a message. */
export function nameText(name: string): string {
  if (PLAIN.test(name)) return name;
  return promptText(name.slice(0, 4 * NAME_MAX), NAME_MAX) || "a tool";
}

export const MINUTE = 60_000;
