import { isObject } from "../../src/core/json.js";
import { decide } from "../../src/core/todo/decide.js";
import { evolveAll } from "../../src/core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import { WHOLE_LIST } from "../../src/core/todo/policy.js";
import type { Answer, ToolCall } from "../../src/dialects/dialect.js";
import { applyOps, ohMyPi } from "../../src/dialects/oh-my-pi/oh-my-pi.js";
import { readPiArguments } from "../../src/dialects/oh-my-pi/pi-arguments.js";
import { newPhases, type PiPhase } from "../../src/dialects/oh-my-pi/pi-phases.js";
import type { PiOp } from "../../src/dialects/oh-my-pi/pi-schema.js";
import { speak } from "../../src/dialects/speak.js";
import { type Check, mismatches, openSession, pairs, type Row } from "./case.js";

const TOOL = "todo_write";

/** One session's calls of the tool. `wireText`: what its host made of the text, where that differs. */
export const todo: Check = async ({ initial, sessionFile, calls, expect }) => {
  const storage = sessionFile ? "session" : "memory";
  let session = await openSession(ohMyPi.name, listOf(initial));
  const rows: Row[] = [];
  for (const { call: ops, expected } of pairs(calls, expect)) {
    let answer: Answer | undefined;
    // The host would refuse it: only the tool itself is asked, and the session goes on with what it made of the list.
    const isAlone = isObject(expected) && expected.schemaValid === false;
    if (isAlone) {
      const spoken = speak(direct(ops as readonly PiOp[]), await session.list(), { ...ASKED, storage });
      session = await openSession(ohMyPi.name, spoken.list);
      ({ answer } = spoken);
    } else if (ops !== undefined) {
      answer = await session.call({ tool: TOOL, input: { ops }, storage });
    }
    const wanted = compared(isAlone ? expected : onWire(expected));
    rows.push({ expected: wanted, actual: answer && compared(resultOf(answer)) });
  }
  return mismatches(rows);
};

const ASKED: ToolCall = { tool: TOOL, input: { value: {} } };

function direct(ops: readonly PiOp[]): typeof ohMyPi {
  return { ...ohMyPi, parse: ({ storage }) => applyOps(ops, storage) };
}

function resultOf({ text, isError, data }: Answer): object {
  return { text, isError, completedTasks: null, ...(isObject(data) ? data : undefined) };
}

function onWire(expected: unknown): unknown {
  return isObject(expected) ? { ...expected, text: expected.wireText ?? expected.text } : expected;
}

const COMPARED = ["text", "isError", "phases", "completedTasks", "storage"];

/** Whatever else a case tells is about how it was recorded. */
function compared(result: unknown): unknown {
  if (!isObject(result)) return result ?? null;
  return Object.fromEntries(COMPARED.map((key) => [key, result[key] ?? null]));
}

/** Nothing on a list is changed by having been written down. */
export function listOf(initial: unknown): TodoList {
  if (!Array.isArray(initial)) return EMPTY_LIST;
  const phases = newPhases(initial as readonly PiPhase[]);
  const decision = decide(EMPTY_LIST, { type: "replace", phases }, WHOLE_LIST);
  return decision.ok ? evolveAll(EMPTY_LIST, decision.value.events) : EMPTY_LIST;
}

/** What the host makes of arguments; a refusal is also looked at as the answer that it becomes. */
export const validation: Check = async ({ arguments: value, ok, normalised, text }) => {
  const read = readPiArguments(TOOL, { value });
  const { answer } = speak(ohMyPi, EMPTY_LIST, { tool: TOOL, input: { value } });
  return mismatches([
    { expected: ok, actual: read.ok },
    read.ok
      ? { expected: normalised, actual: read.value }
      : { expected: { text, isError: true, data: {} }, actual: answer },
  ]);
};
