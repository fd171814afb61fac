import { describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import { WHOLE_LIST } from "../../core/todo/policy.js";
import { append } from "../../store/event-store.js";
import { callOn } from "../calls/tool-call.js";
import { DEFAULT_SETTINGS } from "../settings.js";
import { editList } from "../todo/person-edit.js";
import { render } from "./answer-hook.js";
import { readHookInput } from "./hook-input.js";

const START = { source: "startup" };

describe("digest", () => {
  test.each(["compact", "resume", "startup"])("after %s the model gets the unfinished todos", async (source) => {
    const { hook, said, todo } = await client();
    await hook("SessionStart", START);
    await hook("UserPromptSubmit", { prompt: "go" });
    await todo({ add: ["Read the code", "Fix the bug", "Run tests"], done: [1] });
    const text = await said("SessionStart", { source }, "m:8");
    expect(text).toContain("#2 [in progress] Fix the bug\n#3 Run tests");
    expect(text).not.toContain("Read the code");
  });

  test("nothing open, nothing said", async () => {
    const { hook, todo } = await client();
    expect(await hook("SessionStart", START)).toBe("");
    await todo({ add: ["a"] });
    await todo({ done: 1 });
    expect(await hook("SessionStart", { source: "compact" })).toBe("");
  });

  test("said once at a start, and again after each compaction, reported before or not", async () => {
    const { hook, said, todo, bash } = await client();
    await todo({ add: ["a"] });
    expect(await said("SessionStart", { source: "resume" })).toContain("#1");
    expect(await said("SessionStart", { source: "resume" })).toBe("");
    expect(await said("SessionStart", { source: "compact" })).toContain("#1");
    await hook("UserPromptSubmit", { prompt: "go" });
    await bash();
    expect(await said("SessionStart", { source: "compact" })).toContain("#1");
    expect(await said("SessionStart", { source: "resume" })).toBe("");
    await hook("PreCompact", { trigger: "auto" });
    expect(await said("SessionStart", { source: "compact" })).toContain("#1");
  });

  describe("a compaction that is announced, and of whose end nobody tells", () => {
    test.each<[string, (one: Awaited<ReturnType<typeof client>>) => Promise<string>]>([
      ["the next call", ({ said }) => said("PostToolUse", { tool_name: "Bash", tool_use_id: "t9", tool_input: {} })],
      ["the next prompt", ({ said }) => said("UserPromptSubmit", { prompt: "go on" })],
    ])("is followed by the digest with %s, once", async (_, next) => {
      const one = await client();
      await one.hook("UserPromptSubmit", { prompt: "go" });
      await one.todo({ add: ["a", "b"], done: 1 });
      await one.hook("PreCompact", { trigger: "auto" });
      expect(await next(one)).toMatch(/kept over the compaction[\s\S]*#2 \[in progress\] b/);
      await one.bash();
      expect(await one.said("UserPromptSubmit", { prompt: "and now" })).toBe("");
    });

    test("the start that follows says it, and nothing else does", async () => {
      const { hook, said, todo, bash } = await client();
      await todo({ add: ["a"] });
      await hook("PreCompact", { trigger: "auto" });
      expect(await said("SessionStart", { source: "compact" })).toContain("#1");
      expect(await said("UserPromptSubmit", { prompt: "go on" })).toBe("");
      expect(await bash()).toBe("");
    });

    test("nothing is said of a list that the model has written since, or of which nothing is open", async () => {
      const { hook, said, todo } = await client();
      await todo({ add: ["a"] });
      await todo({ done: 1 });
      await hook("PreCompact", { trigger: "auto" });
      expect(await said("UserPromptSubmit", { prompt: "go on" })).toBe("");
      await todo({ add: ["b"] });
      expect(await said("UserPromptSubmit", { prompt: "go on" })).toBe("");
    });
  });

  /** A process that starts the session, is asked something, and ends. */
  const visit = async ({ hook, said }: Awaited<ReturnType<typeof client>>, process: string) => {
    const digest = await said("SessionStart", { source: "resume" }, process);
    await hook("UserPromptSubmit", { prompt: "go" }, process);
    await hook("Stop", {}, process);
    await hook("SessionEnd", { reason: "other" }, process);
    return digest;
  };

  test("after a compaction, at once or later, a resumed conversation still has its digest", async () => {
    const one = await client();
    await one.todo({ add: ["a"] });
    await one.hook("PreCompact", { trigger: "manual" });
    expect(await one.said("SessionStart", { source: "compact" })).toContain("#1");
    expect(await visit(one, "m:8")).toBe("");
    expect(await visit(one, "m:9")).toBe("");
  });

  test.each<[string, (one: Awaited<ReturnType<typeof client>>) => Promise<unknown>]>([
    ["the list has changed", ({ todo }) => todo({ add: ["b"] })],
    ["the context was cut", ({ hook }) => hook("PreCompact", { trigger: "auto" })],
    ["it was cleared", ({ hook, todo }) => hook("SessionStart", { source: "clear" }).then(() => todo({ add: ["a"] }))],
  ])("but it is when %s", async (_, happens) => {
    const one = await client();
    await one.todo({ add: ["a"] });
    expect(await visit(one, "m:8")).toContain("a");
    expect(await visit(one, "m:9")).toBe("");
    await happens(one);
    expect(await visit(one, "m:10")).toContain("[in progress] a");
  });

  test("a client that was killed before it could use it gets it again", async () => {
    const { said, todo } = await client();
    await todo({ add: ["a"] });
    expect(await said("SessionStart", { source: "resume" }, "m:1")).toContain("#1");
    expect(await said("SessionStart", { source: "resume" }, "m:2")).toContain("#1");
  });
});

describe("clear and fork", () => {
  test("clear begins empty, and offers what was open once", async () => {
    const { hook, said, todo, open } = await client();
    await hook("SessionStart", START);
    await todo({ add: ["Read", "Fix"], done: [1] });
    await hook("SessionEnd", { reason: "clear" });
    const offer = await said("SessionStart", { source: "clear", session_id: "s2" });
    expect(offer).toContain("Fix");
    expect(offer).not.toContain("Read");
    expect(await open("s2")).toEqual([]);
    await hook("SessionEnd", { reason: "clear", session_id: "s2" });
    expect(await said("SessionStart", { source: "clear", session_id: "s3" })).toBe("");
  });

  test("a client that keeps the name of the session gets an empty list under it", async () => {
    const { hook, said, todo, open } = await client();
    await hook("SessionStart", START);
    await todo({ add: ["Fix"] });
    expect(await said("SessionStart", { source: "clear" })).toContain("Fix");
    expect(await open()).toEqual([]);
  });

  test("nor is it offered the list of another session of its process", async () => {
    const { hook, said, todo } = await client();
    await hook("SessionStart", START);
    await todo({ add: ["Fix"] });
    await hook("SessionStart", { ...START, session_id: "s2" });
    await hook("UserPromptSubmit", { prompt: "go", session_id: "s2" });
    expect(await said("SessionStart", { source: "clear", session_id: "s2" })).toBe("");
  });

  test("a session of another folder or client is not offered", async () => {
    const { hook, said, todo } = await client();
    await hook("SessionStart", { ...START, cwd: "/elsewhere" });
    await todo({ add: ["Fix"] });
    await hook("SessionEnd", { reason: "clear", cwd: "/elsewhere" });
    expect(await said("SessionStart", { source: "clear", session_id: "s2" })).toBe("");
    expect(await said("SessionStart", { source: "clear", session_id: "s3", turn_id: "1", cwd: "/elsewhere" })).toBe("");
  });

  test("what was added after an offer is offered again, and never another session's", async () => {
    // Which of two sessions is the later one is told by milliseconds, and all of this can happen in one.
    let now = Date.now();
    const { hook, said, todo } = await client(DEFAULT_SETTINGS, {}, { clock: () => ++now });
    await hook("SessionStart", { ...START, session_id: "old" });
    await todo({ add: ["Old"] }, "old");
    await hook("SessionStart", START);
    await todo({ add: ["First"] });
    await hook("SessionEnd", { reason: "clear" });
    const clear = (session_id: string) => said("SessionStart", { source: "clear", session_id });
    expect(await clear("s2")).toContain("First");
    expect(await clear("s2")).toBe("");
    await hook("SessionEnd", { reason: "resume", session_id: "s2" });
    await hook("SessionStart", { source: "resume" });
    await todo({ add: ["Second"] });
    await hook("SessionEnd", { reason: "clear" });
    const offer = await clear("s3");
    expect(offer).toContain("Second");
    expect(offer).not.toContain("Old");
  });

  test("a fork whose parent nobody knows gets no copy of somebody else's list", async () => {
    const { hook, todo, open } = await client();
    for (const [session_id, text] of [
      ["a", "A's"],
      ["b", "B's"],
    ] as const) {
      await hook("SessionStart", { ...START, session_id }, `m:${session_id}`);
      await todo({ add: [text] }, session_id);
    }
    await hook("SessionStart", { source: "fork", session_id: "c" }, "m:c");
    expect(await open("c")).toEqual([]);
  });

  test("a fork has a copy, and the two go their own ways", async () => {
    const { hook, said, todo, open } = await client();
    await hook("SessionStart", START);
    await todo({ add: ["Read", "Fix"], done: [1] });
    await hook("SessionEnd", { reason: "resume" });
    expect(await said("SessionStart", { source: "fork", session_id: "s2" })).toContain("#2 [in progress] Fix");
    await todo({ done: 2 }, "s2");
    expect(await open("s2")).toEqual(["completed Read", "completed Fix"]);
    expect(await open()).toEqual(["completed Read", "in_progress Fix"]);
  });

  test.each(["at the same time", "one after the other"])(
    "a fork that two hooks report %s is copied once",
    async (how) => {
      const { hook, todo, open, events } = await client();
      await hook("SessionStart", START);
      await todo({ add: ["Read", "Fix"], done: [1] });
      const fork = () => hook("SessionStart", { source: "fork", session_id: "s2" });
      if (how === "one after the other") await fork();
      await Promise.all([fork(), fork()]);
      expect(await open("s2")).toEqual(["completed Read", "in_progress Fix"]);
      expect((await events("todo.added")).filter(({ stream }) => stream === "session:s2")).toHaveLength(2);
    },
  );

  test("a list that was emptied is not filled again by a second report of the fork", async () => {
    const { hook, todo, open } = await client();
    await hook("SessionStart", START);
    await todo({ add: ["Fix"] });
    await hook("SessionStart", { source: "fork", session_id: "s2" });
    await hook("SessionStart", { source: "clear", session_id: "s2" });
    await hook("SessionStart", { source: "fork", session_id: "s2" });
    expect(await open("s2")).toEqual([]);
  });
});

describe("reminders", () => {
  test("the tenth step without an update, once, and written down", async () => {
    const { todo, bash, events } = await client();
    await todo({ add: ["a", "b"] });
    const said: string[] = [];
    for (let step = 1; step <= 12; step += 1) said.push(await bash());
    expect(said.map((text) => text !== "")).toEqual([...Array(9).fill(false), true, false, false]);
    expect((await events("reminder.sent")).map(({ data }) => data.reminder)).toEqual(["stale"]);
  });

  test("the call that wrote the list is not a turn without an update", async () => {
    const { todo, bash, said } = await client();
    for (let round = 0; round < 3; round += 1) {
      await todo(round === 0 ? { add: ["a", "b"] } : { note: `${round}` });
      await said("PostToolUse", { tool_name: "mcp__milepost__todo", tool_use_id: `m${round}` });
      for (let step = 1; step <= 9; step += 1) expect(await bash()).toBe("");
    }
    expect(await bash()).toContain("not changed for 10 turns");
  });

  test("a client with batches counts batches", async () => {
    const { todo, bash, said } = await client();
    await todo({ add: ["a"] });
    const texts: string[] = [];
    for (let turn = 1; turn <= 10; turn += 1) {
      const calls = [1, 2, 3].map((call) => ({ tool_name: "Bash", tool_use_id: `b${turn}.${call}` }));
      for (const call of calls) texts.push(await bash(call));
      texts.push(await said("PostToolBatch", { tool_calls: calls }));
    }
    expect(texts.filter(Boolean)).toHaveLength(1);
    expect(texts.at(-1)).toContain("not changed for 10 turns");
  });

  test("a hook that is wired twice counts once", async () => {
    const { todo, bash } = await client();
    await todo({ add: ["a"] });
    for (let step = 1; step <= 9; step += 1) {
      await bash({ tool_use_id: `x${step}` });
      expect(await bash({ tool_use_id: `x${step}` })).toBe("");
    }
    expect(await bash({ tool_use_id: "x10" })).not.toBe("");
    expect(await bash({ tool_use_id: "x10" })).toBe("");
  });

  test("off is off", async () => {
    const { todo, bash, hook } = await client({
      ...DEFAULT_SETTINGS,
      reminders: { ...DEFAULT_SETTINGS.reminders, isOn: false },
    });
    await todo({ add: ["a"] });
    for (let step = 1; step <= 25; step += 1) expect(await bash()).toBe("");
    expect(await hook("Stop")).toBe("");
  });

  test("a refused write that the model passes over", async () => {
    const { todo, bash, said } = await client();
    await todo({ add: ["a"] });
    await todo({ done: 9 });
    expect(await said("PostToolUseFailure", { tool_name: "mcp__milepost__todo", tool_use_id: "c2" })).toBe("");
    expect(await bash()).toContain("was refused");
    expect(await bash()).toBe("");
  });

  test.each([
    ["todo", "was refused"],
    ["task", ""],
    ["plan", ""],
  ])("%s that failed is a refused write of the list: %j", async (tool, words) => {
    const { todo, bash, said } = await client();
    await todo({ add: ["a"] });
    const failed = { tool_name: `mcp__milepost__${tool}`, tool_use_id: "x1", tool_input: { done: 1 }, error: "held" };
    expect(await said("PostToolUseFailure", failed)).toBe("");
    const next = await bash();
    expect(words === "" ? next : next.includes(words)).toBe(words === "" ? "" : true);
  });
});

describe("stop", () => {
  /** The person asks for work, the agent begins the first todo. */
  const begun = async (prompt = "go", environment: Record<string, string> = {}) => {
    const one = await client(DEFAULT_SETTINGS, environment);
    await one.hook("UserPromptSubmit", { prompt });
    await one.todo({ add: ["a", "b", "c", "d", "e"] });
    return one;
  };

  test("asks once, as feedback, then lets go", async () => {
    const { hook, said, bash, session, events } = await begun();
    await bash();
    expect(await said("Stop")).toMatch(
      /^Milepost reminder: you stop with a todo in progress\. 0\/5 done; open: #1 "a" \(now\)/,
    );
    expect((await session()).state).toBe("running");
    expect(await events("turn.ended")).toHaveLength(0);
    expect(await hook("Stop", { stop_hook_active: true })).toBe("");
    expect((await session()).state).toBe("idle");
    expect(await events("turn.ended")).toHaveLength(1);
    // A client forgets that it was asked when background work reports.
    await hook("UserPromptSubmit", { prompt: "<task-notification>done</task-notification>" });
    expect(await hook("Stop")).toBe("");
  });

  test("a plan without work is no reason to ask", async () => {
    const { hook, events } = await begun();
    expect(await hook("Stop")).toBe("");
    expect(await events("turn.ended")).toHaveLength(1);
  });

  test("five turns of one item each, and one of something else: never asked", async () => {
    const { hook, todo, bash } = await begun();
    const answers = [await hook("Stop")];
    for (let item = 1; item <= 5; item += 1) {
      await hook("UserPromptSubmit", { prompt: `Do item ${item}, only that one.` });
      await bash();
      await bash();
      await todo({ done: item });
      answers.push(await hook("Stop"));
      if (item !== 3) continue;
      await hook("UserPromptSubmit", { prompt: "What is the last commit?" });
      await bash();
      answers.push(await hook("Stop"));
    }
    expect(answers.join("")).toBe("");
  });

  test("begun by the client's own tool, worked on, left", async () => {
    const { hook, said, bash } = await client();
    await hook("UserPromptSubmit", { prompt: "go" });
    const todos = [{ content: "Fix", status: "in_progress", activeForm: "Fixing" }];
    await hook("PostToolUse", { tool_name: "TodoWrite", tool_use_id: "w1", tool_input: { todos } });
    await bash();
    expect(await said("Stop")).toContain('#1 "Fix" (now)');
  });

  test("begun by a person: not asked", async () => {
    const { store, hook, bash } = await client();
    await hook("UserPromptSubmit", { prompt: "go" });
    await editList(store, { stream: "session:s1", by: "ann" }, () => ({
      plan: undefined,
      edit: {
        action: "x",
        command: { type: "edit", edits: [{ type: "add", todos: [{ text: "Fix", status: "in_progress" }] }] },
        policy: WHOLE_LIST,
      },
    }));
    await bash();
    expect(await hook("Stop")).toBe("");
  });

  test.each([
    { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "sdk-cli" },
    { CLAUDE_CODE_SESSION_ATTENDED: "0", CLAUDE_CODE_ENTRYPOINT: "cli" },
    { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" },
  ])("never where nobody is: %j", async (environment) => {
    const { hook, bash, events } = await begun("go", environment);
    await bash();
    expect(await hook("Stop")).toBe("");
    expect(await events("turn.ended")).toHaveLength(1);
  });

  test.each([
    ["the person said stop", "stop", {}],
    ["the person said enough", "ok, that's enough", {}],
    ["the agent asks the person", "go", { last_assistant_message: "Two ways are open.\nWhich one do you want?" }],
    ["the agent plans", "go", { permission_mode: "plan" }],
    ["a background job runs", "go", { background_tasks: [{ id: "b", status: "running" }] }],
    ["something is scheduled", "go", { session_crons: [{ id: "c" }] }],
  ])("does not ask when %s", async (_, prompt, fields) => {
    const { hook, bash } = await begun(prompt);
    await bash();
    expect(await hook("Stop", fields)).toBe("");
  });

  test("does not ask while a permission is open", async () => {
    const { hook, bash } = await begun();
    await bash();
    await hook("PermissionRequest", { tool_name: "Bash" });
    expect(await hook("Stop")).toBe("");
  });

  test("a finished background job is none", async () => {
    const { said, bash } = await begun();
    await bash();
    expect(await said("Stop", { background_tasks: [{ id: "b", status: "completed" }] })).toContain("in progress");
  });
});

describe("what the client's own tools do", () => {
  const todos = (status: string) => ({ todos: [{ content: "Fix", status, activeForm: "Fixing" }] });

  test("TodoWrite becomes the session's list, and the sub-agent's its own", async () => {
    const { hook, open } = await client();
    const write = { tool_name: "TodoWrite", tool_use_id: "w1", tool_input: todos("in_progress") };
    await hook("PostToolUse", write);
    await hook("PostToolUse", { ...write, tool_use_id: "w2", agent_id: "a1", tool_input: todos("pending") });
    expect(await open()).toEqual(["in_progress Fix"]);
    expect(await open("s1", "a1")).toEqual(["pending Fix"]);
  });

  test("update_plan too; its call is one event, however often it is reported", async () => {
    const { hook, open, events } = await client();
    const plan = { plan: [{ step: "Fix", status: "in_progress" }] };
    const fields = { tool_name: "update_plan", tool_use_id: "u1", tool_input: plan, turn_id: "1" };
    await hook("PostToolUse", fields);
    await hook("PostToolUse", fields);
    expect(await open()).toEqual(["in_progress Fix"]);
    expect(await events("call.ended")).toHaveLength(1);
    expect(await events("todo.added")).toHaveLength(1);
  });

  test("Task calls are kept whole and change no list", async () => {
    const { hook, open, events } = await client();
    const input = { subject: "Fix", description: "it" };
    const output = { task: { id: "1", subject: "Fix" } };
    await hook("PostToolUse", { tool_name: "TaskCreate", tool_use_id: "k1", tool_input: input, tool_response: output });
    expect(await open()).toEqual([]);
    expect((await events("call.ended"))[0]?.data).toMatchObject({ tool: "TaskCreate", input, output });
  });

  test("other calls leave one line, and nothing of their output", async () => {
    const { bash, events } = await client();
    await bash({ tool_input: { command: "npm test\n--watch" }, tool_response: { stdout: "secret" }, duration_ms: 12 });
    const [call] = await events("call.ended");
    expect(call?.data).toMatchObject({
      tool: "Bash",
      status: "completed",
      subject: "npm test --watch",
      milliseconds: 12,
    });
    expect(JSON.stringify(await events())).not.toContain("secret");
  });
});

describe("one fact, one event", () => {
  test("a call of ours, seen by our server and by the hook", async () => {
    const { todo, hook, events } = await client();
    await todo({ add: ["a"] });
    const before = await events();
    await hook("PostToolUse", { tool_name: "mcp__milepost__todo", tool_use_id: "c1", tool_input: { add: ["a"] } });
    await hook("PostToolBatch", { tool_calls: [{ tool_name: "mcp__milepost__todo", tool_use_id: "c1" }] });
    expect(await events()).toEqual(before);
    expect(before.filter(({ type }) => type === "call.ended")).toHaveLength(1);
  });

  test("a call of another tool, seen alone and in its batch", async () => {
    const { bash, hook, events } = await client();
    await bash({ tool_use_id: "b1" });
    await hook("PostToolBatch", {
      tool_calls: [
        { tool_name: "Bash", tool_use_id: "b1" },
        { tool_name: "Edit", tool_use_id: "b2" },
      ],
    });
    // The second one was never reported by itself: the client refused it.
    expect((await events("call.ended")).map(({ data }) => data.status)).toEqual(["completed", "cancelled"]);
  });
});

describe("tell", () => {
  test("is delivered with the next step, once", async () => {
    const { store, bash } = await client();
    await store.commit(function* () {
      yield* [];
      return {
        ok: true,
        value: {
          writes: [{ stream: "session:s1", events: [{ type: "word.told", data: { text: "Wait <b>" } }] }],
          answer: 0,
        },
      };
    });
    expect(await bash()).toBe("The person says through `milepost tell`:\n- Wait ‹b>");
    expect(await bash()).toBe("");
  });
});

describe("what comes late, twice or never", () => {
  test("a session whose beginning nobody told is known from its first event on", async () => {
    const { bash, session } = await client();
    await bash();
    expect(await session()).toMatchObject({ client: "claude-code", folder: "/work", process: "m:7" });
  });

  test("a digest goes to Codex once, whatever shell starts the hooks", async () => {
    const { said, todo } = await client();
    await todo({ add: ["a"] });
    const codex = { turn_id: "1", session_id: "s2" };
    await todo({ add: ["b"] }, "s2");
    expect(await said("SessionStart", { ...codex, source: "resume" }, "m:1")).toContain("b");
    expect(await said("SessionStart", { ...codex, source: "compact" }, "m:2")).toBe("");
  });

  test("a plan that Codex refused is not our list", async () => {
    const { hook, open } = await client();
    const plan = { tool_name: "update_plan", tool_input: { plan: [{ step: "Fix", status: "pending" }] }, turn_id: "1" };
    await hook("PostToolUse", { ...plan, tool_use_id: "u1", tool_response: "not allowed in Plan mode" });
    expect(await open()).toEqual([]);
    await hook("PostToolUse", { ...plan, tool_use_id: "u2", tool_response: "Plan updated" });
    expect(await open()).toEqual(["pending Fix"]);
  });

  test("ids that repeat in every turn still count", async () => {
    const { todo, bash } = await client();
    await todo({ add: ["a"] });
    const said: string[] = [];
    for (let turn = 1; turn <= 10; turn += 1) said.push(await bash({ tool_use_id: "call_1", prompt_id: `p${turn}` }));
    expect(said.filter(Boolean)).toHaveLength(1);
    expect(said.at(-1)).not.toBe("");
  });

  test("many words come in portions", async () => {
    const { store, bash, session } = await client();
    const words = Array.from({ length: 8 }, () => ({ type: "word.told", data: { text: "x".repeat(2000) } }));
    await store.commit(append([{ stream: "session:s1", events: words }]));
    for (let portion = 0; portion < 4; portion += 1) expect((await bash()).length).toBeLessThan(6000);
    expect((await session()).words).toEqual([]);
  });

  test("an id or a folder of megabytes is not carried along", async () => {
    const { bash, session, events } = await client();
    await bash({ tool_use_id: "x".repeat(5_000_000), cwd: "/y".repeat(1_000_000) });
    expect(JSON.stringify(await events()).length).toBeLessThan(6000);
    expect((await session()).folder.length).toBeLessThan(5000);
  });
});

describe("sub-agents", () => {
  test("in the first work of a session: with its own batches it counts replies, not calls", async () => {
    const { said } = await client();
    const texts: string[] = [];
    for (let reply = 1; reply <= 10; reply += 1) {
      const call = { tool_name: "Bash", tool_use_id: `s${reply}`, agent_id: "a1" };
      texts.push(await said("PostToolUse", call), await said("PostToolBatch", { tool_calls: [call], agent_id: "a1" }));
    }
    expect(texts.map((text) => text !== "").indexOf(true)).toBe(19);
  });

  test("a client with batches has them in sub-agents, too", async () => {
    const { hook, todo, said } = await client();
    await hook("PostToolBatch", { tool_calls: [{ tool_name: "Bash", tool_use_id: "b0" }] });
    await todo({ add: ["a"] });
    const calls = Array.from({ length: 12 }, (_, index) => ({ tool_name: "Read", tool_use_id: `r${index}` }));
    for (const call of calls) expect(await said("PostToolUse", { ...call, agent_id: "a1" })).toBe("");
  });

  test("count for themselves, and are known while they run", async () => {
    const { hook, todo, said, session } = await client();
    await todo({ add: ["a"] });
    await hook("SubagentStart", { agent_id: "a1", agent_type: "general-purpose" });
    expect((await session()).agents).toEqual(["a1"]);
    for (let step = 0; step < 15; step += 1)
      await said("PostToolUse", { tool_name: "Bash", tool_use_id: `z${step}`, agent_id: "a1" });
    expect((await session()).sinceUpdate).toBe(0);
    await hook("SubagentStop", { agent_id: "x", agent_type: "" });
    await hook("SubagentStop", { agent_id: "a1", agent_type: "general-purpose" });
    expect((await session()).agents).toEqual([]);
  });
});

describe("what a person did to the list", () => {
  const edited = (store: Awaited<ReturnType<typeof client>>["store"], text: string) =>
    editList(store, { stream: "session:s1", by: "ann@host" }, () => ({
      plan: undefined,
      edit: {
        action: `milepost todo add ${text}`,
        command: { type: "edit", edits: [{ type: "add", todos: [{ text }] }] },
        policy: WHOLE_LIST,
      },
    }));

  test("is told with the next reply, once, with the list as it is then", async () => {
    const { store, hook, bash, todo } = await client();
    await hook("UserPromptSubmit", { prompt: "go" });
    await todo({ add: ["Fix it"] });
    await edited(store, "Ship it");
    await edited(store, "Tell </system-reminder>");
    const text = await bash();
    expect(text).toContain("the person has changed the todo list (milepost todo add Ship it; milepost todo add Tell");
    expect(text).toContain("[>] 1. Fix it\n[ ] 2. Ship it\n[ ] 3. Tell ‹/system-reminder>");
    expect(await bash()).toBe("");
  });

  test("what is finished is only counted", async () => {
    const { store, bash, todo } = await client();
    await todo({ add: ["Read", "Fix", "Ship"], done: [1, 2] });
    await edited(store, "Tell");
    const text = await bash();
    expect(text).toContain("2/4 done. Go on from what is open;");
    expect(text).toContain("\n[>] 3. Ship\n[ ] 4. Tell");
    expect(text).not.toMatch(/Read|Fix/);
  });

  test("nothing is open any more", async () => {
    const { store, bash, todo } = await client();
    await todo({ add: ["Read"] });
    await editList(store, { stream: "session:s1", by: "ann" }, () => ({
      plan: undefined,
      edit: {
        action: "milepost todo done 1",
        command: { type: "edit", edits: [{ type: "move", target: { number: 1 }, to: "completed" }] },
        policy: WHOLE_LIST,
      },
    }));
    expect(await bash()).toBe(
      "Milepost: the person has changed the todo list (milepost todo done 1). 1/1 done; nothing is open now.",
    );
  });

  test("is recorded as the person's", async () => {
    const { store, events } = await client();
    await edited(store, "a");
    expect((await events()).map(({ type, actor }) => [type, actor])).toEqual([
      ["phase.opened", "ann@host"],
      ["todo.added", "ann@host"],
      ["list.edited", "ann@host"],
    ]);
  });

  test("that changed nothing is not told", async () => {
    const { store, events } = await client();
    await editList(store, { stream: "session:s1", by: "ann" }, () => ({
      plan: undefined,
      edit: { action: "x", command: { type: "edit", edits: [{ type: "clear" }] }, policy: WHOLE_LIST },
    }));
    expect(await events()).toEqual([]);
  });
});

describe("changes that the agent did not make", () => {
  const byAnn = (store: Awaited<ReturnType<typeof client>>["store"]) =>
    editList(store, { stream: "session:s1", by: "ann" }, () => ({
      plan: undefined,
      edit: {
        action: "x",
        command: { type: "edit", edits: [{ type: "add", todos: [{ text: "more" }] }] },
        policy: WHOLE_LIST,
      },
    }));

  test("leave an agent that waits waiting, and a turn without work without a question", async () => {
    const { store, hook, todo, session } = await client();
    await hook("UserPromptSubmit", { prompt: "go" });
    await todo({ add: ["Fix it"] });
    await hook("Stop");
    await hook("UserPromptSubmit", { prompt: "what is this?" });
    await byAnn(store);
    expect(await hook("Stop")).toBe("");
    await hook("PermissionRequest");
    await byAnn(store);
    expect((await session()).state).toBe("waiting");
  });

  test("are told alone, and the count begins anew", async () => {
    const { store, hook, todo, bash } = await client();
    await hook("UserPromptSubmit", { prompt: "go" });
    await todo({ add: ["Fix it"] });
    for (let reply = 0; reply < 9; reply += 1) await bash();
    await byAnn(store);
    const text = await bash();
    expect(text).toContain("the person has changed the todo list");
    expect(text).not.toContain("has not changed");
    for (let reply = 0; reply < 9; reply += 1) expect(await bash()).toBe("");
    expect(await bash()).toContain("has not changed for 10 turns");
  });
});

test.each(["none", "shared"] as const)(
  "a sub-agent is not reminded of a list where it has none (%s)",
  async (subAgents) => {
    const { hook, bash } = await client({ ...DEFAULT_SETTINGS, subAgents });
    await hook("UserPromptSubmit", { prompt: "go" });
    const said: string[] = [];
    for (let reply = 0; reply < 12; reply += 1) said.push(await bash({ agent_id: "sub" }));
    expect(said.join("")).toBe("");
  },
);

describe("a session that speaks oh-my-pi", () => {
  async function speaking() {
    const one = await client();
    let calls = 0;
    await one.hook("UserPromptSubmit", { prompt: "go" });
    const write = (...ops: object[]) =>
      callOn(one.store, {
        dialect: "oh-my-pi",
        tool: "todo_write",
        input: { ops },
        session: "s1",
        origin: { client: "claude-code", call: `w${++calls}` },
      });
    await write({ op: "init", list: [{ phase: "P", items: ["a", "b"] }] });
    return { ...one, write };
  }

  test("is asked three times when it stops with open todos, in that agent's words, then let go", async () => {
    const { hook, bash } = await speaking();
    await bash();
    const stop = async (isAgain: boolean) => {
      const text = await hook("Stop", { stop_hook_active: isAgain });
      return text === "" ? "" : JSON.parse(text).hookSpecificOutput.additionalContext;
    };
    expect(await stop(false)).toContain("You stopped with 2 incomplete todo item(s):\n- P\n  - a\n  - b\n");
    expect(await stop(true)).toContain("(Reminder 2/3)");
    expect(await stop(true)).toContain("(Reminder 3/3)");
    expect(await stop(true)).toBe("");
  });

  test("is told what failed with the person's next words, not before, also when a retry has succeeded", async () => {
    const { said, write, bash } = await speaking();
    await write({ op: "done", task: "nope" });
    expect(await bash()).toBe("");
    await write({ op: "done", task: "a" });
    expect(await bash()).toBe("");
    expect(await said("UserPromptSubmit", { prompt: "<task-notification>" })).toBe("");
    expect(await said("UserPromptSubmit", { prompt: "on" })).toContain(
      'Failure: Errors: Task "nope" not found Remaining items (2):',
    );
    expect(await said("UserPromptSubmit", { prompt: "and on" })).toBe("");
  });

  test("is told of every call that failed, a schema failure too", async () => {
    const { said, write } = await speaking();
    await write({ op: "done", task: "nope" });
    await write({ op: "paint" });
    const text = await said("UserPromptSubmit", { prompt: "on" });
    expect(text.match(/todo_write failed/g)).toHaveLength(2);
    expect(text.match(/^Failure: /gm)).toHaveLength(2);
    expect(text).toMatch(/<\/system-reminder>\n\n<system-reminder>/);
  });

  test("is asked to go on although it asks the person something, or only answered", async () => {
    const { said } = await speaking();
    await said("Stop");
    await said("UserPromptSubmit", { prompt: "what is a?" });
    expect(await said("Stop", { last_assistant_message: "It is a letter. Shall I go on?" })).toContain(
      "(Reminder 1/3)",
    );
  });

  test("goes back to our words with our tool, whoever calls it", async () => {
    const { store, hook, bash } = await speaking();
    await callOn(store, { tool: "todo", input: { note: "x" }, session: "s1" });
    await bash();
    expect(await hook("Stop")).toContain("Milepost reminder: you stop with a todo in progress.");
  });
});

/** Only the model reads it: neither client shows context, and nothing of ours is a message for the screen. */
describe("how a reminder is handed over", () => {
  const context = (hookEventName: string) => ({ hookSpecificOutput: { hookEventName, additionalContext: "Why?" } });
  test.each([
    ["to Claude Code, after a call: as context", "PostToolUse", {}, context("PostToolUse")],
    ["to Claude Code, at a stop: as feedback", "Stop", {}, context("Stop")],
    ["to Codex, after a call: as context", "PostToolUse", { turn_id: "1" }, context("PostToolUse")],
    [
      "to Codex, at a stop: by a block, which is all it takes",
      "Stop",
      { turn_id: "1" },
      { decision: "block", reason: "Why?" },
    ],
  ])("%s", (_, event, fields, answer) => {
    const text = JSON.stringify({ session_id: "s1", hook_event_name: event, cwd: "/work", ...fields });
    const input = readHookInput(text, "m:7", {});
    expect(input.ok && JSON.parse(render(input.value, ["Why?"]))).toEqual(answer);
    expect(input.ok && render(input.value, [])).toBe("");
  });
});
