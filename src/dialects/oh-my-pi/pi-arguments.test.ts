import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { sized } from "../../../test/sizes.js";
import { readPiArguments } from "./pi-arguments.js";

const read = (value: unknown) => readPiArguments("todo_write", { value });
const readText = (text: string) => readPiArguments("todo_write", { text });
const RM = { ops: [{ op: "rm" }] };
const refusal = (issues: readonly string[], received: unknown) =>
  `Validation failed for tool "todo_write":\n${issues.map((issue) => `  - ${issue}\n`).join("")}\nReceived arguments:\n${JSON.stringify(received, null, 2)}`;

describe("repaired", () => {
  const list = [{ phase: "P", items: ["a"] }];
  const nested = (levels: number) => {
    const items = levels > 5 ? JSON.stringify(["a"]) : ["a"];
    const entry = levels > 4 ? JSON.stringify({ phase: "P", items }) : { phase: "P", items };
    const phases = levels > 3 ? JSON.stringify([entry]) : [entry];
    const op = levels > 2 ? JSON.stringify({ op: "init", list: phases }) : { op: "init", list: phases };
    const ops = levels > 1 ? JSON.stringify([op]) : [op];
    return levels > 0 ? JSON.stringify({ ops }) : { ops };
  };

  test.each<{ name: string; value: unknown; then: unknown }>([
    { name: "null in an optional field", value: { ops: [{ op: "rm", task: null, phase: null }] }, then: RM },
    { name: '"null" in an optional field', value: { ops: [{ op: "rm", task: "null", list: "null" }] }, then: RM },
    { name: '" null" in the place of a list', value: { ops: [{ op: "rm", items: " null" }] }, then: RM },
    {
      name: "NULL is a text",
      value: { ops: [{ op: "rm", task: "NULL" }] },
      then: { ops: [{ op: "rm", task: "NULL" }] },
    },
    { name: "null behind a text", value: { ops: '[{"op":"rm","task":null}]' }, then: RM },
    { name: "unknown keys of an operation", value: { ops: [{ op: "rm", id: 1, why: null }] }, then: RM },
    {
      name: "unknown keys of a list entry",
      value: { ops: [{ op: "init", list: [{ ...list[0], id: null, x: {} }] }] },
      then: { ops: [{ op: "init", list }] },
    },
    {
      name: "unknown keys at the root stay",
      value: { ...RM, a: null, b: "null" },
      then: { ...RM, a: null, b: "null" },
    },
    { name: "the whole as a text", value: JSON.stringify(RM), then: RM },
    { name: "blanks around", value: { ops: ' \n[{"op":"rm"}]\t' }, then: RM },
    { name: "something behind", value: { ops: '[{"op":"rm"}]]}' }, then: RM },
    {
      name: "brackets in strings",
      value: { ops: '[{"op":"rm","task":"]\\"]"}] x' },
      then: { ops: [{ op: "rm", task: ']"]' }] },
    },
    { name: "a bracket too many inside", value: { ops: '[{"op":"rm"}}]' }, then: RM },
    { name: "a wrong bracket at the end", value: { ops: '[{"op":"rm"}}' }, then: RM },
    { name: "a comma too many", value: { ops: '[{"op":"rm"},]' }, then: RM },
    {
      name: "raw line breaks in strings",
      value: { ops: '[{"op":"rm","task":"a\n\tb\u0001"}]' },
      then: { ops: [{ op: "rm", task: "a\n\tb\u0001" }] },
    },
    {
      name: "and something behind them",
      value: { ops: '[{"op":"rm","task":"a\nb"}] x' },
      then: { ops: [{ op: "rm", task: "a\nb" }] },
    },
    { name: "spelled line breaks between values", value: { ops: '[{"op":"rm"}\\n]' }, then: RM },
    { name: "five texts in texts", value: nested(5), then: { ops: [{ op: "init", list }] } },
    {
      name: "a text in a text that is a list in the place of one",
      value: { ops: [{ op: "append", items: '["a"]' }] },
      then: { ops: [{ op: "append", items: ["a"] }] },
    },
    {
      name: "a text where a text is wanted stays",
      value: { ops: [{ op: "rm", task: '["a"]' }] },
      then: { ops: [{ op: "rm", task: '["a"]' }] },
    },
  ])("$name", ({ value, then }) => {
    expect(read(value)).toEqual({ ok: true, value: then });
  });

  test("a sixth text in a text is one too many", () => {
    expect(read(nested(6))).toMatchObject({
      error: expect.stringContaining("ops/0/list/0/items: Invalid input: expected array, received string"),
    });
  });
});

