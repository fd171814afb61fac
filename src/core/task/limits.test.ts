import { expect, test } from "vitest";
import type { NewTask } from "./command.js";
import { checkDetails, checkEdges, checkNew, checkNote } from "./limits.js";
import { FREE_POLICY, OUR_POLICY } from "./policy.js";
import { NO_TASK } from "./task.js";

const { limits } = OUR_POLICY;
const long = (length: number) => "x".repeat(length);

test.each<readonly [string, NewTask, string | undefined]>([
  ["a subject", { subject: "s" }, undefined],
  ["none", { subject: " \t" }, "empty-text"],
  ["the longest subject, in characters that people see", { subject: "🙂".repeat(4000) }, undefined],
  ["one more", { subject: long(4001) }, "text-too-long"],
  ["no description", { subject: "s", description: "" }, undefined],
  ["a whole document", { subject: "s", description: long(100_000) }, undefined],
  ["one more than a document", { subject: "s", description: long(100_001) }, "text-too-long"],
  ["a long active form", { subject: "s", activeForm: long(4001) }, "text-too-long"],
  ["50 labels", { subject: "s", labels: Array.from({ length: 50 }, String) }, undefined],
  ["51 labels", { subject: "s", labels: Array.from({ length: 51 }, String) }, "too-many"],
  ["an empty label", { subject: "s", labels: ["a", ""] }, "empty-text"],
  ["much metadata", { subject: "s", metadata: { a: long(15_990) } }, undefined],
  ["too much metadata", { subject: "s", metadata: { a: long(16_000) } }, "text-too-long"],
])("a new task with %s", (_, task, code) => {
  expect(checkNew(limits, task)?.code).toBe(code);
  expect(checkNew(FREE_POLICY.limits, task)).toBeUndefined();
});

test("an assignee has a name; to take one away needs none", () => {
  expect(checkDetails(limits, { assignee: " " })?.code).toBe("empty-text");
  expect(checkDetails(limits, { assignee: null, activeForm: null })).toBeUndefined();
});

test("a thousand notes, and a thousand pieces of evidence, each counted alone", () => {
  const many = Array.from({ length: 1000 }, () => ({ text: "n", at: 1 }));
  expect(checkNote(limits, { ...NO_TASK, notes: many }, "n")?.code).toBe("too-many");
  expect(checkNote(limits, { ...NO_TASK, notes: many }, "n", "evidence")).toBeUndefined();
  expect(checkNote(limits, { ...NO_TASK, evidence: many }, "n", "evidence")?.code).toBe("too-many");
  expect(checkNote(limits, NO_TASK, long(4001))?.code).toBe("text-too-long");
});

test("edges", () => {
  expect(checkEdges(limits, 1, 1000)).toBeUndefined();
  expect(checkEdges(limits, 1, 1001)).toMatchObject({ code: "too-many", message: expect.stringContaining("#1") });
});
