import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";

// What differs when a hook or server of our plugin reports: the tool's name, and who allows it.

const TODO = "mcp__plugin_milepost_milepost__todo";
const root = mkdtempSync(join(tmpdir(), "milepost-plugin-"));
const other = mkdtempSync(join(tmpdir(), "milepost-other-"));
writeFileSync(join(root, "milepost.cjs"), "");
afterAll(() => {
  for (const folder of [root, other]) rmSync(folder, { recursive: true });
});

const OURS = { CLAUDE_PLUGIN_ROOT: root };
const decision = async (event: string, tool: string, environment: Record<string, string>, more: object = {}) => {
  const { hook } = await client(undefined, environment);
  const said = await hook(event, { tool_name: tool, tool_use_id: "t1", tool_input: {}, ...more });
  return said === "" ? undefined : JSON.parse(said).hookSpecificOutput.permissionDecision;
};

describe("a call of our own list is allowed by our own hook", () => {
  test.each([
    ["our todo", "PreToolUse", TODO, OURS, {}, "allow"],
    ["our task", "PreToolUse", "mcp__plugin_milepost_milepost__task", OURS, {}, "allow"],
    ["a sub-agent's", "PreToolUse", TODO, OURS, { agent_id: "a1" }, "allow"],
    ["the hook tool", "PreToolUse", "mcp__plugin_milepost_milepost__hook", OURS, {}, undefined],
    ["setup's server", "PreToolUse", "mcp__milepost__todo", OURS, {}, undefined],
    ["a name like ours", "PreToolUse", `${TODO}_all`, OURS, {}, undefined],
    ["another plugin's", "PreToolUse", "mcp__plugin_other_milepost__todo", OURS, {}, undefined],
    ["the shell", "PreToolUse", "Bash", OURS, {}, undefined],
    ["no plugin", "PreToolUse", TODO, {}, {}, undefined],
    ["another plugin's hook", "PreToolUse", TODO, { CLAUDE_PLUGIN_ROOT: other }, {}, undefined],
    ["Codex, which asks for none", "PreToolUse", TODO, OURS, { turn_id: "1" }, undefined],
    ["another moment", "PostToolUse", TODO, OURS, {}, undefined],
  ] as const)("%s", async (_name, event, tool, environment, more, expected) => {
    expect(await decision(event, tool, environment, more)).toBe(expected);
  });
});

test("texts name the tool as the plugin's model calls it, and no start says how to find it", async () => {
  const { said, bash } = await client(undefined, OURS);
  expect(await said("SessionStart", { source: "startup" })).toBe("");
  let reminder = "";
  for (let call = 0; call < 30 && reminder === ""; call++) reminder = await bash();
  expect(reminder).toContain(TODO);
});

test("what the list tool of the plugin does is no work", async () => {
  const { said, events } = await client(undefined, OURS);
  await said("PostToolUse", { tool_name: TODO, tool_use_id: "t1", tool_input: { add: ["a"] } });
  await said("PostToolBatch", { tool_calls: [{ tool_name: TODO, tool_use_id: "t1", tool_response: "ok" }] });
  expect(await events("reply.ended")).toEqual([]);
});
