import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NodeProcess } from "../store/workers.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const TASK_WORKER = join(root, ".cache", "task-worker.mjs");

export const LIST = "work";

export interface TaskJob {
  readonly job: string;
  readonly url: string;
  /** Whose leases these are. */
  readonly owner?: string;
  readonly task?: number;
  /** How many, of whatever the job does many of. */
  readonly count?: number;
  /** Milliseconds that a lease lasts. */
  readonly ttl?: number;
  readonly rounds?: number;
  readonly seed?: number;
}

/** A clock that is wrong by so much, for everything that asks it. */
function shiftedClock(milliseconds: number): string {
  const code = `const Real = Date; globalThis.Date = class extends Real {
    constructor(...given) { if (given.length > 0) super(...given); else super(Real.now() + ${milliseconds}); }
    static now() { return Real.now() + ${milliseconds}; }
  };`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** A process that works on tasks: worker.ts. */
export class TaskWorker extends NodeProcess {
  constructor(job: TaskJob, clockShift = 0) {
    const preload = clockShift === 0 ? [] : ["--import", shiftedClock(clockShift)];
    super([...preload, TASK_WORKER, JSON.stringify(job)]);
  }

  /** Everything it has said that is JSON. */
  said<T>(): readonly T[] {
    return this.lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
  }
}
