import { describe, expect, test } from "vitest";
import { todo, validation } from "./oh-my-pi.js";

// A check that accepts everything would pass every vector: each field that counts is made wrong once.
describe("oh-my-pi/todo notices", () => {
  const phases = [{ name: "P", tasks: [{ content: "a", status: "completed" }] }];
  const text = 'Remaining items: none.\nPhase 1/1 "P" — 1/1 tasks complete\n  P:\n    ✓ a';
  const right = { text, isError: false, phases, completedTasks: [{ phase: "P", content: "a" }], storage: "memory" };
  const initial = [{ name: "P", tasks: [{ content: "a", status: "pending" }] }];
  const calls = [[{ op: "done", task: "a" }]];
  const run = (expect: unknown, more: object = {}) => todo({ name: "", initial, calls, expect, ...more }, "");

  test("nothing, where all is right", async () => {
    expect(await run([right])).toEqual([]);
    expect(await run([{ ...right, storage: "session" }], { sessionFile: "/s.jsonl" })).toEqual([]);
  });

  test.each<[name: string, expected: unknown[]]>([
    ["another text", [{ ...right, text: `${text} ` }]],
    ["another isError", [{ ...right, isError: true }]],
    ["other phases", [{ ...right, phases: [] }]],
    ["no completed tasks", [{ ...right, completedTasks: null }]],
    ["another storage", [{ ...right, storage: "session" }]],
    ["no expectation", []],
    ["one too many", [right, right]],
  ])("%s", async (_, expected) => {
    expect(await run(expected)).toHaveLength(1);
  });

  test("a call past the schema, and goes on with its list", async () => {
    const refused = { ...right, text: `Errors: Missing items for append operation\n${text}`, isError: true };
    const past = { ...refused, completedTasks: null, schemaValid: false };
    const append = [{ op: "append", phase: "P", items: [] }];
    const again = { ...right, completedTasks: null };
    expect(await run([right, past, again], { calls: [...calls, append, ...calls] })).toEqual([]);
    expect(await run([right, { ...past, schemaValid: true }], { calls: [...calls, append] })).toHaveLength(1);
  });
});

describe("oh-my-pi/validation notices", () => {
  const good = { name: "", arguments: { ops: '[{"op":"rm"}]' }, ok: true, normalised: { ops: [{ op: "rm" }] } };
  const text =
    'Validation failed for tool "todo_write":\n  - ops: Invalid input: expected array, received undefined\n\nReceived arguments:\n{}';
  const bad = { name: "", arguments: {}, ok: false, text };

  test.each([
    [good, 0],
    [bad, 0],
    [{ ...good, normalised: good.arguments }, 1],
    [{ ...good, ok: false, text }, 1],
    [{ ...bad, text: `${text}\n` }, 1],
    [{ ...bad, ok: true, normalised: {} }, 1],
  ])("%j: %i", async (one, count) => {
    expect(await validation(one, "")).toHaveLength(count);
  });
});
