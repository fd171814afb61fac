import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";
import { type Milepost, openMilepost } from "../src/app/milepost.js";
import { SESSIONS, sessionEvent } from "../src/app/session/session-view.js";
import type { SessionEvent } from "../src/core/session/events.js";
import { append } from "../src/store/event-store.js";
import { freshDatabase } from "./databases.js";
import { runOn } from "./run-on.js";

// `watch --follow` of sessions that report to us: every change is a line, from the log.

const home = realpathSync(mkdtempSync(join(tmpdir(), "milepost-watch-events-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The limit is 300 ms; a busy machine may take ten times as long. */
const VISIBLE_MS = 3000;

interface Line {
  readonly at: string;
  readonly session: string;
  readonly subAgent: string | null;
  readonly text: string;
}

/** Somebody who watches, and one who writes through a connection of its own. */
class Scene {
  readonly lines: Line[] = [];
  readonly writer: Milepost;
  readonly #stop = new AbortController();
  readonly #watching: Promise<{ readonly exit: number; readonly err: string }>;

  private constructor(user: string, store: string, writer: Milepost) {
    this.writer = writer;
    this.#watching = runOn(user, ["watch", "--follow", "--json", "--store", store], {
      signal: this.#stop.signal,
      written: (text) =>
        void this.lines.push(
          ...text
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Line),
        ),
    });
  }

  static async open(user: string, store: string): Promise<Scene> {
    const scene = new Scene(user, store, await openMilepost({ store }));
    // It has to watch before it can be late.
    for (let round = 0; scene.lines.length === 0 && round < 600; round += 1) {
      await scene.plan(`warm${round}`, `w${round}!`);
      await sleep(100);
    }
    return scene;
  }

  /** `a!` in progress, `a.` completed. */
  async plan(session: string, ...texts: readonly string[]): Promise<void> {
    const todos = texts.map((text) => {
      const status = text.endsWith("!") ? "in_progress" : text.endsWith(".") ? "completed" : "pending";
      const content = text.replace(/[!.]$/, "");
      return { content, status, activeForm: content };
    });
    await this.writer.call({ dialect: "claude", tool: "TodoWrite", session, input: { todos } });
  }

  /** All in one commit: no look can come between them. */
  async report(session: string, ...events: readonly SessionEvent[]): Promise<void> {
    const written = await this.writer.store.commit(
      append([{ stream: `session:${session}`, events: events.map((event) => sessionEvent(event)) }]),
    );
    expect(written.ok).toBe(true);
  }

  of(session: string): readonly string[] {
    return this.lines.filter((line) => line.session === session).map(({ text }) => text);
  }

  async until(session: string, text: string): Promise<void> {
    for (const end = Date.now() + VISIBLE_MS; !this.of(session).some((one) => one.includes(text)); await sleep(5))
      if (Date.now() > end) throw new Error(`No ${text} in ${JSON.stringify(this.lines)}`);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    expect(await this.#watching).toMatchObject({ exit: 0, err: "" });
    await this.writer.close();
  }
}

describe.each(["sqlite", "postgres"])("on %s", (engine) => {
  test("nothing is merged away, all in order, and the state and its reason come too", async () => {
    const store = engine === "sqlite" ? join(home, "watched.db") : await freshDatabase("watched");
    const scene = await Scene.open(join(home, engine), store);
    // Faster than anybody looks.
    await scene.plan("s1", "a!", "b");
    await scene.plan("s1", "a.", "b!");
    await scene.plan("s1", "a.", "b.");
    await scene.plan("s1", "c!");
    await scene.plan("s1");
    await scene.until("s1", '"c": in_progress -> removed');
    expect(scene.of("s1").filter((text) => text.startsWith("Todo"))).toEqual([
      'Todo "b": new -> pending',
      'Todo "a": new -> in_progress',
      'Todo "a": in_progress -> completed',
      'Todo "b": pending -> in_progress',
      'Todo "b": in_progress -> completed',
      'Todo "c": new -> in_progress',
      'Todo "c": in_progress -> removed',
    ]);
    expect(scene.of("s1")[0]).toMatch(/^Session "s1": new -> /);
    await scene.report("s1", { type: "person.awaited", for: "permission", text: "Bash: npm publish" });
    await scene.until("s1", "-> waiting (permission: Bash: npm publish)");
    expect((await scene.writer.store.view(SESSIONS, "session:s1")).state).toBe("waiting");
    await committedTogether(scene);
    await beginningTogether(scene);
    await scene.end();
    expect(Object.keys(scene.lines[0] ?? {})).toEqual(
      "at session subAgent agent project folder branch text".split(" "),
    );
  }, 30_000);
});

const turn = [
  { type: "turn.started", isStop: false },
  { type: "person.awaited", for: "question", text: "Which one?" },
  { type: "person.answered" },
  { type: "turn.ended" },
] as const;

/** What is committed together is one page of the log. */
async function committedTogether(scene: Scene): Promise<void> {
  const known = scene.of("s1").length;
  const task = { type: "client-task.updated", id: "1" } as const;
  const goal = (status: string) => ({ type: "goal.changed", goal: { text: "Ship", status } }) as const;
  await scene.report(
    "s1",
    ...turn,
    { type: "client-task.created", id: "1", subject: "t" },
    { ...task, status: "in_progress" },
    { ...task, status: "completed" },
    { type: "session.started", source: "compact", client: "claude-code" },
    { type: "session.started", source: "compact", client: "claude-code" },
    goal("active"),
    goal("complete"),
    { type: "session.ended", reason: "exit" },
  );
  await scene.until("s1", "-> ended");
  // Each look that follows has nothing to add.
  await sleep(60);
  expect(scene.of("s1").slice(known)).toEqual([
    'Session "s1": waiting -> running',
    'Session "s1": running -> waiting (question: Which one?)',
    'Session "s1": waiting -> running',
    'Session "s1": running -> idle',
    'Task #1 "t": new -> pending',
    'Task #1 "t": pending -> in_progress',
    'Task #1 "t": in_progress -> completed',
    "Context compacted",
    "Context compacted",
    'Goal "Ship": none -> active',
    'Goal "Ship": active -> complete',
    'Session "s1": idle -> ended',
  ]);
}

/** A session that nobody has seen yet, and a todo among its states. */
async function beginningTogether(scene: Scene): Promise<void> {
  const [started, asked, answered, ended] = turn.map((event) => sessionEvent(event));
  const data = (fields: object) => ({ ...fields, revision: 1 });
  const events = [
    sessionEvent({ type: "session.started", source: "startup", client: "claude-code" }),
    ...(started ? [started] : []),
    { type: "phase.opened", data: data({ name: "" }) },
    { type: "todo.added", data: data({ number: 1, phase: 0, text: "a", status: "in_progress" }) },
    ...[asked, answered, ended].flatMap((event) => event ?? []),
  ];
  await scene.writer.store.commit(append([{ stream: "session:s2", events }]));
  await scene.until("s2", "running -> idle");
  await sleep(60);
  expect(scene.of("s2")).toEqual([
    'Session "s2": new -> idle',
    'Session "s2": idle -> running',
    'Todo "a": new -> in_progress',
    'Session "s2": running -> waiting (question: Which one?)',
    'Session "s2": waiting -> running',
    'Session "s2": running -> idle',
  ]);
}

const said = (uuid: string, parentUuid: string | null, message: object, more: object = {}) =>
  `${JSON.stringify({ type: "user", uuid, parentUuid, sessionId: "t1", cwd: "/home/dev/app", timestamp: new Date().toISOString(), message, ...more })}\n`;

/** One call of a tool, as Claude Code writes it down. */
function writeCall(path: string, nth: number, name: string, input: object, answer?: object): void {
  const [call, result, before] = [`k${nth}`, `l${nth}`, nth === 0 ? "p" : `l${nth - 1}`];
  const block = { type: "tool_use", id: `call${nth}`, name, input };
  const told = [{ type: "tool_result", tool_use_id: `call${nth}`, content: "ok" }];
  appendFileSync(
    path,
    said(call, before, { id: `m${nth}`, role: "assistant", model: "m", content: [block] }, { type: "assistant" }) +
      said(result, call, { role: "user", content: told }, { toolUseResult: answer }),
  );
}

test("a session that is in a transcript, and begins to report, is told of once", async () => {
  const user = join(home, "both");
  const folder = join(user, ".claude", "projects", "-home-dev-app");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "t1.jsonl");
  const todo = (content: string, status: string) => ({ content, status, activeForm: content });
  const steps = [
    [todo("x", "in_progress"), todo("y", "pending")],
    [todo("x", "completed"), todo("y", "in_progress")],
    [todo("x", "completed"), todo("y", "completed")],
  ];
  const scene = await Scene.open(user, join(home, "both.db"));
  appendFileSync(path, said("p", null, { role: "user", content: "Go" }));
  await scene.until("t1", "new -> ");
  for (const [nth, todos] of steps.entries()) {
    writeCall(path, nth, "TodoWrite", { todos });
    // Its transcript is seen first, and its first write is reported with the second step.
    await sleep(nth === 0 ? 400 : 50);
    if (nth > 0) await scene.writer.call({ dialect: "claude", tool: "TodoWrite", session: "t1", input: { todos } });
  }
  await scene.until("t1", '"y": in_progress -> completed');
  await sleep(300);
  await scene.end();
  // Whether anything ran is known by whoever is read first.
  const told = scene.of("t1").map((text) => text.replace(/ {2}\? unbacked$/, ""));
  expect(told.filter((text) => text.startsWith("Todo"))).toEqual([
    'Todo "y": new -> pending',
    'Todo "x": new -> in_progress',
    'Todo "x": in_progress -> completed',
    'Todo "y": pending -> in_progress',
    'Todo "y": in_progress -> completed',
  ]);
}, 30_000);

