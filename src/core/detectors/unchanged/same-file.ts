import { count } from "../../shape.js";
import { detector, type Judged, type Limits, levelOf, MINUTE, nameText } from "../detector.js";
import { joinMarks, numberOf } from "../number-mark.js";

const LIMITS: Limits = { note: 1, warn: 3 };
/** Who has not touched it for so long is done with it. */
const FORGOTTEN = 30 * MINUTE;
const MOST_SHARED = 8;

/** A file that another session changes too, how often, and when last. */
type Shared = readonly [about: number, times: number, at: number];

export const sameFile = detector<readonly Shared[]>({
  name: "same-file",
  summary: "Another live session changes the same file",
  limits: LIMITS,
  unit: "changes",
  ends: `${FORGOTTEN / MINUTE} minutes in which the other one does not change it`,
  start: [],
  isState: (value) => Array.isArray(value) && value.length <= MOST_SHARED && value.every(isShared),
  silence: (state, { now }) => {
    const fresh = state.filter(([, , at]) => at === 0 || now < at + FORGOTTEN);
    return { state: fresh.length === state.length ? state : fresh, isOver: (about) => !has(fresh, about) };
  },
  fold: (state, { step, now }) => (step.type === "same-file" ? shared(state, step.file, step.session, now) : { state }),
});

const has = (state: readonly Shared[], about: number) => state.some(([known]) => known === about);

function shared(state: readonly Shared[], file: string, session: string, now: number): Judged<readonly Shared[]> {
  const about = joinMarks(numberOf(file), numberOf(session));
  const [, before = 0] = state.find(([known]) => known === about) ?? [];
  const times = before + 1;
  const level = levelOf(times, LIMITS);
  const others = state.filter(([known]) => known !== about);
  const after = [...others, [about, times, now] as const].slice(-MOST_SHARED);
  if (level === undefined) return { state: after };
  const name = nameText(file.slice(-200).split(/[\\/]/).at(-1) ?? "");
  const message = `Session ${nameText(session)} changes ${name}, too. Read the file again before you edit it, and keep to your own part of it.`;
  return { state: after, found: [{ about, level, count: times, message }] };
}

function isShared(value: unknown): boolean {
  return Array.isArray(value) && value.length === 3 && value.every(count);
}
