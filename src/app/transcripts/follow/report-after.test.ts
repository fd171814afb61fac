import { describe, expect, test } from "vitest";
import { planWith, reportWith } from "../../../../test/readers/session-reports.js";
import type { SessionEvent } from "../../../core/session/events.js";
import { evolveSession, NEW_SESSION, type Session } from "../../../core/session/session.js";
import { changesBetween } from "../changes.js";
import type { SessionReport } from "../session-report.js";
import { reportAfter } from "./report-after.js";

const HOOKED: Session = { ...NEW_SESSION, client: "claude-code", process: "m:1" };
const folded = (session: Session, ...events: readonly SessionEvent[]) =>
  events.reduce((one, event, at) => evolveSession(one, event, 2000 + at), session);

const started = { type: "turn.started", isStop: false } as const;
const asked = { type: "person.awaited", for: "permission", text: "Bash: ls" } as const;
const ended = { type: "turn.ended" } as const;
const created = { type: "client-task.created", id: "1", subject: "t" } as const;
const updated = (status: "in_progress" | "completed") => ({ type: "client-task.updated", id: "1", status }) as const;
const goal = (status: string) => ({ type: "goal.changed", goal: { text: "G", status } }) as const;
const planned = (status: "proposed" | "approved", plan = "abcd-efghi") =>
  ({ type: "plan.changed", plan, title: "P", status }) as const;
const compacted = { type: "session.started", source: "compact", client: "claude-code" } as const;
const taken = { type: "task.taken", list: "l", task: 7, fence: 1, subject: "h" } as const;

const own = (fields: Partial<SessionReport> = {}) => reportWith({}, { state: "idle", ...fields });
const read = (fields: Partial<SessionReport> = {}) => own({ transcript: "/t.jsonl", ...fields });
const why = (reason: SessionReport["why"]["reason"], source: SessionReport["why"]["source"], since: number) => ({
  why: { reason, source, since: new Date(since).toISOString(), word: null },
});
const task = (status: "pending" | "in_progress" | "completed", id = "1") => ({
  id,
  subject: "t",
  status,
  activeForm: null,
  owner: null,
  blocks: [],
  blockedBy: [],
  verdict: null,
  facts: null,
});

interface Case {
  readonly name: string;
  readonly report: SessionReport;
  readonly session?: Session;
  readonly before?: readonly SessionEvent[];
  readonly events: readonly SessionEvent[];
  readonly root?: Session;
  readonly looked?: Parameters<typeof reportAfter>[2];
  readonly then: readonly string[];
}

const states: readonly Case[] = [
  {
    name: "every state, and what is asked",
    report: own(),
    events: [started, asked, { ...asked, text: "Bash: rm" }, { type: "person.answered" }, ended],
    then: [
      'Session "s1": idle -> running',
      'Session "s1": running -> waiting (permission: Bash: ls)',
      'Session "s1": waiting -> waiting (permission: Bash: rm)',
      'Session "s1": waiting -> running',
      'Session "s1": running -> idle',
    ],
  },
  {
    name: "what says nothing about it",
    report: own({ state: "stalled" }),
    before: [started],
    events: [{ type: "reply.ended", batch: false, calls: 1, usedList: false }],
    then: [],
  },
  {
    name: "a client's second word, without what is asked",
    report: own({ state: "waiting", waitingFor: { kind: "permission", text: "Bash: ls", choices: [] } }),
    before: [started, asked],
    events: [{ type: "person.awaited", for: "permission_prompt" }],
    then: [],
  },
  {
    name: "out of a stall",
    report: own({ state: "stalled" }),
    events: [asked],
    then: ['Session "s1": stalled -> waiting (permission: Bash: ls)'],
  },
  {
    name: "the next turn, where the last one was cut and only the transcript knew",
    report: read(why("interrupted", "transcript", 1500)),
    before: [started],
    events: [started],
    then: ['Session "s1": idle -> running'],
  },
  {
    name: "a transcript that knows something newer",
    report: read({ ...why("interrupted", "transcript", 9000) }),
    events: [started],
    then: [],
  },
  {
    name: "only calls are reported, and there is a transcript",
    report: read(),
    session: NEW_SESSION,
    events: [asked],
    then: [],
  },
  {
    name: "only calls are reported, and nothing else is there",
    report: own(),
    session: NEW_SESSION,
    events: [asked],
    then: ['Session "s1": idle -> waiting (permission: Bash: ls)'],
  },
  {
    name: "a client that is gone",
    report: own({ state: "ended", ...why("process-gone", "process", 1000) }),
    events: [started],
    then: [],
  },
  {
    name: "another client in its place",
    report: own({ state: "ended", ...why("process-gone", "process", 1000) }),
    events: [{ type: "session.started", source: "resume", client: "claude-code", process: "m:2" }, started],
    then: ['Session "s1": ended -> idle', 'Session "s1": idle -> running'],
  },
  {
    name: "what is asked is in the transcript alone",
    report: read({ state: "running" }),
    events: [{ type: "person.awaited", for: "question" }],
    looked: {
      shown: read({
        state: "waiting",
        ...why("question", "hook", 2000),
        waitingFor: { kind: "question", text: "Which?", choices: [] },
      }),
    },
    then: ['Session "s1": running -> waiting (question: Which?)'],
  },
  {
    name: "a turn that ends with a plan",
    report: own({ state: "running", plan: planWith() }),
    before: [started, planned("proposed")],
    events: [ended, planned("approved")],
    then: [
      'Session "s1": running -> waiting (plan: P)',
      'Plan abcd-efghi "P": proposed -> approved',
      'Session "s1": waiting -> idle',
    ],
  },
];

