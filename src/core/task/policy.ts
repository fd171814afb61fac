/** How a dialect wants its tasks kept: data, so that core never asks which dialect is speaking. */
export interface TaskPolicy {
  /** `acyclic`: unknown blockers, the task itself and cycles are refused. `free`: only unknown ones are ignored. */
  readonly edges: "acyclic" | "free";
  /** `leased`: only the holder writes to a claimed task. `free`: any status change, unless a real lease forbids it. */
  readonly moves: "leased" | "free";
  readonly limits: TaskLimits;
}

/** null = no limit. */
export interface TaskLimits {
  readonly codePoints: number | null;
  /** Characters as JSON. */
  readonly metadata: number | null;
  readonly labels: number;
  readonly notes: number;
  /** Blockers of a task; also tasks that it blocks. */
  readonly edges: number;
}

export const OUR_POLICY: TaskPolicy = {
  edges: "acyclic",
  moves: "leased",
  limits: { codePoints: 4000, metadata: 16_000, labels: 50, notes: 1000, edges: 1000 },
};

/** For agents that know no leases. */
export const FREE_POLICY: TaskPolicy = {
  edges: "free",
  moves: "free",
  limits: { codePoints: null, metadata: null, labels: 1000, notes: 1000, edges: 1000 },
};
