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
  const hear = (event: string, when?: WhenSaid) => {
    const fields = { hook_event_name: event, session_id: "s1", cwd: home, source: "resume", prompt: "go on" };
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

test.each<[string, object | undefined, string]>([
  ["says it anew behind it", undefined, "#1 [in progress] Fix the bug"],
  ["says nothing of it to a model that has just written its list", { done: 1 }, ""],
])("what is open before a compaction is for whoever sums up: who hears it then %s", async (_, write, expected) => {
  const { hear, todo } = await hearing();
  await todo({ add: ["Fix the bug", "Test it"] });
  expect(await hear("PreCompact", "twice")).toContain("#1 [in progress] Fix the bug");
  if (write) await todo(write);
  const behind = await hear("UserPromptSubmit");
  expect(behind.match(/Milepost: the open todos/g) ?? []).toHaveLength(expected === "" ? 0 : 1);
  expect(behind).toContain(expected);
});

test.each<[string, WhenSaid | undefined, unknown]>([
  ["hands on every answer", undefined, { start: OPEN, prompts: ["", ""] }],
  ["takes no answer at a start: the prompt says it", "later", { start: "", prompts: [OPEN, ""] }],
  ["may cut it away: the prompt says it again", "twice", { start: OPEN, prompts: [OPEN, ""] }],
])("a client that %s", async (_, when, expected) => {
  expect(await started(when)).toEqual(expected);
});
