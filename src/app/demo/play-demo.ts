import type { Failure } from "../../core/result.js";
import { counted } from "../../core/text/length.js";
import { actText, type DemoAnswer, type DemoLook, type DemoMoment } from "./demo-moment.js";
import { DEMO_SCENES } from "./demo-scenes.js";
import type { DemoStage } from "./demo-stage.js";

/** One row of a live view: what is going on. */
interface DemoCaption extends Pick<DemoMoment, "story" | "agent"> {
  /** What is done in it, in a few words. */
  readonly what: string;
  /** From 1 on. */
  readonly number: number;
  readonly of: number;
}

interface CheckedMoment {
  readonly what: string;
  readonly held: boolean;
}

/** A moment after it was played, with what the engine said. */
export interface PlayedMoment extends DemoCaption {
  readonly steps: readonly { readonly what: string; readonly answers: readonly DemoAnswer[] }[];
  readonly check: CheckedMoment | null;
  readonly look: DemoLook;
}

export interface DemoOutcome {
  readonly checks: readonly CheckedMoment[];
  /** Somebody ended it before it was over. */
  readonly isStopped: boolean;
}

export interface DemoPlay {
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** 1: as fast as a person reads; 2: in half the time; Infinity: without a pause. */
  readonly speed?: number;
  readonly signal?: AbortSignal | undefined;
  /** A moment begins. */
  readonly told?: (caption: DemoCaption) => void;
  /** A moment is over, but for the pause behind it. */
  readonly played?: (moment: PlayedMoment) => void | Promise<void>;
  readonly scenes?: readonly DemoMoment[];
}

/** Plays the story on a stage that is new, and checks after each moment what must hold. */
export async function playDemo(stage: DemoStage, play: DemoPlay): Promise<DemoOutcome> {
  const { scenes = DEMO_SCENES, signal, told, played } = play;
  const checks: CheckedMoment[] = [];
  const pause = (milliseconds: number) => pauseFor(milliseconds, play);
  for (const [index, scene] of scenes.entries()) {
    if (signal?.aborted) return { checks, isStopped: true };
    const caption = captionOf(scene, index + 1, scenes.length);
    told?.(caption);
    const moment = await playMoment(stage, scene, caption, pause);
    if (moment.check) checks.push(moment.check);
    await played?.(moment);
    await pause(scene.pause);
  }
  return { checks, isStopped: false };
}

function captionOf({ story, agent, acts }: DemoMoment, number: number, of: number): DemoCaption {
  return { story, agent, what: acts.map(actText).join(", "), number, of };
}

async function playMoment(
  stage: DemoStage,
  { acts, check }: DemoMoment,
  caption: DemoCaption,
  pause: (milliseconds: number) => Promise<void>,
): Promise<PlayedMoment> {
  const steps: PlayedMoment["steps"][number][] = [];
  for (const act of acts) steps.push({ what: actText(act), answers: await stage.act(act, pause) });
  const look = await stage.look(steps.flatMap(({ answers }) => answers));
  return { ...caption, steps, look, check: check ? { what: check.what, held: check.holds(look) } : null };
}

/** Milliseconds. Whoever ends the demo in a pause does not wait for the end of it. */
const SLICE = 100;

async function pauseFor(milliseconds: number, { sleep, speed = 1, signal }: DemoPlay): Promise<void> {
  for (let left = milliseconds / speed; left > 0 && !signal?.aborted; left -= SLICE) await sleep(Math.min(left, SLICE));
}

/** The failure that an outcome stands for; undefined where all checks held. */
export function missedChecks({ checks }: DemoOutcome): Failure | undefined {
  const missed = checks.filter(({ held }) => !held);
  if (missed.length === 0) return undefined;
  const failed = `${missed.length} of ${counted(checks.length, "check")}`;
  const which = missed.map(({ what }) => what).join("; ");
  return {
    code: "demo-failed",
    message: `${failed} did not hold: ${which}. What was answered: milepost demo --json`,
  };
}
