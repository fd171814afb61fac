import type { PlanReport } from "../../src/app/plans/plan-report.js";
import { reportOf, type SessionReport } from "../../src/app/transcripts/session-report.js";
import { newView, type SessionView } from "../../src/core/session/session-facts.js";
import { EMPTY_LIST, type TodoList, type TodoStatus } from "../../src/core/todo/list.js";

const STATUS: Readonly<Record<string, TodoStatus>> = { "!": "in_progress", ".": "completed", "-": "cancelled" };

/** `a!` in progress, `a.` completed, `a-` cancelled, anything else pending; numbered from 1. */
export function listWith(...texts: readonly string[]): TodoList {
  const todos = texts.map((text, at) => {
    const status = STATUS[text.at(-1) ?? ""];
    return {
      number: at + 1,
      text: status ? text.slice(0, -1) : text,
      status: status ?? "pending",
      notes: [],
      evidence: [],
    };
  });
  return {
    ...EMPTY_LIST,
    revision: 1,
    nextNumber: todos.length + 1,
    phases: todos.length === 0 ? [] : [{ name: "", todos }],
  };
}

export const viewWith = (fields: Partial<SessionView> = {}): SessionView => ({
  ...newView("s1"),
  agent: "claude-code",
  ...fields,
});

/** A plan that nobody has decided on. */
export const planWith = (fields: Partial<PlanReport> = {}): PlanReport => ({
  id: "abcd-efghi",
  title: "P",
  text: "# P",
  status: "proposed",
  hash: "h",
  session: "s1",
  agent: "claude-code",
  decidedBy: null,
  decidedVia: null,
  decidedAt: null,
  reason: null,
  supersedes: null,
  supersededBy: null,
  proposedAt: null,
  project: null,
  folder: null,
  ...fields,
});

export function reportWith(fields: Partial<SessionView> = {}, beside: Partial<SessionReport> = {}): SessionReport {
  const quiet = {
    status: { state: "running", reason: "in-turn", source: "hook", since: 1000 },
    now: 1000,
    updatedAt: 1000,
    transcript: null,
    problems: { lines: 0, first: [] },
    unfinished: 0,
  } as const;
  return { ...reportOf(viewWith(fields), quiet), ...beside };
}
