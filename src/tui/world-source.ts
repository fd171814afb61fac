import type { CommandContext } from "../app/command-definition.js";
import { BranchFacts } from "../app/git/branch-facts.js";
import type { Milepost } from "../app/milepost.js";
import { plansOn } from "../app/plans/known-plans.js";
import { type PlanReport, reportPlan } from "../app/plans/plan-report.js";
import { openTimeline, type TimelineSource } from "../app/timeline/session-timeline.js";
import type { OpenBoard } from "../app/transcripts/open-session-board.js";
import type { SessionReport } from "../app/transcripts/session-report.js";
import { boardTasks } from "../app/watching/board-tasks.js";
import { LiveBoard } from "../app/watching/live-board.js";
import type { PersonMarks } from "../app/watching/person-marks.js";
import { groupsOf, type SessionGroup } from "../app/watching/session-groups.js";
import type { Timeline } from "../core/timeline/timeline.js";
import type { ViewState } from "./view-state.js";
import { sessionAt, type World } from "./world.js";

export interface SourceOptions {
  readonly context: Pick<CommandContext, "environment" | "folder" | "program">;
  readonly board: OpenBoard;
  readonly milepost: Milepost;
  readonly marks: PersonMarks;
  /** Something that is shown may be another now. */
  readonly changed: () => void;
  /** After each look at the sessions. */
  readonly looked: (live: LiveBoard) => void;
}

/** Everything that the view shows, each part read only while it is on the screen. */
export class WorldSource {
  readonly #options: SourceOptions;
  readonly live: LiveBoard;
  readonly #branches: BranchFacts;
  #groups: readonly SessionGroup[] = [];
  #tasks: World["tasks"];
  #plans: readonly PlanReport[] | undefined;
  #timeline: { readonly id: string; readonly source: TimelineSource; readonly value: Timeline } | undefined;
  /** Reads that are under way, by what they read: one at a time each. */
  readonly #busy = new Set<string>();
  /** What was last read of each part: the look, or the list, that it belongs to. */
  readonly #read = new Map<string, unknown>();
  #looks = 0;

  constructor(options: SourceOptions) {
    this.#options = options;
    this.#branches = new BranchFacts({ environment: options.context.environment, onChange: options.changed });
    this.live = new LiveBoard(options.board, options.milepost.store, () => this.#looked());
  }

  #looked(): void {
    this.#looks += 1;
    this.regroup();
    this.#options.looked(this.live);
    this.#options.changed();
  }

  /** Pins, snoozed sessions and their times belong to the order, too. */
  regroup(now = Date.now()): void {
    const { marks } = this.#options;
    this.#groups = groupsOf(this.live.reports, {
      isPinned: (id) => marks.isPinned(id),
      isSnoozed: (id) => marks.snoozedUntil(id, now) !== undefined,
    });
  }

  /** `opened`: the session that is looked into; what was read of another one is not shown as its own. */
  world(now: number, opened: string | undefined, beside: Pick<World, "caption" | "hasNotices">): World {
    const { live } = this;
    const { marks } = this.#options;
    return {
      now,
      groups: this.#groups,
      totals: live.totals,
      isReading: live.isReading,
      tasks: this.#tasks,
      plans: this.#plans,
      events: live.events,
      timeline: this.#timeline?.id === opened ? this.#timeline?.value : undefined,
      branchOf: (folder) => (folder === null ? undefined : this.#branches.get(folder)),
      isNew: (session) => marks.isNew(session),
      isPinned: (id) => marks.isPinned(id),
      trouble: live.trouble,
      home: this.#options.context.program.userFolder,
      ...beside,
    };
  }

  /** Reads what this state shows and nobody has read since the last look. */
  refresh(state: ViewState, shown: readonly SessionReport[]): void {
    if (state.tab === "tasks")
      this.#once("tasks", `${this.#looks} ${state.taskList}`, () => this.#readTasks(state.taskList));
    if (state.tab === "plans") this.#once("plans", this.#looks, () => this.#readPlans());
    const opened = sessionAt({ groups: this.#groups }, state.opened);
    if (opened) this.#once("timeline", opened, () => this.#readTimeline(opened));
    this.#branches.refresh(shown.flatMap(({ folder }) => folder ?? []));
  }

  #once(part: string, mark: unknown, read: () => Promise<void>): void {
    if (this.#busy.has(part) || this.#read.get(part) === mark) return;
    this.#busy.add(part);
    this.#read.set(part, mark);
    read()
      // What cannot be read now is read with the next look, which also says what is wrong.
      .catch(() => undefined)
      .then(() => {
        this.#busy.delete(part);
        this.#options.changed();
      });
  }

  async #readTasks(asked: string | undefined): Promise<void> {
    const { context, milepost } = this.#options;
    this.#tasks = await boardTasks(milepost.store, { asked, environment: context.environment, folder: context.folder });
  }

  async #readPlans(): Promise<void> {
    const { board, milepost } = this.#options;
    this.#plans = (await plansOn(board, milepost.store)).map(({ plan }) => reportPlan(plan));
  }

  async #readTimeline(session: SessionReport): Promise<void> {
    const { board, milepost } = this.#options;
    if (this.#timeline?.id !== session.id) this.#timeline = undefined;
    const source = this.#timeline?.source ?? (await openTimeline(board, milepost.store, session));
    this.#timeline = { id: session.id, source, value: await source.catchUp() };
  }
}
