import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openMilepost } from "../src/app/milepost.js";
import type { SessionReport } from "../src/app/transcripts/session-report.js";
import { STATUS_MARKERS } from "../src/core/todo/plain-text.js";
import { freshDatabase } from "./databases.js";
import { readInChunks, transcriptsOf } from "./readers/recorded.js";
import { runOn } from "./run-on.js";

// Lists that came to their end: what `restore --json` says of every transcript, and who is told of them afterwards.

const fixtures = realpathSync("test/fixtures/transcripts");
const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-finished-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const AGENTS = ["claude-code", "codex", "oh-my-pi", "pi", "hermes"] as const;
const HELPER = ["[x] Inspect helper", "[x] Rename helper", "[x] Run tests"];
const FILE = ["[x] Open file", "[x] Report"];
const PHASE = ["A:", "[x] x", "[x] y"];

/** The session or sub-agent, when the list was finished (null: the file has no times), and what was on it. */
type Finished = readonly [session: string, at: string | null, rows: readonly string[]];

/** By file, read in the raw files by hand. Every other transcript has none. */
const FINISHED: Readonly<Record<string, Finished>> = {
  "claude-code/1.0.128-subagent-old": ["2eaea35c/toolu_r0003_1", "2026-11-15T09:52:10.575Z", FILE],
  "claude-code/1.0.128-todo-simple": ["e7c5ba93", "2026-11-15T09:52:06.084Z", HELPER],
  "claude-code/1.0.128-todo-simple.stream-1": ["e7c5ba93", null, HELPER],
  "claude-code/2.1.30-subagent-old.agent-1": ["4cd1c876/ade23a9", "2026-11-15T09:51:24.303Z", FILE],
  "claude-code/2.1.30-todo-simple": ["d5a71873", "2026-11-15T09:51:17.988Z", HELPER],
  "claude-code/2.1.30-todo-simple.stream-1": ["d5a71873", null, HELPER],
  "claude-code/2.1.325-subagent.agent-1": ["e90e2a24/a289ad820485ca079", "2026-11-15T09:49:50.445Z", FILE],
  "claude-code/2.1.325-subagent.stream-1": ["e90e2a24/a289ad820485ca079", "2026-11-15T09:49:50.445Z", FILE],
  "claude-code/2.1.325-todo-many-turns": ["540ac729", "2026-11-15T09:49:30.480Z", HELPER],
  "claude-code/2.1.325-todo-simple": ["65dce8c5", "2026-11-15T09:49:24.815Z", HELPER],
  "claude-code/2.1.325-todo-simple.stream-1": ["65dce8c5", "2026-11-15T09:49:24.815Z", HELPER],
  "codex/0.110.0-errors.exec-1": ["01a1de9e", null, HELPER],
  "codex/0.110.0-errors": ["01a1de9e", "2026-11-15T09:51:31.592Z", HELPER],
  "codex/0.110.0-simple.exec-1": ["01a1de9e", null, HELPER],
  "codex/0.110.0-simple": ["01a1de9e", "2026-11-15T09:51:30.896Z", HELPER],
  "codex/0.166.0-many-turns.exec-1": ["01a1de9d", null, HELPER],
  "codex/0.166.0-many-turns": ["01a1de9d", "2026-11-15T09:50:20.911Z", HELPER],
  "codex/0.166.0-plan-mode.appserver": ["01a1de9d", "2026-11-15T09:50:26.984Z", HELPER],
  "codex/0.166.0-plan-mode": ["01a1de9d", "2026-11-15T09:50:26.985Z", HELPER],
  "codex/0.166.0-simple.exec-1": ["01a1de9d", null, HELPER],
  "codex/0.166.0-simple": ["01a1de9d", "2026-11-15T09:50:16.355Z", HELPER],
  "codex/0.166.0-subagent.child": ["01a1de9d", "2026-11-15T09:50:23.653Z", FILE],
  "oh-my-pi/14.9.9-todo_write": ["01a1e2c1", "2026-11-16T05:08:23.394Z", PHASE],
  // A branch of it was finished, and then somebody went back: another list is open now.
  "oh-my-pi/15.7.3-branches": [
    "01980000",
    "2026-06-01T10:00:45.000Z",
    ["Cache:", "[x] Read the old cache", "[x] Write the new one", "[x] Run the tests"],
  ],
  "oh-my-pi/18.2.3-todo-resume": ["01a1e2bf", "2026-11-16T05:06:05.825Z", PHASE],
};

const shortId = (id: string) => id.replace(/-[-\w]*/, "");

function rowsOf({ finished }: SessionReport): readonly string[] {
  return (finished?.phases ?? []).flatMap(({ name, todos }) => [
    ...(name === "" ? [] : [`${name}:`]),
    ...todos.map(({ text, status }) => `${STATUS_MARKERS[status]} ${text}`),
  ]);
}

