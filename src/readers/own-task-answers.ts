import { isOurServer } from "../core/call/call-event.js";
import type { Fact } from "../core/session/observation.js";
import { LEASE } from "../core/task/lease.js";

// Answers of our own `task` in another agent's transcript: which tasks the session holds from then on, or no longer.

type Leased = Extract<Fact, { type: "task.leased" }>;

const NUMBERS = String.raw`(#\d{1,15}(?:-\d{1,15})?(?:, \d{1,15}(?:-\d{1,15})?)*)(?: and \d+ more)?`;

/**
 * The sentences of an answer's first line, in any order. A title ends its line, so nothing in it is taken for a
 * sentence; the free words in two of them end with words of ours.
 */
const SENTENCES: readonly { readonly like: string; readonly tells?: "held" | "left" }[] = [
  { like: String.raw`Claimed (#\d{1,15}) .*`, tells: "held" },
  { like: String.raw`Progress kept with (#\d{1,15})\.`, tells: "held" },
  { like: `(?:Already done:|Done|Released|Cancelled) ${NUMBERS}\\.`, tells: "left" },
  { like: String.raw`Failed (#\d{1,15}) (?:for good|\(\d+ of \d+\); ready again in \d+ \w+)\.`, tells: "left" },
  { like: String.raw`(#\d{1,15}) waits .{1,200}?; you no longer hold it\.`, tells: "left" },
  { like: `(?:Added|Changed|Reopened|Noted on|Now ready:) ${NUMBERS}\\.` },
  { like: String.raw`#\d{1,15} (?:has no open blocker|is blocked by ${NUMBERS})\.` },
  { like: String.raw`Asked .{1,60}? to stop #\d{1,15}\.` },
];

export function isOwnTaskTool(tool: string, server: string | undefined): boolean {
  return tool === "task" && isOurServer(server);
}

/** Characters: an answer of ours is no longer. */
const ANSWER_MAX = 4000;

/** `at`: when it was answered; a lease whose beginning nobody knows is not told. */
export function taskFacts(answer: string, at: number | undefined): readonly Leased[] {
  const [first = "", ...others] = answer.slice(0, ANSWER_MAX).split("\n");
  const claimed = others.filter((line) => /^Claimed #\d{1,15} /.test(line));
  const facts: Leased[] = [];
  for (const { tells, numbers } of [first, ...claimed].flatMap(sentencesOf))
    for (const task of numbers) {
      if (tells === "left") facts.push({ type: "task.leased", task, until: null });
      else if (at) facts.push({ type: "task.leased", task, until: at + LEASE.session });
    }
  return facts;
}

interface Sentence {
  readonly tells: "held" | "left";
  readonly numbers: readonly string[];
}

function sentencesOf(line: string): readonly Sentence[] {
  const found: Sentence[] = [];
  for (let rest = line; rest !== ""; ) {
    const sentence = sentenceAt(rest);
    if (!sentence) break;
    const { tells, numbers, length } = sentence;
    if (tells) found.push({ tells, numbers: numbersIn(numbers) });
    rest = rest.slice(length).trimStart();
  }
  return found;
}

function sentenceAt(text: string) {
  for (const { like, tells } of SENTENCES) {
    const [whole, numbers = ""] = new RegExp(`^${like}`).exec(text) ?? [];
    if (whole !== undefined) return { tells, numbers, length: whole.length };
  }
  return undefined;
}

const MOST_NUMBERS = 100;

/** `#1-3, 7` */
function numbersIn(text: string): readonly string[] {
  return text
    .slice(1)
    .split(", ")
    .flatMap((run) => {
      const [from = 0, to = from] = run.split("-").map(Number);
      return Array.from({ length: Math.min(MOST_NUMBERS, Math.max(0, to - from + 1)) }, (_, step) => `${from + step}`);
    })
    .slice(0, MOST_NUMBERS);
}
