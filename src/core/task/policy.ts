/** How a dialect wants its tasks kept: data, so that core never asks which dialect is speaking. */
export interface TaskPolicy {
  /**
   * `acyclic`: a blocker that is unknown, the task itself, or would close a circle is refused. `free`: unknown ones are
   * passed over, everything else is taken as it comes.
   */
  readonly edges: "acyclic" | "free";
  /**
   * `leased`: work is claimed, and a held task is written by its holder, with the fence. `free`: any status may follow
   * any other; only a claim that was made with a lease is respected.
   */
  readonly moves: "leased" | "free";
  readonly limits: TaskLimits;
}

/** null = no limit. */
export interface TaskLimits {
  readonly codePoints: number | null;
  /** Characters of `metadata` as JSON. */
  readonly metadata: number | null;
  readonly labels: number;
  readonly notes: number;
  /** Blockers of one task, and tasks that one blocks. */
  readonly edges: number;
}

export const OUR_POLICY: TaskPolicy = {
  edges: "acyclic",
  moves: "leased",
  limits: { codePoints: 4000, metadata: 16_000, labels: 50, notes: 1000, edges: 1000 },
};

/** What agents do that know no leases: anything goes. */
export const FREE_POLICY: TaskPolicy = {
  edges: "free",
  moves: "free",
  limits: { codePoints: null, metadata: null, labels: 1000, notes: 1000, edges: 10_000 },
};
