import fc from "fast-check";
import type { CallEvent } from "../../src/core/call/call-event.js";
import { CALL_KINDS } from "../../src/core/call/call-facts.js";
import { ALERT_LEVELS } from "../../src/core/detectors/alert.js";
import { DECISION_WAYS, PLAN_STATUSES } from "../../src/core/plan/plan.js";
import type { PlanEvent } from "../../src/core/plan/plan-events.js";
import { EVIDENCE_POLICIES, REMINDERS, type SessionEvent, START_SOURCES } from "../../src/core/session/events.js";
import { MODES } from "../../src/core/session/session-plan.js";
import type { TaskEvent } from "../../src/core/task/events.js";
import { TASK_PRIORITIES, TASK_STATUSES } from "../../src/core/task/task.js";
import { WAKERS } from "../../src/core/task/wait-until.js";
import type { TodoEvent } from "../../src/core/todo/events.js";
import { PRIORITIES, TODO_STATUSES } from "../../src/core/todo/list.js";
import { LARGEST_VALUE } from "../../src/core/value-limits.js";
import type { NewEvent } from "../../src/store/event-store.js";
import { hostileJson } from "../hostile-json.js";

/** A type that is missing below does not compile: what is stored is told nowhere else in one place. */
type EventType =
  | TodoEvent["type"]
  | SessionEvent["type"]
  | PlanEvent["type"]
  | TaskEvent["type"]
  | CallEvent["type"]
  | "numbers.given"
  | "file.changed";

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels / 2)}1${"]}".repeat(levels / 2)}`);

/** Texts that a terminal, a database, JSON or a line splitter minds. */
const text = fc.oneof(
  { weight: 200, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  {
    weight: 100,
    arbitrary: fc.constantFrom(
      "",
      "\0",
      "\ud800",
      "a\udfff b",
      "\u2028\u2029\u0085\r\n",
      "\u001b]52;c;aGk=\u0007",
      "\u{e0041}\u{e0042}\u202e\u009b31m",
      "__proto__",
      '"\\"[[[[{{{{',
      "\ufeff",
    ),
  },
  fc.integer({ min: -3, max: 2 }).map((more) => "\u007f".repeat(LARGEST_VALUE - 2 + more)),
);
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: "binary" }) },
  { weight: 2, arbitrary: hostileJson },
  fc.constantFrom(2, 60, 62, 64, 66, 68, 100, 500, 3000, 20_000).map(nested),
  text,
);
const object = fc.dictionary(
  text.filter((key) => key.length < 100),
  value,
  { maxKeys: 3 },
);
const count = fc.oneof(fc.nat(9), fc.constant(Number.MAX_SAFE_INTEGER));
const flag = fc.boolean();
/** An order names todos that are there: no writer of ours has ever written another one. */
const NO_NUMBERS = fc.constant([]);
const oneOf = <T>(values: readonly T[]) => fc.constantFrom(...values);
const some = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const maybe = <T>(item: fc.Arbitrary<T>) => fc.option(item);
const said = some(fc.record({ text, by: text, at: count }));
const link = { session: text, agent: text, todo: count };
const details = { activeForm: maybe(text), priority: maybe(oneOf(PRIORITIES)), parent: maybe(count), key: maybe(text) };
const task = {
  activeForm: maybe(text),
  labels: maybe(some(text)),
  metadata: maybe(object),
  parent: maybe(count),
  assignee: maybe(text),
};
const wait = fc.oneof(
  fc.record({ kind: fc.constant("timer"), at: count, timeout: count }),
  fc.record({ kind: fc.constant("event"), topic: text, correlation: text }),
  fc.record({ kind: fc.constant("manual") }),
);
const past = fc.record({
  notes: maybe(said),
  evidence: said,
  reason: maybe(text),
  createdAt: maybe(count),
  closedAt: count,
});

const toldTask = {
  id: text,
  subject: maybe(text),
  status: maybe(oneOf(TODO_STATUSES)),
  activeForm: maybe(text),
  owner: maybe(text),
  blocks: maybe(some(text)),
  blockedBy: maybe(some(text)),
};

const judged = { hash: text, by: text, via: oneOf(DECISION_WAYS), reason: maybe(text) };

const facts = { kind: oneOf(CALL_KINDS), signature: text, outcome: maybe(text), files: maybe(some(text)) };
const callFacts = fc.record(facts);
const roundCall = fc.record({ ...facts, tool: text, status: oneOf(["completed", "failed", "cancelled"]) });

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Which stream, and what data each event has; the rest of a stream's name is told by the test. */
const EVENTS: Readonly<Record<EventType, readonly ["session" | "plan" | "task" | "calls" | "list" | "files", Fields]>> =
  {
    "list.cleared": ["session", {}],
    "list.explained": ["session", { explanation: maybe(text) }],
    "list.ordered": ["session", { phases: some(fc.record({ name: text, numbers: NO_NUMBERS })) }],
    "phase.opened": ["session", { name: text }],
    "todo.added": ["session", { number: count, phase: count, text, status: oneOf(TODO_STATUSES), ...details }],
    "todo.moved": ["session", { number: count, from: oneOf(TODO_STATUSES), to: oneOf(TODO_STATUSES) }],
    "todo.renamed": ["session", { number: count, from: text, to: text }],
    "todo.detailed": ["session", { number: count, ...details, notes: some(text) }],
    "todo.noted": ["session", { number: count, text }],
    "todo.evidenced": ["session", { number: count, evidence: fc.record({ text, call: text }) }],
    "todo.removed": ["session", { number: count, text, status: oneOf(TODO_STATUSES) }],
    "session.started": [
      "session",
      { source: oneOf(START_SOURCES), client: text, folder: text, process: text, from: text },
    ],
    "session.ended": ["session", { reason: text }],
    "turn.started": ["session", { isStop: flag }],
    "turn.woken": ["session", { by: text }],
    "turn.ended": [
      "session",
      {
        because: maybe(text),
        background: maybe(count),
        wakesAt: maybe(count),
        words: maybe(text),
        isAsking: maybe(flag),
      },
    ],
    "reply.ended": ["session", { batch: flag, calls: count, usedList: flag, round: maybe(some(roundCall)) }],
    "person.awaited": ["session", { for: text, text: maybe(text) }],
    "person.answered": ["session", {}],
    "agent.started": ["session", { agent: text, kind: text, todo: maybe(count) }],
    "agent.heard": ["session", { agent: text }],
    "agent.ended": ["session", { agent: text }],
    "compaction.started": ["session", { trigger: text }],
    "compaction.ended": ["session", { trigger: text }],
    "list.confirmed": ["session", { tool: text }],
    "list.refused": ["session", { tool: text, text }],
    "list.rewritten": ["session", { tool: text }],
    "list.edited": ["session", { action: text }],
    "edit.delivered": ["session", { edits: count }],
    "edit.undone": ["session", {}],
    "dialect.spoken": ["session", { dialect: text }],
    "list.offered": ["session", { to: text }],
    "digest.sent": ["session", { cause: text, todos: count, process: text }],
    "reminder.sent": ["session", { reminder: oneOf([...REMINDERS, "task"]), text }],
    "task.taken": ["session", { list: text, task: count, fence: count, subject: text, owner: text }],
    "task.left": ["session", { list: text, task: count }],
    "task.lapsed": ["session", { list: text, task: count, until: count }],
    "task.touched": ["session", { list: text, task: count }],
    "task.linked": ["session", { todo: count, list: text, task: count }],
    "task.unlinked": ["session", { todo: count, list: text, task: count }],
    "notice.left": ["session", { text }],
    "notice.delivered": ["session", { notices: count }],
    "plan.changed": ["session", { plan: text, title: text, status: oneOf(PLAN_STATUSES) }],
    "plan.finished": ["session", { plan: text }],
    "mode.changed": ["session", { mode: oneOf(MODES) }],
    "plan.proposed": [
      "plan",
      { id: text, text, hash: text, session: text, client: text, folder: text, supersedes: text },
    ],
    "plan.edited": ["plan", { text, hash: text }],
    "plan.approved": ["plan", judged],
    "plan.rejected": ["plan", judged],
    "plan.superseded": ["plan", { by: text }],
    "alert.raised": [
      "session",
      { id: count, detector: text, level: oneOf(ALERT_LEVELS), count, at: count, message: text },
    ],
    "openclaw.watched": ["session", { isOn: flag }],
    "alert.muted": ["session", { detector: text }],
    "alert.unmuted": ["session", { detector: text }],
    "file.changed": ["files", { path: text }],
    "file.shared": ["session", { file: text, session: text }],
    "check.waived": ["session", { reason: text, todo: maybe(count) }],
    "check.missed": ["session", { refusals: count }],
    "evidence.changed": ["session", { policy: oneOf(EVIDENCE_POLICIES) }],
    "word.told": ["session", { text, by: text }],
    "word.delivered": ["session", { words: count }],
    "server.attached": ["session", { server: text }],
    "server.detached": ["session", { server: text }],
    "client-task.created": ["session", { id: text, subject: text, activeForm: maybe(text) }],
    "client-task.updated": ["session", toldTask],
    "client-task.deleted": ["session", { id: text }],
    "client-tasks.seen": ["session", { tasks: some(fc.record(toldTask)), isAll: flag }],
    "goal.changed": ["session", { goal: maybe(fc.record({ text, status: text })) }],
    "list-tool.changed": ["session", { tool: text }],
    "word.queued": ["session", { word: count }],
    "word.arrived": ["session", { word: count, wasQueued: flag }],
    "task.added": [
      "task",
      {
        ...task,
        number: count,
        uuid: text,
        subject: text,
        description: text,
        status: maybe(oneOf(TASK_STATUSES)),
        priority: oneOf(TASK_PRIORITIES),
        source: maybe(fc.record({ format: text, id: text })),
        past: maybe(past),
      },
    ],
    "task.changed": ["task", { ...task, subject: text, description: text, maxAttempts: count }],
    "task.moved": ["task", { from: oneOf(TASK_STATUSES), to: oneOf(TASK_STATUSES) }],
    "task.claimed": ["task", { owner: text, fence: count, until: count, ttl: count, session: text, isSoft: flag }],
    "task.renewed": ["task", { fence: count, until: count, progress: text }],
    "task.released": ["task", { fence: count, reason: text }],
    "task.completed": ["task", { fence: count, evidence: text }],
    "task.failed": ["task", { fence: count, reason: text, retryAt: maybe(count) }],
    "task.cancelled": ["task", { reason: text }],
    "task.reopened": ["task", {}],
    "task.deleted": ["task", {}],
    "cancel.requested": ["task", { reason: text }],
    "task.noted": ["task", { text }],
    "wait.begun": ["task", { wait }],
    "wait.ended": ["task", { by: oneOf(WAKERS), payload: value }],
    "blockers.added": ["task", { tasks: some(count) }],
    "blockers.removed": ["task", { tasks: some(count) }],
    "dependents.added": ["task", { tasks: some(count) }],
    "dependents.removed": ["task", { tasks: some(count) }],
    "todo.linked": ["task", link],
    "todo.unlinked": ["task", link],
    "call.started": ["calls", { call: text, tool: text, agent: text, facts: maybe(callFacts) }],
    "call.updated": ["calls", { call: text, tool: text, agent: text, subject: maybe(text), progress: maybe(count) }],
    "call.ended": [
      "calls",
      {
        call: text,
        tool: text,
        status: text,
        subject: text,
        input: value,
        output: value,
        facts: maybe(fc.oneof(callFacts, value)),
      },
    ],
    "numbers.given": ["list", { last: count }],
  };

export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

const STREAMS = {
  session: "session:s1",
  plan: "plan:p1",
  task: "task:list/1",
  calls: "calls:s1",
  list: "list:list",
  files: "files:p/s1",
} as const;

/** One event of each type, in any order, with any values in its fields; some fields belong to newer versions. */
export const everyEvent: fc.Arbitrary<readonly { readonly stream: string; readonly event: NewEvent }[]> = fc
  .tuple(...EVENT_TYPES.map(eventOf))
  .chain((events) => fc.shuffledSubarray(events, { minLength: events.length }));

function eventOf(type: EventType) {
  const [kind, fields] = EVENTS[type];
  const required: Fields = { ...fields, ...(kind === "session" ? { revision: count } : undefined) };
  const all: Fields = { ...required, "newer-field": value };
  const data = fc.record(all, { requiredKeys: Object.keys(required) });
  return data.map((one): { stream: string; event: NewEvent } => ({
    stream: STREAMS[kind],
    event: { type, data: one },
  }));
}
