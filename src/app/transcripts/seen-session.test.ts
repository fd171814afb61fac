import { describe, expect, test } from "vitest";
import { listWith, viewWith } from "../../../test/readers/session-reports.js";
import { judgeList } from "../../core/grounding/judged.js";
import { NO_SEEN_WORK, type SeenWork } from "../../core/grounding/seen-work.js";
import type { Span } from "../../core/grounding/work-times.js";
import { NO_TOKENS } from "../../core/session/observation.js";
import type { KnownTask, SessionView } from "../../core/session/session-facts.js";
import { todosOf } from "../../core/todo/list.js";
import { mergeSessions, type SeenSession } from "./seen-session.js";

const seen = (format: string, view: Partial<SessionView> = {}, fields: Partial<SeenSession> = {}): SeenSession => ({
  view: viewWith(view),
  grewAt: 0,
  path: `/${format}.jsonl`,
  format,
  problems: { lines: 0, first: [] },
  unfinished: 0,
  ...fields,
});
const task = (id: string, at: number, fields: Partial<KnownTask> = {}): KnownTask => ({
  id,
  at,
  subject: `task ${id}`,
  status: "pending",
  blocks: [],
  blockedBy: [],
  ...fields,
});

/** One call at 50, while these were worked on. */
function workOn(...spans: Span<number>[]): SeenWork {
  return { ...NO_SEEN_WORK, times: { since: 100, spans }, runs: [[50, 0, 1, 0, 0, 1, 0, 0]] };
}

describe("the best of several", () => {
  const cases: { name: string; seen: SeenSession[]; then: string[] }[] = [
    { name: "one is one", seen: [seen("claude")], then: ["s1 /claude.jsonl"] },
    {
      name: "its own file beats what was printed",
      seen: [seen("claude-stream"), seen("claude")],
      then: ["s1 /claude.jsonl"],
    },
    {
      name: "in whatever order",
      seen: [seen("codex"), seen("codex-exec"), seen("codex-app-server")],
      then: ["s1 /codex.jsonl"],
    },
    {
      name: "the app server beats what was printed",
      seen: [seen("codex-exec"), seen("codex-app-server")],
      then: ["s1 /codex-app-server.jsonl"],
    },
    {
      name: "a format we do not know comes last",
      seen: [seen("new"), seen("codex-exec")],
      then: ["s1 /codex-exec.jsonl"],
    },
    {
      name: "of two alike the newer",
      seen: [seen("claude", { at: 1 }, { path: "/old" }), seen("claude", { at: 2 }, { path: "/new" })],
      then: ["s1 /new"],
    },
    {
      name: "different ones stay, in their order",
      seen: [seen("claude", { id: "b" }), seen("claude", { id: "a" }), seen("claude-stream", { id: "b" })],
      then: ["b /claude.jsonl", "a /claude.jsonl"],
    },
  ];
  test.each(cases)("$name", ({ seen, then }) => {
    expect(mergeSessions(seen).map(({ view, path }) => `${view.id} ${path}`)).toEqual(then);
  });
});

