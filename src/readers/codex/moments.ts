import type { SeenPlan } from "../../core/session/observation.js";
import { type TodoList, todosOf } from "../../core/todo/list.js";

/** List and plan as they were when a turn began; `turns` turns in a row share one. */
export interface Moment {
  readonly list: TodoList;
  readonly plan: SeenPlan | null;
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

export function isSamePlan(one: SeenPlan | null, other: SeenPlan | null): boolean {
  return one?.key === other?.key && one?.text === other?.text && one?.status === other?.status;
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

interface Back {
  readonly moment: Moment;
  /** The moments that are left. */
  readonly moments: readonly Moment[];
}

/** How it was before the last turns, or as far back as is known; undefined where no turn is known. */
export function momentBefore(moments: readonly Moment[], turns: number): Back | undefined {
  const moment = moments.at(-1);
  if (!moment || turns <= 0) return undefined;
  const earlier = moments.slice(0, -1);
  if (turns > moment.turns && earlier.length > 0) return momentBefore(earlier, turns - moment.turns);
  const rest = moment.turns - turns;
  return { moment, moments: rest > 0 ? [...earlier, { ...moment, turns: rest }] : earlier };
}
