import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createMilepost } from "../src/app/milepost.js";
import { Attachment } from "../src/app/transcripts/attachment.js";
import { FollowedFile } from "../src/app/transcripts/follow/followed-file.js";
import { withoutPrompt } from "../src/app/transcripts/prompt-title.js";
import { restore } from "../src/app/transcripts/restore-sessions.js";
import { boardOf } from "../src/app/transcripts/session-board.js";
import { StoredSessions } from "../src/app/transcripts/stored-session.js";
import { PROJECTIONS } from "../src/app/views.js";
import { todosOf } from "../src/core/todo/list.js";
import { Transcript } from "../src/readers/transcript.js";
import { openStore } from "../src/store/open.js";
import { chained, type Line, says, user, wrote } from "./readers/claude-lines.js";
import { bytesOf, transcriptsOf } from "./readers/recorded.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-attached-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let homes = 0;
const newHome = () => join(folder, `${++homes}`);

/** Written so many seconds ago. */
function put(path: string, text: string, age = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const at = Date.now() / 1000 - age;
  utimesSync(path, at, at);
  return path;
}

const claude = (session: string, lines: readonly Line[]) =>
  chained(lines.map((line) => ({ ...line, sessionId: session })))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

async function board(root: string, limit: number) {
  const attachment = new Attachment({ folders: () => [root] });
  await attachment.readNewest(Number.MAX_SAFE_INTEGER);
  const { store } = createMilepost(await openStore("memory:", { projections: PROJECTIONS }));
  const reports = await boardOf(attachment, new StoredSessions(store, 10), { limit, now: Date.now() });
  await store.close();
  return reports;
}

describe("the board", () => {
  const agent = (session: string, name: string, prompt: string, reply: Line[] = []) =>
    claude(session, [user(prompt), ...reply]).replaceAll('"uuid":', `"isSidechain":true,"agentId":"${name}","uuid":`);

  test("a session with more sub-agents than sessions are asked for is still there", async () => {
    const root = newHome();
    put(join(root, "p", "s1.jsonl"), claude("s1", [user("go"), ...wrote("a!")]), 500);
    for (let n = 0; n < 60; n += 1)
      put(join(root, "p", "s1", "subagents", `agent-${n}.jsonl`), agent("s1", `x${n}`, `look ${n}`), n);
    const reports = await board(root, 2);
    expect(reports.filter(({ parent }) => parent === null).map(({ id }) => id)).toEqual(["s1"]);
    expect(reports).toHaveLength(61);
  });

  test("agents that only warm up are no agents", async () => {
    const root = newHome();
    put(join(root, "p", "s1.jsonl"), claude("s1", [user("go")]));
    put(join(root, "p", "agent-1.jsonl"), agent("s1", "w1", "Warmup", [says("Ready.")]));
    put(join(root, "p", "agent-2.jsonl"), agent("s1", "w2", "Find it", [says("Found.")]));
    expect((await board(root, 5)).map(({ id }) => id)).toEqual(["s1", "s1/w2"]);
  });

  test("who waits for somebody's sub-agent is at work", async () => {
    const root = newHome();
    const meta = (id: string, parent?: string) =>
      `${JSON.stringify({ timestamp: "2026-01-02T03:04:05.000Z", type: "session_meta", payload: { id, parent_thread_id: parent } })}\n` +
      `${JSON.stringify({ timestamp: "2026-01-02T03:04:06.000Z", type: "event_msg", payload: { type: "task_started" } })}\n`;
    put(join(root, "rollout-a.jsonl"), meta("a"), 3000);
    put(join(root, "rollout-b.jsonl"), meta("b", "a"), 2000);
    put(join(root, "rollout-c.jsonl"), meta("c", "b"), 1);
    expect((await board(root, 5)).map(({ id, state }) => `${id} ${state}`)).toEqual([
      "a running",
      "b running",
      "c running",
    ]);
  });
});

