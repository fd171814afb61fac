import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { callOn } from "../calls/tool-call.js";
import { modeOf } from "./agent-mode.js";
import { readHookInput } from "./hook-input.js";

const folder = mkdtempSync(join(tmpdir(), "milepost-mode-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function modeIn(fields: object) {
  const input = readHookInput(JSON.stringify({ session_id: "s1", ...fields }), "m:7");
  if (!input.ok) throw new Error(input.error);
  return modeOf(input.value);
}

describe("Claude Code tells it with a hook", () => {
  test.each<[string, object, string | undefined]>([
    ["plan", { hook_event_name: "UserPromptSubmit", permission_mode: "plan" }, "plan"],
    ["any other", { hook_event_name: "PreToolUse", permission_mode: "acceptEdits" }, "default"],
    ["a new one", { hook_event_name: "PostToolUse", permission_mode: "auto" }, "default"],
    ["none", { hook_event_name: "PostToolUse" }, undefined],
    ["no text", { hook_event_name: "PostToolUse", permission_mode: { plan: true } }, undefined],
    ["a sub-agent's", { hook_event_name: "PreToolUse", permission_mode: "plan", agent_id: "a1" }, undefined],
    ["beside the work", { hook_event_name: "PermissionRequest", permission_mode: "plan" }, undefined],
  ])("%s", (_, fields, mode) => {
    expect(modeIn(fields)).toBe(mode);
  });
});

describe("Codex writes it down before the hook of a prompt runs", () => {
  const started = (mode: string) => ({
    type: "event_msg",
    payload: { type: "task_started", collaboration_mode_kind: mode },
  });
  const context = (mode: string) => ({ type: "turn_context", payload: { collaboration_mode: { mode } } });
  const said = (text: string) => ({ type: "response_item", payload: { type: "message", content: [{ text }] } });
  const prompt = { hook_event_name: "UserPromptSubmit", turn_id: "t1", permission_mode: "default" };
  let files = 0;
  const rollout = (lines: readonly unknown[]) => {
    const path = join(folder, `rollout-${++files}.jsonl`);
    writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""));
    return path;
  };

  test.each<[string, readonly unknown[], object, string | undefined]>([
    ["the last turn counts", [context("plan"), started("default")], {}, "default"],
    ["the last line that tells", [started("default"), context("plan"), said("x")], {}, "plan"],
    ["a version that tells nothing", [{ type: "turn_context", payload: { model: "m" } }], {}, undefined],
    ["a turn that tells nothing keeps the mode", [context("plan"), { type: "turn_context", payload: {} }], {}, "plan"],
    [
      "a person who quotes such a line",
      [context("plan"), said('{"type":"turn_context","mode":"default"}')],
      {},
      "plan",
    ],
    ["a line that is broken off", [context("plan"), '{"type":"turn_context","payload":{"colla'], {}, "plan"],
    ["a mode of a later version", [context("pair")], {}, "default"],
    ["too far back", [context("plan"), said("x".repeat(300_000))], {}, undefined],
    ["another hook is not the place to ask", [context("plan")], { hook_event_name: "PostToolUse" }, undefined],
    ["a sub-agent's", [context("plan")], { agent_id: "a1" }, undefined],
  ])("%s", (_, lines, fields, mode) => {
    expect(modeIn({ ...prompt, transcript_path: rollout(lines), ...fields })).toBe(mode);
  });

  test("a file that is not there, or no file", () => {
    expect(modeIn({ ...prompt, transcript_path: join(folder, "rollout-none.jsonl") })).toBeUndefined();
    expect(modeIn({ ...prompt, transcript_path: null })).toBeUndefined();
  });
});

