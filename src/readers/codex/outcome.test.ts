import { describe, expect, test } from "vitest";
import { answerOfItem, callOfItem, itemOfEvent } from "./items.js";
import { answerOfOutput } from "./outcome.js";
import { subagentsOf } from "./sub-agents.js";

const ran = (code: number, output = "") =>
  `Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code ${code}\nOutput:\n${output}`;

describe("what an answer says of its call", () => {
  test.each<[string, string, unknown, string, string | undefined]>([
    ["a written list", "update_plan", "Plan updated", "completed", undefined],
    ["a written list in parts", "update_plan", [{ type: "input_text", text: "Plan updated" }], "completed", undefined],
    ["a list that was refused", "update_plan", "update_plan is not allowed", "failed", "update_plan is not allowed"],
    ["a list with other words", "update_plan", "Plan updated.", "failed", "Plan updated."],
    ["exit 0", "exec_command", ran(0), "completed", undefined],
    ["exit 3", "exec_command", ran(3), "failed", "exit code 3"],
    [
      "exit of a shell command",
      "shell_command",
      "Exit code: 1\nWall time: 0 seconds\nOutput:\n",
      "failed",
      "exit code 1",
    ],
    ["a log of other commands", "exec_command", ran(0, "Process exited with code 1\n"), "completed", undefined],
    [
      "still running",
      "exec_command",
      "Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n",
      "completed",
      undefined,
    ],
    ["old JSON", "shell", JSON.stringify({ output: "x", metadata: { exit_code: 2 } }), "failed", "exit code 2"],
    ["old JSON, well", "shell", JSON.stringify({ output: "x", metadata: { exit_code: 0 } }), "completed", undefined],
    ["broken JSON", "shell", '{"output":', "completed", undefined],
    [
      "an unknown tool of another kind",
      "x",
      "unsupported custom tool call: x",
      "failed",
      "unsupported custom tool call: x",
    ],
    ["stopped by the person", "exec_command", "Wall time: 3.0 seconds\naborted by user", "cancelled", undefined],
    ["an unknown tool", "nope", "unsupported call: nope", "failed", "unsupported call: nope"],
    [
      "bad arguments",
      "exec_command",
      "failed to parse function arguments: x",
      "failed",
      "failed to parse function arguments: x",
    ],
    [
      "a script that failed",
      "exec",
      [{ text: "Script failed\nWall time 0.0 seconds" }],
      "failed",
      "Script failed Wall time 0.0 seconds",
    ],
    ["a script that was stopped", "exec", "Script terminated\n", "cancelled", undefined],
    ["a script that waits", "exec", "Script running with cell ID 4\n", "completed", undefined],
    ["another tool's words", "mcp__notes__read", "Script failed", "completed", undefined],
    ["aborted", "exec_command", "aborted by user after 1.2s", "cancelled", undefined],
    ["nothing", "exec_command", undefined, "completed", undefined],
    ["no success", "apply_patch", { content: "no", success: false }, "failed", "no"],
  ])("%s", (_, tool, output, status, problem) => {
    expect(answerOfOutput(tool, output).outcome).toEqual({ status, problem });
  });
});

describe("what an item says of its call", () => {
  test.each<[string, Record<string, unknown>, string, string | undefined]>([
    ["completed", { status: "completed", exit_code: 0 }, "completed", undefined],
    ["exit code", { status: "completed", exit_code: 1 }, "failed", "exit code 1"],
    ["the app-server's exit code", { status: "failed", exitCode: 1 }, "failed", "exit code 1"],
    ["declined", { status: "declined" }, "failed", "declined"],
    ["interrupted", { status: "interrupted" }, "cancelled", undefined],
    ["an error", { status: "failed", error: { message: "no" } }, "failed", "no"],
    ["an error in a word", { error: "no" }, "failed", "no"],
    ["no error", { status: "completed", error: null }, "completed", undefined],
    ["a result that is an error", { result: { isError: true, content: [{ text: "bad" }] } }, "failed", "bad"],
    ["no success", { success: false }, "failed", undefined],
    ["nothing", {}, "completed", undefined],
  ])("%s", (_, item, status, problem) => {
    expect(answerOfItem(item).outcome).toEqual({ status, problem });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["exec_command_end", { exit_code: 1 }, "failed"],
    ["patch_apply_end", { success: false }, "failed"],
    ["patch_apply_end", { success: true }, "completed"],
    ["mcp_tool_call_end", { result: { Err: "no" }, invocation: { server: "a", tool: "b" } }, "failed"],
    ["mcp_tool_call_end", { result: { Ok: { isError: true, content: [] } } }, "failed"],
    ["mcp_tool_call_end", { result: { Ok: { content: [] } } }, "completed"],
  ])("the older %s with %j", (type, fields, status) => {
    const item = itemOfEvent({ type, call_id: "c", ...fields });
    expect(item && [item.id, answerOfItem(item).outcome.status]).toEqual(["c", status]);
  });
});

describe("what call an item is", () => {
  test.each<[Record<string, unknown>, unknown]>([
    [{ type: "CommandExecution", command: ["/bin/bash", "-lc", "ls -1"] }, ["exec_command", undefined, "ls -1", true]],
    [{ type: "commandExecution", command: "/bin/bash -lc 'ls -1'" }, ["exec_command", undefined, "ls -1", true]],
    [{ type: "command_execution", command: "make" }, ["exec_command", undefined, "make", true]],
    [{ type: "FileChange", changes: { "a.ts": {}, "b.ts": {} } }, ["apply_patch", undefined, "a.ts, b.ts", true]],
    [{ type: "file_change", changes: [{ path: "a.ts" }, {}] }, ["apply_patch", undefined, "a.ts", true]],
    [{ type: "mcpToolCall", server: "notes", tool: "put", arguments: { path: "x" } }, ["put", "notes", "x", true]],
    [{ type: "mcp_tool_call", server: "milepost", tool: "update_plan" }, ["update_plan", "milepost", undefined, false]],
    [{ type: "webSearch", query: "how" }, ["web_search", undefined, "how", true]],
    [{ type: "collabAgentToolCall", tool: "spawnAgent", prompt: "go" }, ["spawnAgent", undefined, "go", true]],
  ])("%j", (item, expected) => {
    const note = callOfItem(item)?.told().note;
    expect(note && [note.tool, note.server, note.subject, note.isWork]).toEqual(expected);
  });

  test.each([
    { type: "AgentMessage" },
    { type: "constructor" },
    { type: 7 },
    { type: "CommandExecution", source: "user_shell" },
    { type: "commandExecution", source: "userShell" },
  ])("%j is none of the agent's", (item) => {
    expect(callOfItem(item)).toBeUndefined();
  });

  test("sub-agents are those that are made and waited for, not those that are written to", () => {
    const item = { type: "collab_tool_call", receiver_thread_ids: ["a", 1, "b c"] };
    expect(subagentsOf({ ...item, tool: "wait" })).toEqual(["a"]);
    expect(subagentsOf({ ...item, tool: "send_input" })).toEqual([]);
  });
});
