import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { holdFile } from "../store-lockers.js";
import { runWarm } from "../warm-command.js";
import { Editor, type EditorOptions, type Step } from "./editor.js";

const plan = (...entries: readonly (readonly [string, string])[]): Step => ({
  sessionUpdate: "plan",
  entries: entries.map(([content, status]) => ({ content, status, priority: "medium" })),
});
const call = (id: string, title: string, rawInput: object, more: object = {}): Step => ({
  sessionUpdate: "tool_call",
  toolCallId: id,
  title,
  name: title,
  status: "pending",
  rawInput,
  ...more,
});
const update = (id: string, status: string, more: object = {}): Step => ({
  sessionUpdate: "tool_call_update",
  toolCallId: id,
  status,
  ...more,
});

const WORK: readonly Step[] = [
  plan(["Read the code", "in_progress"], ["Fix it", "pending"]),
  call("c1", "Read", { file_path: "src/a.ts" }),
  update("c1", "completed", { rawOutput: "text" }),
  call("c2", "Bash", { command: "npm test" }),
  update("c2", "in_progress"),
  update("c2", "failed", { rawOutput: "Exit code 1" }),
  plan(["Read the code", "completed"], ["Fix it", "in_progress"]),
];

const sessions = (home: string) => {
  const environment = { ...process.env, MILEPOST_HOME: home, HOME: home, MILEPOST_STORE: undefined };
  const { out, err } = runWarm(["sessions", "--all", "--json"], { folder: home, environment });
  expect(err).toBe("");
  return (JSON.parse(out) as { sessions: Record<string, never>[] }).sessions;
};

const events = (home: string) => {
  const environment = { ...process.env, MILEPOST_HOME: home, HOME: home, MILEPOST_STORE: undefined };
  return runWarm(["events"], { folder: home, environment })
    .out.trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string; data: Record<string, unknown> });
};

/** One editor's life. */
async function work(steps: readonly Step[], options: EditorOptions = {}, how: "new" | "load" = "new") {
  const editor = new Editor(options);
  await editor.open(how);
  const reason = await editor.prompt(steps);
  const exit = await editor.close();
  return { editor, reason, exit };
}