describe("what hooks told of the mode", () => {
  const planning = { prompt: "plan it", permission_mode: "plan" };

  test("is written when it changes, and only then", async () => {
    const one = await client();
    await one.hook("UserPromptSubmit", { prompt: "go", permission_mode: "default" });
    expect(await one.events("mode.changed")).toEqual([]);
    await one.hook("UserPromptSubmit", planning);
    await one.hook("PreToolUse", { tool_name: "Bash", tool_use_id: "t1", permission_mode: "plan" });
    await one.bash({ permission_mode: "default" });
    await one.bash({ permission_mode: "acceptEdits" });
    await one.bash({ permission_mode: "plan", agent_id: "a1" });
    expect((await one.events("mode.changed")).map(({ data, stream }) => `${stream} ${data.mode}`)).toEqual([
      "session:s1 plan",
      "session:s1 default",
    ]);
    expect((await one.session()).mode).toBe("default");
  });

  test("is written also with a hook that else only tells of a call", async () => {
    const one = await client();
    await one.hook("UserPromptSubmit", { prompt: "go" });
    await one.hook("PreToolUse", { tool_name: "Bash", tool_use_id: "t1", permission_mode: "plan" });
    expect((await one.session()).mode).toBe("plan");
  });

  test("ends with the session: whoever resumes it may work until a hook says otherwise", async () => {
    const one = await client();
    await one.hook("UserPromptSubmit", planning);
    await one.hook("SessionEnd", { reason: "other" });
    expect((await one.session()).mode).toBeUndefined();
    await one.hook("UserPromptSubmit", planning);
    expect((await one.session()).mode).toBe("plan");
  });

  test("nobody who plans is reminded of a list", async () => {
    const one = await client();
    await one.hook("UserPromptSubmit", planning);
    await one.todo({ add: ["a"] });
    const said: string[] = [];
    for (let reply = 0; reply < 25; reply += 1) said.push(await one.bash({ permission_mode: "plan" }));
    said.push(await one.hook("Stop", { permission_mode: "plan" }));
    expect(said.filter((text) => text !== "")).toEqual([]);
  });

  const todo = { tool: "todo", session: "s1" };
  const item = (status: string) => ({ todos: [{ content: "a", status, activeForm: "a" }] });
  const plan = { plan: [{ step: "a", status: "in_progress" }] };
  const REFUSED = /^In plan mode .* Nothing was changed\.$/;

  test.each<[string, Parameters<typeof callOn>[1], RegExp | "taken", readonly string[]]>([
    ["our todo lists, and starts nothing", { ...todo, input: { add: ["b"] } }, /^Added 2\. 0\/2 nothing in/, ["b"]],
    ["it shows", { ...todo, input: {} }, "taken", []],
    ["it begins nothing", { ...todo, input: { start: 1 } }, REFUSED, []],
    ["it finishes nothing", { ...todo, input: { add: ["b"], done: 1 } }, REFUSED, []],
    ["it drops, notes and orders", { ...todo, input: { drop: [1], add: ["b"], note: "#1 x" } }, "taken", ["b"]],
    ["a sub-agent is in the same mode", { ...todo, agent: "x", input: { start: 1 } }, REFUSED, []],
    ["who says another mode is believed", { ...todo, mode: "default", input: { start: 1 } }, "taken", []],
    ["somebody else than the agent works", { ...todo, actor: "me", input: { start: 1 } }, "taken", []],
    ["another session works", { ...todo, session: "s2", input: { add: ["b"] } }, /now #1 b$/, []],
    ["our task is not claimed", { tool: "task", session: "s1", input: { claim: -1 } }, REFUSED, []],
    ["nor finished", { tool: "task", session: "s1", input: { done: 1 } }, REFUSED, []],
    ["but added and shown", { tool: "task", session: "s1", input: { add: ["b"], list: "open" } }, "taken", []],
    [
      "update_plan is refused as Codex refuses it, whatever it says",
      { dialect: "codex", tool: "update_plan", session: "s1", arguments: "no JSON" },
      /^update_plan is a TODO\/checklist tool and is not allowed in Plan mode$/,
      [],
    ],
    [
      "Codex that says another mode",
      { dialect: "codex", tool: "update_plan", session: "s1", mode: "default", input: plan },
      /^Plan updated$/,
      [],
    ],
    ["TodoWrite", { dialect: "claude", tool: "TodoWrite", session: "s1", input: item("in_progress") }, "taken", []],
    ["nexo", { dialect: "nexo", tool: "TodoWrite", session: "s1", input: item("completed") }, "taken", []],
  ])("in a call: %s", async (_, request, answer, pending) => {
    const one = await client();
    await one.todo({ add: ["a"], start: -1 });
    await one.hook("UserPromptSubmit", planning);
    const answered = await callOn(one.store, request);
    if (!answered.ok) throw new Error(answered.error.message);
    expect(answered.value).toMatchObject({
      isError: answer === REFUSED || String(answer).includes("not allowed"),
      text: answer === "taken" ? expect.any(String) : expect.stringMatching(answer),
    });
    for (const text of pending) expect(await one.open()).toContain(`pending ${text}`);
    if (answered.value.isError) expect(await one.open()).toEqual(["pending a"]);
  });

  test("a client's own list tool is a fact: it has taken what it reports", async () => {
    const one = await client();
    await one.hook("UserPromptSubmit", planning);
    await one.bash({ tool_name: "TodoWrite", tool_input: item("in_progress"), permission_mode: "plan" });
    expect(await one.open()).toEqual(["in_progress a"]);
    const two = await client();
    await two.hook("UserPromptSubmit", planning);
    await two.bash({ tool_name: "update_plan", tool_input: plan, tool_response: "Plan updated" });
    expect(await two.open()).toEqual(["in_progress a"]);
  });
});
