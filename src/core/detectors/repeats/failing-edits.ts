import type { RoundCall } from "../../call/call-facts.js";
import { isAtLeast, type SeenCall } from "../counted-call.js";
import { detector, everything, type Finding, type Limits, levelOf, nameText } from "../detector.js";
import { numberOf } from "../number-mark.js";
import { counted, isTallies, type Tallies, tallyOf } from "../tallies.js";

const LIMITS: Limits = { note: 4, warn: 6 };
const MOST_FILES = 4;

export const failingEdits = detector<Tallies>({
  name: "failing-edits",
  summary: "Edits of one file that fail or change nothing, whatever their arguments",
  limits: LIMITS,
  unit: "edits",
  ends: "a change of a file, a todo that is closed, a person's word",
  start: [],
  isState: isTallies,
  isOfCalls: true,
  fold: (state, { calls, progress }) => {
    if (state.length === 0 && !calls.some(hasFailed)) return { state };
    const isAnew = isAtLeast(progress, "change");
    // Several edits of a file in one reply were written before the first of them had failed.
    const failed = new Map(calls.filter(hasFailed).flatMap(({ call }) => filesOf(call)));
    let tallies = isAnew ? [] : state;
    for (const mark of failed.keys()) tallies = counted(tallies, mark);
    // The same edit again is what other detectors tell of.
    const isNews = calls.some((seen) => hasFailed(seen) && seen.sort !== "repeat");
    const found = isNews ? [...failed].flatMap(([mark, file]) => findingOf(mark, file, tallyOf(tallies, mark))) : [];
    return isAnew ? { state: tallies, found, isOver: everything } : { state: tallies, found };
  },
});

function hasFailed({ call, sort, isError }: SeenCall): boolean {
  return call.kind === "edit" && sort !== "passed-over" && (isError || call.isUnchanged === true);
}

function filesOf({ files = [] }: RoundCall): readonly (readonly [number, string])[] {
  return files.slice(0, MOST_FILES).map((file) => [numberOf(file), file]);
}

function findingOf(about: number, file: string, count: number): readonly Finding[] {
  const level = levelOf(count, LIMITS);
  if (level === undefined) return [];
  const name = nameText(file.slice(-200).split(/[\\/]/).at(-1) ?? "");
  const message = `${count} edits of ${name} have failed or changed nothing. Read the file as it is now, then write the part anew from what is there.`;
  return [{ about, level, count, message }];
}