describe("milepost acp between an editor and its agent", () => {
  test("bytes are the same on both sides; plan and calls are recorded once", async () => {
    const { editor, reason, exit } = await work(WORK);
    expect([reason, exit]).toEqual(["end_turn", 0]);
    const { editor: here, agent } = editor.bytes();
    expect(agent.read.equals(here.sent)).toBe(true);
    expect(here.received.equals(agent.wrote)).toBe(true);
    const [session, ...others] = sessions(editor.home);
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      id: "fake-session",
      agent: "fake-agent",
      turns: 1,
      calls: { total: 2, failed: 1 },
      list: {
        phases: [
          {
            todos: [
              { text: "Read the code", status: "completed" },
              { text: "Fix it", status: "in_progress" },
            ],
          },
        ],
      },
    });
    const ended = events(editor.home).filter(({ type }) => type === "call.ended");
    expect(ended.map(({ data }) => [data.call, data.tool, data.status])).toEqual([
      ["c1", "Read", "completed"],
      ["c2", "Bash", "failed"],
    ]);
  });

  test("what an agent shows again when a session is loaded is no news", async () => {
    const { editor } = await work(WORK);
    const before = events(editor.home).length;
    const again = await work(
      [plan(["Read the code", "completed"], ["Fix it", "completed"])],
      { home: editor.home },
      "load",
    );
    expect(again.editor.updates.length).toBeGreaterThan(WORK.length);
    const [session] = sessions(editor.home);
    expect(session).toMatchObject({ turns: 2, calls: { total: 2, failed: 1 } });
    const news = events(editor.home).slice(before);
    expect(news.filter(({ type }) => type.startsWith("call."))).toEqual([]);
  });

  test("a message of 10 MB passes as it is, and its call has ended", async () => {
    const big = { size: 10 * 1024 * 1024, update: update("c1", "completed") };
    const { editor } = await work([call("c1", "Read", { file_path: "a" }), big]);
    const { editor: here, agent } = editor.bytes();
    expect(here.received.length).toBeGreaterThan(10 * 1024 * 1024);
    expect(here.received.equals(agent.wrote)).toBe(true);
    expect(sessions(editor.home)[0]).toMatchObject({ calls: { total: 1, failed: 0 } });
  });

  test("calls of our own tool are recorded once; --show-list shows that list between the agent's messages", async () => {
    const steps = [
      { todo: { add: ["Read", "Fix"] } },
      { todo: { done: 1, denied: true } },
      { todo: { done: 1 } },
      { wait: 400 },
      call("c1", "Read", { file_path: "src/a.ts" }),
      update("c1", "completed"),
    ];
    const { editor } = await work(steps, { flags: ["--show-list"] });
    const plans = editor.updates.filter(({ sessionUpdate }) => sessionUpdate === "plan");
    expect(plans.at(-1)).toEqual(plan(["Read", "completed"], ["Fix", "in_progress"]));
    const { editor: here, agent } = editor.bytes();
    expect(agent.read.equals(here.sent)).toBe(true);
    const theirs = `${here.received}`.split(/(?<=\n)/).filter((line) => !line.includes('"sessionUpdate":"plan"'));
    expect(theirs.join("")).toBe(`${agent.wrote}`);
    const ended = events(editor.home).filter(({ type }) => type === "call.ended");
    // Our server knows no ids of this agent's calls; the refused one never came to it.
    expect(ended.map(({ data }) => [data.tool, data.status, data.call].join(" ").trim()).sort()).toEqual([
      "Read completed c1",
      "todo completed",
      "todo completed",
      "todo failed todo-2",
    ]);
    const [session, ...others] = sessions(editor.home);
    expect(others).toEqual([]);
    expect(session).toMatchObject({
      id: "fake-session",
      list: { phases: [{ todos: [{ text: "Read" }, { text: "Fix" }] }] },
    });
  });

  test("a plan that the agent shows itself stays, also once it uses our tool", async () => {
    const own = plan(["Own", "in_progress"]);
    const { editor } = await work([own, { todo: { add: ["Read"] } }, { wait: 300 }], { flags: ["--show-list"] });
    const { editor: here, agent } = editor.bytes();
    expect(here.received.equals(agent.wrote)).toBe(true);
  });

  test("without --show-list the editor is shown nothing of ours", async () => {
    const { editor } = await work([{ todo: { add: ["Read"] } }, { wait: 200 }]);
    const { editor: here, agent } = editor.bytes();
    expect(here.received.equals(agent.wrote)).toBe(true);
  });

  test("while the store is locked facts wait, in their order, and are there when it is free", async () => {
    const home = mkdtempSync(join(tmpdir(), "milepost-acp-locked-"));
    const call = '{"tool":"todo","session":"x","input":{"add":["x"]}}';
    runWarm(["call", "--store", join(home, "milepost.db")], { folder: home, environment: process.env, input: call });
    const release = await holdFile(join(home, "milepost.db"), "BEGIN EXCLUSIVE");
    const editor = new Editor({ home });
    try {
      await editor.open();
      await editor.prompt(WORK);
      await editor.close();
      await vi.waitFor(() => expect(existsSync(join(home, "spool"))).toBe(true), 15_000);
    } finally {
      await release();
    }
    await vi.waitFor(() => {
      const session = sessions(home).find(({ id }) => `${id}` === "fake-session");
      expect(session).toMatchObject({
        turns: 1,
        calls: { total: 2, failed: 1 },
        list: { phases: [{ todos: [{ status: "completed" }, { status: "in_progress" }] }] },
      });
    }, 15_000);
  }, 40_000);

  test("a permission is a question until it is answered", async () => {
    const ask = {
      toolCallId: "c1",
      title: "rm -rf build",
      kind: "execute",
      status: "pending",
      rawInput: { command: "rm -rf build" },
    };
    const { editor } = await work([{ ask }, update("c1", "completed")]);
    expect(editor.asked).toHaveLength(1);
    const told = events(editor.home).filter(({ type }) => type.startsWith("person."));
    expect(told).toMatchObject([
      { type: "person.awaited", data: { for: "permission", text: "execute: rm -rf build", choices: ["Yes", "No"] } },
      { type: "person.answered" },
    ]);
  });
});