describe("gaps are filled, and nothing that is known is replaced", () => {
  const both = (own: Partial<SessionView>, printed: Partial<SessionView>) =>
    mergeSessions([seen("claude-stream", printed), seen("claude", own)])[0]?.view;
  const used = { ...NO_TOKENS, total: 5 };
  const cases: {
    name: string;
    own: Partial<SessionView>;
    printed: Partial<SessionView>;
    then: Partial<SessionView>;
  }[] = [
    { name: "a title", own: {}, printed: { title: "t", titleBy: "person" }, then: { title: "t", titleBy: "person" } },
    {
      name: "a prompt gives way to the agent's title",
      own: { title: "p", titleBy: "person" },
      printed: { title: "t", titleBy: "agent" },
      then: { title: "t", titleBy: "agent" },
    },
    {
      name: "the agent's title stays",
      own: { title: "t", titleBy: "agent" },
      printed: { title: "u", titleBy: "agent" },
      then: { title: "t" },
    },
    {
      name: "who it is",
      own: { folder: "/a" },
      printed: { folder: "/b", branch: "b", version: "1", model: "m", parent: "p" },
      then: { folder: "/a", branch: "b", version: "1", model: "m", parent: "p" },
    },
    { name: "tokens and money", own: {}, printed: { tokens: used, cost: 2 }, then: { tokens: used, cost: 2 } },
    {
      name: "tokens and money that are known",
      own: { tokens: used, cost: 0 },
      printed: { tokens: { ...used, total: 9 }, cost: 2 },
      then: { tokens: used, cost: 0 },
    },
    {
      name: "a plan",
      own: {},
      printed: { plan: { key: "k", text: "P", status: "approved" } },
      then: { plan: { key: "k", text: "P", status: "approved" } },
    },
    {
      name: "plans",
      own: { plans: [{ key: "b", text: "B", status: "approved", at: 2 }] },
      printed: {
        plans: [
          { key: "a", text: "A", status: "rejected", reason: "no", at: 1 },
          { key: "b", text: "B", status: "draft", at: 1 },
        ],
      },
      then: {
        plans: [
          { key: "a", text: "A", status: "rejected", reason: "no", at: 1 },
          { key: "b", text: "B", status: "approved", at: 2 },
        ],
      },
    },
    { name: "a list", own: {}, printed: { list: listWith("a") }, then: { list: listWith("a") } },
    {
      name: "a list that is known, even a cleared one",
      own: { list: listWith() },
      printed: { list: listWith("a") },
      then: { list: listWith() },
    },
    {
      name: "turns and calls are its own",
      own: { turns: 2, calls: { total: 3, failed: 1 } },
      printed: { turns: 9, calls: { total: 9, failed: 9 } },
      then: { turns: 2, calls: { total: 3, failed: 1 } },
    },
  ];
  test.each(cases)("$name", ({ own, printed, then }) => expect(both(own, printed)).toMatchObject(then));

  test("a list comes with what ran for it", () => {
    const work = workOn([1, 0, 100]);
    const view = both({ work: NO_SEEN_WORK }, { list: listWith("a.", "b!"), work });
    const judge = view && judgeList(view.list, view.work);
    expect(view && todosOf(view.list).map((todo) => judge?.(todo).judgement?.verdict)).toEqual(["worked", undefined]);
  });

  test("what a sub-agent did counts for what its session was on", () => {
    const own = { list: listWith("a.", "b!"), work: { ...workOn([1, 0, 100]), runs: [] } };
    const below = { id: "s1/x", parent: "s1", work: workOn() };
    const [view] = mergeSessions([seen("claude", own), seen("claude", below)]).map((one) => one.view);
    const judge = view && judgeList(view.list, view.work);
    expect(view && todosOf(view.list).map((todo) => judge?.(todo).judgement?.verdict)).toEqual(["worked", undefined]);
  });
});

describe("tasks of a session and its sub-agents", () => {
  const tasksOf = (own: KnownTask[], below: KnownTask[]) =>
    mergeSessions([seen("claude", { tasks: own }), seen("claude", { id: "s1/x", parent: "s1", tasks: below })]);
  const cases: { name: string; own: KnownTask[]; below: KnownTask[]; then: object[] }[] = [
    {
      name: "a sub-agent's change counts",
      own: [task("1", 1)],
      below: [task("1", 2, { subject: "", status: "completed" })],
      then: [task("1", 2, { status: "completed" })],
    },
    {
      name: "an older one does not",
      own: [task("1", 3, { status: "completed" })],
      below: [task("1", 2, { subject: "", status: "in_progress" })],
      then: [task("1", 3, { status: "completed" })],
    },
    {
      name: "who took it is told",
      own: [task("1", 1)],
      below: [task("1", 2, { subject: "", status: "in_progress", owner: "x", activeForm: "doing" })],
      then: [task("1", 2, { status: "in_progress", owner: "x", activeForm: "doing" })],
    },
    {
      name: "what it is blocked by stays",
      own: [task("1", 1, { blockedBy: ["2"] })],
      below: [task("1", 2, { subject: "", status: "completed" })],
      then: [task("1", 2, { status: "completed", blockedBy: ["2"] })],
    },
    { name: "one that it made itself", own: [task("1", 1)], below: [task("2", 2)], then: [task("1", 1), task("2", 2)] },
    {
      name: "one that it deleted",
      own: [task("1", 1)],
      below: [task("1", 2, { subject: "", isDeleted: true })],
      then: [task("1", 2, { isDeleted: true })],
    },
    {
      name: "one of which nobody knows the name",
      own: [],
      below: [task("1", 2, { subject: "" })],
      then: [task("1", 2, { subject: "" })],
    },
  ];
  test.each(cases)("$name", ({ own, below, then }) => {
    const [parent, child] = tasksOf(own, below);
    expect([parent?.view.tasks, child?.view.tasks]).toEqual([then, []]);
  });

  test("a sub-agent whose parent is not there keeps them", () => {
    const [child] = mergeSessions([seen("claude", { id: "s1/x", parent: "s1", tasks: [task("1", 1)] })]);
    expect(child?.view.tasks).toEqual([task("1", 1)]);
  });
});
