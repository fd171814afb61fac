import { isObject, type JsonObject, listAt } from "../json.js";
import { patchText } from "./call-files.js";

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

const NOTHING: ChangedLines = { added: 0, removed: 0 };
const sum = (all: readonly ChangedLines[]): ChangedLines =>
  all.reduce((a, b) => ({ added: a.added + b.added, removed: a.removed + b.removed }), NOTHING);

/** What is longer is not counted to its end: a figure for people need not be exact there. */
const LONGEST = 400_000;
const MOST = 100;

/** Lines that an edit added and removed: as its client tells it, else by its arguments. */
export function changedLines(input: JsonObject, output: unknown): ChangedLines | undefined {
  return ofAnswer(output) ?? ofChanges(input.changes) ?? ofPatch(patchText(input)) ?? ofTexts(input);
}

function ofAnswer(output: unknown): ChangedLines | undefined {
  if (!isObject(output)) return undefined;
  const { structuredPatch, type, content, gitDiff } = output;
  if (type === "create" && typeof content === "string") return { added: linesIn(content), removed: 0 };
  if (Array.isArray(structuredPatch))
    return sum(structuredPatch.slice(0, MOST).map((hunk) => countSigns(listAt(isObject(hunk) ? hunk.lines : []))));
  if (isObject(gitDiff) && typeof gitDiff.additions === "number" && typeof gitDiff.deletions === "number")
    return { added: Math.max(0, gitDiff.additions | 0), removed: Math.max(0, gitDiff.deletions | 0) };
  return ofChanges(output.changes);
}

function countSigns(lines: readonly unknown[]): ChangedLines {
  let [added, removed] = [0, 0];
  for (const line of lines) {
    if (typeof line !== "string") continue;
    if (line.startsWith("+")) added += 1;
    if (line.startsWith("-")) removed += 1;
  }
  return { added, removed };
}

/** As Codex tells of a patch: each file with what was done to it. */
function ofChanges(changes: unknown): ChangedLines | undefined {
  const each = Array.isArray(changes) ? changes : isObject(changes) ? Object.values(changes) : undefined;
  return each && each.length > 0 ? sum(each.slice(0, MOST).map(ofChange)) : undefined;
}

function ofChange(change: unknown): ChangedLines {
  if (!isObject(change)) return NOTHING;
  const kind = isObject(change.kind) ? change.kind.type : (change.type ?? change.kind);
  const inner = [change.add, change.update, change.delete].find(isObject) ?? change;
  const diff = inner.unified_diff ?? inner.diff;
  if (typeof diff === "string") return ofDiff(diff);
  const lines = typeof inner.content === "string" ? linesIn(inner.content) : 0;
  return change.delete !== undefined || kind === "delete" ? { added: 0, removed: lines } : { added: lines, removed: 0 };
}

function ofDiff(diff: string): ChangedLines {
  const lines = diff.slice(0, LONGEST).split("\n");
  return countSigns(lines.filter((line) => !line.startsWith("+++ ") && !line.startsWith("--- ")));
}

function ofPatch(patch: string | undefined): ChangedLines | undefined {
  return patch === undefined ? undefined : countSigns(patch.split("\n"));
}

function ofTexts(input: JsonObject): ChangedLines | undefined {
  const edits = listAt(input.edits).filter(isObject).slice(0, MOST);
  const found = (edits.length > 0 ? edits : [input]).flatMap((edit) => replaced(edit) ?? []);
  return found.length > 0 ? sum(found) : undefined;
}

function replaced(edit: JsonObject): ChangedLines | undefined {
  const old = edit.old_string ?? edit.oldString ?? edit.old_str ?? edit.oldText ?? edit.old_text;
  const now = edit.new_string ?? edit.newString ?? edit.new_str ?? edit.newText ?? edit.new_text;
  if (typeof old === "string" && typeof now === "string") return betweenTexts(old, now);
  // Nobody says what a file that is written whole held before.
  const whole = edit.content ?? edit.file_text ?? edit.contents;
  return typeof whole === "string" ? { added: linesIn(whole), removed: 0 } : undefined;
}

/** Equal lines at both ends were given to find the place. */
function betweenTexts(old: string, now: string): ChangedLines {
  const [before, after] = [linesOf(old), linesOf(now)];
  let [start, end] = [0, 0];
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start] === after[start]) start += 1;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { added: after.length - start - end, removed: before.length - start - end };
}

function linesOf(text: string): readonly string[] {
  return text === "" ? [] : text.slice(0, LONGEST).replace(/\n$/, "").split("\n");
}

function linesIn(text: string): number {
  let lines = text === "" ? 0 : 1;
  const last = Math.min(text.length - 1, LONGEST);
  for (let at = text.indexOf("\n"); at >= 0 && at < last; at = text.indexOf("\n", at + 1)) lines += 1;
  return lines;
}
