import { isObject, type JsonObject } from "../../src/core/json.js";
import { EMPTY_LIST, statusAt, type Todo, type TodoList } from "../../src/core/todo/list.js";
import type { Answer, Dialect } from "../../src/dialects/dialect.js";
import { gencode } from "../../src/dialects/gencode/gencode.js";
import { gencodeNode } from "../../src/dialects/gencode/gencode-node.js";
import { plain } from "../../src/dialects/styled-line.js";
import { type Case, type Check, mismatches, openSession, pairs, type Row } from "./case.js";

const VARIANTS: Readonly<Record<string, Dialect>> = {
  "node-0.5": gencodeNode,
  proposal: gencode,
};

/** Calls are the arguments alone; the variant `node-0.5-ui` is about what a person sees after them. */
export const gencodeTodo: Check = async (testCase) => {
  return testCase.variant === "node-0.5-ui" ? drawn(testCase) : told(testCase);
};

async function told({ variant, calls, expect }: Case) {
  const dialect = VARIANTS[String(variant)];
  if (!dialect) throw new Error(`unknown variant ${JSON.stringify(variant)}`);
  const session = await openSession(dialect.name);
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    if (call === undefined || !isObject(expected)) rows.push({ expected, actual: undefined });
    else {
      const answer = await session.call({ tool: "TodoWrite", arguments: JSON.stringify(call) });
      const list = await session.list();
      const stored = "stored" in expected ? { stored: dialect.show(list) } : undefined;
      rows.push({ expected, actual: { ok: !answer.isError, ...answered(answer, expected), ...stored } });
    }
  }
  return mismatches(rows);
}

/**
 * The original's component is given a list, whatever it is: also one with two todos in progress, which its tool would
 * have refused.
 */
function drawn({ calls, expect }: Case) {
  const rows = pairs(calls, expect).map(({ call, expected }): Row => {
    if (call === undefined || !isObject(expected)) return { expected, actual: undefined };
    const list = listOf(call);
    const text = gencodeNode.panel?.(list).map(plain).join("\n");
    const stored = "stored" in expected ? { stored: gencodeNode.show(list) } : undefined;
    return { expected, actual: { ok: true, text, ...stored } };
  });
  return mismatches(rows);
}

function listOf(call: unknown): TodoList {
  const given = isObject(call) && Array.isArray(call.todos) ? call.todos.filter(isObject) : [];
  const todos = given.map(({ content, status = "pending", activeForm }, index): Todo => {
    const known = statusAt(status);
    if (!known) throw new Error(`unknown status ${JSON.stringify(status)}`);
    const todo = { number: index + 1, text: String(content), status: known, notes: [], evidence: [] };
    return activeForm === undefined ? todo : { ...todo, activeForm: String(activeForm) };
  });
  return { ...EMPTY_LIST, phases: [{ name: "", todos }] };
}

/** Where a part of an error is given, that part is enough: the rest is the words of a library. */
function answered({ text, isError }: Answer, { error, errorContains: part }: JsonObject): object {
  if (!isError) return { text };
  if (typeof part !== "string" || part === "" || !text.includes(part)) return { error: text };
  return { errorContains: part, ...(error === undefined ? undefined : { error }) };
}
