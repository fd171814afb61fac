import { describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { offersOf } from "../transcripts/report/child-reports.js";
import { LISTS } from "../views.js";

const CLIENTS = [
  { name: "claude-code", more: {}, tool: "mcp__milepost__todo" },
  { name: "codex", more: { turn_id: "u1" }, tool: "mcp__milepost.todo" },
] as const;

const PROMPT = { prompt: "go" };

describe.each(CLIENTS)("sub-agents of $name", ({ more, tool }) => {
  const begin = async (settings = DEFAULT_SETTINGS) => {
    const one = await client(settings);
    await one.hook("UserPromptSubmit", { ...PROMPT, ...more });
    await one.todo({ add: ["Read the code", "Fix <b>the bug", "Run tests"], done: [1] });
    const agent = (event: string, id: string, said = "") =>
      one.hook(event, { agent_id: id, agent_type: "Explore", last_assistant_message: said, ...more });
    const next = (call: string) => one.said("PostToolUse", { tool_name: "Bash", tool_use_id: call, ...more });
    return { ...one, agent, next };
  };

  test("the start has the todo that was in progress", async () => {
    const { agent, events } = await begin();
    await agent("SubagentStart", "a1");
    expect((await events("agent.started")).map(({ data }) => data)).toEqual([
      { agent: "a1", kind: "Explore", todo: 2 },
    ]);
  });

  test("the end offers it once, with the parent's next hook, and completes nothing", async () => {
    const { agent, next, open } = await begin();
    await agent("SubagentStart", "a1");
    await agent("SubagentStop", "a1");
    await agent("SubagentStop", "a1");
    const text = await next("t1");
    expect(text).toContain("Sub-agent a1, which was started for todo #2, has ended.");
    expect(text).toContain("Fix ‹b>the bug");
    expect(text).toContain(`mark it as completed with ${tool}`);
    expect(await next("t2")).toBe("");
    expect(await open()).toEqual(["completed Read the code", "in_progress Fix <b>the bug", "pending Run tests"]);
  });

  test("the last of several does; another one later does not ask again", async () => {
    const { agent, next } = await begin();
    for (const id of ["a1", "a2"]) await agent("SubagentStart", id);
    await agent("SubagentStop", "a1");
    expect(await next("t1")).toBe("");
    await agent("SubagentStop", "a2");
    expect(await next("t2")).toContain("Sub-agent a2");
    await agent("SubagentStart", "a3");
    await agent("SubagentStop", "a3");
    expect(await next("t3")).toBe("");
  });

  test("a todo that is done, or left, is not offered", async () => {
    const { agent, next, todo } = await begin();
    await agent("SubagentStart", "a1");
    await todo({ done: 2 });
    await agent("SubagentStop", "a1");
    expect(await next("t1")).toBe("");
  });

  test("without a todo in progress there is nothing to offer", async () => {
    const { hook, said, events } = await client();
    await hook("UserPromptSubmit", { ...PROMPT, ...more });
    await hook("SubagentStart", { agent_id: "a1", agent_type: "Explore", ...more });
    await hook("SubagentStop", { agent_id: "a1", agent_type: "Explore", ...more });
    expect(await said("PostToolUse", { tool_name: "Bash", tool_use_id: "t1", ...more })).toBe("");
    expect((await events("agent.started"))[0]?.data).toEqual({ agent: "a1", kind: "Explore" });
  });

  test("where lists are off nobody is asked", async () => {
    const { agent, next } = await begin({ ...DEFAULT_SETTINGS, listsOff: ["claude-code", "codex"] });
    await agent("SubagentStart", "a1");
    await agent("SubagentStop", "a1");
    expect(await next("t1")).toBe("");
  });

  test("people see it too, until the todo is done", async () => {
    const { agent, todo, store, session } = await begin();
    await agent("SubagentStart", "a1");
    await agent("SubagentStop", "a1");
    const offers = async () => offersOf({ list: await store.view(LISTS, "session:s1"), tasks: [] }, await session());
    expect(await offers()).toEqual([{ agent: "a1", todo: 2, text: "Fix <b>the bug", kind: "todo" }]);
    await todo({ done: 2 });
    expect(await offers()).toEqual([]);
  });
});

test("tasks that the client keeps are offered alike, with the client's own tool", async () => {
  const { hook, said } = await client();
  await hook("UserPromptSubmit", PROMPT);
  const task = { tool_name: "TaskCreate", tool_use_id: "k1", tool_input: { subject: "Fix it", description: "d" } };
  await hook("PostToolUse", { ...task, tool_response: { task: { id: "7", subject: "Fix it" } } });
  const start = { taskId: "7", status: "in_progress" };
  await hook("PostToolUse", {
    ...{ tool_name: "TaskUpdate", tool_use_id: "k2", tool_input: start },
    tool_response: {
      success: true,
      taskId: "7",
      updatedFields: ["status"],
      statusChange: { from: "pending", to: "in_progress" },
    },
  });
  await hook("SubagentStart", { agent_id: "a1", agent_type: "Explore" });
  await hook("SubagentStop", { agent_id: "a1", agent_type: "Explore" });
  const text = await said("PostToolUse", { tool_name: "Bash", tool_use_id: "t1" });
  expect(text).toContain("started for task #7, has ended. Still in progress: Fix it.");
  expect(text).toContain("with TaskUpdate");
});
