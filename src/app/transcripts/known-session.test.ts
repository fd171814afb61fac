import { describe, expect, test } from "vitest";
import { viewWith } from "../../../test/readers/session-reports.js";
import { NEW_SESSION, type Session } from "../../core/session/session.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { EMPTY_LIST } from "../../core/todo/list.js";
import { isNamed, joinSessions, knownState } from "./known-session.js";
import type { SeenSession } from "./seen-session.js";
import type { StoredSession } from "./stored-session.js";

const NOW = 1_800_000_000_000;
const seen = (id: string, parent: string | null, fields: Partial<SessionView> = {}): SeenSession => ({
  view: viewWith({ id, parent, agent: "codex", ...fields }),
  grewAt: NOW,
  path: `/x/${id}.jsonl`,
  format: "codex",
  problems: { lines: 0, first: [] },
  unfinished: 0,
});
const stored = (id: string, session: Partial<Session> = {}): StoredSession => ({
  id,
  session: { ...NEW_SESSION, client: "codex", turns: 1, ...session },
  list: EMPTY_LIST,
  at: NOW,
});
const around = { processes: new Map(), isThere: () => undefined, now: NOW };

describe("a sub-agent of Codex is one, whoever tells of it", () => {
  const rows = (...known: ReturnType<typeof joinSessions>) => known.map(({ id, parent }) => `${id} < ${parent}`).sort();

  test.each([
    ["the file alone", [seen("child", "root")], [], ["child < root", "root < null"]],
    ["hooks alone", [], [stored("root/child")], ["root < null", "root/child < root"]],
    ["both", [seen("child", "root")], [stored("root/child")], ["root < null", "root/child < root"]],
    [
      "and one of its own",
      [seen("child", "root"), seen("grandchild", "child")],
      [stored("root/child"), stored("root/grandchild")],
      ["root < null", "root/child < root", "root/grandchild < root/child"],
    ],
    [
      "a session that is called like an agent is no agent",
      [seen("child", null)],
      [stored("root/child")],
      ["child < null", "root < null", "root/child < root"],
    ],
  ])("%s", (_, files, hooks, expected) => {
    expect(rows(...joinSessions([seen("root", null), ...files], hooks))).toEqual(expected);
  });

  test("it is found as a sub-agent of its session, whoever knows it", () => {
    const names = [{ session: "root", agent: "child" }, { session: "root" }, { session: "child" }];
    for (const reported of [[], [stored("root/child")]]) {
      const known = joinSessions([seen("child", "root")], reported).find(({ parent }) => parent !== null);
      expect(names.map((asked) => known && isNamed(known, asked))).toEqual([true, false, reported.length === 0]);
    }
  });
});

describe("the state of a sub-agent", () => {
  const working = { phase: "working", shown: { reason: "in-turn", since: NOW - 5000 } } as const;
  const resting = { phase: "resting", shown: { reason: "interrupted", since: NOW - 5000 } } as const;
  const run = { state: "running", why: { reason: "in-turn", since: NOW - 9000 } } as const;
  const stateWith = (files: readonly SeenSession[], agents: readonly string[], parent?: "ended" | "idle") => {
    const known = joinSessions(files, [stored("root", { agents }), stored("root/child", run)]);
    const child = known.find(({ id }) => id === "root/child");
    const above = parent && ({ state: parent, reason: "session-ended", source: "hook", since: 5 } as const);
    if (!child) throw new Error("no child");
    const { state, reason } = knownState(child, viewWith(), { ...around, parent: above });
    return `${state}: ${reason}`;
  };

  test.each([
    ["its session knows it", [], ["child"], undefined, "running: in-turn"],
    ["its session was told that it has ended", [], [], undefined, "idle: turn-ended"],
    ["its file tells that it works on", [seen("child", "root", working)], [], undefined, "running: in-turn"],
    ["its file tells that it was cut short", [seen("child", "root", resting)], [], undefined, "idle: interrupted"],
    ["its session is idle", [seen("child", "root", working)], ["child"], "idle", "running: in-turn"],
    ["its session has ended", [seen("child", "root", working)], ["child"], "ended", "ended: parent-ended"],
  ] as const)("%s", (_, files, agents, parent, expected) => {
    expect(stateWith(files, agents, parent)).toBe(expected);
  });
});
