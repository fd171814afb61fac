import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { client } from "../../../../test/hooked-client.js";
import type { JsonObject } from "../../../core/json.js";
import { DEFAULT_SETTINGS } from "../../settings.js";
import { answerHook, isHeard } from "../answer-hook.js";
import { type ClientHooks, readClientHook } from "./client-hooks.js";
import { geminiHooks } from "./gemini-hooks.js";

const SAMPLES = new URL("../../../../test/fixtures/transcripts/other-logs/gemini-0.61.0-hooks.jsonl", import.meta.url);
const SHELL_FILE = fileURLToPath(new URL("../../setup/shell/milepost.sh", import.meta.url));

const hook = (event: string, fields: object = {}): JsonObject => ({
  ...{ hook_event_name: event, session_id: "s1", cwd: "/work", ...fields },
});
const read: (event: string, fields?: object) => ReturnType<ClientHooks["read"]> = (event, fields) =>
  geminiHooks.read(hook(event, fields), undefined);

/** A session as the program's hooks tell of it. */
async function session() {
  const { store, todo, open, events } = await client();
  const tell = async (fields: JsonObject) => {
    const input = await readClientHook(["gemini"], fields, { process: "m:7", environment: {} });
    if (!input.ok || !input.value || !isHeard(input.value)) return "";
    const answer = await answerHook(store, input.value, DEFAULT_SETTINGS);
    return answer.ok ? answer.value : answer.error.message;
  };
  return { tell, todo, open, events };
}

const TAKEN = "Got it. Thanks for the additional context!";
const compacted = [
  { role: "user", content: "<session_context>Linux</session_context>" },
  { role: "user", content: "<state_snapshot>what was done</state_snapshot>" },
  { role: "model", content: TAKEN },
  { role: "user", content: "Go on." },
];

describe("a hook", () => {
  test.each<[string, string, object, object | undefined]>([
    [
      "a prompt, without what hooks put before it",
      "BeforeAgent",
      { prompt: "<hook_context>x</hook_context>\n\nGo." },
      { hook_event_name: "UserPromptSubmit", prompt: "Go." },
    ],
    [
      "a call of a server's tool, with its bare answer",
      "AfterTool",
      {
        tool_name: "mcp_milepost_todo",
        mcp_context: { server_name: "milepost", tool_name: "todo" },
        tool_response: { llmContent: [{ text: "<untrusted_context>\nAdded 1.\n</untrusted_context>" }] },
      },
      { hook_event_name: "PostToolUse", tool_name: "mcp__milepost__todo", tool_response: "Added 1." },
    ],
    [
      "a call that failed",
      "AfterTool",
      { tool_name: "glob", tool_response: { llmContent: "x", error: { message: "no such folder" } } },
      { hook_event_name: "PostToolUseFailure", error: "no such folder" },
    ],
    [
      "a command that failed",
      "AfterTool",
      { tool_name: "run_shell_command", tool_response: { llmContent: "Output: no\nExit Code: 3" } },
      { hook_event_name: "PostToolUseFailure", error: "exit code 3" },
    ],
    ["a call of nothing", "AfterTool", { tool_response: 5 }, { hook_event_name: "PostToolUse", tool_name: "" }],
    ["the end of a turn", "AfterAgent", { prompt_response: "Done." }, { last_assistant_message: "Done." }],
    [
      "a question for a permission",
      "Notification",
      { notification_type: "ToolPermission", message: "Run it?" },
      { notification_type: "permission_prompt", message: "Run it?" },
    ],
    ["another notice", "Notification", { notification_type: "Other" }, undefined],
    ["a request after a compaction", "BeforeModel", { llm_request: { messages: compacted } }, { source: "compact" }],
    ["any other request", "BeforeModel", { llm_request: { messages: compacted.slice(3) } }, undefined],
    ["a request that is none", "BeforeModel", { llm_request: [] }, undefined],
    ["what comes before each request, compacted or not", "PreCompress", { trigger: "auto" }, undefined],
    ["an event that is a name of every object", "constructor", {}, undefined],
  ])("tells %s", (_name, event, fields, expected) => {
    const told = read(event, fields);
    if (expected === undefined) expect(told).toBeUndefined();
    else expect(told).toMatchObject(expected);
  });

  test.each<[string, object, string | undefined, string, string]>([
    ["BeforeAgent", { prompt: "Go" }, undefined, "BeforeAgent", "additionalContext"],
    ["AfterTool", { tool_name: "glob" }, undefined, "AfterTool", "additionalContext"],
    ["SessionStart", { source: "startup" }, undefined, "SessionStart", "additionalContext"],
    ["SessionStart", { source: "resume" }, "twice", "SessionStart", "additionalContext"],
    ["BeforeModel", { llm_request: { messages: compacted } }, "twice", "", "llm_request"],
    ["AfterAgent", {}, "later", "", ""],
  ])("%s %j is answered as Gemini CLI reads it", async (event, fields, said, name, field) => {
    const input = await readClientHook(["gemini"], hook(event, fields), { process: "m:7", environment: {} });
    const told = input.ok ? input.value : undefined;
    expect(told?.said).toBe(said);
    const answer = told?.answer?.("<words>") ?? "";
    if (field === "") return expect(answer).toBe("");
    const { hookSpecificOutput: specific } = JSON.parse(answer);
    expect(specific).toHaveProperty(field);
    if (name !== "") expect(specific).toEqual({ hookEventName: name, additionalContext: "<words>" });
  });
});

