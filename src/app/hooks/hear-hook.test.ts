import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { hearHook } from "./hear-hook.js";
import { type HookInput, hookInputOf, type WhenSaid } from "./hook-input.js";

const home = mkdtempSync(join(tmpdir(), "milepost-hear-"));
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** A session with an open todo, whose client answers its starts in this way. */
async function started(said: WhenSaid | undefined) {
  const { store, todo } = await client();
  await todo({ add: ["Fix the bug"] });
  const environment = { MILEPOST_HOME: home };
  const hear = (event: string, when?: WhenSaid) => {
    const fields = { hook_event_name: event, session_id: "s1", cwd: home, source: "resume", prompt: "go on" };
    const input = hookInputOf(fields, "m:7", environment, "qwen");
    if (!input.ok) throw new Error(input.error);
    const told: HookInput = { ...input.value, answer: (text) => text, ...(when && { said: when }) };
    return hearHook({ environment, open: async () => store }, told);
  };
  return {
    start: await hear("SessionStart", said),
    prompts: [await hear("UserPromptSubmit"), await hear("UserPromptSubmit")],
  };
}

const OPEN = expect.stringContaining("Fix the bug");

test.each<[string, WhenSaid | undefined, unknown]>([
  ["hands on every answer", undefined, { start: OPEN, prompts: ["", ""] }],
  ["takes no answer at a start: the prompt says it", "later", { start: "", prompts: [OPEN, ""] }],
  ["may cut it away: the prompt says it again", "twice", { start: OPEN, prompts: [OPEN, ""] }],
])("a client that %s", async (_, when, expected) => {
  expect(await started(when)).toEqual(expected);
});
