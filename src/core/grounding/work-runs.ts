import { type CallFacts, CHECK_KINDS, CHECK_RESULTS, type CheckKind, type CheckResult } from "../call/call-facts.js";
import { count, type Shape } from "../shape.js";
import { type FileTable, fileIndexes, keptText } from "./file-table.js";

// Work calls of one agent in a row, each placed by when it started. Tuples: views mostly consist of these.

/**
 * The last edit of a run: when it started (after the run's beginning), how long it took; then of all edits of the run
 * the lines, how many files have no place in the table of files, and the places of the others.
 */
type RunEdit = readonly [
  after: number,
  length: number,
  added: number,
  removed: number,
  more: number,
  ...files: number[],
];

/** The last check of a run. `kind`, `result`: places in their lists. Title and id of the call for the newest ones. */
type RunCheck = readonly [
  after: number,
  length: number,
  kind: number,
  result: number,
  title?: string,
  call?: string | undefined,
];

/**
 * `length`: milliseconds from the start of the first call to the start of the last one. `busy`: to the last end. `cut`:
 * the agent wrote its list just before, so they may be for another todo.
 */
export type WorkRun = readonly [
  from: number,
  length: number,
  calls: number,
  failed: number,
  cut: 0 | 1,
  busy: number,
  edit: RunEdit | 0,
  check: RunCheck | 0,
];

export interface WorkCall {
  /** Milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly outcome: "completed" | "failed" | "cancelled";
  readonly isCut: boolean;
  readonly facts?: CallFacts | undefined;
  /** What it was about, in one line: the command of a check. */
  readonly title?: string | undefined;
  readonly call?: string | undefined;
}

/** A change of files, or a check, in its time. */
export interface SeenEdit {
  readonly start: number;
  readonly end: number;
  readonly added: number;
  readonly removed: number;
  readonly more: number;
  readonly files: readonly number[];
}
export interface SeenCheck {
  readonly start: number;
  readonly end: number;
  readonly kind: CheckKind;
  readonly result: CheckResult;
  readonly title?: string | undefined;
  readonly call?: string | undefined;
}

/** When its last call started: whose work it is goes by that. */
export function lastStart(run: WorkRun): number {
  return run[0] + run[1];
}

export function endOf(run: WorkRun): number {
  return run[0] + run[5];
}

export function editIn([from, , , , , , edit]: WorkRun): SeenEdit | undefined {
  if (edit === 0) return undefined;
  const [after, length, added, removed, more, ...files] = edit;
  return { start: from + after, end: from + after + length, added, removed, more, files };
}

export function checkIn([from, , , , , , , check]: WorkRun): SeenCheck | undefined {
  if (check === 0) return undefined;
  const [after, length, kind, result, title, call] = check;
  return {
    start: from + after,
    end: from + after + length,
    kind: CHECK_KINDS[kind] ?? "tests",
    result: CHECK_RESULTS[result] ?? "unknown",
    title: title || undefined,
    call: call ?? undefined,
  };
}

/** It was done, and something is different now. */
function isEdit({ outcome, facts = {} }: Pick<WorkCall, "outcome" | "facts">): boolean {
  if (outcome !== "completed" || facts.isUnchanged) return false;
  return facts.kind === "edit" || facts.isChange === true || (facts.added ?? 0) + (facts.removed ?? 0) > 0;
}

/** So many days, calls and lines that nothing kept grows with what a file says. */
const MOST = 1e9;
const bounded = (value: number) => Math.min(Math.max(0, Math.round(value)), MOST);
const MOST_FILES = 4;
const TITLE_MAX = 60;
const CALL_MAX = 64;

/** A call is a run of its own until there are more than `most`: then the two neighbours that lose least are joined. */
export function addCall(runs: WorkRun[], call: WorkCall, most: number, table: FileTable): void {
  const run = runOf(call, table);
  const [start] = run;
  // A transcript may tell late of a call that no hook told of.
  const before = runs.findLastIndex((one) => one[0] <= start);
  if (before === runs.length - 1) runs.push(run);
  else runs.splice(before + 1, 0, run);
  while (runs.length > Math.max(1, most)) joinCheapest(runs);
}

