import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endFacts, type RawCall, type RawEnd, startFacts } from "../core/call/facts-of-call.js";
import { factsAtEnd, holdCall } from "./held-call.js";

const DONE: RawEnd = { status: "completed", output: "ok" };
const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const PATCH = `*** Begin Patch\n*** Update File: src/a.ts\n@@\n context\n-old ${SECRET}\n+new one\n+new two\n*** End Patch`;

/** As it comes back from a store. */
const kept = (call: RawCall) => JSON.parse(JSON.stringify(holdCall(call)));

describe("what is held tells the same at the end as the call itself", () => {
  const rows: readonly (readonly [string, RawCall, RawEnd])[] = [
    ["an edit", { tool: "Edit", input: { file_path: "a.ts", old_string: "a\nb\nc", new_string: "a\nx\ny\nc" } }, DONE],
    ["a file that is written", { tool: "Write", input: { file_path: "a.ts", content: "one\ntwo\nthree\n" } }, DONE],
    ["several edits", { tool: "MultiEdit", input: { edits: [{ old_string: "a", new_string: "bb\ncc" }] } }, DONE],
    ["a patch as text", { tool: "apply_patch", input: PATCH }, DONE],
    ["a patch in a field", { tool: "apply_patch", input: { patch: PATCH } }, DONE],
    ["a patch in a command", { tool: "shell", input: { command: ["apply_patch", PATCH] } }, DONE],
    ["a check", { tool: "Bash", input: { command: "npm test" } }, { status: "completed", output: "ok", exit: 0 }],
    ["a check in words", { tool: "shell", input: { command: ["bash", "-lc", "npm test"] } }, { ...DONE, exit: 1 }],
    ["a check whose end is lost", { tool: "Bash", input: { command: "npm test | tail" } }, { ...DONE, exit: 0 }],
    [
      "a command on the network",
      { tool: "exec_command", input: { cmd: "git push" } },
      { status: "failed", error: "fatal: Could not resolve host: example.org" },
    ],
    ["no such tool", { tool: "Bsh", input: {} }, { status: "failed", error: "No such tool available: Bsh" }],
  ];
  test.each(rows)("%s", (_, call, end) => {
    const expected = endFacts(call, startFacts(call), end);
    expect(factsAtEnd(kept(call), end)).toEqual(expected);
    expect(Object.keys(expected)).not.toEqual([]);
  });
});

test.each([
  ["a change", { tool: "Write", input: { file_path: "a", content: `x\n${SECRET}\n` } }],
  ["a patch", { tool: "apply_patch", input: PATCH }],
  ["a command", { tool: "Bash", input: { command: `curl -H "Authorization: Bearer ${SECRET}" x` } }],
  ["anything else", { tool: "Agent", input: { prompt: SECRET } }],
])("no secret is held: %s", (_, call) => {
  expect(JSON.stringify(kept(call))).not.toContain(SECRET);
});

test("of a list nothing is held, and nothing is told of its answer", () => {
  const held = kept({ tool: "TodoWrite", input: { todos: [{ content: "Fix it" }] } });
  expect(held.start).toEqual({ kind: "other", signature: "", isList: true });
  expect(JSON.stringify(held)).not.toContain("Fix it");
  expect(factsAtEnd(held, DONE)).toEqual({});
});

test("it stays small, and survives a store, whatever is asked", () => {
  const tool = fc.constantFrom("Write", "Bash", "apply_patch", "Read", "x");
  fc.assert(
    fc.property(tool, fc.jsonValue({ maxDepth: 6 }), (name, input) => {
      const held = holdCall({ tool: name, input });
      expect(JSON.parse(JSON.stringify(held))).toEqual(held);
    }),
    { numRuns: 50 },
  );
  const many = { file_path: "a", content: "line of a file\n".repeat(100_000) };
  expect(JSON.stringify(kept({ tool: "Write", input: many })).length).toBeLessThan(1000);
  const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`field${at}`, "line\n".repeat(30)]));
  expect(JSON.stringify(kept({ tool: "Write", input: wide })).length).toBeLessThan(30_000);
  expect(JSON.stringify(kept({ tool: "Bash", input: { command: "x ".repeat(100_000) } })).length).toBeLessThan(5000);
});