test("after a compaction what is open stands behind the summary, once", async () => {
  const { tell, todo } = await session();
  await tell(hook("BeforeAgent", { prompt: "Go" }));
  await todo({ add: ["Fix the bug"] });
  const answer = JSON.parse(await tell(hook("BeforeModel", { llm_request: { messages: compacted } })));
  const { messages } = answer.hookSpecificOutput.llm_request;
  expect(messages).toHaveLength(2);
  expect(messages[0]).toEqual(compacted[0]);
  expect(messages[1].content).toMatch(/^<state_snapshot>.*<\/state_snapshot>\n\n<hook_context>[^<]*Fix the bug[^<]*</s);
});

test("hooks of the real program: its list is ours, its calls have ended, its turns are counted", async () => {
  const lines = readFileSync(SAMPLES, "utf8").trim().split("\n");
  const { tell, open, events } = await session();
  for (const line of lines) await tell(JSON.parse(line).input);
  const types = (await events()).map(({ type }) => type);
  const count = (type: string) => types.filter((one) => one === type).length;
  const told = lines.map((line) => JSON.parse(line).event);
  expect(count("turn.started")).toBe(told.filter((event) => event === "BeforeAgent").length);
  // Our own tool's call is recorded by our server; one that nobody has an id for would count twice.
  expect(count("call.ended")).toBe(told.filter((event) => event === "AfterTool").length - 1);
  expect(await open()).toEqual([]);
});

describe.skipIf(process.platform === "win32")("the line before each request", () => {
  const root = mkdtempSync(join(tmpdir(), "milepost-gemini-"));
  const shellFile = join(root, "wiring", "milepost.sh");
  const script = join(root, "hook.cjs");
  mkdirSync(join(root, "wiring"));
  copyFileSync(SHELL_FILE, shellFile);
  writeFileSync(script, `process.stdout.write("heard " + require("node:fs").readFileSync(0, "utf8").length);`);
  const ask = (input: string, session = "s-1") =>
    execFileSync("/bin/sh", [shellFile, "compacted", process.execPath, script, "hook", "gemini"], {
      input,
      encoding: "utf8",
      timeout: 10_000,
      env: { ...process.env, GEMINI_SESSION_ID: session },
    });
  // As the program writes it: the fields of a message in this order.
  const request = (summary: string, rest = "") => {
    const said = (role: string, content: string) => ({ role, content });
    const messages = [said("user", `</session_context>${summary}`), said("model", TAKEN), said("user", rest)];
    return JSON.stringify({ hook_event_name: "BeforeModel", llm_request: { messages } });
  };

  test("starts Node with a new summary only, once for each, and for doctor", () => {
    expect(ask(JSON.stringify({ hook_event_name: "BeforeModel", llm_request: { messages: [] } }))).toBe("");
    expect(ask(request("one"))).toMatch(/^heard \d+$/);
    expect(ask(request("one", "more of it"))).toBe("");
    expect(ask(request("two"))).toMatch(/^heard/);
    expect(ask(request("two"), "s-2")).toMatch(/^heard/);
    // As long as no summary is: it has to be looked at before the hook's time is over.
    expect(ask(request("word é ".repeat(60_000)))).toMatch(/^heard/);
    // A name that leads elsewhere keeps no mark: it is asked each time.
    for (const _ of [1, 2]) expect(ask(request("two"), "../s")).toMatch(/^heard/);
    expect(ask(JSON.stringify({ hook_event_name: "Doctor" }))).toMatch(/^heard/);
    rmSync(root, { recursive: true });
  });
});