describe("restore --json", () => {
  test.each(Object.entries(FINISHED))("%s", async (file, [session, at, rows]) => {
    const { exit, out } = await runOn(home, ["restore", join(fixtures, `${file}.jsonl`), "--json"]);
    const { sessions } = JSON.parse(out) as { readonly sessions: readonly SessionReport[] };
    expect(exit).toBe(0);
    const finished = sessions.filter((one) => one.finished !== null);
    expect(finished.map((one) => [shortId(one.id), one.finished?.at, rowsOf(one)])).toEqual([[session, at, rows]]);
  });

  test("no other transcript has a finished list", () => {
    const found = AGENTS.flatMap((agent) =>
      transcriptsOf(agent)
        .filter((file) => [...readInChunks(agent, file).views.values()].some(({ finished }) => finished !== null))
        .map((file) => `${agent}/${file.replace(/\.jsonl$/, "")}`),
    );
    expect(found.sort()).toEqual(Object.keys(FINISHED).sort());
  });

  test("and as text: how far, when, and each todo", async () => {
    const { out } = await runOn(home, ["restore", join(fixtures, "claude-code", "2.1.325-todo-simple.jsonl")]);
    expect(out).toMatch(
      /\n {2}3\/3 done \d+[smhd] ago\n {2}\[x\] Inspect helper {2}~ worked\n {2}\[x\] Rename helper {2}~/,
    );
  });
});

describe("the model sees it no more", () => {
  const todos = (...statuses: string[]) =>
    statuses.map((status, at) => ({ content: `secret plan ${at}`, status, activeForm: `Doing ${at}` }));
  const words: readonly (readonly [dialect: string, tool: string, inputs: readonly object[]])[] = [
    ["claude", "TodoWrite", [{ todos: todos("in_progress", "pending") }, { todos: todos("completed", "completed") }]],
    ["milepost", "todo", [{ add: ["secret plan 0", "secret plan 1"] }, { done: [1, 2] }, { add: ["next"] }]],
  ];

  test.each(words)("%s: digest, the next answers, and what hooks say", async (dialect, tool, inputs) => {
    const on = join(home, dialect);
    const call = async (input: object) => {
      const line = JSON.stringify({ tool, input, session: "s1" });
      return JSON.parse((await runOn(on, ["call", "--dialect", dialect], { input: `${line}\n` })).out);
    };
    for (const input of inputs) await call(input);
    const { out } = await runOn(on, ["sessions", "s1", "--json"]);
    const [session] = (JSON.parse(out) as { readonly sessions: readonly SessionReport[] }).sessions;
    expect(session && rowsOf(session)).toEqual(["[x] secret plan 0", "[x] secret plan 1"]);
    // People see it with the list, where there is no other.
    const { out: shown } = await runOn(on, ["todo", "--session", "s1"]);
    const isCleared = dialect === "claude";
    expect(/Last list: 2\/2 done \d+s ago\. To see it: milepost sessions s1$/m.test(shown)).toBe(isCleared);
    const later = await call(dialect === "claude" ? { todos: [] } : {});
    const told = [later.text, (await runOn(on, ["digest", "--session", "s1"])).out];
    for (const event of ["SessionStart", "UserPromptSubmit", "PreCompact", "Stop"]) told.push(await hooked(on, event));
    expect(told.join("\n")).not.toContain("secret plan");
    expect(told.join("\n")).not.toMatch(/done \d+[smhd] ago/);
    // They do say what is open.
    if (dialect === "milepost") expect(told.filter((text) => text.includes("next"))).toHaveLength(3);
  });
});

/** What a hook would put before the model. */
async function hooked(on: string, event: string): Promise<string> {
  const { runHook } = await import("../src/hook/run.js");
  const input = { session_id: "s1", hook_event_name: event, cwd: on, source: "compact", prompt: "Go on." };
  const environment = { MILEPOST_HOME: join(on, "milepost") };
  return runHook({ environment, process: "m:1", read: () => JSON.stringify(input) });
}

const plan = (...texts: string[]) => ({ plan: texts.map((text) => ({ step: text, status: "completed" })) });

async function finishedIn(store: string): Promise<unknown> {
  const { out } = await runOn(home, ["sessions", "--all", "--json", "--store", store]);
  const { sessions } = JSON.parse(out) as { readonly sessions: readonly SessionReport[] };
  return Object.fromEntries(
    sessions.map((one) => [one.id, [one.finished?.at === undefined, ...rowsOf(one), one.list.phases.length]]),
  );
}

describe.each(["sqlite", "postgres"])("on %s", (engine) => {
  test("each agent has its own, and it survives an export", async () => {
    const store = engine === "sqlite" ? join(home, "engine.db") : await freshDatabase("finished");
    const { call, close } = await openMilepost({ store });
    const write = (agent: string | undefined, input: object) =>
      call({ dialect: "codex", tool: "update_plan", session: "s1", ...(agent && { agent }), input });
    await write(undefined, plan("a", "b"));
    await write("a1", plan("c"));
    await write("a2", { plan: [{ step: "d", status: "pending" }] });
    await close();
    const known = await finishedIn(store);
    expect(known).toEqual({
      s1: [false, "[x] a", "[x] b", 1],
      "s1/a1": [false, "[x] c", 1],
      "s1/a2": [true, 1],
    });
    const [file, copy] = [join(home, `${engine}.jsonl`), join(home, `${engine}-copy.db`)];
    expect((await runOn(home, ["export", file, "--store", store])).exit).toBe(0);
    expect((await runOn(home, ["import", file, "--store", copy])).exit).toBe(0);
    expect(await finishedIn(copy)).toEqual(known);
  });
});
