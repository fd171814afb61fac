import { isAtLeast, type SeenCall } from "../counted-call.js";
import { type Finding, type Judged, type Limits, levelOf, type Scene } from "../detector.js";
import { joinMarks } from "../number-mark.js";

/** How one detector counts calls that are made again and answered as before. */
export interface RepeatRules {
  readonly isMine: (seen: SeenCall, scene: Scene) => boolean;
  /** With nothing new in between. */
  readonly near: (seen: SeenCall) => Limits;
  /** With nothing in between but reading: new answers, and yet no way out. */
  readonly far: Limits;
  readonly message: (seen: SeenCall, count: number) => string;
}

/** Of the streak that looks past what was read; the other one is about the call's own mark, for `blockFor`. */
const farAbout = (mark: number) => joinMarks(mark, 1);

const NOTHING: Judged<undefined> = { state: undefined };

export function judgeRepeats(scene: Scene, rules: RepeatRules): Judged<undefined> {
  if (scene.calls.length === 0 && scene.progress === "none") return NOTHING;
  const repeats = scene.calls.filter(({ sort }) => sort === "repeat");
  const found = repeats.flatMap((seen) => findingOf(seen, scene, rules) ?? []);
  if (scene.progress === "none") return { state: undefined, found };
  return { state: undefined, found, isOver: overAfter(scene, rules.far.note ?? 0) };
}

function findingOf(seen: SeenCall, scene: Scene, rules: RepeatRules): Finding | undefined {
  if (!rules.isMine(seen, scene)) return undefined;
  const level = levelOf(seen.near, rules.near(seen));
  if (level !== undefined) {
    // What the cycle's own detector says stands for each of its calls, but for a block: that needs the call.
    if (level !== "block" && isSaidByCycle(scene)) return undefined;
    return { about: seen.mark, level, count: seen.near, message: rules.message(seen, seen.near) };
  }
  const farLevel = seen.outcome === 0 ? undefined : levelOf(seen.far, rules.far);
  if (farLevel === undefined) return undefined;
  return { about: farAbout(seen.mark), level: farLevel, count: seen.far, message: rules.message(seen, seen.far) };
}

function isSaidByCycle({ cycle, muted }: Scene): boolean {
  return cycle !== undefined && !muted.includes("cycle");
}

/** New answers end a streak; one that looks past them ends when something was done. */
function overAfter({ progress, memory }: Scene, least: number): (about: number) => boolean {
  if (isAtLeast(progress, "act")) return () => true;
  return (about) => !memory.pairs.some((pair) => pair[3] >= least && farAbout(pair[0]) === about);
}
