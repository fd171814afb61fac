import { describe, expect, test } from "vitest";
import { client } from "../../../test/hooked-client.js";
import type { RoundCall } from "../../core/call/call-facts.js";
import type { EvidencePolicy, SessionEvent } from "../../core/session/events.js";
import { callOn } from "../calls/tool-call.js";
import { sessionEvent } from "../session/session-view.js";
import { DEFAULT_SETTINGS } from "../settings.js";

type Client = "claude-code" | "codex";

/** Each client with its own list tool, as its hooks tell of it. */
const CLIENTS: Readonly<Record<Client, { readonly tool: string; readonly common: object; readonly attended: object }>> =
  {
    "claude-code": { tool: "TodoWrite", common: { prompt_id: "p1" }, attended: {} },
    codex: { tool: "update_plan", common: { turn_id: "p1" }, attended: {} },
  };

const STATUSES: Readonly<Record<string, string>> = { ".": "pending", ">": "in_progress", x: "completed" };

function inputOf(name: Client, marks: string): object {
  const statuses = [...marks].map((mark) => STATUSES[mark]);
  if (name === "codex") return { plan: statuses.map((status, at) => ({ step: `todo ${at + 1}`, status })) };
  return { todos: statuses.map((status, at) => ({ content: `todo ${at + 1}`, status, activeForm: `at ${at + 1}` })) };
}

async function session(name: Client, evidence: EvidencePolicy = "nudge", environment: Record<string, string> = {}) {
  const one = await client({ ...DEFAULT_SETTINGS, evidence }, environment);
  const { tool, common } = CLIENTS[name];
  let writes = 0;
  const said = async (event: string, fields: object = {}) => {
    const text = await one.hook(event, { ...common, ...fields });
    return text === "" ? "" : (JSON.parse(text).reason ?? JSON.parse(text).hookSpecificOutput.additionalContext);
  };
  /** As the helper of a reply's calls writes it. */
  const record = (...events: readonly SessionEvent[]) =>
    one.store.commit(function* (transaction) {
      yield* transaction.version("session:s1");
      const writes = [{ stream: "session:s1", events: events.map((event) => sessionEvent(event)) }];
      return { ok: true, value: { writes, answer: 0 } };
    });
  const called = (...round: readonly Partial<RoundCall>[]) =>
    record({
      type: "reply.ended",
      batch: false,
      calls: round.length,
      usedList: false,
      round: round.map((call) => ({ tool: "T", status: "completed", ...call })),
    });
  return {
    ...one,
    said,
    record,
    wrote: (marks: string, fields: object = {}) =>
      said("PostToolUse", {
        tool_name: tool,
        tool_use_id: `w${++writes}`,
        tool_input: inputOf(name, marks),
        tool_response: "Plan updated",
        ...fields,
      }),
    edit: () => called({ kind: "edit", files: ["src/a.ts"] }),
    prose: () => called({ kind: "edit", files: ["docs/a.md"], isProse: true }),
    check: (result: "passed" | "failed") => called({ kind: "execute", check: "tests", result }),
    prompt: (prompt = "Do it.") => said("UserPromptSubmit", { prompt }),
    stop: (last_assistant_message: string, fields: object = {}) =>
      said("Stop", { stop_hook_active: false, last_assistant_message, ...fields }),
    missed: async () => (await one.events("check.missed")).length,
  };
}

