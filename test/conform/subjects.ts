import { type CallRequest, openMilepost } from "../../src/app/milepost.js";
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

/** Which system a vector file speaks for, and what of its answers counts. */
export const SUBJECTS: Readonly<Record<string, Check>> = {
  "claude/todo": replay("claude", (answer) => answer),
  // The position behind a parse error is optional.
  "codex/plan": replay("codex", ({ text }) => ({ text: text.split(/ at line \d+ column \d+/)[0] })),
};

type Comparable = { readonly text: string; readonly isError: boolean; readonly data?: unknown };

/** Plays one session's calls through the public facade and compares answer by answer. */
function replay(dialect: string, counted: (answer: Comparable) => unknown): Check {
  return async ({ calls = [], expect = [] }) => {
    const milepost = openMilepost();
    const mismatches: Mismatch[] = [];
    const length = Math.max(calls.length, expect.length);
    for (let call = 0; call < length; call += 1) {
      const expected = clean(expect[call], counted);
      const actual = clean(await ask(milepost, dialect, calls[call]), counted);
      if (JSON.stringify(expected) !== JSON.stringify(actual)) mismatches.push({ call, expected, actual });
    }
    return mismatches;
  };
}

async function ask(milepost: ReturnType<typeof openMilepost>, dialect: string, call: Call | undefined) {
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

function clean(answer: unknown, counted: (answer: Comparable) => unknown): unknown {
  if (!isObject(answer) || typeof answer.text !== "string") return answer;
  return sortKeys(counted(answer as unknown as Comparable));
}

/** Key order is part of a text, never of data. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, sortKeys(value[key])]])));
}
