import { count, fields, list, text } from "../shape.js";
import { type Alert, isAlert } from "./alert.js";
import { type AlertList, MOST_ALERTS, withFinding, withOver } from "./alert-list.js";
import {
  type CallMemory,
  countedCalls,
  isCallMemory,
  NO_MEMORY,
  type Remembered,
  rememberAnew,
  rememberCompaction,
  rememberRound,
  withBatches,
  withSingles,
} from "./call-memory.js";
import type { BareCall, SeenCall } from "./counted-call.js";
import { type Detector, type Judged, MINUTE, type Quiet, type Scene } from "./detector.js";
import { DETECTORS } from "./detector-table.js";
import { numberOf } from "./number-mark.js";
import { evolvePresence, isPresence, NO_PRESENCE, type Presence, shortName, timeOf } from "./presence.js";
import { cycleOf } from "./round-cycle.js";
import type { Step } from "./step.js";

/** What all detectors know of one session: plain data, bounded, so that it can be kept and gone on with. */
export interface Watch extends AlertList {
  /** The first at the front. One alert for each streak; its level and count grow with it. */
  readonly alerts: readonly Alert[];
  readonly muted: readonly string[];
  /** The latest time that a step told. */
  readonly now: number;
  readonly memory: CallMemory;
  readonly presence: Presence;
  /** What each detector keeps, by its name; left out where it keeps nothing. */
  readonly states: Readonly<Record<string, unknown>>;
}

export const NO_WATCH: Watch = {
  alerts: [],
  abouts: [],
  count: 0,
  muted: [],
  now: 0,
  memory: NO_MEMORY,
  presence: NO_PRESENCE,
  states: {},
};

/** Alerts of streaks that go on. */
export function activeAlerts({ alerts }: Watch): readonly Alert[] {
  return alerts.filter(({ isOver }) => !isOver);
}

type Draft = { -readonly [Field in keyof Watch]: Watch[Field] };

/** The silence before the step first, then the step itself. Where no detector could say anything, none is asked. */
export function watchStep(watch: Watch, step: Step): Watch {
  const at = timeOf(step);
  const draft = draftOf(watch, at);
  const isCalm = isNothingKept(draft);
  if (at > 0 && !(isCalm && isAtWork(draft))) judgeSilence(draft, step);
  const scene = sceneOf(draft, step);
  if (isCalm && isPlain(scene)) return draft;
  judge(draft, scene, at);
  return draft;
}

/** The same with every detector asked at every step: what `watchStep` leaves out must make no difference. */
export function watchThoroughly(watch: Watch, step: Step): Watch {
  const at = timeOf(step);
  const draft = draftOf(watch, at);
  if (at > 0) judgeSilence(draft, step);
  judge(draft, sceneOf(draft, step), at);
  return draft;
}

function judge(draft: Draft, scene: Scene, at: number): void {
  const { step } = scene;
  for (const detector of DETECTORS) {
    // One that only listens to silence has nothing to end where there is no alert.
    if (detector.silence && detector.start === undefined && draft.alerts.length === 0) continue;
    const state = stateOf(draft, detector);
    take(draft, detector, state, detector.fold(state, scene), at);
  }
  if (step.type === "muted") mute(draft, step.detector);
  if (step.type === "unmuted") draft.muted = draft.muted.filter((name) => name !== step.detector);
  if (step.type === "session-ended") endSession(draft);
}

/** No streak goes on, and no detector has kept anything. */
function isNothingKept({ states, alerts }: Draft): boolean {
  for (const _ in states) return false;
  return alerts.every(({ isOver }) => isOver);
}

/** Detectors of silence that keep nothing, and so go by the time alone: none of them speaks earlier. */
const SHORTEST_SILENCE = MINUTE * Math.min(...DETECTORS.flatMap(silenceOf));

function silenceOf({ silence, start, limits }: Detector): readonly number[] {
  return silence && start === undefined ? [limits.note ?? limits.warn ?? 0] : [];
}

function isAtWork({ presence: { turn, heardAt, children }, now }: Draft): boolean {
  return turn === "on" && children.length === 0 && now - heardAt < SHORTEST_SILENCE;
}

/** A round of calls that are all new and went well: nothing that any detector counts. */
function isPlain({ step, calls, cycle }: Scene): boolean {
  return step.type === "round" && cycle === undefined && calls.every(isPlainCall);
}

function isPlainCall({ call, sort, isError }: SeenCall): boolean {
  return (sort === "new" || sort === "change") && !isError && call.isUnchanged !== true && call.isPoll !== true;
}

/** Field by field: this runs for every event, and a spread costs more than all detectors. */
function draftOf({ alerts, abouts, count, muted, now, memory, presence, states }: Watch, at: number): Draft {
  return { alerts, abouts, count, muted, now: Math.max(now, at), memory, presence, states };
}

function endSession(draft: Draft): void {
  draft.states = {};
  endAlerts(draft, () => true);
}

/** Only where somebody told the time: nobody else knows how long it was silent. */
function judgeSilence(draft: Draft, step: Step): void {
  const quiet: Quiet = { step, now: draft.now, presence: draft.presence };
  for (const detector of DETECTORS) {
    if (detector.silence === undefined) continue;
    const state = stateOf(draft, detector);
    take(draft, detector, state, detector.silence(state, quiet), quiet.now);
  }
}