const agent = (fields: Partial<SessionReport> = {}) => own({ id: "s1/a", parent: "s1", ...fields });
const subAgents: readonly Case[] = [
  {
    name: "a sub-agent at work",
    report: agent(),
    root: { ...HOOKED, agents: ["a"] },
    events: [asked],
    then: ['Session "s1/a": idle -> waiting (permission: Bash: ls)'],
  },
  { name: "a sub-agent whose end was told", report: agent(), root: HOOKED, events: [asked], then: [] },
  {
    name: "a sub-agent of a session that has ended",
    report: agent({ state: "ended", ...why("parent-ended", "hook", 1000) }),
    root: { ...HOOKED, agents: ["a"] },
    events: [asked],
    then: [],
  },
];

const others: readonly Case[] = [
  {
    name: "each compaction",
    report: own(),
    events: [compacted, compacted],
    then: ["Context compacted", "Context compacted"],
  },
  { name: "a compaction that the transcript told of", report: read({ compactions: 1 }), events: [compacted], then: [] },
  {
    name: "each step of a task",
    report: own(),
    events: [created, updated("in_progress"), updated("completed"), { type: "client-task.deleted", id: "1" }],
    then: [
      'Task #1 "t": new -> pending',
      'Task #1 "t": pending -> in_progress',
      'Task #1 "t": in_progress -> completed',
      'Task #1 "t": completed -> removed',
    ],
  },
  {
    name: "a task that the transcript is ahead with, until the log is there",
    report: read({ tasks: [task("in_progress")] }),
    events: [created, updated("in_progress"), updated("completed")],
    then: ['Task #1 "t": in_progress -> completed'],
  },
  {
    name: "a task beside others that only the transcript has",
    report: read({ tasks: [task("pending", "9")] }),
    events: [created],
    then: ['Task #1 "t": new -> pending'],
  },
  {
    name: "a task of ours that it holds",
    report: own(),
    events: [taken, { type: "task.left", list: "l", task: 7 }],
    then: ['Task #7 "h": new -> in_progress', 'Task #7 "h": in_progress -> removed'],
  },
  {
    name: "where a transcript may have its own tasks, ours are left to the look",
    report: read(),
    events: [taken],
    then: [],
  },
  {
    name: "each step of a goal",
    report: own(),
    events: [goal("active"), goal("complete"), { type: "goal.changed", goal: null }],
    then: ['Goal "G": none -> active', 'Goal "G": active -> complete', 'Goal "G": complete -> none'],
  },
  {
    name: "a goal that the transcript told of",
    report: read({ goal: { text: "G", status: "complete" } }),
    events: [goal("active"), goal("complete")],
    then: [],
  },
  {
    name: "a goal that the transcript may still have",
    report: read({ goal: { text: "G", status: "active" } }),
    before: [goal("active")],
    events: [{ type: "goal.changed", goal: null }],
    then: [],
  },
  {
    name: "a plan that is another one",
    report: own({ state: "running" }),
    before: [started],
    events: [planned("proposed"), planned("approved")],
    looked: { plan: planWith({ status: "approved" }) },
    then: ['Plan abcd-efghi "P": none -> proposed', 'Plan abcd-efghi "P": proposed -> approved'],
  },
  {
    name: "a plan that nobody can find",
    report: own({ state: "running" }),
    before: [started],
    events: [planned("proposed")],
    then: [],
  },
  {
    name: "a plan that the transcript told of",
    report: read({ state: "running", plan: planWith({ status: "approved" }) }),
    before: [started],
    events: [planned("proposed"), planned("approved")],
    then: [],
  },
];

function linesOf({ report, session = HOOKED, before = [], events, root, looked }: Case): readonly string[] {
  let [told, known] = [report, folded(session, ...before)];
  return events.flatMap((event, index) => {
    const at = 3000 + index;
    const after = evolveSession(known, event, at);
    const next = reportAfter(told, { before: known, after, root, at }, looked);
    const lines = changesBetween(new Map([[told.id, told]]), [next], () => true).map(({ text }) => text);
    [told, known] = [next, after];
    return lines;
  });
}

describe.each([
  ["states", states],
  ["sub-agents", subAgents],
  ["what else there is", others],
] as const)("%s", (_, cases) => {
  test.each(cases)("$name", (one) => expect(linesOf(one)).toEqual(one.then));
});
