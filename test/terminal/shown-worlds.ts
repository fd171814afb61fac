import fc from "fast-check";
import type { SessionReport } from "../../src/app/transcripts/session-report.js";
import { groupsOf, totalsOf } from "../../src/app/watching/session-groups.js";
import { PLAN_STATUSES } from "../../src/core/plan/plan.js";
import { SHOWN_STATES } from "../../src/core/session/session-state.js";
import type { StandingTask } from "../../src/core/task/query.js";
import { standingOf } from "../../src/core/task/standing.js";
import { NO_TASK, type Task } from "../../src/core/task/task.js";
import { EMPTY_TIMELINE, type Timeline } from "../../src/core/timeline/timeline.js";
import { LIST_STYLES, NOTHING_OPEN, TABS, type ViewState } from "../../src/tui/view-state.js";
import type { World } from "../../src/tui/world.js";
import { listWith, planWith, reportWith } from "../readers/session-reports.js";

// Worlds and states of the live view without a program: of one's own making, and any there may be.

export const NOW = Date.parse("2026-03-01T12:00:00Z");

/** A world with these sessions; what is not given is not there. */
export function worldWith(reports: readonly SessionReport[], fields: Partial<World> = {}): World {
  const person = { isPinned: () => false, isSnoozed: () => false };
  return {
    now: NOW,
    groups: groupsOf(reports, person),
    totals: { sessions: reports.filter(({ parent }) => parent === null).length, ...totalsOf(reports) },
    isReading: false,
    tasks: undefined,
    plans: undefined,
    events: [],
    timeline: undefined,
    branchOf: () => undefined,
    isNew: () => false,
    isPinned: () => false,
    hasNotices: true,
    home: "/home/dev",
    ...fields,
  };
}

export function taskWith(number: number, fields: Partial<Task> = {}): StandingTask {
  const task: Task = { ...NO_TASK, number, subject: `Task ${number}`, ...fields };
  return { task, standing: standingOf(task, task.blockedBy, NOW) };
}

/** Texts as people and models write them, and as nobody should. */
const text = fc.oneof(
  fc.constantFrom(
    "Fix the login",
    "constructor",
    "",
    "a",
    "支払いのテストを書く",
    "👩‍👩‍👧‍👦 家族の割引",
    "\u001b[2J\u001b]0;x\u0007",
    "a\nb\r\n\tc",
    "x".repeat(300),
  ),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 2 });
const moment = fc.integer({ min: 0, max: 40 * 86_400_000 }).map((ago) => new Date(NOW - ago).toISOString());
const plan = fc
  .record({ title: text, text, status: fc.constantFrom(...PLAN_STATUSES), project: maybe(text), agent: maybe(text) })
  .map((fields) => planWith(fields));
const todos = fc.array(
  fc.tuple(text, fc.constantFrom("", "!", ".", "-")).map((parts) => parts.join("")),
  { maxLength: 12 },
);

const shownFields = fc.record({
  agent: fc.oneof(fc.constantFrom("claude-code", "codex"), text),
  state: fc.constantFrom(...SHOWN_STATES),
  since: maybe(moment),
  asks: maybe(
    fc.record({
      kind: fc.constantFrom("permission", "question", "plan", "input"),
      text: maybe(text),
      choices: fc.array(text, { maxLength: 3 }),
    }),
  ),
  call: maybe(
    fc.record({
      tool: text,
      subject: maybe(text),
      since: maybe(moment),
      progress: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
    }),
  ),
  plan: maybe(plan),
  alerts: fc.array(
    fc.record({ level: fc.constantFrom("note", "warn", "block"), message: text, isOver: fc.boolean() }),
    { maxLength: 2 },
  ),
  children: fc.array(fc.record({ title: text, state: fc.constantFrom(...SHOWN_STATES), now: maybe(text) }), {
    maxLength: 3,
  }),
  folder: maybe(text),
  branch: maybe(text),
  refusal: maybe(text),
  isFinished: fc.boolean(),
  isBelow: fc.boolean(),
});

const report = fc.record({ title: text, todos, shown: shownFields, used: fc.nat(300_000) });
type Told = typeof report extends fc.Arbitrary<infer Value> ? Value : never;

function toReport({ title, todos: texts, shown, used }: Told, at: number): SessionReport {
  const { since, asks, alerts, children, folder, isFinished, isBelow, ...fields } = shown;
  const { list, ...view } = reportWith({ title, list: listWith(...texts), turns: at });
  return {
    ...view,
    ...fields,
    id: isBelow && at > 0 ? `s${at - 1}/s${at}` : `s${at}`,
    parent: isBelow && at > 0 ? `s${at - 1}` : null,
    list: isFinished ? { phases: [] } : list,
    finished: isFinished ? { ...list, at: since } : null,
    why: { ...view.why, since },
    waitingFor: asks,
    alerts: alerts.map((alert) => ({ detector: "d", count: 1, at: since, ...alert })),
    children: children.map((child, place) => ({
      id: `s${at}/c${place}`,
      done: place,
      total: place * 2,
      notice: null,
      ...child,
    })),
    folder,
    project: folder,
    tokens: { ...view.tokens, total: used },
    context: used === 0 ? null : { used, window: used % 2 === 0 ? 200_000 : null },
  };
}

