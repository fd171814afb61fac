import { describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { callOn } from "../calls/tool-call.js";
import { DEFAULT_SETTINGS, type Settings } from "../settings.js";
import { answerHook } from "./answer-hook.js";
import { readHookInput } from "./hook-input.js";

const settings = (focus: Settings["focus"]): Settings => ({ ...DEFAULT_SETTINGS, focus });
const claudeTodos = (...statuses: string[]) => ({
  todos: statuses.map((status, at) => ({ content: `todo ${at + 1}`, status, activeForm: `doing ${at + 1}` })),
});
const TWO = claudeTodos("in_progress", "in_progress", "pending");
const ONE = claudeTodos("completed", "in_progress", "pending");

/** A client that keeps its list with its own tool, as its hooks tell of it. */
async function hooked(focus: Settings["focus"]) {
  const one = await client(settings(focus));
  let writes = 0;
  const wrote = (tool_input: object, fields: object = {}) =>
    one.said("PostToolUse", { tool_name: "TodoWrite", tool_use_id: `w${++writes}`, tool_input, ...fields });
  return { ...one, wrote };
}

describe("two todos in progress that the client's own tool wrote", () => {
  test("are brought up by the hook that tells of it, once, with that tool's name", async () => {
    const { wrote, bash, open } = await hooked("remind");
    expect(await wrote(ONE)).toBe("");
    expect(await wrote(TWO)).toMatch(
      /^Milepost reminder: 2 todos are in progress: #1 "todo 1", #2 "todo 2"\. .* back to pending with TodoWrite\.$/,
    );
    expect(await open()).toEqual(["in_progress todo 1", "in_progress todo 2", "pending todo 3"]);
    for (const say of [await bash(), await wrote(TWO), await bash()]) expect(say).toBe("");
    await wrote(ONE);
    expect(await wrote(TWO)).toContain("2 todos are in progress");
  });

  test("are recorded as they are where a second one is refused: the client has taken them", async () => {
    const { wrote, open } = await hooked("reject");
    expect(await wrote(TWO)).toContain("2 todos are in progress");
    expect(await open()).toHaveLength(3);
  });

  test("are none of our business where the dialect decides", async () => {
    const { wrote, bash } = await hooked("dialect");
    expect(await wrote(TWO)).toBe("");
    expect(await bash()).toBe("");
  });

  test("are said once though the hook is wired twice", async () => {
    const { hook } = await hooked("remind");
    const fields = { tool_name: "TodoWrite", tool_use_id: "w", tool_input: TWO };
    const said = [await hook("PostToolUse", fields), await hook("PostToolUse", fields)];
    expect(said.filter((text) => text !== "")).toHaveLength(1);
  });

  test("wait while the agent plans, and are said when it works", async () => {
    const { wrote, bash } = await hooked("remind");
    expect(await wrote(TWO, { permission_mode: "plan" })).toBe("");
    expect(await bash({ permission_mode: "default" })).toContain("2 todos are in progress");
  });

  test("of a sub-agent are told to that sub-agent", async () => {
    const { wrote, bash } = await hooked("remind");
    expect(await wrote(TWO, { agent_id: "sub" })).toContain("2 todos are in progress");
    expect(await bash()).toBe("");
  });
});

/** Todo 1 and 2 in progress, in the words of each dialect that says nothing about it. */
const two = <Item>(item: (text: string) => Item) => ["a", "b"].map(item);
const SAID =
  'Only one todo can be in progress at a time; this write has 2: "a", "b". Nothing was changed. Leave one of them in_progress, set the others to pending, and write the list again.';
const DIALECTS: readonly [string, string, object, string][] = [
  [
    "claude",
    "TodoWrite",
    { todos: two((content) => ({ content, status: "in_progress", activeForm: content })) },
    `<tool_use_error>InputValidationError: ${SAID}</tool_use_error>`,
  ],
  ["codex", "update_plan", { plan: two((step) => ({ step, status: "in_progress" })) }, SAID],
  [
    "hermes",
    "todo_list",
    { todos: two((content) => ({ id: content, content, status: "in_progress" })) },
    `{"error": ${JSON.stringify(SAID)}}`,
  ],
  [
    "nexo",
    "TodoWrite",
    { todos: two((content) => ({ content, status: "in_progress", activeForm: content })) },
    `error: ${SAID}`,
  ],
];

describe.each(DIALECTS)("list.focus in %s", (dialect, tool, input, refusal) => {
  const called = async (focus: Settings["focus"]) => {
    const one = await client(settings(focus));
    const origin = { client: "claude-code", call: "c1" };
    const request = { dialect, tool, input, session: "s1", origin };
    const answer = await callOn(one.store, request, settings(focus));
    return { ...one, answer: answer.ok ? answer.value : answer.error };
  };

  test("reject: refused in its own shape of an error, and nothing is written", async () => {
    const { answer, open, bash } = await called("reject");
    expect(answer).toMatchObject({ isError: true, text: refusal });
    expect(await open()).toEqual([]);
    expect(await bash()).not.toContain("are in progress");
  });

  test("remind: answered to the byte as the original does, and said with the next hook", async () => {
    const { answer, bash, open } = await called("remind");
    expect(answer).toEqual((await called("dialect")).answer);
    expect(answer).toMatchObject({ isError: false });
    expect(await open()).toEqual(["in_progress a", "in_progress b"]);
    expect(await bash()).toContain('2 todos are in progress: #1 "a", #2 "b"');
    expect(await bash()).toBe("");
  });

  test("dialect: nothing is said", async () => {
    const { bash } = await called("dialect");
    expect(await bash()).toBe("");
  });
});

test("a dialect that has a rule of its own keeps it", async () => {
  const { store } = await client();
  const request = { dialect: "gencode", tool: "TodoWrite", input: TWO, session: "s1" };
  const answer = await callOn(store, request, settings("reject"));
  expect(answer).toMatchObject({ value: { text: "Only one task can be in_progress at a time" } });
});

describe("four todos closed at once", () => {
  const OPEN = claudeTodos("pending", "pending", "pending", "pending");
  const DONE = claudeTodos("completed", "completed", "completed", "completed");

  test("bring one remark in a session, also when the list is emptied by it", async () => {
    const { wrote, bash, open } = await hooked("remind");
    await wrote(OPEN);
    expect(await wrote(DONE)).toMatch(
      /^Milepost reminder: 4 todos were completed with no other tool call in between\./,
    );
    expect(await open()).toEqual([]);
    await bash();
    await wrote(OPEN);
    expect(await wrote(DONE)).toBe("");
  });

  test("one by one, with work in between, bring none", async () => {
    const { todo, bash } = await client();
    await todo({ add: ["a", "b", "c", "d"] });
    for (const done of [1, 2, 3, 4]) {
      expect(await bash()).toBe("");
      await todo({ done });
    }
    expect(await bash()).toBe("");
  });

  test("one by one, with nothing in between, bring it", async () => {
    const { todo, said } = await client();
    await todo({ add: ["a", "b", "c", "d", "e"] });
    for (const done of [1, 2, 3, 4]) await todo({ done });
    expect(await said("UserPromptSubmit", { prompt: "go on" })).toContain("4 todos were completed");
  });
});

describe("the first prompt", () => {
  const first = { ...DEFAULT_SETTINGS, reminders: { ...DEFAULT_SETTINGS.reminders, atFirstPrompt: true } };

  test("says that there is a list, in one line, once", async () => {
    const { said, bash } = await client(first);
    const text = await said("UserPromptSubmit", { prompt: "build it" });
    expect(text).toMatch(/^Milepost reminder: this session has no todo list yet\..*mcp__milepost__todo/);
    expect(text).not.toContain("\n");
    for (let reply = 0; reply < 12; reply += 1) expect(await bash()).toBe("");
    expect(await said("UserPromptSubmit", { prompt: "and this" })).toBe("");
  });

  test.each<[string, Settings, object]>([
    ["by default", DEFAULT_SETTINGS, {}],
    ["in plan mode", first, { permission_mode: "plan" }],
    ["when reminders are off", { ...first, reminders: { ...first.reminders, isOn: false } }, {}],
  ])("says nothing %s", async (_, tuned, fields) => {
    const { said } = await client(tuned);
    expect(await said("UserPromptSubmit", { prompt: "build it", ...fields })).toBe("");
  });

  test("says it in gencode's words where the server that hears it speaks gencode", async () => {
    const { store } = await client();
    const text = JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "build it" });
    const input = readHookInput(text, "m:7");
    if (!input.ok) throw new Error(input.error);
    const answer = await answerHook(store, { ...input.value, dialect: "gencode" }, first);
    expect(answer).toMatchObject({
      value: expect.stringContaining('"additionalContext":"<reminder>Use TodoWrite for multi-step tasks.</reminder>"'),
    });
  });
});
