import type { KeptView, KeptViews } from "../log/stored-views.js";
import type { BaseRow, StreamRow } from "../queries.js";

// How a stream that lost something goes on. Versions have no gaps, so what comes behind a loss is numbered anew; where
// it was, an event says so. A view that was kept after the loss still knows what the lost events did: it is restored.

/** Versions as they were in the damaged store, both included. */
interface LostRange {
  readonly from: number;
  readonly to: number;
}

/** What is told between two events of the stream. */
export interface Mark {
  /** Behind the events up to this version. */
  readonly after: number;
  readonly missing?: LostRange;
  readonly views?: KeptViews;
}

export interface StreamPlan {
  /** Where the new stream begins: at the version of its bases, if it has any. */
  readonly bases: readonly BaseRow[];
  /** Events up to this version are not part of it: they were pruned. */
  readonly begin: number;
  readonly lost: readonly LostRange[];
  /** History was pruned, and the views of that time are not all there any more. */
  readonly isBaseLost: boolean;
  readonly marks: readonly Mark[];
  /** Views that are not what they were: no copy was kept behind the loss, so they are folded from what is left. */
  readonly refolded: readonly string[];
}

export interface StreamFindings {
  /** Of the events that were found, in their order. */
  readonly versions: readonly number[];
  /** Of events that an index knows, and that were not found. */
  readonly known: readonly number[];
  /** The checksum of the last event that was found. */
  readonly lastChecksum: number | undefined;
  readonly row: StreamRow | undefined;
  readonly bases: readonly BaseRow[];
  /** Views that are kept of such a stream. */
  readonly covering: readonly string[];
  /** A base may have been lost: one is damaged, or a page could not be read. Else a view without one came later. */
  readonly isBaseDoubtful: boolean;
  /** Somebody wanted it forgotten, and was killed before all of its events were deleted. */
  readonly isForgotten: boolean;
  /** No stream can be longer than the log. */
  readonly longest: number;
}

export function planStream(findings: StreamFindings): StreamPlan {
  const { versions, row, bases: all, covering, isBaseDoubtful, isForgotten } = findings;
  const pruned = Math.max(0, ...all.map(({ version }) => version));
  const bases = all.filter(({ version }) => version === pruned);
  const begin = pruned > 0 ? pruned : isForgotten ? (row?.pruned ?? versions.at(-1) ?? 0) : prunedWithoutBase(findings);
  const hasBases = covering.every((name) => bases.some(({ view }) => view === name));
  const isBaseLost = begin > 0 && isBaseDoubtful && !hasBases;
  const lost = gapsIn(versions, begin, endOf(findings, begin));
  const last = lost.at(-1)?.to ?? 0;
  const views = row ? keptViews(row) : {};
  const isNeeded = ({ version }: KeptView) => lost.some(({ from }) => from <= version) || isBaseLost;
  const restored = Object.entries(views).filter(([, kept]) => kept.version >= begin && isNeeded(kept));
  const isSound = lost.length === 0 && !isBaseLost;
  const isKept = (name: string) => (views[name]?.version ?? -1) >= Math.max(last, begin);
  const refolded = isSound ? [] : covering.filter((name) => !isKept(name));
  const marks = [...lost.map((missing) => ({ after: missing.from - 1, missing })), ...restoring(restored)];
  // Stable: at one place, what is missing is told before what is restored.
  return { bases, begin, lost, isBaseLost, refolded, marks: marks.sort((a, b) => a.after - b.after) };
}

/** No checksum covers this number: it counts only where no event contradicts it. */
function prunedWithoutBase({ versions, row, longest }: StreamFindings): number {
  const pruned = row?.pruned ?? 0;
  const isLikely = Number.isSafeInteger(pruned) && pruned > 0 && pruned <= longest;
  return isLikely && pruned < (versions[0] ?? pruned + 1) ? pruned : 0;
}

/** The last version there was. */
function endOf({ versions, known, row, lastChecksum, longest }: StreamFindings, begin: number): number {
  const last = Math.max(begin, versions.at(-1) ?? 0, ...known);
  if (!row || row.checksum === lastChecksum) return last;
  const kept = Object.values(keptViews(row)).map(({ version }) => version);
  const told = Number.isSafeInteger(row.version) && row.version <= longest ? row.version : 0;
  return Math.max(last, told, ...kept);
}

function gapsIn(versions: readonly number[], begin: number, end: number): readonly LostRange[] {
  const gaps: LostRange[] = [];
  let next = begin + 1;
  for (const version of versions) {
    if (version < next) continue;
    if (version > next) gaps.push({ from: next, to: version - 1 });
    next = version + 1;
  }
  if (next <= end) gaps.push({ from: next, to: end });
  return gaps;
}

/** Each at the version that it is the fold of. */
function restoring(views: readonly (readonly [string, KeptView])[]): readonly Mark[] {
  const versions = [...new Set(views.map(([, { version }]) => version))];
  return versions.map((after) => ({
    after,
    views: Object.fromEntries(views.filter(([, { version }]) => version === after)),
  }));
}

/** Its checksum is right: it says what was written. */
function keptViews(row: StreamRow): KeptViews {
  return JSON.parse(row.views);
}
