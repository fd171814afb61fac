import type { CallRequest } from "../../src/app/milepost.js";
import { isObject } from "../../src/core/json.js";
import { type Check, type Mismatch, pairs, type Session, sortKeys } from "./case.js";

interface Call {
  readonly tool: string;
  readonly input?: unknown;
  readonly arguments?: string;
  readonly mode?: string;
}

type Caller = Pick<Session, "call">;

/** Plays one session's calls and compares answer by answer; `shorten` takes away what an expectation may leave out. */
export function replay(open: () => Promise<Caller>, shorten = (text: string) => text): Check {
  return async ({ calls, expect }) => {
    const session = await open();
    const found: Mismatch[] = [];
    for (const [at, { call, expected: wanted }] of pairs(calls, expect).entries()) {
      const expected = sortKeys(wanted);
      const answer = await ask(session, call as Call | undefined);
      const actual = sortKeys(only(answer, expected));
      if (!isSame(expected, actual) && !isSame(expected, shortened(actual, shorten)))
        found.push({ call: at, expected, actual });
    }
    return found;
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

async function ask(session: Caller, call: Call | undefined) {
  if (!call) return undefined;
  const request: CallRequest = {
    tool: call.tool,
    ...(call.arguments === undefined ? { input: call.input } : { arguments: call.arguments }),
    mode: call.mode === "plan" ? "plan" : "default",
  };
  return session.call(request);
}