describe("one session in several files", () => {
  test("a resumed session that goes on in another file is one, also for whoever looks", async () => {
    const root = newHome();
    const [first, second] = [
      [user("go"), ...wrote("a!", "b"), says("Later.")],
      [user("go on"), ...wrote("a.", "b!"), says("Done.")],
    ].map((lines) => claude("s1", lines));
    const later = (second ?? "").replaceAll("2026-01-02T", "2026-01-03T").replaceAll('"l', '"m');
    put(join(root, "p", "s1.jsonl"), first ?? "", 100);
    put(join(root, "p", "s9.jsonl"), later, 1);
    const [report, ...others] = await board(root, 5);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ id: "s1", turns: 2, calls: { total: 2 }, title: "go" });
    expect(report?.list.phases[0]?.todos.map(({ status }) => status)).toEqual(["completed", "in_progress"]);
  });

  test("the same file twice is the same session once", async () => {
    const root = newHome();
    const text = claude("s1", [user("go"), ...wrote("a!"), says("Done.")]);
    put(join(root, "p", "s1.jsonl"), text);
    put(join(root, "copy", "s1.jsonl"), text);
    expect(await board(root, 5)).toMatchObject([{ id: "s1", turns: 1, calls: { total: 1 } }]);
  });

  test("sub-agents are found by what is in their files, too", async () => {
    const root = newHome();
    put(join(root, "p", "s1.jsonl"), claude("s1", [user("go")]), 1);
    const child = claude("s1", [user("look")]).replaceAll('"uuid":', '"isSidechain":true,"agentId":"x1","uuid":');
    put(join(root, "p", "agent-x1.jsonl"), child, 500);
    const attachment = new Attachment({ folders: () => [root] });
    await attachment.readNewest(Number.MAX_SAFE_INTEGER, { isWanted: (path) => path.includes("s1") });
    expect(attachment.sessions().map(({ view }) => view.id)).toEqual(["s1", "s1/x1"]);
  });

  test("threads that call each other their parent are still there", async () => {
    const root = newHome();
    const meta = (id: string, parent: string) =>
      `${JSON.stringify({ timestamp: "2026-01-02T03:04:05.000Z", type: "session_meta", payload: { id, parent_thread_id: parent } })}\n`;
    put(join(root, "rollout-a.jsonl"), meta("a", "b"));
    put(join(root, "rollout-b.jsonl"), meta("b", "a"));
    expect((await board(root, 5)).map(({ id }) => id).sort()).toEqual(["a", "b"]);
  });
});

test("a file that is written anew while it is read is read again, not mixed", async () => {
  const path = join(newHome(), "s1.jsonl");
  const session = (...parts: Line[][]) => claude("s1", parts.flat());
  const first = [user("go"), ...wrote("a!", "b")];
  const more = [user("go on"), ...wrote("a.", "b!")];
  const other = Array.from({ length: 20 }, (_, at) => [user(`another ${at}`), ...wrote(`x${at}!`)]);
  put(path, session(first));
  let isDue = false;
  const rewrite = () => {
    if (isDue) put(path, session(...other));
    isDue = false;
  };
  const file = new FollowedFile(path);
  await file.catchUp(rewrite);
  put(path, session(first, more));
  isDue = true;
  await file.catchUp(rewrite);
  await file.catchUp(rewrite);
  const fresh = new FollowedFile(path);
  await fresh.catchUp();
  expect(isDue).toBe(false);
  expect(file.views).toEqual(fresh.views);
});