function stateOf({ states }: Draft, { name, start }: Detector): unknown {
  return start === undefined ? undefined : (states[name] ?? start);
}

/** Takes what a detector says. `before`: what it kept until now. */
function take(draft: Draft, detector: Detector, before: unknown, judged: Judged<unknown>, at: number): void {
  const { state, found, isOver } = judged;
  const { name } = detector;
  if (state !== before) draft.states = withState(draft.states, detector, state);
  if (isOver && draft.alerts.length > 0) endAlerts(draft, (other, about) => other === name && isOver(about));
  if (found === undefined || found.length === 0 || draft.muted.includes(name)) return;
  for (const finding of found) setAlerts(draft, withFinding(draft, name, finding, at));
}

function withState(states: Watch["states"], { name, start }: Detector, state: unknown): Watch["states"] {
  const isStart = state === start || (Array.isArray(state) && state.length === 0);
  if (!isStart) return { ...states, [name]: state };
  if (!(name in states)) return states;
  const { [name]: _, ...others } = states;
  return others;
}

function endAlerts(draft: Draft, isOver: (detector: string, about: number) => boolean): void {
  setAlerts(draft, withOver(draft, isOver));
}

function setAlerts(draft: Draft, { alerts, abouts, count }: AlertList): void {
  draft.alerts = alerts;
  draft.abouts = abouts;
  draft.count = count;
}

/** Moves memory and presence on, and says what there is to see. */
function sceneOf(draft: Draft, step: Step): Scene {
  const { calls, progress, memory } = step.type === "round" ? remember(draft, step) : remembered(draft.memory, step);
  draft.memory = memory;
  draft.presence = evolvePresence(draft.presence, step);
  const { now, presence, muted } = draft;
  const cycle = calls.length > 0 ? cycleOf(memory.rounds) : undefined;
  return { step, now, progress, calls, memory, presence, cycle, muted };
}

function remembered(memory: CallMemory, step: Step): Remembered {
  const isForward = step.type === "list-written" && step.isForward;
  if (isForward || ANEW.includes(step.type)) return { memory: rememberAnew(memory), calls: [], progress: "anew" };
  return { memory: step.type === "compacted" ? rememberCompaction(memory) : memory, calls: [], progress: "none" };
}

const ANEW: readonly Step["type"][] = ["prompt", "answered", "woken", "session-ended"];

/** Calls that were told one by one are told again by the first batch; from then on only batches count. */
function remember(draft: Draft, { calls, isBatch }: Extract<Step, { type: "round" }>): Remembered {
  const { memory } = draft;
  const counted = countedCalls(calls);
  if (memory.hasBatches && !isBatch) return { memory, calls: [], progress: "none" };
  if (!isBatch) return rememberRound(withSingles(memory, counted), counted);
  if (memory.hasBatches) return rememberRound(memory, counted);
  const isKnown = ({ mark }: BareCall) => memory.singles.includes(mark);
  if (!isToldAgain(memory, counted))
    return rememberRound(
      withBatches(memory),
      counted.filter((one) => !isKnown(one)),
    );
  forgetCalls(draft);
  return rememberRound({ ...NO_MEMORY, hasBatches: true }, counted);
}

/** All that was told so far is in this reply. */
function isToldAgain({ singles }: CallMemory, batch: readonly BareCall[]): boolean {
  return singles.length > 0 && singles.every((single) => batch.some(({ mark }) => mark === single));
}

function forgetCalls(draft: Draft): void {
  const names = DETECTORS.flatMap(({ name, isOfCalls }) => (isOfCalls ? [name] : []));
  draft.states = Object.fromEntries(Object.entries(draft.states).filter(([name]) => !names.includes(name)));
  endAlerts(draft, (name) => names.includes(name));
}

function mute(draft: Draft, detector: string): void {
  const isOurs = DETECTORS.some(({ name }) => name === detector);
  if (!isOurs || draft.muted.includes(detector)) return;
  draft.muted = [...draft.muted, detector];
  endAlerts(draft, (name) => name === detector);
}

/** When a sub-agent that has begun and not ended was last heard of; undefined for any other. */
export function childHeardAt({ presence }: Watch, agent: string): number | undefined {
  const name = shortName(agent);
  return presence.children.find(([known]) => known === name)?.[1];
}

/** The signature of a call that would go on with a streak at level `block`: the message, or undefined. */
export function blockFor({ alerts, abouts }: Watch, signature: string): string | undefined {
  const mark = signature === "" ? 0 : numberOf(signature);
  return alerts.find(({ level, isOver }, at) => level === "block" && !isOver && abouts[at] === mark)?.message;
}

const SHAPE = fields({
  alerts: list(isAlert),
  abouts: list(count),
  count,
  muted: list(text),
  now: count,
  memory: isCallMemory,
  presence: isPresence,
  states: (value) => typeof value === "object" && value !== null && areStates(value),
});

/** Also what a detector keeps is looked at: a fold goes on from it. */
function areStates(states: object): boolean {
  return Object.entries(states).every(([name, state]) => {
    return DETECTORS.find((detector) => detector.name === name)?.isState(state) ?? true;
  });
}

export function isWatch(value: unknown): value is Watch {
  if (!SHAPE(value)) return false;
  const { alerts, abouts, muted } = value as Watch;
  return alerts.length === abouts.length && alerts.length <= MOST_ALERTS && muted.length <= DETECTORS.length;
}
