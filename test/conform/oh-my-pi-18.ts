import { isObject } from "../../src/core/json.js";
import { decide } from "../../src/core/todo/decide.js";
import { evolveAll } from "../../src/core/todo/evolve.js";
import { EMPTY_LIST, type TodoList } from "../../src/core/todo/list.js";
import { WHOLE_LIST } from "../../src/core/todo/policy.js";
import type { Answer, Dialect } from "../../src/dialects/dialect.js";
import { type BlockablePhase, newBlockablePhases } from "../../src/dialects/oh-my-pi/v18/blockable-tasks.js";
import { repairedArguments } from "../../src/dialects/oh-my-pi/v18/host-repair.js";
import { applyTodo, ohMyPi18 } from "../../src/dialects/oh-my-pi/v18/oh-my-pi-18.js";
import { wireText } from "../../src/dialects/oh-my-pi/wire-text.js";
import { speak } from "../../src/dialects/speak.js";
import { type Case, type Check, mismatches, openSession, pairs, type Row } from "./case.js";
import { checklistCheck } from "./oh-my-pi-markdown.js";

const TOOL = "todo";

/** A case is about the tool by itself, unless it says `host: true`: then about what the model reads. */
export const oneOpCheck: Check = async (testCase, source) => {
  if (testCase.kind !== "tool") return checklistCheck(testCase, source);
  if (testCase.host === true) return mismatches(await throughHost(testCase));
  const rows = alone(testCase);
  // What the host does not change must come out of a session, too: through the store, and as it goes to the model.
  const isPlain = pairs(testCase.calls, []).every(({ call }) => isUnchanged(call));
  return mismatches(isPlain ? [...rows, ...(await throughHost(testCase))] : rows);
};

function isUnchanged(call: unknown): boolean {
  return isObject(call) && JSON.stringify(repairedArguments(call)) === JSON.stringify(call);
}

/** The tool itself, on a list that is handed from call to call. */
function alone({ initial, calls, expect }: Case): readonly Row[] {
  let list = listOf(initial);
  return pairs(calls, expect).map(({ call, expected }) => {
    if (call === undefined) return { expected, actual: null };
    const spoken = speak(toolAlone(call), list, { tool: TOOL, input: { value: call } });
    ({ list } = spoken);
    return { expected: compared(expected), actual: compared(resultOf(spoken.answer)) };
  });
}

function toolAlone(call: unknown): Dialect {
  return { ...ohMyPi18, parse: (_, list) => applyTodo(call, list) };
}

async function throughHost({ initial, calls, expect }: Case): Promise<readonly Row[]> {
  const session = await openSession(ohMyPi18.name, listOf(initial));
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    const answer = call === undefined ? undefined : await session.call({ tool: TOOL, input: call });
    rows.push({ expected: onWire(compared(expected)), actual: answer ? compared(resultOf(answer)) : null });
  }
  return rows;
}

function onWire(expected: unknown): unknown {
  return isObject(expected) ? { ...expected, text: wireText(String(expected.text)) } : expected;
}

function resultOf({ text, isError, data }: Answer): object {
  return { text, isError, ...(isObject(data) ? data : undefined) };
}

const COMPARED = ["text", "isError", "op", "phases", "completedTasks"];

function compared(result: unknown): unknown {
  if (!isObject(result)) return result ?? null;
  return Object.fromEntries(COMPARED.map((key) => [key, result[key] ?? null]));
}

/** Nothing on a list is changed by having been written down. */
function listOf(initial: unknown): TodoList {
  if (!Array.isArray(initial)) return EMPTY_LIST;
  const phases = newBlockablePhases(initial as readonly BlockablePhase[]);
  const decision = decide(EMPTY_LIST, { type: "replace", phases }, WHOLE_LIST);
  return decision.ok ? evolveAll(EMPTY_LIST, decision.value.events) : EMPTY_LIST;
}
