import { isObject } from "../../src/core/json.js";
import { nexo } from "../../src/dialects/nexo/nexo.js";
import { type Check, mismatches, openSession, pairs, type Row, sortKeys } from "./case.js";

/** Calls are the arguments alone; `stored` is the list after each of them. */
export const nexoTodo: Check = async ({ calls, expect }) => {
  const session = await openSession("nexo");
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    if (call === undefined) rows.push({ expected, actual: undefined });
    else {
      const { text, isError, data } = await session.call({ tool: "TodoWrite", arguments: JSON.stringify(call) });
      const told = isError && isObject(data) ? { error: data.error } : { response: data };
      const stored = nexo.show(await session.list());
      rows.push({ expected: withText(expected), actual: { ok: !isError, ...told, stored, text } });
    }
  }
  return mismatches(rows);
};

/** What the model reads follows from the rest: JSON with its keys in order, or the error behind one word. */
function withText(expected: unknown): unknown {
  if (!isObject(expected)) return expected;
  const text = expected.ok === true ? JSON.stringify(sortKeys(expected.response)) : `error: ${expected.error}`;
  return { ...expected, text };
}
