import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { client } from "../../../../test/hooked-client.js";
import type { JsonObject } from "../../../core/json.js";
import { DEFAULT_SETTINGS } from "../../settings.js";
import { answerHook, isHeard } from "../answer-hook.js";
import type { HookInput } from "../hook-input.js";
import { readClientHook } from "./client-hooks.js";
import { qwenHooks } from "./qwen-hooks.js";

const SAMPLES = new URL("../../../../test/fixtures/transcripts/other-logs/qwen-0.24.4-hooks.jsonl", import.meta.url);

const around = { process: "m:7", environment: {} };
const hook = (event: string, fields: object = {}): JsonObject => ({
  ...{ hook_event_name: event, session_id: "s1", cwd: "/work", prompt_id: "s1########0", ...fields },
});
const read = async (fields: JsonObject): Promise<HookInput | undefined> => {
  const input = await readClientHook(["qwen"], fields, around);
  return input.ok ? input.value : undefined;
};
/** A session as the program's hooks tell of it. */
async function session() {
  const { store, todo, open, events, session: state } = await client();
  const tell = async (fields: JsonObject) => {
    const input = await read(fields);
    if (!input || !isHeard(input)) return "";
    const answer = await answerHook(store, input, DEFAULT_SETTINGS);
    return answer.ok ? answer.value : answer.error.message;
  };
  return { tell, todo, open, events, state };
}

const call = { tool_use_id: "toolu_1", tool_call_id: "call_1" };

describe("a hook", () => {
  test.each<[string, object, object | undefined]>([
    ["with what a person typed", { prompt: "Go, with @a", submitted_prompt: "Go" }, { prompt: "Go" }],
    ["before a request that goes on", { prompt: "" }, undefined],
    ["with another hook's words", { prompt: "Finish it first." }, undefined],
  ])("UserPromptSubmit %s", (_name, fields, expected) => {
    const told = qwenHooks.read(hook("UserPromptSubmit", fields), undefined);
    if (expected === undefined) expect(told).toBeUndefined();
    else expect(told).toMatchObject(expected);
  });

  test.each<[string, object, object]>([
    ["by the model's id", { tool_name: "glob", tool_input: { a: 1 }, ...call }, { tool_use_id: "call_1" }],
    ["by its own id where there is no other", { tool_name: "glob", tool_use_id: "x" }, { tool_use_id: "x" }],
    [
      "through the bridge, as the call that it makes",
      { tool_name: "tool_call", tool_input: { name: "mcp__milepost__todo", arguments: { done: 1 } } },
      { tool_name: "mcp__milepost__todo", tool_input: { done: 1 } },
    ],
    [
      "through the bridge, with nothing that is a call",
      { tool_name: "tool_call", tool_input: { name: 5 } },
      { tool_name: "tool_call", tool_input: { name: 5 } },
    ],
    [
      "with the text that the model reads",
      { tool_name: "x", tool_response: { llmContent: [{ text: "a" }, { text: "b" }, 5], returnDisplay: "c" } },
      { tool_response: "a\nb" },
    ],
    [
      "up to the exit code of a command",
      {
        tool_name: "x",
        tool_response: { llmContent: "Output: x\nExit Code: 1\nSignal: (none)\nProcess Group PGID: 9" },
      },
      { tool_response: "Output: x\nExit Code: 1" },
    ],
  ])("tells a call %s", (_name, fields, expected) => {
    expect(qwenHooks.read(hook("PostToolUse", fields), undefined)).toMatchObject(expected);
  });

  test.each<[string, string | undefined, object]>([
    ["UserPromptSubmit", undefined, { hookSpecificOutput: { additionalContext: "words" } }],
    ["PostToolUse", undefined, { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "words" } }],
    ["SessionStart", "later", {}],
    ["PreCompact", "twice", { hookSpecificOutput: { additionalContext: "words" } }],
    ["Stop", undefined, { decision: "block", reason: "words" }],
    [
      "PreToolUse",
      undefined,
      { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "words" } },
    ],
  ])("%s is answered as Qwen Code reads it", async (event, said, expected) => {
    const input = await read(hook(event, { submitted_prompt: "Go" }));
    expect(input?.said).toBe(said);
    expect(JSON.parse(input?.answer?.("words") ?? "{}")).toMatchObject(expected);
  });
});

test("hooks of the real program: prompts count once, its list is ours, its calls have ended", async () => {
  const lines = readFileSync(SAMPLES, "utf8").trim().split("\n");
  const { tell, open, events } = await session();
  for (const line of lines) await tell({ ...JSON.parse(line).input, session_id: "s1" });
  const types = (await events()).map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  expect(count("turn.started")).toBe(1);
  expect([count("call.started"), count("call.ended")]).toEqual([2, 2]);
  expect(await open()).toEqual(["in_progress Read the code", "pending Fix it"]);
});

test("a refused list is not written", async () => {
  const { tell, open } = await session();
  const todos = [{ id: "1", content: "", status: "pending" }];
  await tell(
    hook("PostToolUseFailure", { tool_name: "todo_write", tool_input: { todos }, ...call, error: "Each todo" }),
  );
  expect(await open()).toEqual([]);
});

test("before a compaction the list is given to whoever sums up", async () => {
  const { tell, todo } = await session();
  await tell(hook("UserPromptSubmit", { submitted_prompt: "Go" }));
  await todo({ add: ["Fix the bug"] });
  expect(await tell(hook("PreCompact", { trigger: "auto" }))).toContain("Fix the bug");
});