describe("refused", () => {
  const OPTION = 'Invalid option: expected one of "init"|"start"|"done"|"rm"|"drop"|"append"|"note"';
  const array = (kind: string) => `Invalid input: expected array, received ${kind}`;

  test.each<{ value: unknown; issues: string[]; normalized?: unknown }>([
    { value: [], issues: ["root: Invalid input: expected object, received array"] },
    { value: "x", issues: ["root: Invalid input: expected object, received string"] },
    { value: null, issues: ["root: Invalid input: expected object, received null"] },
    {
      value: { ops: "" },
      issues: [`ops: ${array("string")}`, "ops: Too small: expected string to have >=1 characters"],
    },
    {
      value: { ops: { length: 0 } },
      issues: [`ops: ${array("object")}`, "ops: Too small: expected unknown to be >=1"],
    },
    { value: { ops: "null" }, issues: [`ops: ${array("null")}`], normalized: { ops: null } },
    { value: { ops: "[]" }, issues: ["ops: Too small: expected array to have >=1 items"], normalized: { ops: [] } },
    { value: { ops: '{"op":"rm"}' }, issues: [`ops: ${array("string")}`] },
    {
      value: { ops: ["null"] },
      issues: ["ops/0: Invalid input: expected object, received null"],
      normalized: { ops: [null] },
    },
    { value: { ops: [{ op: "null" }] }, issues: [`ops/0/op: ${OPTION}`] },
    { value: { ops: [{ op: "x", id: 1 }] }, issues: [`ops/0/op: ${OPTION}`] },
    { value: { ops: [{ op: "x", id: null }] }, issues: [`ops/0/op: ${OPTION}`], normalized: { ops: [{ op: "x" }] } },
    {
      value: { ops: [{ op: "x", task: "null" }], a: null },
      issues: [`ops/0/op: ${OPTION}`],
      normalized: { ops: [{ op: "x" }], a: null },
    },
    {
      value: { ops: [{ op: "init", list: [{ phase: null, items: "null" }] }] },
      issues: [
        "ops/0/list/0/phase: Invalid input: expected string, received null",
        `ops/0/list/0/items: ${array("null")}`,
      ],
      normalized: { ops: [{ op: "init", list: [{ phase: null, items: null }] }] },
    },
    {
      value: { ops: [{ op: "init", list: ["P"] }] },
      issues: ["ops/0/list/0: Invalid input: expected object, received string"],
    },
    {
      value: { ops: [{ op: "rm", task: true, text: {} }] },
      issues: [
        "ops/0/task: Invalid input: expected string, received boolean",
        "ops/0/text: Invalid input: expected string, received object",
      ],
    },
    // Two wrong brackets are one too many.
    { value: { ops: '[{"op":"init","list":[}]]' }, issues: [`ops: ${array("string")}`] },
    { value: { ops: "[ not json" }, issues: [`ops: ${array("string")}`] },
    { value: { ops: '[{"op":"rm"' }, issues: [`ops: ${array("string")}`] },
  ])("$value", ({ value, issues, normalized }) => {
    const received = normalized === undefined ? value : { original: value, normalized };
    expect(read(value)).toEqual({ ok: false, error: refusal(issues, received) });
  });

  test("too many complaints are cut and not repaired, and depth is no danger", () => {
    const many = read({ ops: [{ op: "append", items: new Array(200_000).fill(1) }] });
    expect(many.ok ? 0 : many.error.split("expected string, received number").length).toBe(1_001);
    expect(read({ ops: new Array(100_000).fill('{"op":"rm"}') })).toMatchObject({ ok: false });
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(read({ ops: [{ op: deep }] })).toMatchObject({ ok: false });
  });
});

describe("arguments as text", () => {
  test.each(['{"ops":[{"op":"rm"}]}', '{"ops":[{"op":"rm"}]} and more', '"{\\"ops\\":[{\\"op\\":\\"rm\\"}]}"'])(
    "%s",
    (text) => {
      expect(readText(text)).toEqual({ ok: true, value: RM });
    },
  );

  test.each(["", " ", "rm", '{"ops":[{"op":"rm"'])("%j is a call without arguments", (text) => {
    expect(readText(text)).toEqual(read({}));
  });
});

test("our complaints are zod's own, whatever the arguments are", () => {
  const texts = z.array(z.string()).min(1);
  const op = z.object({
    op: z.enum(["init", "start", "done", "rm", "drop", "append", "note"]),
    list: z.array(z.object({ phase: z.string(), items: texts })).optional(),
    task: z.string().optional(),
    phase: z.string().optional(),
    items: texts.optional(),
    text: z.string().optional(),
  });
  const schema = z.object({ ops: z.array(op).min(1) });
  // No nulls and no JSON in texts: those are repaired before anything is complained about.
  const value = fc.oneof(
    fc.constantFrom("", "x", 0, true, "rm", [], {}, ["x"], [1], { length: 0 }),
    fc.string({ unit: fc.constantFrom("a", " ") }),
  );
  const entry = fc.record({ phase: value, items: value }, { requiredKeys: [] });
  const ops = fc.record(
    {
      op: fc.oneof(fc.constant("rm"), value),
      list: fc.oneof(fc.array(fc.oneof(entry, value)), value),
      task: value,
      items: value,
      text: value,
    },
    { requiredKeys: [] },
  );
  const input = fc.record({ ops: fc.oneof(fc.array(fc.oneof(ops, value)), value), more: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: input }, value), (sent) => {
      const parsed = schema.safeParse(sent);
      const issues = parsed.error?.issues.map(({ path, message }) => `${path.join("/") || "root"}: ${message}`) ?? [];
      const expected = parsed.success
        ? { ok: true, value: { ...(sent as object), ...parsed.data } }
        : { ok: false, error: refusal(issues, sent) };
      expect(read(sent)).toEqual(expected);
    }),
    { numRuns: sized(750, 15_000) },
  );
});
