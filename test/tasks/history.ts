// Is what clients were told of one task possible, if each thing that they asked happened at one moment between asking
// and hearing? A search for such an order (Wing and Gong's), over a register that holds owner, fence and whether it is closed.

export type Asked =
  | { readonly type: "claim" }
  | { readonly type: "renew" | "release" | "complete"; readonly fence: number };

export type Outcome =
  | { readonly type: "ok"; readonly fence: number; readonly until: number }
  | { readonly type: "refused"; readonly code: string };

export type Operation = Asked & {
  readonly id: string;
  readonly task: number;
  readonly owner: string;
  readonly ttl: number;
};

/** What one client wrote down. Without an outcome nobody knows whether it happened: its client was killed. */
export type Recorded = Operation & {
  /** On a clock that all clients share, and that only goes forward. */
  readonly start: number;
  readonly end: number;
  /** On the clock that leases are judged by, in milliseconds. */
  readonly startWall: number;
  readonly endWall: number;
  readonly outcome?: Outcome;
};

/** A lease that came of an operation without an answer ends somewhere between two times. */
interface Held {
  readonly owner: string;
  readonly earliest: number;
  readonly latest: number;
}

interface Register {
  readonly fence: number;
  readonly held: Held | undefined;
  readonly isClosed: boolean;
}

const FRESH: Register = { fence: 0, held: undefined, isClosed: false };

/** The register after this operation; undefined when it cannot have been answered so. */
function step(register: Register, operation: Recorded): Register | undefined {
  const { outcome } = operation;
  if (outcome?.type === "refused") return isRefusal(register, operation, outcome.code) ? register : undefined;
  if (!isAllowed(register, operation)) return undefined;
  const { owner, startWall, endWall, ttl } = operation;
  const until = outcome?.until;
  const held: Held = { owner, earliest: until ?? startWall + ttl, latest: until ?? endWall + ttl };
  switch (operation.type) {
    case "claim":
      if (outcome && outcome.fence !== register.fence + 1) return undefined;
      return { fence: register.fence + 1, held, isClosed: false };
    case "renew": {
      const { earliest = 0, latest = 0 } = register.held ?? {};
      // Never shorter than it was.
      return {
        ...register,
        held: { ...held, earliest: Math.max(earliest, held.earliest), latest: Math.max(latest, held.latest) },
      };
    }
    case "release":
      return { ...register, held: undefined };
    case "complete":
      return { ...register, held: undefined, isClosed: true };
  }
}

function isAllowed({ fence, held, isClosed }: Register, operation: Recorded): boolean {
  if (operation.type !== "claim") return held?.owner === operation.owner && fence === operation.fence;
  // Its time may have come at any moment until the answer was there.
  return !isClosed && (held === undefined || held.earliest <= operation.endWall);
}

function isRefusal({ fence, held, isClosed }: Register, operation: Recorded, code: string): boolean {
  if (operation.type !== "claim") {
    // A fence that is the newest and yet of no use was let go of, or the task is closed.
    if (fence !== operation.fence) return code === "stale-fence";
    return held === undefined && code === (isClosed ? "task-closed" : "task-not-held");
  }
  if (code === "task-closed") return isClosed;
  return code === "task-held" && held !== undefined && held.latest > operation.startWall;
}

export interface Verdict {
  readonly isLinearizable: boolean;
  /** How many operations the best try could explain, and the ones it stopped at. */
  readonly explained: number;
  readonly stuckAt: readonly Recorded[];
}

/** Of one task. */
export function checkHistory(history: readonly Recorded[]): Verdict {
  const operations = [...history].sort((a, b) => a.start - b.start);
  const answered = operations.filter(({ outcome }) => outcome).length;
  const seen = new Set<string>();
  let best: Verdict = { isLinearizable: false, explained: -1, stuckAt: [] };
  const search = (done: ReadonlySet<number>, register: Register, explained: number): boolean => {
    if (explained === answered) return true;
    const key = keyOf(operations, done, register);
    if (seen.has(key)) return false;
    seen.add(key);
    const next = candidates(operations, done);
    if (explained > best.explained)
      best = { isLinearizable: false, explained, stuckAt: next.flatMap((index) => operations[index] ?? []) };
    return next.some((index) => {
      const operation = operations[index];
      const after = operation && step(register, operation);
      const counted = explained + (operation?.outcome ? 1 : 0);
      return after !== undefined && search(new Set([...done, index]), after, counted);
    });
  };
  return search(new Set(), FRESH, 0) ? { isLinearizable: true, explained: answered, stuckAt: [] } : best;
}

/** Those that began before any other that is left was answered. */
function candidates(operations: readonly Recorded[], done: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  for (const [index, { start, end, outcome }] of operations.entries()) {
    if (start > firstEnd) break;
    if (done.has(index)) continue;
    found.push(index);
    if (outcome) firstEnd = Math.min(firstEnd, end);
  }
  return found.filter((index) => (operations[index]?.start ?? 0) <= firstEnd);
}

/** Everything before the first that is left is done, or had no answer. */
function keyOf(operations: readonly Recorded[], done: ReadonlySet<number>, register: Register): string {
  const first = operations.findIndex(({ outcome }, index) => outcome && !done.has(index));
  const others = [...done].filter((index) => index > first || !operations[index]?.outcome).sort((a, b) => a - b);
  return JSON.stringify([first, others, register]);
}