const tasks = fc.array(
  fc.record({
    subject: text,
    status: fc.constantFrom("pending", "in_progress", "completed", "failed", "cancelled"),
    parent: fc.nat(12),
    after: fc.nat(12),
  }),
  { maxLength: 12 },
);

function toTasks(told: typeof tasks extends fc.Arbitrary<infer Value> ? Value : never): readonly StandingTask[] {
  return told.map(({ parent, after, ...fields }, at) =>
    taskWith(at + 1, {
      ...fields,
      ...(parent > 0 && parent <= at ? { parent } : undefined),
      blockedBy: after > 0 && after <= at ? [after] : [],
    }),
  );
}

const timeline: fc.Arbitrary<Timeline> = fc
  .array(
    fc.record({
      tool: text,
      subject: maybe(text),
      isChange: fc.boolean(),
      status: fc.constantFrom("running", "completed", "failed", "cancelled", "lost"),
    }),
    { maxLength: 12 },
  )
  .map((calls) => ({
    ...EMPTY_TIMELINE,
    calls: calls.map((call, at) => ({
      ...call,
      call: `c${at}`,
      agent: at % 3 === 0 ? "x" : null,
      at: NOW - 1000 * at,
      end: null,
      kind: "other",
      isList: false,
      files: call.isChange ? [call.tool] : [],
      added: at,
      removed: 1,
      check: null,
      result: null,
    })),
  }));

/** Any world that the view may have to show. */
export const anyWorld: fc.Arbitrary<World> = fc
  .record({
    reports: fc.array(report, { maxLength: 8 }),
    tasks: maybe(tasks),
    plans: maybe(fc.array(plan, { maxLength: 8 })),
    events: fc.array(fc.record({ agent: text, project: text, text }), { maxLength: 12 }),
    timeline: maybe(timeline),
    branch: text,
    caption: maybe(text),
    trouble: maybe(text),
    list: text,
    isReading: fc.boolean(),
    marked: fc.nat(3),
  })
  .map(({ reports, tasks: told, plans, events, branch, caption, trouble, list, marked, ...fields }) =>
    worldWith(reports.map(toReport), {
      isReading: fields.isReading,
      timeline: fields.timeline ?? undefined,
      tasks: told === null ? undefined : { list, lists: [list, "other"], tasks: toTasks(told) },
      plans: plans?.map((one, at) => ({ ...one, id: `p${at}` })),
      events: events.map((event, at) => ({ ...event, id: String(at), at: NOW - at, session: "s0" })),
      branchOf: () => ({ branch, ahead: marked, behind: 1, upstream: null }),
      isNew: ({ id }) => id.length % 2 === marked % 2,
      isPinned: () => marked === 2,
      caption: caption ?? undefined,
      trouble: trouble ?? undefined,
    }),
  );

const cursor = fc.nat(8).map(String);

/** Any state that a person may have brought the view into, at some place of its worlds. */
export const anyState: fc.Arbitrary<ViewState> = fc
  .record({
    tab: fc.constantFrom(...TABS),
    opened: maybe(fc.nat(8)),
    pane: fc.constantFrom("list", "calls"),
    filter: fc.constantFrom("", "", "", "a", "login"),
    isTree: fc.boolean(),
    prompt: fc.option(
      fc.record({ kind: fc.constantFrom("filter", "tell", "add", "reject", "task"), label: text, text, about: text }),
      { freq: 4 },
    ),
    page: fc.option(
      fc.record({ title: text, lines: fc.array(text, { maxLength: 30 }), top: fc.nat(40), isDiff: fc.boolean() }),
      { freq: 4 },
    ),
    message: fc.option(fc.record({ text, isError: fc.boolean(), at: fc.constant(NOW) }), { freq: 4 }),
    isHelp: fc.integer({ min: 0, max: 7 }).map((number) => number === 0),
    listStyle: fc.nat(LIST_STYLES.length - 1),
    at: fc.record({ sessions: cursor, tasks: cursor, plans: cursor, events: cursor, todos: cursor, calls: cursor }),
  })
  .map(({ opened, at, prompt, page, message, ...state }) => ({
    ...NOTHING_OPEN,
    ...state,
    opened: opened === null ? undefined : `s${opened}`,
    prompt: prompt ?? undefined,
    page: page ?? undefined,
    message: message ?? undefined,
    cursors: { ...at, sessions: `s${at.sessions}`, plans: `p${at.plans}`, calls: `c${at.calls}` },
  }));