describe("files around a transcript", () => {
  test("a tasks folder without tasks says that there are none", async () => {
    const home = newHome();
    const path = join(home, "projects", "p", "s1.jsonl");
    const text = bytesOf("claude-code", "2.1.325-tasks.jsonl").toString();
    put(path, text);
    const tasks = async () => {
      const restored = await restore([path], undefined);
      return restored.ok ? restored.value.sessions[0]?.view.tasks.filter(({ isDeleted }) => !isDeleted).length : -1;
    };
    expect(await tasks()).toBe(4);
    put(join(home, "tasks", "s1", ".lock"), "");
    expect(await tasks()).toBe(0);
    put(join(home, "tasks", "s1", "7.json"), '{"id":"7","subject":"x","status":"pending"}');
    expect(await tasks()).toBe(1);
    // A link leads out of the agent's folders, whatever it is called.
    const outside = put(join(home, "outside", "8.json"), '{"id":"8","subject":"secret","status":"pending"}');
    symlinkSync(outside, join(home, "tasks", "s1", "8.json"));
    expect(await tasks()).toBe(1);
    rmSync(join(home, "tasks", "s1"), { recursive: true });
    symlinkSync(join(home, "outside"), join(home, "tasks", "s1"));
    expect(await tasks()).toBe(4);
  });

  test("Codex keeps the names of threads beside them; the last one counts", async () => {
    const home = newHome();
    const path = join(home, "sessions", "2026", "11", "15", "rollout-x.jsonl");
    put(path, bytesOf("codex", "0.166.0-simple.jsonl").toString());
    const id = "01a1de9d-5790-73b1-91f9-a0b9ae312826";
    const title = async () => {
      const restored = await restore([path], undefined);
      return restored.ok ? restored.value.sessions[0]?.view.title : undefined;
    };
    expect(await title()).toBe("Rename the helper and run the tests.");
    const index = join(home, "session_index.jsonl");
    put(index, `{"id":"${id}","thread_name":"First"}\nnot JSON\n{"id":"${id}","thread_name":"Second\\u001b[2J"}\n`);
    expect(await title()).toBe("Second\u001b[2J");
    rmSync(index);
    symlinkSync(index, index);
    expect(await title()).toBe("Rename the helper and run the tests.");
  });

  test("an agent that is started for the first time is found at the next look", async () => {
    const home = newHome();
    const roots: string[] = [];
    const attachment = new Attachment({ folders: () => roots });
    roots.push(dirname(dirname(put(join(home, "p", "s1.jsonl"), claude("s1", [user("go")])))));
    for (const path of attachment.scan()) await attachment.read(path);
    expect(attachment.sessions().map(({ view }) => view.id)).toEqual(["s1"]);
  });

  test.each([
    ["as many as are asked for", undefined, 3],
    ["no more than the board holds", 2, 2],
    ["those that are asked for, whatever it holds", 0, 1],
  ])("of those that grew lately %s", async (_, most, count) => {
    const home = newHome();
    for (const id of ["s1", "s2", "s3"]) put(join(home, "p", `${id}.jsonl`), claude(id, [user("go")]));
    const attachment = new Attachment({ folders: () => [home], most });
    for (const path of attachment.scan()) await attachment.read(path);
    expect(attachment.sessions({ most: 1, since: 0 })).toHaveLength(count);
    const [before, after] = [attachment.sessions(), attachment.sessions()];
    // The same views tell a live board that nothing has changed.
    expect(after.every(({ view }, at) => view === before[at]?.view)).toBe(true);
  });

  test.each(["claude", "codex"])(
    "%s: a copy that an editor leaves beside its file is not a part of it",
    async (format) => {
      const home = newHome();
      const [agent, fixture] =
        format === "claude"
          ? (["claude-code", "2.1.325-todo-resume.jsonl"] as const)
          : (["codex", "0.166.0-resume.jsonl"] as const);
      const path = put(join(home, fixture), bytesOf(agent, fixture).toString());
      const attachment = new Attachment({ folders: () => [home] });
      const counts = async () => {
        for (const changed of attachment.scan()) await attachment.read(changed);
        return attachment.sessions().map(({ view }) => [view.turns, view.calls.total]);
      };
      const before = await counts();
      // As `sed -i.bak` does it.
      copyFileSync(path, `${path}.new`);
      renameSync(path, `${path}.bak`);
      renameSync(`${path}.new`, path);
      appendFileSync(path, "\n");
      expect(await counts()).toEqual(before);
    },
  );
});

