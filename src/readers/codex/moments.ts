import type { SeenPlan } from "../../core/session/observation.js";
import { type TodoList, todosOf } from "../../core/todo/list.js";

/** List and plan as they were when a turn began; turns that found the same share one. */
export interface Moment {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
  /** How many turns began with it. */
  readonly turns: number;
}

/** Nobody goes back further; and what is kept between two looks must stay small. */
const MOST_TURNS = 50;
const TEXT_MAX = 1_000_000;

/** The moments after one more turn has begun. */
export function momentAfter(moments: readonly Moment[], { list, plan }: Omit<Moment, "turns">): readonly Moment[] {
  const last = moments.at(-1);
  const isSame = last?.list.revision === list.revision && isSamePlan(last.plan, plan);
  const turns = isSame ? last.turns + 1 : 1;
  return newest([...(isSame ? moments.slice(0, -1) : moments), { list, plan, turns }]);
}

function isSamePlan(one: SeenPlan | null, other: SeenPlan | null): boolean {
  return one?.text === other?.text && one?.status === other?.status;
}

function newest(moments: readonly Moment[]): readonly Moment[] {
  let turns = 0;
  let size = 0;
  const kept: Moment[] = [];
  for (const moment of moments.toReversed()) {
    size += sizeOf(moment);
    if (turns >= MOST_TURNS || (size > TEXT_MAX && kept.length > 0)) break;
    kept.push({ ...moment, turns: Math.min(moment.turns, MOST_TURNS - turns) });
    turns += moment.turns;
  }
  return kept.toReversed();
}

function sizeOf({ list, plan }: Moment): number {
  return todosOf(list).reduce((sum, { text }) => sum + text.length, plan?.text.length ?? 0);
}

/** How it was before the last turns, or as far back as is known; undefined where no turn is known. */
export function momentBefore(
  moments: readonly Moment[],
  turns: number,
): (Omit<Moment, "turns"> & { readonly moments: readonly Moment[] }) | undefined {
  let left = Math.max(0, turns);
  for (let at = moments.length - 1; at >= 0; at -= 1) {
    const moment = moments[at];
    if (!moment || left === 0) return undefined;
    if (left <= moment.turns || at === 0) {
      const rest = moment.turns - left;
      const earlier = moments.slice(0, at);
      const kept = rest > 0 ? [...earlier, { ...moment, turns: rest }] : earlier;
      return { list: moment.list, plan: moment.plan, moments: kept };
    }
    left -= moment.turns;
  }
  return undefined;
}
