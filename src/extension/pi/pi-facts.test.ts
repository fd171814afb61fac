import { describe, expect, test } from "vitest";
import { callFields, endFields, isSubAgent, lostIn, progressIn, resultFields, sourceOf } from "./pi-facts.js";
import type { Context, HostEvent } from "./pi-host.js";

const text = (words: string) => [{ type: "text", text: words }];
const called = (toolName: string, input: unknown = {}): HostEvent => ({ toolName, toolCallId: "c1", input });
const bash = (words: string, more: object = {}) => ({
  ...called("bash", { command: "npm test" }),
  content: text(words),
  ...more,
});

describe("a call", () => {
  test.each<[string, HostEvent, object | undefined]>([
    [
      "of its own tool",
      called("read", { path: "a" }),
      { tool_name: "read", tool_use_id: "c1", tool_input: { path: "a" } },
    ],
    ["of ours, as hooks name it", called("mcp__milepost_todo"), { tool_name: "mcp__milepost__todo" }],
    ["of another server's", called("mcp__other_todo"), { tool_name: "mcp__other_todo" }],
    ["written to a device: the tool behind it is told of, too", called("write", { path: "xd://lsp" }), undefined],
    ["of no tool", { toolCallId: "c1" }, undefined],
  ])("%s", (_name, event, told) => {
    if (told === undefined) expect(callFields(event)).toBeUndefined();
    else expect(callFields(event)).toMatchObject(told);
  });

  test.each<[string, HostEvent, object]>([
    ["that went well", bash("ok\n"), { hook_event_name: "PostToolUse", tool_response: "ok\n" }],
    [
      "whose command failed, as pi tells it",
      bash("no\n\nCommand exited with code 3", { isError: true }),
      {
        hook_event_name: "PostToolUseFailure",
        error: "exit code 3",
        tool_response: { stdout: "no\n\nCommand exited with code 3", exitCode: 3 },
      },
    ],
    [
      "whose command failed, as oh-my-pi tells it",
      bash("no", { details: { exitCode: 2 } }),
      { hook_event_name: "PostToolUseFailure", error: "exit code 2" },
    ],
    [
      "whose command ended well",
      bash("ok", { details: { exitCode: 0 } }),
      { hook_event_name: "PostToolUse", tool_response: { stdout: "ok", exitCode: 0 } },
    ],
    [
      "that was refused",
      { ...called("read"), content: text("no such file"), isError: true },
      { hook_event_name: "PostToolUseFailure", error: "no such file", tool_response: "no such file" },
    ],
    [
      "that a person stopped",
      bash("some\n\nCommand aborted", { isError: true }),
      { hook_event_name: "PostToolUseFailure", is_interrupt: true },
    ],
    [
      "that only speaks of exit codes",
      { ...called("read"), content: text("Command exited with code 7") },
      { hook_event_name: "PostToolUse", tool_response: "Command exited with code 7" },
    ],
  ])("%s", (_name, event, told) => {
    expect(resultFields(event)).toMatchObject(told);
  });
});

test.each<[string, unknown, object]>([
  ["words", [{ role: "assistant", content: text("Done.") }, { role: "toolResult" }], { hook_event_name: "Stop" }],
  ["an interruption", [{ role: "assistant", content: [], stopReason: "aborted" }], { hook_event_name: "Interrupt" }],
  [
    "an error",
    [{ role: "assistant", content: [], stopReason: "error", errorMessage: "429 limit" }],
    { hook_event_name: "StopFailure", error: "429 limit" },
  ],
  ["nothing", undefined, { hook_event_name: "Stop", last_assistant_message: "" }],
])("the agent ends with %s", (_name, messages, told) => {
  expect(endFields({ messages })).toMatchObject(told);
});

const context = (entries: readonly string[], file?: string): Context => ({
  cwd: "/p",
  sessionManager: {
    getSessionId: () => "s1",
    getEntries: () => entries.map((type) => ({ type })),
    getSessionFile: () => file,
  },
});

test.each<[string, readonly string[], unknown, string]>([
  ["a new one", ["model_change"], "startup", "startup"],
  ["one that has messages", ["model_change", "message"], "startup", "resume"],
  ["one that was reloaded", ["message"], "reload", "resume"],
  ["a new one in place of another", [], "new", "clear"],
  ["a copy", ["message"], "fork", "fork"],
])("a session starts: %s", (_name, entries, reason, source) => {
  expect(sourceOf(context(entries), reason)).toBe(source);
});

test.each<[string, readonly object[], string | undefined]>([
  ["nothing", [{ type: "message" }], undefined],
  ["a compaction", [{ type: "compaction" }, { type: "message" }], "compact"],
  ["a person", [{ type: "compaction" }, { type: "reset_boundary" }], "clear"],
  ["one that we have spoken after", [{ type: "compaction" }, { details: { hasDigest: true } }], undefined],
  ["one that we have spoken before", [{ details: { hasDigest: true } }, { type: "compaction" }], "compact"],
  ["one that we have reminded after", [{ type: "compaction" }, { details: { hasDigest: false } }], "compact"],
])("the conversation was cut by %s", (_name, entries, by) => {
  const { sessionManager, ...more } = context([]);
  expect(lostIn({ ...more, sessionManager: { ...sessionManager, getEntries: () => entries } })).toBe(by);
});

const OWN = "/s/--p--/2026-11-16T05-19-31-981Z_01a1e2cb-d68d-706d-9065-a82e34531c70.jsonl";
test.each<[string, string | undefined, readonly string[], boolean]>([
  ["a session", OWN, ["read"], false],
  ["one without a file", undefined, ["read"], false],
  ["one in the folder of its session", OWN.replace(".jsonl", "/Helper1.jsonl"), ["read"], true],
  ["one that ends by yield", undefined, ["read", "yield"], true],
])("a sub-agent is told from a session: %s", (_name, file, tools, isSub) => {
  expect(isSubAgent(context([], file), tools)).toBe(isSub);
});

test.each<[string, string | undefined]>([
  ["Added 1-2. 0/2 now #1 Read the code", "todo 0/2 #1 Read the code"],
  ["3/3 all done", "todo 3/3"],
  [`1/2 now #2 ${"x".repeat(100)}`, `todo 1/2 #2 ${"x".repeat(56)}…`],
  ["1/2 now #2 a\u001b[31mb\u0007", "todo 1/2 #2 a[31mb"],
  ["There is no todo 9.", undefined],
])("a person is shown how far the list is: %j", (answer, shown) => {
  expect(progressIn(answer)).toBe(shown);
});