describe("a rewound Codex thread", () => {
  const thread = "01a1e0a0-d43e-7ad1-9849-3dd2cfb00da1";
  const rollout = "01a1e0a0-ff3b-7470-8843-cfff7d52a6e2";
  const line = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: "2026-11-15T19:13:18.000Z", type, payload })}\n`;
  const turn = (words: string, ...steps: string[]) =>
    [
      line("event_msg", { type: "task_started" }),
      line("event_msg", { type: "user_message", message: words }),
      ...(steps.length === 0
        ? []
        : [
            line("response_item", {
              type: "function_call",
              name: "update_plan",
              call_id: words,
              arguments: JSON.stringify({ plan: steps.map((step) => ({ step, status: "pending" })) }),
            }),
            line("response_item", { type: "function_call_output", call_id: words, output: "Plan updated" }),
          ]),
      line("event_msg", { type: "task_complete", last_agent_message: "ok" }),
    ].join("");
  const first = line("session_meta", { id: thread }) + turn("one", "a", "b");
  const files = (base?: object) => {
    const home = join(newHome(), "sessions");
    const old = put(join(home, `rollout-2026-11-15T19-13-18-${thread}.jsonl`), first + turn("two", "c"), 100);
    const next = put(
      join(home, `rollout-2026-11-15T19-13-29-${thread}_${rollout}.jsonl`),
      line("session_meta", { id: thread, ...(base ? { history_base: base } : undefined) }) + turn("three"),
    );
    return { home, old, next };
  };
  const listAfter = async (...paths: string[]) => {
    const restored = await restore(paths, undefined);
    const views = restored.ok ? restored.value.sessions.map(({ view }) => view) : [];
    return views.map(({ list, turns }) => `${turns}: ${todosOf(list).map(({ text }) => text)}`);
  };
  const base = { thread_id: thread, end_ordinal_exclusive: 1, end_byte_offset: Buffer.byteLength(first) };

  test("goes on in a new file from where it went back to, whatever order they are named in", async () => {
    const { old, next } = files(base);
    expect(await listAfter(old, next)).toEqual(["2: a,b"]);
    expect(await listAfter(next, old)).toEqual(["2: a,b"]);
    expect(await listAfter(next)).toEqual(["2: a,b"]);
  });

  test("back to its very beginning nothing of the old file counts", async () => {
    const { old, next } = files();
    expect(await listAfter(old, next)).toEqual(["1: "]);
  });

  test("is one session on the board", async () => {
    const { home } = files(base);
    expect((await board(home, 5)).map(({ id, turns }) => `${id} ${turns}`)).toEqual([`${thread} 2`]);
  });
});

describe("what is kept of a transcript", () => {
  const prompts = (text: string) => [
    ...text.matchAll(/"(?:role":"user","content":"|message":"|type":"(?:input_)?text","text":")([A-Z][^"\\<[]{8,})"/g),
  ];

  test.each(["claude-code", "codex"] as const)("%s: never what a person said, wherever it is cut", (agent) => {
    let looked = 0;
    for (const file of transcriptsOf(agent).filter((name) => !/stream|exec|appserver/.test(name))) {
      const bytes = bytesOf(agent, file);
      const said = new Set(
        prompts(bytes.toString())
          .map(([, words = ""]) => words)
          .filter((words) => words !== "Implement the plan." && !/^(?:Todos have|Task #|Updated task)/.test(words)),
      );
      const transcript = new Transcript({ file });
      for (let start = 0, end = bytes.indexOf(10) + 1; end > 0; start = end, end = bytes.indexOf(10, end) + 1) {
        transcript.push(bytes.subarray(start, end));
        const saved = transcript.save();
        const kept = JSON.stringify({ ...saved, views: saved?.views.map(withoutPrompt) });
        expect([file, end, [...said].filter((words) => kept.includes(words))]).toEqual([file, end, []]);
        looked += said.size;
      }
    }
    expect(looked).toBeGreaterThan(500);
  });
});