describe.each(Object.keys(CLIENTS) as Client[])("%s: a remark about checks", (name) => {
  test("comes with the write that closes the list, once, and says what to do", async () => {
    const { prompt, wrote, edit, events } = await session(name);
    await prompt();
    await wrote(">.");
    await edit();
    expect(await wrote("x>")).toBe("");
    await edit();
    expect(await wrote("xx")).toMatch(/^Milepost reminder: the last todo is completed, and no check has run/);
    expect(await wrote("xx")).toBe("");
    expect(await events("reminder.sent")).toHaveLength(1);
  });

  test("comes with the fourth todo in a row, and not again at the end", async () => {
    const { prompt, wrote, edit } = await session(name);
    await prompt();
    await wrote(">.....");
    for (const marks of ["x>....", "xx>...", "xxx>.."]) {
      await edit();
      expect(await wrote(marks)).toBe("");
    }
    await edit();
    expect(await wrote("xxxx>.")).toContain("4 todos were completed in a row");
    await edit();
    expect(await wrote("xxxxxx")).toBe("");
  });

  test("does not come where only documents were changed", async () => {
    const { prompt, wrote, prose, stop, events } = await session(name, "require");
    await prompt();
    await wrote(">....");
    for (const marks of ["x>...", "xx>..", "xxx>.", "xxxx>", "xxxxx"]) {
      await prose();
      expect(await wrote(marks)).toBe("");
    }
    expect(await stop("Written.")).toBe("");
    expect(await events("reminder.sent")).toEqual([]);
  });

  test("does not come after a check, and comes after an edit behind it", async () => {
    const { prompt, wrote, edit, check } = await session(name);
    await prompt();
    await wrote(">.");
    await edit();
    await check("passed");
    expect(await wrote("xx")).toBe("");
    await wrote(">.");
    await edit();
    await check("passed");
    await edit();
    expect(await wrote("xx")).toContain("no check has run since code was last changed");
  });

  test("never comes at a stop, where it would replace an answer", async () => {
    const { prompt, wrote, edit, stop, record } = await session(name);
    await prompt();
    await wrote(">");
    await edit();
    await record({ type: "agent.started", agent: "a" });
    await wrote("x");
    await record({ type: "agent.ended", agent: "a" });
    expect(await stop("All done.")).toBe("");
  });

  test("ends with the words that it cannot be checked here, and a reason", async () => {
    const { prompt, wrote, edit, stop, session: view } = await session(name);
    await prompt();
    await wrote(">.");
    await edit();
    expect(await stop("So far. Cannot be checked here: there is no display.")).not.toContain("no check");
    await wrote("xx");
    const { waivers, checks } = await view();
    expect(waivers).toEqual([{ reason: "there is no display." }]);
    expect(checks.isTold).toBe(false);
  });

  test.each(["off", "plan mode", "a sub-agent"])("does not come: %s", async (where) => {
    const { prompt, wrote, edit, record } = await session(name, where === "off" ? "off" : "nudge");
    const fields = { "plan mode": { permission_mode: "plan" }, "a sub-agent": { agent_id: "sub" } }[where] ?? {};
    await prompt();
    // Codex tells it in its transcript.
    if (where === "plan mode") await record({ type: "mode.changed", mode: "plan" });
    await wrote(">", fields);
    await edit();
    expect(await wrote("x", fields)).toBe("");
  });

  test("a person decides for one list, whatever the setting says", async () => {
    const { prompt, wrote, edit, record } = await session(name, "off");
    await record({ type: "evidence.changed", policy: "nudge" });
    await prompt();
    await wrote(">");
    await edit();
    expect(await wrote("x")).toContain("no check has run");
  });
});

describe("claude code: a reply is judged when all of its calls are known", () => {
  test("a check beside the write that closes the list", async () => {
    const { hook, said, record, wrote, edit } = await session("claude-code");
    await hook("PostToolBatch", { tool_calls: [{ tool_name: "Read", tool_use_id: "r", tool_response: "" }] });
    await wrote(">");
    await edit();
    expect(await wrote("x")).toBe("");
    const round = [{ tool: "Bash", status: "completed", kind: "execute", check: "tests", result: "passed" }] as const;
    await record({ type: "reply.ended", batch: true, calls: 2, usedList: true, round });
    expect(
      await said("PostToolBatch", { tool_calls: [{ tool_name: "TodoWrite", tool_use_id: "w2", tool_input: {} }] }),
    ).toBe("");
  });

  test("no check beside it", async () => {
    const { hook, said, wrote, edit } = await session("claude-code");
    await hook("PostToolBatch", { tool_calls: [{ tool_name: "Read", tool_use_id: "r", tool_response: "" }] });
    await wrote(">");
    await edit();
    expect(await wrote("x")).toBe("");
    const calls = [
      { tool_name: "TodoWrite", tool_use_id: "w2", tool_input: inputOf("claude-code", "x"), tool_response: "ok" },
    ];
    expect(await said("PostToolBatch", { tool_calls: calls })).toContain("the last todo is completed");
  });
});

