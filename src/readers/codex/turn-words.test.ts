import { expect, test } from "vitest";
import { isQuestion } from "../../core/session/session-state.js";
import { toolOf } from "./call-records.js";
import { isClearlyPersons, isInjected } from "./turn-words.js";

test.each([
  ["Shall I go on?", true],
  ["Shall I go on?  \n", true],
  ["**Shall I go on?**", true],
  ['Is it "this one?"', true],
  ["(Is it `x?`)", true],
  ["続けますか？", true],
  ["Why? Because.", false],
  ["", false],
  ["?".repeat(100_000), true],
  [`a?${" ".repeat(100_000)}`, true],
  [`a?${"*".repeat(100_000)}`, false],
])("a question: %#", (text, expected) => {
  expect(isQuestion(text)).toBe(expected);
});

test.each([
  ["Fix it.", false, true],
  ["<environment_context>\n", true, false],
  ["# AGENTS.md instructions", true, false],
  ["<subagent_notification>\n{}", true, false],
  ['<hook_prompt hook_run_id="1">go on</hook_prompt>', true, false],
  ["<div> is not closed", false, false],
  ["<3 this", false, true],
])("%j: written by the client %s, clearly a person's %s", (text, injected, clear) => {
  expect([isInjected(text), isClearlyPersons(text)]).toEqual([injected, clear]);
});

test.each([
  ["note_put", "mcp__tiny", "note_put", "tiny"],
  ["note_put", "mcp__tiny__", "note_put", "tiny"],
  ["mcp__tiny__note_put", undefined, "note_put", "tiny"],
  ["spawn_agent", "multi_agent_v1", "spawn_agent", undefined],
  ["update_plan", null, "update_plan", undefined],
  [7, 7, "unknown", undefined],
])("the tool %j in %j", (name, namespace, tool, server) => {
  expect(toolOf(name, namespace)).toEqual({ tool, server });
});
