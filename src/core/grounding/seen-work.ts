import type { CallFacts } from "../call/call-facts.js";
import type { TodoStatus } from "../todo/list.js";
import { passTasks, type TaskTimes } from "./task-times.js";
import { type Waived, withWaiver } from "./waived.js";
import { addCall, inTimeOrder, type WorkRun, withFiles, withoutFile } from "./work-runs.js";
import { lateOf, NO_WORK_TIMES, passTo, type WorkItem, type WorkTimes } from "./work-times.js";

/** What ran in a session, and when which todo and which task of its client was worked on. */
export interface SessionWork {
  readonly times: WorkTimes;
  readonly tasks: TaskTimes;
  readonly runs: readonly WorkRun[];
  /** Of its sub-agents, where they are known. */
  readonly below?: readonly WorkRun[] | undefined;
  readonly files: readonly string[];
  readonly waived: readonly Waived[];
  /** Nobody reports what runs there: nothing is held against a list that a person keeps by hand. */
  readonly isUntold?: boolean;
}

/**
 * The same, as a transcript tells it record by record. `clock`: the time of the last one, a little later where records
 * have the same time or none: their order counts.
 */
export interface SeenWork extends SessionWork {
  readonly clock: number;
  /** When a call last started. */
  readonly calledAt: number;
  readonly filed: number;
}

export const NO_SEEN_WORK: SeenWork = {
  times: NO_WORK_TIMES,
  tasks: NO_WORK_TIMES,
  runs: [],
  files: [],
  waived: [],
  clock: 0,
  calledAt: 0,
  filed: 0,
};

/** As many as the log keeps. */
const MOST_RUNS = 112;

/** A call that has not ended. `start`: by the clock of its session's work. */
export interface StartedWork {
  readonly start: number;
  readonly isCut: boolean;
}

function tick({ clock }: SeenWork, at: number): number {
  return Math.max(at, clock + 1);
}

export function startWork(work: SeenWork, at: number): readonly [SeenWork, StartedWork] {
  const start = tick(work, at);
  const isCut = Math.max(work.times.since, work.tasks.since) > work.calledAt && work.runs.length > 0;
  const { runs, files, filed } = work;
  return [withRuns(work, { clock: start, calledAt: start, runs, files, filed }), { start, isCut }];
}

/** Field by field: this runs twice for every call of a transcript, and a spread takes many times as long. */
function withRuns(work: SeenWork, now: Pick<SeenWork, "clock" | "calledAt" | "runs" | "files" | "filed">): SeenWork {
  const { times, tasks, waived, below, isUntold } = work;
  const { clock, calledAt, runs, files, filed } = now;
  if (below !== undefined || isUntold !== undefined) return { ...work, ...now };
  return { times, tasks, runs, files, waived, clock, calledAt, filed };
}

/** How a call ended. */
export interface EndedWork {
  readonly status: "completed" | "failed" | "cancelled";
  readonly facts?: CallFacts | undefined;
  readonly title?: string | undefined;
  readonly call: string;
}

export function endWork(work: SeenWork, { start, isCut }: StartedWork, ended: EndedWork, at: number): SeenWork {
  const end = tick(work, at);
  let runs = [...work.runs];
  const forget = (place: number) => {
    runs = runs.map((run) => withoutFile(run, place));
  };
  const table = { files: [...work.files], filed: work.filed, forget };
  const { status: outcome, facts, title, call } = ended;
  addCall(runs, { start, end, outcome, isCut, facts, title, call }, MOST_RUNS, table);
  return withRuns(work, { clock: end, calledAt: work.calledAt, runs, files: table.files, filed: table.filed });
}

export function passList(
  work: SeenWork,
  before: readonly WorkItem<number>[],
  after: readonly WorkItem<number>[],
  told: number,
): SeenWork {
  const at = tick(work, told);
  const change = { before, late: lateOf(before, after), at };
  return { ...work, clock: at, times: passTo(work.times, change) };
}

type Task = { readonly id: string; readonly status: TodoStatus; readonly isDeleted?: true };

export function passSeenTasks(work: SeenWork, before: readonly Task[], after: readonly Task[], told: number): SeenWork {
  const at = tick(work, told);
  return { ...work, clock: at, tasks: passTasks(work.tasks, before, after, at) };
}

export function waiveWork(work: SeenWork, reason: string, of: readonly (number | string)[]): SeenWork {
  return { ...work, waived: withWaiver(work.waived, reason, of) };
}

/** With what sub-agents did, and how they worked on their session's tasks. */
export function withBelow<Work extends SessionWork>(work: Work, others: readonly SessionWork[]): Work {
  if (others.every(({ runs, tasks }) => runs.length === 0 && tasks.spans.length === 0)) return work;
  const files = [...work.files];
  const below = others.flatMap((other) => {
    const places = other.files.map((name) => {
      const known = files.indexOf(name);
      return known < 0 ? files.push(name) - 1 : known;
    });
    return other.runs.map((run) => withFiles(run, (place) => places[place] ?? place));
  });
  const spans = others.flatMap((other) => other.tasks.spans);
  const tasks = spans.length === 0 ? work.tasks : { ...work.tasks, spans: [...work.tasks.spans, ...spans] };
  return { ...work, files, tasks, below: [...(work.below ?? []), ...below] };
}

/** All that ran, in the order of time. */
export function allRuns({ runs, below = [] }: SessionWork): readonly WorkRun[] {
  return below.length === 0 ? runs : inTimeOrder([...runs, ...below]);
}