function runOf(call: WorkCall, table: FileTable): WorkRun {
  const start = Math.min(call.start, call.end);
  const busy = bounded(call.end - start);
  const isFailed = call.outcome === "failed" ? 1 : 0;
  return [start, 0, 1, isFailed, call.isCut ? 1 : 0, busy, runEdit(call, busy, table), runCheck(call, busy)];
}

function runEdit(call: WorkCall, busy: number, table: FileTable): RunEdit | 0 {
  if (!isEdit(call)) return 0;
  const { added = 0, removed = 0, files = [] } = call.facts ?? {};
  const kept = fileIndexes(table, files.slice(0, MOST_FILES));
  // A command that checks and changes files changes them last: the check has not seen it.
  const length = call.facts?.check === undefined ? busy : busy + 1;
  return [0, length, bounded(added), bounded(removed), bounded(files.length - MOST_FILES), ...kept];
}

function runCheck({ facts = {}, title, call, outcome }: WorkCall, busy: number): RunCheck | 0 {
  if (facts.check === undefined) return 0;
  const result = outcome === "cancelled" ? "unknown" : (facts.result ?? "unknown");
  const bare = [0, busy, CHECK_KINDS.indexOf(facts.check), CHECK_RESULTS.indexOf(result)] as const;
  const name = keptText(title ?? "", TITLE_MAX);
  const id = call !== undefined && keptText(call, CALL_MAX) === call ? call : undefined;
  if (id !== undefined) return [...bare, name, id];
  return name === "" ? bare : [...bare, name];
}

function joinCheapest(runs: WorkRun[]): void {
  const best = cheapest(runs);
  const [a, b] = [runs[best - 1], runs[best]];
  if (a && b) runs.splice(best - 1, 2, joined(a, b));
}

/** Which one is best joined with the one before it. */
export function cheapest(runs: readonly WorkRun[]): number {
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  let before = runs[0];
  // Asked with every call of a long session: pairs are not taken apart into arrays.
  for (let at = 1; at < runs.length && before; at += 1) {
    const run = runs[at];
    if (!run) break;
    const loss = lossOf(before, run, at);
    before = run;
    if (loss >= least) continue;
    least = loss;
    best = at;
  }
  return best;
}

/** More than any time between two calls. */
const NEVER = 1e12;

/** Pauses inside a run are lost, short ones first; then times of earlier edits, earlier checks, last of all cuts. */
function lossOf(a: WorkRun, b: WorkRun, at: number): number {
  const facts = (a[6] !== 0 && b[6] !== 0 ? 1 : 0) + (a[7] !== 0 && b[7] !== 0 ? 2 : 0);
  if (b[4] === 1) return 4 * NEVER + facts * 1000 + at;
  return facts * NEVER + Math.min(Math.max(0, b[0] - lastStart(a)), NEVER - 1);
}

export function joined(a: WorkRun, b: WorkRun): WorkRun {
  const [from] = a;
  const shift = b[0] - from;
  const length = Math.max(a[1], bounded(shift + b[1]));
  const busy = Math.max(a[5], bounded(shift + b[5]));
  const calls = bounded(a[2] + b[2]);
  const failed = bounded(a[3] + b[3]);
  return [from, length, calls, failed, a[4], busy, joinedEdit(a[6], b[6], shift), joinedCheck(a[7], b[7], shift)];
}

function joinedEdit(a: RunEdit | 0, b: RunEdit | 0, shift: number): RunEdit | 0 {
  if (b === 0) return a;
  const [after, length, added, removed, more, ...files] = b;
  const at = bounded(shift + after);
  if (a === 0) return [at, length, added, removed, more, ...files];
  const [first, long, ownAdded, ownRemoved, ownMore, ...own] = a;
  const all = [...new Set([...own, ...files])];
  const kept = all.slice(-MOST_FILES);
  const others = bounded(ownMore + more + all.length - kept.length);
  const isLater = at + length >= first + long;
  const time = isLater ? ([at, length] as const) : ([first, long] as const);
  return [...time, bounded(ownAdded + added), bounded(ownRemoved + removed), others, ...kept];
}

