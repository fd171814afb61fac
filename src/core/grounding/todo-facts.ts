import type { CheckKind, CheckResult } from "../call/call-facts.js";
import { checkIn, editIn, endOf, lastStart, type SeenCheck, type SeenEdit, type WorkRun } from "./work-runs.js";
import type { Span } from "./work-times.js";

/** What ran, and whose work it was: all that facts and verdicts are made of. */
export interface GroundWork<Key> {
  /** When which todo or task was worked on, the one that is now with no end. */
  readonly spans: readonly Span<Key>[];
  /** In the order in which they began: the session's own and its sub-agents'. */
  readonly runs: readonly WorkRun[];
  readonly files: readonly string[];
}

export interface LastCheck {
  readonly kind: CheckKind;
  readonly result: CheckResult;
  /** When it ended. */
  readonly at: number;
  /** Its command, where it is known. */
  readonly title?: string | undefined;
}

/** What the calls tell of one todo. Times are milliseconds, 0 where nothing ran. */
export interface TodoFacts {
  readonly calls: number;
  readonly failures: number;
  /** Changed files, the first few by name. */
  readonly files: readonly string[];
  readonly moreFiles: number;
  readonly added: number;
  readonly removed: number;
  /** From its first call to its last, each time it was worked on. */
  readonly milliseconds: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** When its last edit ended. */
  readonly editedAt: number;
  /** The last one while it was worked on. */
  readonly check: LastCheck | null;
}

export const NO_FACTS: TodoFacts = {
  calls: 0,
  failures: 0,
  files: [],
  moreFiles: 0,
  added: 0,
  removed: 0,
  milliseconds: 0,
  startedAt: 0,
  endedAt: 0,
  editedAt: 0,
  check: null,
};

/** An edit or a check, and for which todos it was. */
export interface Owned<Key> {
  readonly keys: readonly Key[];
}

/** The work of a session as verdicts see it, in the order of time. */
export interface Ground<Key> {
  readonly facts: ReadonlyMap<Key, TodoFacts>;
  readonly edits: readonly (SeenEdit & Owned<Key>)[];
  readonly checks: readonly (SeenCheck & Owned<Key>)[];
  /** The edits of each. */
  readonly editsOf: ReadonlyMap<Key, readonly SeenEdit[]>;
  /** Checks whose result is known. */
  readonly known: readonly (SeenCheck & Owned<Key>)[];
}

/** One function for all: what hooks told, what a transcript tells, and a log that is replayed. */
export function groundOf<Key>({ spans, runs, files }: GroundWork<Key>): Ground<Key> {
  const ownersAt = (time: number) => spans.filter(([, from, to]) => from <= time && time < to).map(([key]) => key);
  const edits = runs.flatMap((run) => editIn(run) ?? []).map((edit) => ({ ...edit, keys: ownersAt(edit.start) }));
  const checks = runs.flatMap((run) => checkIn(run) ?? []).map((check) => ({ ...check, keys: ownersAt(check.start) }));
  const facts = new Map<Key, TodoFacts>();
  for (const span of spans) {
    const during = runsIn(runs, span);
    if (during.length > 0) facts.set(span[0], withSpan(facts.get(span[0]) ?? NO_FACTS, during, span));
  }
  const editsOf = byKey<Key, SeenEdit>(edits);
  const checksOf = byKey<Key, SeenCheck>(checks);
  for (const [key, told] of facts)
    facts.set(key, withEdits(told, editsOf.get(key) ?? [], checksOf.get(key) ?? [], files));
  const inOrder = checks.toSorted((a, b) => a.end - b.end);
  return { facts, edits, checks: inOrder, editsOf, known: inOrder.filter(({ result }) => result !== "unknown") };
}

function byKey<Key, Item>(items: readonly (Item & Owned<Key>)[]): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items)
    for (const key of item.keys) {
      const group = groups.get(key);
      if (group) group.push(item);
      else groups.set(key, [item]);
    }
  return groups;
}

/** Runs that were joined may reach over several spans: then each of them has something of it. */
function runsIn(runs: readonly WorkRun[], [, from, to]: Span<unknown>): readonly WorkRun[] {
  return runs.filter((run) => run[0] < to && lastStart(run) >= from);
}

function withSpan(facts: TodoFacts, runs: readonly WorkRun[], [, from, to]: Span<unknown>): TodoFacts {
  const start = runs.reduce((first, run) => Math.min(first, Math.max(run[0], from)), Number.POSITIVE_INFINITY);
  const end = runs.reduce((last, run) => Math.max(last, Math.min(endOf(run), to)), 0);
  return {
    ...facts,
    calls: facts.calls + runs.reduce((sum, [, , calls]) => sum + calls, 0),
    failures: facts.failures + runs.reduce((sum, [, , , failed]) => sum + failed, 0),
    milliseconds: facts.milliseconds + Math.max(0, end - start),
    startedAt: facts.startedAt === 0 ? start : Math.min(facts.startedAt, start),
    endedAt: Math.max(facts.endedAt, end),
  };
}

const MOST_FILES = 8;

function withEdits(
  facts: TodoFacts,
  edits: readonly SeenEdit[],
  checks: readonly SeenCheck[],
  table: readonly string[],
): TodoFacts {
  const places = new Set(edits.flatMap(({ files }) => files));
  const names = [...places].flatMap((place) => table[place] ?? []);
  const unnamed = edits.reduce((sum, { more }) => sum + more, 0) + places.size - names.length;
  const last = lastOf(checks);
  return {
    ...facts,
    files: names.slice(0, MOST_FILES),
    moreFiles: unnamed + Math.max(0, names.length - MOST_FILES),
    added: edits.reduce((sum, { added }) => sum + added, 0),
    removed: edits.reduce((sum, { removed }) => sum + removed, 0),
    editedAt: edits.reduce((at, { end }) => Math.max(at, end), 0),
    check: last ? { kind: last.kind, result: last.result, at: last.end, title: last.title } : null,
  };
}

function lastOf<Item extends { readonly end: number }>(items: readonly Item[]): Item | undefined {
  return items.reduce<Item | undefined>((last, one) => (last && last.end > one.end ? last : one), undefined);
}
