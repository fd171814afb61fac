import type { SeenCall } from "../counted-call.js";
import { detector, type Limits, nameText, STATELESS } from "../detector.js";
import { judgeRepeats } from "./repeated-call.js";

const LIMITS: Limits = { note: 2, warn: 3, block: 5 };
/** Tests that fail are run a second time in good faith: they may be flaky. */
const OF_CHECKS: Limits = { note: 3, warn: 4, block: 6 };
/** Nobody told the error: it may have been another one. */
const UNTOLD: Limits = { note: 5, warn: 8 };
const FAR: Limits = { note: 5, warn: 8 };

export const sameError = detector({
  name: "same-error",
  summary: "The same call with the same error (tests, builds and linters may be run once more)",
  limits: LIMITS,
  unit: "calls",
  ends: "an answer that was not there before, a change of a file, a todo that is closed, a person's word",
  ...STATELESS,
  isOfCalls: true,
  fold: (_, scene) =>
    judgeRepeats(scene, {
      isMine: ({ isError }) => isError,
      near: limitsOf,
      far: FAR,
      message: ({ call }, count) =>
        `${nameText(call.tool)} has failed ${count} times with the same arguments and the same error. It will fail again: read the error, then change the arguments or what it works on, or say what is in the way.`,
    }),
});

function limitsOf({ call, outcome }: SeenCall): Limits {
  if (outcome === 0) return UNTOLD;
  return call.check === undefined ? LIMITS : OF_CHECKS;
}