const UNKNOWN = CHECK_RESULTS.indexOf("unknown");

/** The last one whose result is known: it is what verdicts go by. */
function joinedCheck(a: RunCheck | 0, b: RunCheck | 0, shift: number): RunCheck | 0 {
  if (b === 0) return a;
  const [after, length, kind, result, ...name] = b;
  const later: RunCheck = [bounded(shift + after), length, kind, result, ...name];
  if (a === 0) return later;
  const isLater = later[0] + length >= a[0] + a[1];
  if ((result === UNKNOWN) !== (a[3] === UNKNOWN)) return result === UNKNOWN ? a : later;
  return isLater ? later : a;
}

/** Its check by its name: only the newest ones keep theirs. */
export function isNamed({ 7: check }: WorkRun): boolean {
  return check !== 0 && check.length > 4;
}

export function withoutName(run: WorkRun): WorkRun {
  const check = run[7];
  if (check === 0) return run;
  const [after, length, kind, result] = check;
  return [run[0], run[1], run[2], run[3], run[4], run[5], run[6], [after, length, kind, result]];
}

/** `most` of them keep their names. */
export function forgetNames(runs: WorkRun[], most: number): void {
  let named = 0;
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at];
    if (!run || !isNamed(run)) continue;
    named += 1;
    if (named > most) runs[at] = withoutName(run);
  }
}

/** A file has lost its place in the table. */
export function withoutFile(run: WorkRun, place: number): WorkRun {
  const edit = run[6];
  if (edit === 0 || !edit.includes(place, 5)) return run;
  const [after, length, added, removed, more, ...files] = edit;
  const others = files.filter((one) => one !== place);
  const left: RunEdit = [after, length, added, removed, bounded(more + 1), ...others];
  return [run[0], run[1], run[2], run[3], run[4], run[5], left, run[7]];
}

/** With other places for its files. */
export function withFiles(run: WorkRun, placeOf: (place: number) => number): WorkRun {
  const edit = run[6];
  if (edit === 0) return run;
  const [after, length, added, removed, more, ...files] = edit;
  const moved: RunEdit = [after, length, added, removed, more, ...files.map(placeOf)];
  return [run[0], run[1], run[2], run[3], run[4], run[5], moved, run[7]];
}

/** Several agents' runs as one, in the order in which they began. */
export function inTimeOrder(runs: readonly WorkRun[]): readonly WorkRun[] {
  return runs.toSorted((a, b) => a[0] - b[0]);
}

const isBit: Shape = (bit) => bit === 0 || bit === 1;
const isName: Shape = (value) => typeof value === "string" || value === undefined || value === null;
const isRunEdit: Shape = (value) => value === 0 || (Array.isArray(value) && value.length >= 5 && value.every(count));
const isRunCheck: Shape = (value) =>
  value === 0 ||
  (Array.isArray(value) &&
    value.length >= 4 &&
    value.length <= 6 &&
    value.slice(0, 4).every(count) &&
    value.slice(4).every(isName));

/** Also as versions before wrote it, of five numbers. */
export function isWorkRun(value: unknown): boolean {
  if (!Array.isArray(value) || (value.length !== 5 && value.length !== 8)) return false;
  if (!value.slice(0, 4).every(count) || !isBit(value[4])) return false;
  return value.length === 5 || (count(value[5]) && isRunEdit(value[6]) && isRunCheck(value[7]));
}

/** One of five numbers knew no facts, and was placed by when calls ended. */
export function readRun(run: WorkRun | readonly [number, number, number, number, 0 | 1]): WorkRun {
  return run.length === 8 ? run : [...run, run[1], 0, 0];
}
