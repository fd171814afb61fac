import { isObject, type JsonObject } from "../../src/core/json.js";
import type { Answer, Dialect } from "../../src/dialects/dialect.js";
import { gencode } from "../../src/dialects/gencode/gencode.js";
import { gencodeNode } from "../../src/dialects/gencode/gencode-node.js";
import { type Check, mismatches, openSession, pairs, type Row } from "./case.js";

const VARIANTS: Readonly<Record<string, Dialect>> = {
  "node-0.5": gencodeNode,
  "node-0.5-ui": gencodeNode,
  proposal: gencode,
};

/** Calls are the arguments alone; the variant `node-0.5-ui` is about what a person sees after them. */
export const gencodeTodo: Check = async ({ variant, calls, expect }) => {
  const dialect = VARIANTS[String(variant)];
  if (!dialect) throw new Error(`unknown variant ${JSON.stringify(variant)}`);
  const session = await openSession(dialect.name);
  const rows: Row[] = [];
  for (const { call, expected } of pairs(calls, expect)) {
    if (call === undefined || !isObject(expected)) rows.push({ expected, actual: undefined });
    else {
      const answer = await session.call({ tool: "TodoWrite", arguments: JSON.stringify(call) });
      const list = await session.list();
      const panel = variant === "node-0.5-ui" ? { text: dialect.panel?.(list).join("\n") } : undefined;
      const stored = "stored" in expected ? { stored: dialect.show(list) } : undefined;
      rows.push({ expected, actual: { ok: !answer.isError, ...told(answer, expected), ...panel, ...stored } });
    }
  }
  return mismatches(rows);
};

/** Where a part of an error is given, that part is enough: the rest is the words of a library. */
function told({ text, isError }: Answer, { error, errorContains: part }: JsonObject): object {
  if (!isError) return { text };
  if (typeof part !== "string" || part === "" || !text.includes(part)) return { error: text };
  return { errorContains: part, ...(error === undefined ? undefined : { error }) };
}
