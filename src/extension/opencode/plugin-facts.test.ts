import { describe, expect, test } from "vitest";
import {
  answeredCall,
  answerWith,
  askedFields,
  brokenTurn,
  callFields,
  failedCall,
  isOurs,
  offeredName,
  reminder,
  typedText,
  withoutOurServer,
  withoutOwnList,
} from "./plugin-facts.js";

const shell = { tool: "bash", call: "c1", input: { command: "ls" } };

test.each([
  ["bash", "bash"],
  ["milepost_todo", "mcp__milepost__todo"],
  ["milepostal_todo", "milepostal_todo"],
])("a call of %s is told as one of %s", (tool, name) => {
  expect(callFields({ ...shell, tool })).toEqual({
    tool_name: name,
    tool_use_id: "c1",
    tool_input: { command: "ls" },
  });
  expect(isOurs(tool)).toBe(name.startsWith("mcp__"));
  if (isOurs(tool)) expect(offeredName("todo")).toBe(tool);
});

const STOPPED = "a\n\n<shell_metadata>\nUser aborted the command\n</shell_metadata>";

describe("how a call has ended", () => {
  const done = { hook_event_name: "PostToolUse" };
  const bad = { hook_event_name: "PostToolUseFailure" };
  test.each<[string, object, object]>([
    ["a text", { title: "", output: "a\n", metadata: {} }, { ...done, tool_response: "a\n" }],
    ["a command", { output: "a", metadata: { exit: 0 } }, { ...done, tool_response: { stdout: "a", exitCode: 0 } }],
    [
      "a command that ended badly",
      { output: "a", metadata: { exit: 3 } },
      { ...bad, tool_response: { stdout: "a", exitCode: 3 }, error: "exit code 3" },
    ],
    ["a command whose time was over", { output: "a", metadata: { exit: null } }, { ...bad, error: "timed out" }],
    ["a command that a person stopped", { output: STOPPED, metadata: { exit: null } }, { ...bad, is_interrupt: true }],
    ["a server's answer", { content: [{ type: "text", text: "b" }, 7] }, { ...done, tool_response: "b" }],
    ["a server's error", { content: [{ type: "text", text: "no" }], isError: true }, { ...bad, error: "no" }],
    ["nothing", {}, { ...done, tool_response: "" }],
    ["no answer at all", { output: 7, content: 8, metadata: null }, { ...done, tool_response: "" }],
  ])("%s", (_name, answer, told) => {
    expect(answeredCall(shell, answer as never)).toMatchObject({ tool_use_id: "c1", ...told });
  });

  const part = { type: "tool", tool: "read", callID: "c2", state: { status: "error", input: {}, error: "gone" } };
  test.each<[string, object, object | undefined]>([
    ["an error", part, { tool: "read", call: "c2", input: {}, error: "gone" }],
    ["an error without a word", { ...part, state: { status: "error" } }, { error: "" }],
    ["it runs", { ...part, state: { status: "running" } }, undefined],
    ["a text", { type: "text", text: "x" }, undefined],
    ["no call", { ...part, callID: 7 }, undefined],
    ["nothing", {}, undefined],
  ])("by its part of a message: %s", (_name, told, expected) => {
    if (expected) expect(failedCall(told as never)).toMatchObject(expected);
    else expect(failedCall(told as never)).toBeUndefined();
  });
});

const questions = [{ question: "Which?", header: "H", options: [{ label: "A", description: "a" }] }];
const answered = { hook_event_name: "Notification", notification_type: "elicitation_complete" };
test.each<[string, object, object | undefined]>([
  [
    "permission.asked",
    { permission: "bash", patterns: ["git *", 7], metadata: { command: "git push" } },
    { hook_event_name: "PermissionRequest", tool_name: "bash", tool_input: { pattern: "git *", command: "git push" } },
  ],
  ["permission.asked", {}, { tool_name: "permission", tool_input: { pattern: "" } }],
  ["permission.replied", { reply: "reject" }, answered],
  ["question.asked", { questions }, { tool_name: "AskUserQuestion", tool_input: { questions } }],
  ["question.replied", {}, answered],
  ["question.rejected", {}, answered],
  ["session.updated", {}, undefined],
])("a person is asked: %s", (type, told, expected) => {
  if (expected) expect(askedFields(type, told as never)).toMatchObject(expected);
  else expect(askedFields(type, told as never)).toBeUndefined();
});

test.each<[string, unknown, object]>([
  ["a person stopped it", { name: "MessageAbortedError", data: {} }, { hook_event_name: "Interrupt" }],
  [
    "a limit",
    { name: "APIError", data: { statusCode: 429, message: "slow down" } },
    { hook_event_name: "StopFailure", error: "rate_limit", last_assistant_message: "slow down" },
  ],
  ["another error", { name: "APIError", data: {} }, { hook_event_name: "StopFailure", error: "APIError" }],
  ["no error", undefined, { hook_event_name: "StopFailure" }],
])("a turn that broke off: %s", (_name, error, told) => {
  expect(brokenTurn(error)).toMatchObject(told);
});

test("what a person typed is all but opencode's own parts", () => {
  const parts = [{ type: "text", text: "Fix" }, { type: "file" }, { type: "text", text: "x", synthetic: true }];
  expect(typedText([...parts, { type: "text", text: "it" }])).toBe("Fix\nit");
});

describe("words", () => {
  test("nobody's text ends them", () => {
    expect(reminder(["a </system-reminder> b", "<System-Reminder>"])).toBe(
      "<system-reminder>\na &lt;/system-reminder> b\n\n&lt;System-Reminder>\n</system-reminder>",
    );
  });

  test.each<[string, object, string]>([
    ["an answer", { status: "completed", output: "ok" }, "output"],
    ["an error", { status: "error", error: "no" }, "error"],
  ])("stand once behind %s, and the part itself stays as it was", (_name, state, place) => {
    const part = { id: "p", state };
    const once = answerWith(part, "words");
    expect(once).toEqual({ id: "p", state: { ...state, [place]: expect.stringMatching(/^(ok|no)\n\nwords$/) } });
    expect(answerWith(once, "words")).toBe(once);
    expect(part.state).toBe(state);
  });

  test("nothing stands behind a call without an answer", () => {
    const part = { id: "p", state: { status: "running" } };
    expect(answerWith(part, "words")).toBe(part);
  });
});

test.each<[string, unknown, object]>([
  ["none", undefined, { todowrite: "deny" }],
  ["one word", "allow", { "*": "allow", todowrite: "deny" }],
  ["rules", { todowrite: "allow", "*": "ask" }, { "*": "ask", todowrite: "deny" }],
])("its own list is denied behind all other permissions: %s", (_name, permission, expected) => {
  expect(Object.entries(withoutOwnList(permission))).toEqual(Object.entries(expected));
});

test("a server of ours that a person added is not started; others are", () => {
  const servers = { other: { enabled: true }, milepost: { type: "local", command: ["x"] } };
  expect(withoutOurServer(servers)).toEqual({ ...servers, milepost: { ...servers.milepost, enabled: false } });
  for (const others of [undefined, { other: {} }]) expect(withoutOurServer(others)).toBe(others);
});
