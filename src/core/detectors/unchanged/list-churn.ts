import { count, fields } from "../../shape.js";
import { detector, everything, type Limits, levelOf } from "../detector.js";

const LIMITS: Limits = { note: 3, warn: 5 };
/** Moving todos to and fro: starting one is honest, and work comes next. */
const MOVES: Limits = { note: 6, warn: 10 };

/** Writes since the last call: those that changed no status, and all that closed no todo. */
interface Churn {
  readonly same: number;
  readonly writes: number;
}

const NO_WRITES: Churn = { same: 0, writes: 0 };

export const listChurn = detector<Churn>({
  name: "list-churn",
  summary: `The list is written again, its statuses are as they were, and nothing else is done (${MOVES.note} writes where todos only change places or start)`,
  limits: LIMITS,
  unit: "writes",
  ends: "any other call, a todo that is closed, a change of the list by somebody else, a person's word",
  start: NO_WRITES,
  isState: fields({ same: count, writes: count }),
  fold: (state, { step, progress, calls }) => {
    const isWork = step.type === "round" && calls.some(({ sort }) => sort !== "passed-over");
    if (progress === "anew" || isWork || step.type === "list-changed") return { state: NO_WRITES, isOver: everything };
    if (step.type !== "list-written") return { state };
    const after = { same: state.same + (step.isSame ? 1 : 0), writes: state.writes + 1 };
    const [level, shown] = [levelOf(after.same, LIMITS), after.same];
    const [times, reached] = level === undefined ? [after.writes, levelOf(after.writes, MOVES)] : [shown, level];
    if (reached === undefined) return { state: after };
    const message = `The list was written ${times} times with no work in between. It is good as it is: do the todo that is next.`;
    return { state: after, found: [{ about: 1, level: reached, count: times, message }] };
  },
});