/** Claude Code says in its environment whether somebody is there; Codex in a transcript that these tests have not. */
describe("claude code: a list that requires a check", () => {
  async function done(environment: Record<string, string> = {}) {
    const one = await session("claude-code", "require", environment);
    await one.prompt();
    await one.wrote(">");
    await one.edit();
    await one.wrote("x");
    return one;
  }

  test("refuses a stop twice, then lets go and writes that down", async () => {
    const { stop, missed, session: view } = await done();
    expect(await stop("Done.")).toMatch(/^Milepost reminder: work is called done here only after a check/);
    expect(await stop("Really done.", { stop_hook_active: true })).toContain("only after a check");
    expect(await missed()).toBe(0);
    expect(await stop("I am done.", { stop_hook_active: true })).toBe("");
    expect(await missed()).toBe(1);
    expect(await view()).toMatchObject({ state: "idle", checks: { isMissed: true } });
    expect(await stop("Again.", { stop_hook_active: true })).toBe("");
    expect(await missed()).toBe(1);
  });

  test("a passing check ends it, a red one does not", async () => {
    const { stop, check } = await done();
    await check("failed");
    expect(await stop("Done.")).toContain("the last one has not passed");
    await check("passed");
    expect(await stop("Done now.", { stop_hook_active: true })).toBe("");
  });

  test("a waiver ends it", async () => {
    const { stop, session: view, missed } = await done();
    expect(await stop("Done.")).toContain("only after a check");
    expect(await stop("This can't be checked here because no phone is connected.", { stop_hook_active: true })).toBe(
      "",
    );
    expect((await view()).waivers).toEqual([{ reason: "no phone is connected." }]);
    expect(await missed()).toBe(0);
  });

  test.each([
    ["an unattended run", { CLAUDE_CODE_SESSION_ATTENDED: "0" }, {}],
    ["an SDK", { CLAUDE_CODE_ENTRYPOINT: "sdk-ts" }, {}],
    ["a question to the person", {}, { last_assistant_message: "Shall I run the tests?" }],
    ["plan mode", {}, { permission_mode: "plan" }],
    ["work in the background", {}, { background_tasks: [{ id: "1", type: "subagent", status: "running" }] }],
    ["another hook's block", {}, { stop_hook_active: true }],
  ])("never refuses: %s", async (_, environment, fields) => {
    const { stop, events, missed } = await done(environment as Record<string, string>);
    const before = (await events("reminder.sent")).length;
    expect(await stop("Done.", fields)).toBe("");
    expect([(await events("reminder.sent")).length - before, await missed()]).toEqual([0, 0]);
  });

  test("never refuses after the person said stop", async () => {
    const { prompt, stop } = await done();
    await prompt("Stop here.");
    expect(await stop("Stopped.")).toBe("");
  });

  test("refuses that a task of its own is completed, as a block, at most twice in a row", async () => {
    const { hook, edit, prompt } = await session("claude-code", "require");
    await prompt();
    await hook("PostToolUse", {
      tool_name: "TaskCreate",
      tool_use_id: "t1",
      tool_input: { subject: "Fix it" },
      tool_response: { task: { id: "1", subject: "Fix it" } },
    });
    expect(await hook("TaskCompleted", { task_id: "1", task_subject: "Fix it" })).toBe("");
    await edit();
    const refused = [1, 2, 3].map(() => hook("TaskCompleted", { task_id: "1", task_subject: "Fix it" }));
    const answers = (await Promise.all(refused)).map((text) => (text === "" ? "" : JSON.parse(text).decision));
    expect(answers.toSorted()).toEqual(["", "block", "block"]);
  });

  test("under nudge no task is refused", async () => {
    const { hook, edit } = await session("claude-code", "nudge");
    await edit();
    expect(await hook("TaskCompleted", { task_id: "1", task_subject: "Fix it" })).toBe("");
  });
});

test("what a sub-agent has changed and checked is its session's work", async () => {
  const { hook, store, wrote, edit, prompt, events } = await session("claude-code");
  await prompt();
  await wrote(">");
  await edit();
  await hook("SubagentStart", { agent_id: "sub", agent_type: "Explore" });
  const round = [{ tool: "Bash", status: "completed", kind: "execute", check: "tests", result: "passed" }] as const;
  await store.commit(function* (transaction) {
    yield* transaction.version("session:s1/sub");
    const event = sessionEvent({ type: "reply.ended", batch: false, calls: 1, usedList: false, round });
    return { ok: true, value: { writes: [{ stream: "session:s1/sub", events: [event] }], answer: 0 } };
  });
  await hook("SubagentStop", { agent_id: "sub", agent_type: "Explore", last_assistant_message: "Green." });
  const [ended] = await events("agent.ended");
  expect(ended?.data).toEqual({ agent: "sub", work: { edits: 0, unproven: 0, hasRun: true, hasPassed: true } });
  expect(await wrote("x")).not.toContain("no check");
});

