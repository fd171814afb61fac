import type { SessionReport } from "../session-report.js";

interface Kept {
  readonly inputs: readonly unknown[];
  /** What the silence of a session tells changes without anything else: then the report is made anew. */
  readonly until: number;
  readonly madeAt: number;
  readonly report: SessionReport;
}

/** Detectors wait for minutes before they call a silence one. Spread: not all reports are made anew in one look. */
const LEAST_MS = 2500;
const SPREAD_MS = 5000;
const STEP_MS = 97;

/** Somebody is expected to do something, so that silence tells something. */
const AT_WORK: readonly SessionReport["state"][] = ["running", "stalled", "idle"];

/** Reports of a board that looks again and again: made anew only where what they are made of has changed. */
export class KeptReports {
  readonly #kept = new Map<string, Kept>();
  #made = 0;

  /** `inputs`: all that the report is made of, compared one by one; only times pass unseen. */
  async reportOf(
    id: string,
    { inputs, now }: { readonly inputs: readonly unknown[]; readonly now: number },
    make: () => Promise<SessionReport>,
  ): Promise<SessionReport> {
    const kept = this.#kept.get(id);
    if (kept && now >= kept.madeAt && now < kept.until && isSame(kept.inputs, inputs)) return kept.report;
    const report = await make();
    this.#made += 1;
    this.#kept.set(id, { inputs, report, madeAt: now, until: this.#until(report, now) });
    return report;
  }

  /** Forgets all others. */
  keepOnly(ids: ReadonlySet<string>): void {
    if (this.#kept.size <= ids.size) return;
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
  }

  #until({ state, limited }: SessionReport, now: number): number {
    if (limited) return now;
    return AT_WORK.includes(state) ? now + LEAST_MS + ((this.#made * STEP_MS) % SPREAD_MS) : Number.POSITIVE_INFINITY;
  }
}

function isSame(before: readonly unknown[], after: readonly unknown[]): boolean {
  return before.length === after.length && before.every((one, at) => Object.is(one, after[at]));
}
