import { expect, test } from "vitest";
import {
  endedFields,
  endReason,
  isInner,
  isOver,
  promptFields,
  realCall,
  runFields,
  withWords,
} from "./plugin-events.js";

const text = (value: string) => [{ type: "text", text: value }];
const call = { toolCallId: "c1", toolName: "exec", args: { command: "ls" } };

test.each<[string, string, unknown, unknown]>([
  ["a tool of its own", "exec", { command: "ls" }, { tool_name: "exec", tool_input: { command: "ls" } }],
  ["ours", "milepost__todo", { done: 1 }, { tool_name: "mcp__milepost__todo", tool_input: { done: 1 } }],
  ["behind the search", "tool_call", { id: "cron", args: { a: 1 } }, { tool_name: "cron", tool_input: { a: 1 } }],
  ["by its whole id", "tool_call", { id: "openclaw:core:cron", args: {} }, { tool_name: "cron", tool_input: {} }],
  ["a server's", "tool_call", { id: "mcp:git:git__log", args: {} }, { tool_name: "mcp__git__log", tool_input: {} }],
  ["with its input beside its id", "tool_call", { id: "cron", a: 1 }, { tool_name: "cron", tool_input: { a: 1 } }],
  ["a wrapper without an id", "tool_call", { args: {} }, { tool_name: "tool_call", tool_input: { args: {} } }],
  ["no input", "ls", undefined, { tool_name: "ls", tool_input: undefined }],
])("the real call: %s", (_name, tool, input, expected) => {
  expect(realCall(tool, input)).toEqual(expected);
});

test.each<[string, object, object]>([
  [
    "a command that ended badly",
    { result: { content: text("x"), details: { status: "completed", exitCode: 3 } }, isError: false },
    {
      hook_event_name: "PostToolUseFailure",
      error: "exit code 3",
      tool_response: { content: text("x"), details: { exitCode: 3 } },
    },
  ],
  [
    "one that was refused",
    { result: { content: text("{}"), details: { status: "error", error: "File not found" } }, isError: true },
    { hook_event_name: "PostToolUseFailure", error: "File not found" },
  ],
  ["an unknown tool", { result: { content: text("No such tool") }, error: "gone" }, { error: "gone" }],
  ["nothing came back", { isError: true }, { hook_event_name: "PostToolUseFailure", error: "" }],
  [
    "behind the search",
    {
      toolName: "tool_call",
      args: { id: "ls" },
      result: { content: text("NOTICE"), details: { result: { content: text("a.ts") } } },
    },
    { tool_name: "ls", tool_response: { content: text("a.ts"), details: {} } },
  ],
  ["how long it took", { result: {}, durationMs: 7 }, { duration_ms: 7 }],
])("the end of a call: %s", (_name, more, expected) => {
  expect(endedFields({ ...call, ...more })).toMatchObject({ tool_use_id: "c1", ...expected });
});

test.each<[string, object, string | undefined]>([
  ["a person", { trigger: "user" }, undefined],
  ["nobody says", {}, undefined],
  ["a timer", { trigger: "heartbeat" }, "system"],
  ["another session", { trigger: "user", inputProvenance: { kind: "inter_session" } }, "system"],
])("whose prompt it is: %s", (_name, place, source) => {
  expect(promptFields("Go on.", { ...place, runId: "r1" })).toMatchObject({ prompt: "Go on.", prompt_id: "r1" });
  expect(promptFields("Go on.", place).source).toBe(source);
});

test.each<[string, object, object]>([
  [
    "answered",
    { success: true, messages: [{ role: "assistant", content: text("Done?") }, { role: "toolResult" }] },
    { hook_event_name: "Stop", last_assistant_message: "Done?", is_unattended: true },
  ],
  ["failed", { success: false, error: "overloaded" }, { hook_event_name: "StopFailure", error: "overloaded" }],
  ["stopped", { success: false }, { hook_event_name: "Interrupt" }],
  [
    "refused by the model's API",
    { success: true, messages: [{ role: "assistant", stopReason: "error", errorMessage: "500 no" }] },
    { hook_event_name: "StopFailure", error: "500 no" },
  ],
  [
    "stopped, of which only the reply tells",
    { success: true, messages: [{ role: "assistant", stopReason: "aborted" }] },
    { hook_event_name: "Interrupt" },
  ],
  [
    "stopped, after a reply that was refused",
    { success: false, messages: [{ role: "assistant", stopReason: "error" }] },
    { hook_event_name: "Interrupt" },
  ],
  ["nothing said", {}, { hook_event_name: "Stop", last_assistant_message: "", is_unattended: true }],
])("the end of a run: %s", (_name, run, expected) => {
  expect(runFields(run, { runId: "r1" })).toEqual({ prompt_id: "r1", ...expected });
});

test("a call inside of another is told once, and a session ends where nobody goes on with it", () => {
  expect([isInner("tool_search_code:c1:ls:1"), isInner("c1"), isInner(undefined)]).toEqual([true, false, false]);
  expect(["reset", "shutdown", "restart", "compaction", undefined].map(isOver)).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
});

test("a person who begins anew has cleared the conversation, in the words of a hook", () => {
  expect(["new", "reset", "idle", undefined].map((reason) => endReason({ reason }))).toEqual([
    "clear",
    "clear",
    "idle",
    undefined,
  ]);
});

test("words stand behind an answer; without words it is the same", () => {
  const result = { content: text("a"), details: { exitCode: 0 } };
  expect(withWords(result, "b")).toEqual({ content: [...text("a"), ...text("b")], details: { exitCode: 0 } });
  expect(withWords(result, "")).toBe(result);
});
