import { isObject, type JsonObject } from "../../src/dialects/dialect.js";
import { hermes } from "../../src/dialects/hermes.js";
import { type Check, mismatches, openSession, pairs, type Row } from "./case.js";

const TOOL = "todo_list";

/** What each call answered, and then what a compaction would put before the model. */
export const hermesTodo: Check = async ({ calls, expect, injection }) => {
  const session = await openSession(hermes.name);
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    const { text, isError, data } = await session.call({ tool: TOOL, input: call });
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
