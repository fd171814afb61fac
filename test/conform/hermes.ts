import { isObject, type JsonObject } from "../../src/core/json.js";
import { jsonMember, jsonParts } from "../../src/core/text/json-parts.js";
import { hermes } from "../../src/dialects/hermes/hermes.js";
import { isDict, isList, type PythonValue } from "../../src/dialects/wording/python-value.js";
import { itemsInHistory, listInHistory } from "../../src/readers/hermes/history.js";
import { type Check, mismatches, openSession, pairs, type Row } from "./case.js";

const TOOL = "todo_list";

/** What each call answered, and then what a compaction would put before the model. */
export const hermesTodo: Check = async ({ calls, expect, injection }, written) => {
  const session = await openSession(hermes.name);
  // Python tells 2.0 from 2, so the calls are taken as they are written.
  const sources = jsonParts(jsonMember(written, "calls") ?? "[]");
  const rows: Row[] = [];
  for (const [at, { call, expected }] of pairs(calls, expect).entries()) {
    const source = sources[at]?.text ?? "";
    const { text, isError, data } = await session.call({ tool: TOOL, input: call, source });
    const raised = raisedText(expected);
    rows.push({ expected: raised ?? expected, actual: raised === undefined ? JSON.parse(text) : text });
    // The data is the text, and a refusal says that it is one.
    rows.push({ expected: raised === undefined ? expected : undefined, actual: data });
    rows.push({ expected: raised !== undefined || isRefusal(expected), actual: isError });
  }
  rows.push({ expected: injection, actual: hermes.digest?.(await session.list()) ?? null });
  return mismatches(rows);
};

function raisedText(expected: unknown): string | undefined {
  const { __raises__: kind, __message__: message } = isObject(expected) ? expected : ({} as JsonObject);
  return kind === undefined ? undefined : `Error executing tool '${TOOL}': ${message}`;
}

function isRefusal(expected: unknown): boolean {
  return isObject(expected) && "error" in expected;
}

/** The list that a history restores, in the edition that pairs calls and answers, and what the newer one takes from it. */
export const hermesRestore: Check = async (testCase) => {
  const history = Array.isArray(testCase.history) ? testCase.history : [];
  const older = listInHistory(history, "2026-08");
  const rows: Row[] = [{ expected: testCase.restored_2026_08, actual: older ? itemsInHistory(older, "2026-08") : [] }];
  if ("snapshot_2026_09" in testCase) {
    const newer = listInHistory(history, "2026-09");
    const snapshot = newer ? { todos: newer.todos.map(plain), revision: Number(newer.revision) } : null;
    rows.push({ expected: testCase.snapshot_2026_09, actual: snapshot });
  }
  return mismatches(rows);
};

/** As JSON.parse would have it. */
function plain(value: PythonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (isList(value)) return value.map(plain);
  return isDict(value) ? Object.fromEntries([...value].map(([key, item]) => [key, plain(item)])) : value;
}
