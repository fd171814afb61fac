import { count, fields, list } from "../../shape.js";
import { isTold, type SeenCall } from "../counted-call.js";
import { detector, everything, type Limits, levelOf, nameText } from "../detector.js";
import { joinMarks, numberOf } from "../number-mark.js";

const LIMITS: Limits = { note: 4, warn: 6 };
/** Arguments that are told apart; more of them count as long as they are none of these. */
const MOST_VARIANTS = 8;

/** A tool that fails in one way, and the arguments it was tried with. */
interface Churn {
  readonly tool: number;
  readonly outcome: number;
  readonly count: number;
  readonly variants: readonly number[];
}

const NO_CHURN: Churn = { tool: 0, outcome: 0, count: 0, variants: [] };

export const argumentChurn = detector<Churn>({
  name: "argument-churn",
  summary: "One tool with other arguments each time, and always the same failure",
  limits: LIMITS,
  unit: "arguments",
  ends: "an answer that was not there before, a change of a file, a todo that is closed, a person's word",
  start: NO_CHURN,
  isState: fields({ tool: count, outcome: count, count, variants: list(count) }),
  isOfCalls: true,
  fold: (state, { calls, progress }) => {
    const before = progress === "none" ? state : NO_CHURN;
    const isOver = progress === "none" ? undefined : everything;
    const seen = calls.find(isFailure);
    const after = seen ? withFailure(before, seen) : before;
    const level = levelOf(after.count, LIMITS);
    const base = isOver ? { state: after, isOver } : { state: after };
    if (seen === undefined || level === undefined || after === before) return base;
    const message = `${nameText(seen.call.tool)} has failed in the same way with ${after.count} different arguments. Other arguments of this kind will not help: find out why it fails, or take another way.`;
    return { ...base, found: [{ about: joinMarks(after.tool, after.outcome), level, count: after.count, message }] };
  },
});

/** Edits of a file are counted by the file. */
function isFailure(seen: SeenCall): boolean {
  const { call, mark, sort, isError } = seen;
  const isEdit = call.kind === "edit" && call.files !== undefined;
  const isCounted = sort === "new" || sort === "variant" || sort === "repeat";
  return isError && isCounted && mark !== 0 && isTold(seen) && !isEdit && call.isPoll !== true;
}

function withFailure(churn: Churn, { call, mark, outcome }: SeenCall): Churn {
  const tool = numberOf(call.tool);
  if (churn.tool !== tool || churn.outcome !== outcome) return { tool, outcome, count: 1, variants: [mark] };
  if (churn.variants.includes(mark)) return churn;
  return { ...churn, count: churn.count + 1, variants: [...churn.variants, mark].slice(-MOST_VARIANTS) };
}
