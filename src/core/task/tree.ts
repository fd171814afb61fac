import { addTo, type GraphTask, type TaskGraph } from "./task-graph.js";

/** Each task has one row. */
export interface TreeRow {
  readonly task: GraphTask;
  readonly depth: number;
  readonly hangs: "root" | "below-parent" | "after-blocker";
  /** For each level down to its own: no row follows on that level. */
  readonly isLast: readonly boolean[];
  /** Its other open blockers. */
  readonly alsoAfter: readonly number[];
}

/** Only the last levels are drawn: a row must not grow with the depth of the tree. */
export const DRAWN_LEVELS = 12;

interface Place {
  readonly on: number;
  readonly hangs: "below-parent" | "after-blocker";
}

/** A task is drawn below its parent; without one, after its last blocker. */
export function treeRows({ tasks, edges }: TaskGraph): readonly TreeRow[] {
  const blockers = new Map<number, number[]>();
  const places = new Map<number, Place>();
  for (const { type, from, to } of edges) {
    if (type === "blocks") addTo(blockers, to, from);
    else places.set(to, { on: from, hangs: "below-parent" });
  }
  for (const [to, [...all]] of blockers) {
    const on = all.filter((one) => one !== to).at(-1);
    if (on !== undefined && !places.has(to)) places.set(to, { on, hangs: "after-blocker" });
  }
  const children = new Map<number, number[]>();
  for (const number of tasks.keys()) {
    const place = places.get(number);
    if (place) addTo(children, place.on, number);
  }
  const walk = new Walk({ tasks, children, places, blockers });
  for (const number of tasks.keys()) if (!places.has(number)) walk.from(number);
  // Only cycles are left. Tasks without a parent first, so that a parent is drawn above its subtasks.
  for (const number of tasks.keys()) if (places.get(number)?.hangs === "after-blocker") walk.from(number);
  for (const number of tasks.keys()) walk.from(number);
  return walk.rows;
}

interface Step {
  readonly number: number;
  readonly depth: number;
  readonly isLast: readonly boolean[];
}

interface Forest {
  readonly tasks: TaskGraph["tasks"];
  readonly children: ReadonlyMap<number, readonly number[]>;
  readonly places: ReadonlyMap<number, Place>;
  readonly blockers: ReadonlyMap<number, readonly number[]>;
}

/** With its own stack: a chain may be longer than the call stack. */
class Walk {
  readonly rows: TreeRow[] = [];
  readonly #seen = new Set<number>();
  readonly #forest: Forest;

  constructor(forest: Forest) {
    this.#forest = forest;
  }

  from(root: number): void {
    const stack: Step[] = [{ number: root, depth: 0, isLast: [] }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (this.#seen.has(step.number)) continue;
      this.#seen.add(step.number);
      this.#draw(step);
      for (const next of this.#below(step)) stack.push(next);
    }
  }

  /** In reverse: the stack is popped from its end. */
  #below({ number, depth, isLast }: Step): readonly Step[] {
    const next = (this.#forest.children.get(number) ?? []).filter((one) => !this.#seen.has(one));
    return next
      .map((one, index) => ({
        number: one,
        depth: depth + 1,
        isLast: [...isLast, index === next.length - 1].slice(-DRAWN_LEVELS),
      }))
      .reverse();
  }

  #draw({ number, depth, isLast }: Step): void {
    const { tasks, places, blockers } = this.#forest;
    const task = tasks.get(number);
    if (!task) return;
    const place = depth === 0 ? undefined : places.get(number);
    const isOpen = (blocker: number) => tasks.get(blocker)?.isOpen === true;
    const others = (blockers.get(number) ?? []).filter((blocker) => isOpen(blocker) && blocker !== place?.on);
    this.rows.push({ task, depth, hangs: place?.hangs ?? "root", isLast, alsoAfter: task.isOpen ? others : [] });
  }
}