test("our own tool: a note or evidence that says so is a waiver for its todo", async () => {
  const { todo, session: view } = await client();
  await todo({ add: ["Print a page"] });
  await todo({ note: "#1 Cannot be tested here: the printer is in another town" });
  await todo({ done: 1, evidence: "can't be checked here, no paper" });
  expect((await view()).waivers).toEqual([
    { reason: "the printer is in another town", todo: 1 },
    { reason: "no paper", todo: 1 },
  ]);
});

test.each<[EvidencePolicy, boolean]>([
  ["require", true],
  ["nudge", false],
])(
  "our own tool under %s: the answer has the remark: %s; the write is taken, and the hook says it no second time",
  async (policy, isTold) => {
    const { store, edit, said, events, open } = await session("claude-code", policy);
    const settings = { ...DEFAULT_SETTINGS, evidence: policy };
    const call = (input: object, call: string) =>
      callOn(store, { tool: "todo", input, session: "s1", origin: { client: "claude-code", call } }, settings);
    await call({ add: ["Fix it"] }, "c1");
    await edit();
    const answer = await call({ done: 1 }, "c2");
    expect(answer.ok && answer.value.text.includes("no check has run since")).toBe(isTold);
    expect(await open()).toEqual(["completed Fix it"]);
    const hook = { tool_name: "mcp__milepost__todo", tool_use_id: "c2", tool_input: { done: 1 } };
    expect((await said("PostToolUse", hook)).includes("no check has run since")).toBe(!isTold);
    expect(await events("reminder.sent")).toHaveLength(1);
  },
);

/** The whole way: what the client's hooks say of its calls, no facts made by hand. */
describe("claude code, from its own calls", () => {
  const bash = (command: string, stdout = "ok") => ({
    tool_name: "Bash",
    tool_input: { command },
    tool_response: { stdout, stderr: "", interrupted: false },
  });
  const edited = (file_path: string) => ({
    tool_name: "Edit",
    tool_input: { file_path, old_string: "a", new_string: "b" },
    tool_response: {
      filePath: file_path,
      oldString: "a",
      newString: "b",
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ["-a", "+b"] }],
    },
  });

  async function worked(calls: readonly object[], checkPatterns: readonly string[] = []) {
    const one = await client({ ...DEFAULT_SETTINGS, checkPatterns });
    const list = (marks: string, id: string) =>
      one.said("PostToolUse", {
        tool_name: "TodoWrite",
        tool_use_id: id,
        tool_input: inputOf("claude-code", marks),
        tool_response: "ok",
      });
    await list(">.", "w1");
    for (const [at, call] of calls.entries()) await one.said("PostToolUse", { tool_use_id: `c${at}`, ...call });
    return list("xx", "w2");
  }

  test.each<[string, readonly object[], boolean]>([
    ["code", [edited("/app/src/a.ts")], true],
    ["documents", [edited("/app/docs/a.md"), edited("/app/README.md")], false],
    ["code and tests", [edited("/app/src/a.ts"), bash("npm test")], false],
    ["tests, then code", [bash("npm test"), edited("/app/src/a.ts")], true],
    ["code, and words about tests", [edited("/app/src/a.ts"), bash("echo npm test")], true],
    ["code, and tests whose result is thrown away", [edited("/app/src/a.ts"), bash("npm test || true")], true],
    ["only a look", [bash("ls")], false],
  ])("%s", async (_, calls, isTold) => {
    expect((await worked(calls)).includes("no check has run")).toBe(isTold);
  });

  test("a person's own check", async () => {
    const calls = [edited("/app/src/a.ts"), bash("./verify-all --fast")];
    expect(await worked(calls)).toContain("no check has run");
    expect(await worked(calls, ["./verify-all"])).toBe("");
  });
});
