import type { SeenCall } from "../counted-call.js";
import { detector, type Limits, nameText, type Scene, STATELESS } from "../detector.js";
import { isRightAfterCompaction } from "./after-compaction.js";
import { judgeRepeats } from "./repeated-call.js";

const LIMITS: Limits = { note: 3, warn: 5, block: 8 };
/** Nobody told the answers: they may have differed. */
const UNTOLD: Limits = { note: 10, warn: 15 };
const FAR: Limits = { note: 12, warn: 20 };

export const sameOutcome = detector({
  name: "same-outcome",
  summary: "The same call with the same answer, again and again",
  limits: LIMITS,
  unit: "calls",
  ends: "an answer that was not there before, a change of a file, a todo that is closed, a person's word",
  ...STATELESS,
  isOfCalls: true,
  fold: (_, scene) =>
    judgeRepeats(scene, {
      isMine,
      near: ({ outcome }) => (outcome === 0 ? UNTOLD : LIMITS),
      far: FAR,
      message: ({ call, outcome }, count) =>
        `${nameText(call.tool)} was called ${count} times with the same arguments${outcome === 0 ? "" : ", and the answer was the same each time"}. Work with what it has told, change something before it is called again, or say what is in the way.`,
    }),
});

function isMine(seen: SeenCall, scene: Scene): boolean {
  return !seen.isError && !isRightAfterCompaction(scene);
}