test.each(["log", "transcript"])(
  "hooks and a transcript tell of the same, the %s first: each line comes once",
  async (first) => {
    const user = join(home, `same-${first}`);
    const folder = join(user, ".claude", "projects", "-home-dev-app");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "t1.jsonl");
    const scene = await Scene.open(user, join(home, `same-${first}.db`));
    appendFileSync(path, said("p", null, { role: "user", content: "Go" }));
    await scene.until("t1", "new -> ");
    const process = "m:1";
    await scene.report("t1", { type: "session.started", source: "startup", client: "claude-code", process });
    await scene.until("t1", "-> idle");
    const log = () =>
      scene.report(
        "t1",
        ...turn,
        { type: "client-task.created", id: "1", subject: "t" },
        { type: "client-task.updated", id: "1", status: "in_progress" },
      );
    const transcript = async () => {
      writeCall(path, 0, "TaskCreate", { subject: "t", description: "d" }, { task: { id: "1", subject: "t" } });

      // It is behind: what was told from the log is not taken back.
      if (first === "log") await sleep(100);
      writeCall(path, 1, "TaskUpdate", { taskId: "1", status: "in_progress" }, { success: true, taskId: "1" });
    };
    for (const tell of first === "log" ? [log, transcript] : [transcript, log]) {
      await tell();
      await scene.until("t1", "-> in_progress");
    }
    await scene.until("t1", "waiting -> running");
    await sleep(80);
    await scene.end();
    const texts = scene.of("t1").map((text) => text.replace(/^Session ".*?":/, "Session:"));
    const isTask = (text: string) => text.startsWith("Task");
    expect(texts.filter((text) => !isTask(text))).toEqual([
      "Session: new -> running",
      "Session: running -> idle",
      "Session: idle -> running",
      "Session: running -> waiting (question: Which one?)",
      "Session: waiting -> running",
      "Session: running -> idle",
    ]);
    const steps = ['Task #1 "t": new -> pending', 'Task #1 "t": pending -> in_progress'];
    // Of a transcript two looks are compared: one of them may show both steps.
    expect(first === "log" ? [steps] : [steps, ['Task #1 "t": new -> in_progress']]).toContainEqual(
      texts.filter(isTask),
    );
  },
  30_000,
);
