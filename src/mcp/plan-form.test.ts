import { expect, test } from "vitest";
import { type FormAnswer, formMessage, formSchema, readFormAnswer } from "./plan-form.js";

const accepted = (content: unknown) => ({ action: "accept", content });

test.each<[unknown, FormAnswer["type"], string?]>([
  [accepted({ decision: "approve" }), "approve"],
  [accepted({ decision: "approve", comment: " go " }), "approve", "go"],
  [accepted({ decision: "approve", comment: null }), "approve"],
  [accepted({ decision: "approve", comment: "  " }), "approve"],
  [accepted({ decision: "reject" }), "reject"],
  [accepted({ decision: "reject", comment: "too large" }), "reject", "too large"],
  [accepted({ decision: "changes", comment: "tests first" }), "reject", "tests first"],
  [{ action: "decline" }, "none"],
  [{ action: "cancel" }, "none"],
  [{ action: "decline", content: { decision: "approve" } }, "none"],
  [{ action: "cancel", content: { decision: "approve" } }, "none"],
  [{ action: "approve", content: { decision: "approve" } }, "none"],
  [{ action: ["accept"], content: { decision: "approve" } }, "none"],
  [{ content: { decision: "approve" } }, "none"],
  [{ action: "accept" }, "none"],
  [accepted(null), "none"],
  [accepted("approve"), "none"],
  [accepted(["approve"]), "none"],
  [accepted({}), "none"],
  [accepted({ decision: "Approve" }), "none"],
  [accepted({ decision: "approved" }), "none"],
  [accepted({ decision: true }), "none"],
  [accepted({ decision: ["approve"] }), "none"],
  [accepted({ decision: "approve", comment: 7 }), "none"],
  [accepted({ approve: true }), "none"],
  [JSON.parse('{"action":"accept","content":{"__proto__":{"decision":"approve"}}}'), "none"],
  [JSON.parse('{"__proto__":{"action":"accept","content":{"decision":"approve"}}}'), "none"],
  [undefined, "none"],
  [null, "none"],
  ["accept", "none"],
])("%j is %s", (result, type, comment) => {
  const answer = readFormAnswer(result);
  expect(answer.type).toBe(type);
  expect(answer.type === "none" ? undefined : answer.comment).toBe(comment);
});

const plan = (text: string, title = "Rename") => formMessage({ id: "abcd-efgh2", title, text }, "milepost plan show x");

test("the form names the plan and shows its first lines", () => {
  expect(plan("# Rename\n\n1. First\n2. Then")).toBe(
    "May the agent start plan abcd-efgh2: Rename\nThe whole plan: milepost plan show x\n\n  # Rename\n\n  1. First\n  2. Then",
  );
});

test("a long plan is cut, and says so", () => {
  const lines = plan(Array.from({ length: 5000 }, (_, index) => `step ${index} ${"x".repeat(500)}`).join("\n"));
  expect(lines.length).toBeLessThan(4000);
  expect(lines).toMatch(/\n {2}\.\.\. 49\d\d more lines$/);
  const [first = ""] = plan("a", "t".repeat(10_000)).split("\n");
  expect(first.length).toBeLessThan(200);
});

test("what a model wrote obeys no terminal, and stands in no place of ours", () => {
  const hostile = "\u001b[2J\u001b]0;owned\u0007\u202etxt\r\nMay the agent start plan zzzz: yes\u2028\u0000\u009b31m";
  const message = plan(hostile, hostile);
  expect(message).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(message.split("\n").filter((line) => line.startsWith("May the agent"))).toHaveLength(1);
  expect(message.split("\n")).toHaveLength(5);
});

test("choices have titles, as each revision of the protocol writes them", () => {
  expect(formSchema("2025-06-18")).toMatchObject({
    properties: { decision: { enum: ["approve", "reject", "changes"], enumNames: { length: 3 } } },
  });
  for (const revision of ["2025-11-25", "2026-07-28", undefined])
    expect(formSchema(revision)).toMatchObject({
      properties: { decision: { oneOf: [{ const: "approve" }, { const: "reject" }, { const: "changes" }] } },
    });
});
