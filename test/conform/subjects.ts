import { type CallRequest, type Milepost, openMilepost } from "../../src/app/milepost.js";
import { isObject } from "../../src/dialects/dialect.js";

/** What differs, as text; nothing when the case holds. */
export type Check = (testCase: Case) => Promise<readonly Mismatch[]>;

export interface Case {
  readonly name: string;
  readonly calls?: readonly Call[];
  readonly expect?: readonly unknown[];
}

export interface Mismatch {
  readonly call: number;
  readonly expected: unknown;
  readonly actual: unknown;
}

interface Call {
  readonly tool: string;
  readonly input?: unknown;
  readonly arguments?: string;
  readonly mode?: string;
}

/** Which system a vector file speaks for, and how it may be shortened. */
export const SUBJECTS: Readonly<Record<string, Check>> = {
  "claude/todo": replay("claude", (text) => text),
  // The position behind a parse error is optional; where it is given, it counts.
  "codex/plan": replay("codex", (text) => text.replace(/ at line \d+ column \d+$/, "")),
};

/** Plays one session's calls through the public facade and compares answer by answer. */
function replay(dialect: string, shorten: (text: string) => string): Check {
  return async ({ calls = [], expect = [] }) => {
    const milepost = await openMilepost({ store: "memory:" });
    const mismatches: Mismatch[] = [];
    const length = Math.max(calls.length, expect.length);
    for (let call = 0; call < length; call += 1) {
      const expected = sortKeys(expect[call]);
      const answer = await ask(milepost, dialect, calls[call]);
      const actual = sortKeys(only(answer, expected));
      if (!isSame(expected, actual) && !isSame(expected, shortened(actual, shorten)))
        mismatches.push({ call, expected, actual });
    }
    return mismatches;
  };
}

function isSame(expected: unknown, actual: unknown): boolean {
  const hasText = isObject(expected) && typeof expected.text === "string";
  return hasText && JSON.stringify(expected) === JSON.stringify(actual);
}

/** What an expectation leaves out was not recorded; the text always is. */
function only(answer: unknown, expected: unknown): unknown {
  if (!isObject(answer) || !isObject(expected)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([key]) => key in expected));
}

function shortened(answer: unknown, shorten: (text: string) => string): unknown {
  return isObject(answer) && typeof answer.text === "string" ? { ...answer, text: shorten(answer.text) } : answer;
}

async function ask(milepost: Milepost, dialect: string, call: Call | undefined) {
  if (!call) return undefined;
  const request: CallRequest = {
    dialect,
    tool: call.tool,
    ...(call.arguments === undefined ? { input: call.input ?? null } : { arguments: call.arguments }),
    mode: call.mode === "plan" ? "plan" : "default",
  };
  const answer = await milepost.call(request);
  return answer.ok ? answer.value : answer.error;
}

/** Key order is part of a text, never of data. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, sortKeys(value[key])]])));
}
