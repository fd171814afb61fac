import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { answers, calls, chained, type Line, refuses, user, wrote } from "../../../test/readers/claude-lines.js";
import { append, type EventStore } from "../../store/event-store.js";
import { openStore } from "../../store/open.js";
import { callEnded, callsStream } from "../calls/call-events.js";
import { sessionEvent } from "../session/session-view.js";
import { Attachment } from "../transcripts/attachment.js";
import type { OpenBoard } from "../transcripts/open-session-board.js";
import { boardOf } from "../transcripts/session-board.js";
import { StoredSessions } from "../transcripts/stored-session.js";
import { PROJECTIONS } from "../views.js";
import { openTimeline } from "./session-timeline.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "milepost-timeline-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let worlds = 0;

class World {
  readonly root = join(folder, `${++worlds}`);
  #lines: Line[] = [];
  readonly store: EventStore;

  constructor(store: EventStore) {
    this.store = store;
  }

  get path(): string {
    return join(this.root, "p", "s1.jsonl");
  }

  /** Lines follow those that are there. */
  write(...lines: readonly Line[]): void {
    const known = this.#lines.length;
    this.#lines.push(...lines);
    mkdirSync(dirname(this.path), { recursive: true });
    appendFileSync(this.path, textOf(chained(this.#lines).slice(known)));
  }

  async open(id = "s1") {
    const attachment = new Attachment({ folders: () => [this.root] });
    await attachment.readNewest(10);
    const stored = new StoredSessions(this.store, 10);
    const board: OpenBoard = { attachment, stored, keep: async () => undefined, tick: async () => undefined };
    const reports = await boardOf(attachment, stored, { limit: 10, now: Date.now() });
    const session = reports.find((one) => one.id === id);
    if (!session) throw new Error(`There is no ${id} among ${reports.map((one) => one.id)}`);
    return openTimeline(board, this.store, session);
  }
}

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const memory = () => openStore("memory:", { projections: PROJECTIONS });
const ran = (call: string, command: string) => [calls(call, "Bash", { command }), answers(call)];

test("a transcript is read on from where it was", async () => {
  const world = new World(await memory());
  world.write(user("go"), ...wrote("look!", "mend"), ...ran("c1", "ls"));
  const source = await world.open();
  const first = await source.catchUp();
  expect(first.calls.filter(({ isList }) => !isList)).toMatchObject([
    { call: "c1", subject: "ls", status: "completed" },
  ]);
  expect(first.todos).toMatchObject([
    { text: "look", spans: [{ end: null }] },
    { text: "mend", spans: [] },
  ]);
  expect(first.turns).toHaveLength(1);
  expect(await source.catchUp()).toBe(first);
  world.write(calls("c2", "Bash", { command: "npm test" }), refuses("c2"), ...wrote("look.", "mend!"));
  const second = await source.catchUp();
  expect(second.calls.filter(({ isList }) => !isList)).toMatchObject([
    { call: "c1" },
    { call: "c2", status: "failed" },
  ]);
  expect(second.todos).toMatchObject([{ status: "completed" }, { status: "in_progress", spans: [{ end: null }] }]);
  // What was given out before is as it was.
  expect(first.calls.some(({ call }) => call === "c2")).toBe(false);
});

test("a transcript that is written anew is not told twice", async () => {
  const world = new World(await memory());
  world.write(user("go"), ...ran("c1", "ls"), ...ran("c2", "ls -l"));
  const source = await world.open();
  expect((await source.catchUp()).calls).toHaveLength(2);
  writeFileSync(world.path, textOf(chained([user("no, stop"), ...ran("c3", "pwd")])));
  const { calls: found, turns } = await source.catchUp();
  expect([found.map(({ call }) => call), turns.length]).toEqual([["c3"], 1]);
});

test("hooks and a transcript: each call once, with what only the transcript tells", async () => {
  const world = new World(await memory());
  world.write(user("go"), ...ran("c1", "ls"), ...ran("c2", "pwd"));
  const started = sessionEvent({ type: "session.started", source: "startup", client: "claude-code" });
  const told = callEnded("s1", { call: "c1", tool: "Bash", status: "completed", milliseconds: 7 });
  await world.store.commit(append([{ stream: "session:s1", events: [started] }]));
  await world.store.observe(callsStream("s1"), [told]);
  const source = await world.open();
  const { calls: found } = await source.catchUp();
  expect(found.map(({ call, subject }) => [call, subject]).sort()).toEqual([
    ["c1", "ls"],
    ["c2", "pwd"],
  ]);
  const ended = found.find(({ call }) => call === "c1");
  expect((ended?.end ?? 0) - (ended?.at ?? 0)).toBe(7);
});

test("the store alone: calls of sub-agents are the session's, turns are read on", async () => {
  const world = new World(await memory());
  const own = (...events: Parameters<typeof sessionEvent>[0][]) =>
    world.store.commit(append([{ stream: "session:s1", events: events.map((event) => sessionEvent(event)) }]));
  await own({ type: "session.started", source: "startup", client: "codex" }, { type: "turn.started", isStop: false });
  await world.store.observe(callsStream("s1"), [
    callEnded("s1", { call: "c1", tool: "Bash", status: "failed", agent: "x1", subject: "make" }),
  ]);
  const source = await world.open();
  const first = await source.catchUp();
  expect(first).toMatchObject({ calls: [{ agent: "x1", subject: "make", status: "failed" }], turns: [{ end: null }] });
  // Something of another session is nothing new.
  await world.store.commit(append([{ stream: "session:s2", events: [sessionEvent({ type: "person.answered" })] }]));
  expect(await source.catchUp()).toBe(first);
  await own({ type: "turn.ended" }, { type: "compaction.ended", trigger: "auto" });
  const second = await source.catchUp();
  expect([second.calls.length, second.compactions.length, second.turns[0]?.end]).toEqual([1, 1, expect.any(Number)]);
});

test("a sub-agent with a file of its own", async () => {
  const world = new World(await memory());
  world.write(user("go"), ...ran("c1", "ls"));
  const path = join(world.root, "p", "s1", "subagents", "agent-x1.jsonl");
  const below = chained(
    [user("look"), ...ran("d1", "grep")].map((one) => ({ ...one, isSidechain: true, agentId: "x1" })),
  );
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, textOf(below));
  const whole = await (await world.open()).catchUp();
  expect(whole.calls.map(({ call, agent }) => [call, agent]).sort()).toEqual([
    ["c1", null],
    ["d1", "x1"],
  ]);
  expect(whole.turns).toHaveLength(1);
  const own = await (await world.open("s1/x1")).catchUp();
  expect(own.calls.map(({ call, agent }) => [call, agent])).toEqual([["d1", null]]);
});

test("a document that is written anew with each step is told once", async () => {
  const world = new World(await memory());
  const fixtures = new URL("../../../test/fixtures/transcripts/hermes/", import.meta.url);
  const name = readdirSync(fixtures).find((one) => one.endsWith(".json")) ?? "";
  const document = readFileSync(new URL(name, fixtures), "utf8");
  const path = join(world.root, "sessions", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, document);
  const source = await world.open(JSON.parse(document).session_id);
  const first = await source.catchUp();
  expect(first.calls.length).toBeGreaterThan(0);
  writeFileSync(path, `${document}\n`);
  expect((await source.catchUp()).calls).toEqual(first.calls);
});
