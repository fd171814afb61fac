import { describe, expect, test } from "vitest";
import { askOf, permissionFor } from "./asked-text.js";

const SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const question = (options: unknown, more: readonly unknown[] = []) => ({
  questions: [{ question: "Which?", options }, ...more],
});
const label = (text: unknown) => ({ label: text, description: "why" });

describe("the answers that a question offers", () => {
  const rows: readonly (readonly [string, string, object, readonly string[] | undefined])[] = [
    ["labels", "AskUserQuestion", question([label("Keep"), label("Drop")]), ["Keep", "Drop"]],
    ["Codex", "request_user_input", question([label("Keep")]), ["Keep"]],
    ["oh-my-pi", "ask", question([label("Keep")]), ["Keep"]],
    ["texts", "clarify", { question: "Which?", choices: ["Keep", "Drop"] }, ["Keep", "Drop"]],
    ["the first question's", "AskUserQuestion", question([label("a")], [{ options: [label("b")] }]), ["a"]],
    ["none", "AskUserQuestion", question([]), undefined],
    ["no list", "AskUserQuestion", question({ 0: label("a") }), undefined],
    ["what is no label", "AskUserQuestion", question([7, null, {}, label(7), label(""), [], label("a")]), ["a"]],
    ["one line each", "AskUserQuestion", question([label("a\nb\t c")]), ["a b c"]],
    ["nine at most", "AskUserQuestion", question("123456789ab".split("").map(label)), "123456789".split("")],
    ["a plan has none", "ExitPlanMode", { plan: "P", options: [label("a")] }, undefined],
    ["a permission has none", "Bash", { command: "ls", options: [label("a")] }, undefined],
    ["questions that are none", "AskUserQuestion", { questions: [null] }, undefined],
  ];
  test.each(rows)("%s", (_, tool, input, then) => {
    expect(permissionFor(tool, input).choices).toEqual(then);
  });

  test("at most 100 characters, and no secret", () => {
    const [long, secret] = askOf("ask", question([label("x".repeat(5000)), label(`use ${SECRET}`)]))?.choices ?? [];
    expect(long).toHaveLength(100);
    expect(secret).toMatch(/^use /);
    expect(secret).not.toContain(SECRET);
  });
});
