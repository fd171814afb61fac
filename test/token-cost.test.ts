import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  claudeCodeTokens,
  codexTokens,
  definitionTokens,
  eightWordSteps,
  exponent,
  planCost,
} from "../bench/token-cost.js";
import { GUIDANCE } from "../src/core/text/guidance-text.js";
import { milepost } from "../src/dialects/milepost/todo-tool.js";

// Tokens are no timings: they are the same on every machine, so the bench's goals are tests too.
test("a plan of 20 eight-word steps stays within its token budget", () => {
  const steps = eightWordSteps(20);
  expect(steps.every((step) => step.split(" ").length === 8)).toBe(true);
  const cost = planCost(steps);
  expect(cost.calls).toBe(21);
  expect(cost.written).toBeLessThanOrEqual(700);
  expect(cost.read).toBeLessThanOrEqual(550);
  expect(definitionTokens()).toBeLessThanOrEqual(215);
});

test("definition and instructions take at most 350 tokens in every request, as either client sends them", () => {
  for (const count of [claudeCodeTokens, codexTokens]) expect(count(milepost.tools, GUIDANCE)).toBeLessThanOrEqual(350);
});

test("the documents name the figures there are", () => {
  const [claude, codex] = [claudeCodeTokens, codexTokens].map((count) => count(milepost.tools, GUIDANCE));
  const { written, read, definition } = planCost(eightWordSteps(20));
  const inContext = (written + read + definition).toLocaleString("en");
  const text = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), "utf8");
  expect(text("README.md")).toContain(`The tool takes ${claude} tokens of each request`);
  expect(text("README.md")).toContain(`| \`todo\` (Milepost) | ${written} | ${inContext} |`);
  expect(text("docs/mcp.md")).toContain(`${claude} in Claude Code, ${codex} in Codex`);
});

test("cost grows with the number of steps, not with its square", () => {
  const small = planCost(eightWordSteps(10));
  const large = planCost(eightWordSteps(50));
  expect(exponent(small, large, ({ written }) => written)).toBeLessThanOrEqual(1.05);
  expect(exponent(small, large, ({ read }) => read)).toBeLessThanOrEqual(1.05);
});
