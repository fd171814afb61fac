import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { hearHook } from "./hear-hook.js";
import { type HookInput, hookInputOf, type WhenSaid } from "./hook-input.js";

const home = mkdtempSync(join(tmpdir(), "milepost-hear-"));
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function hearing() {
  const { store, todo } = await client();
  const environment = { MILEPOST_HOME: home };
  const hear = (event: string, when?: WhenSaid, source = "resume") => {
    const fields = {
      ...{ hook_event_name: event, session_id: "s1", cwd: home, source, prompt: "go on" },
      ...{ tool_name: "mcp__milepost__todo", tool_input: { view: true }, tool_use_id: "c1", tool_response: "x" },
    };
    const input = hookInputOf(fields, "m:7", environment, "qwen");
    if (!input.ok) throw new Error(input.error);
    const told: HookInput = { ...input.value, answer: (text) => text, ...(when && { said: when }) };
    return hearHook({ environment, open: async () => store }, told);
  };
  return { hear, todo };
}

/** A session with an open todo, whose client answers its starts in this way. */
async function started(said: WhenSaid | undefined) {
  const { hear, todo } = await hearing();
  await todo({ add: ["Fix the bug"] });
  return {
    start: await hear("SessionStart", said),
    prompts: [await hear("UserPromptSubmit"), await hear("UserPromptSubmit")],
  };
}

const OPEN = expect.stringContaining("Fix the bug");

test.each<[string, string, readonly string[], string]>([
  ["nothing", "", ["#1 [in progress] Fix the bug"], "#9"],
  ["one is done", '{"done":1}', ["#2 [in progress] Test it"], "Fix the bug"],
  ["all are done", '{"done":[1,2]}', [], "Test it"],
])("behind a compaction the model is told once what is open then: %s", async (_, write, open, closed) => {
  const { hear, todo } = await hearing();
  await todo({ add: ["Fix the bug", "Test it"] });
  expect(await hear("PreCompact", "twice")).toContain("#1 [in progress] Fix the bug");
  expect(await hear("SessionStart", "later", "compact")).toBe("");
  if (write !== "") await todo(JSON.parse(write));
  // It tells nothing new of a call that our server has told of, and has words for the model all the same.
  const behind = await hear("PostToolUse");
  expect(behind.match(/Milepost: the open todos/g) ?? []).toHaveLength(open.length);
  for (const line of open) expect(behind).toContain(line);
  expect(behind).not.toContain(`] ${closed}`);
  expect(await hear("UserPromptSubmit")).not.toContain("Milepost: the open todos");
});

test.each<[string, WhenSaid | undefined, unknown]>([
  ["hands on every answer", undefined, { start: OPEN, prompts: ["", ""] }],
  ["takes no answer at a start: the prompt says it", "later", { start: "", prompts: [OPEN, ""] }],
  ["may cut it away: the prompt says it again", "twice", { start: OPEN, prompts: [OPEN, ""] }],
])("a client that %s", async (_, when, expected) => {
  expect(await started(when)).toEqual(expected);
});
