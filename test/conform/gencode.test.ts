import { expect, test } from "vitest";
import { gencodeTodo } from "./gencode.js";

const item = (content: string, status: string) => ({ content, status, activeForm: `Doing ${content}` });
const TWO_ACTIVE = [item("A", "in_progress"), item("B", "in_progress"), item("C", "completed")];

const run = (variant: string, expected: object) =>
  gencodeTodo({ name: "two active", variant, calls: [{ todos: TWO_ACTIVE }], expect: [expected] }, "");

test("two todos in progress are drawn, though the tool itself refuses them", async () => {
  const text = "\n  ▸ Doing A (1/3)\n   ▸ A\n   ▸ B\n   ✓ C";
  expect(await run("node-0.5-ui", { ok: true, text })).toEqual([]);
  const error = "Only one task should be in_progress at a time. Found 2 tasks in progress.";
  expect(await run("node-0.5", { ok: false, error })).toEqual([]);
});

test("a drawing that differs is a mismatch, and so is a status that nobody knows", async () => {
  expect(await run("node-0.5-ui", { ok: true, text: "\n  Tasks 1/3" })).toHaveLength(1);
  const odd = { name: "odd", variant: "node-0.5-ui", calls: [{ todos: [item("A", "done")] }], expect: [{ ok: true }] };
  await expect(gencodeTodo(odd, "")).rejects.toThrow("unknown status");
});
