import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../../test/sizes.js";
import type { RoundCall } from "../../call/call-facts.js";
import { decide } from "../../todo/decide.js";
import { evolveAll } from "../../todo/evolve.js";
import { EMPTY_LIST, type TodoList, type TodoStatus } from "../../todo/list.js";
import { type TodoPolicy, WHOLE_LIST } from "../../todo/policy.js";
import { readSessionEvent, type SessionEvent } from "../events.js";
import { dueReminder, type Moment, mayRefuse, REMINDER_SETTINGS, reminderText, type Stop } from "../reminders.js";
import { evolveForeignChange, evolveListChange, evolveSession, NEW_SESSION, type Session } from "../session.js";
import { isSession } from "../session-shape.js";

interface State {
  readonly session: Session;
  readonly list: TodoList;
}

interface Written {
  readonly marks: string;
  readonly by: "agent" | "person";
  /** Another list has other texts. */
  readonly name: string;
}
type Happening = SessionEvent | Written;

const KEEPING: TodoPolicy = { ...WHOLE_LIST, clearWhenDone: "never" };
const CLEARING: TodoPolicy = { ...WHOLE_LIST, clearWhenDone: "now" };
const MARKS: Readonly<Record<string, TodoStatus>> = { ".": "pending", ">": "in_progress", x: "completed" };

function next({ session, list }: State, one: Happening, rules: TodoPolicy): State {
  if ("type" in one) return { session: evolveSession(session, one), list };
  const todos = [...one.marks].map((mark, at) => ({
    text: `${one.name} ${at + 1}`,
    status: MARKS[mark] ?? "cancelled",
  }));
  const decision = decide(list, { type: "replace", phases: [{ name: "", todos }] }, rules);
  const events = decision.ok ? decision.value.events : [];
  const evolve = one.by === "agent" ? evolveListChange : evolveForeignChange;
  return { session: events.reduce((before, event) => evolve(before, event), session), list: evolveAll(list, events) };
}

function after(given: readonly Happening[], rules = KEEPING): State {
  return given.reduce<State>((state, one) => next(state, one, rules), { session: NEW_SESSION, list: EMPTY_LIST });
}

/** The whole list in one word: `x>.` is one done, one in progress and one pending. */
const wrote = (marks: string, by: Written["by"] = "agent", name = "todo"): Written => ({ marks, by, name });
const another = (marks: string): Written => wrote(marks, "agent", "other");
const round = (...calls: readonly Partial<RoundCall>[]): SessionEvent => ({
  type: "reply.ended",
  batch: true,
  calls: calls.length,
  usedList: false,
  round: calls.map((call) => ({ tool: "T", status: "completed", ...call })),
});
const beside = (...calls: readonly Partial<RoundCall>[]): SessionEvent =>
  ({ ...round(...calls), usedList: true }) as SessionEvent;
const CODE = { kind: "edit", files: ["a.ts"] } as const;
const PROSE = { kind: "edit", files: ["a.md"], isProse: true } as const;
const TESTS = { kind: "execute", check: "tests", result: "passed" } as const;
const edit = round(CODE);
const prose = round(PROSE);
const look = round({ kind: "read", files: ["a.ts"] });
const passed = round(TESTS);
const failed = round({ ...TESTS, status: "failed", result: "failed" });
const unclear = round({ ...TESTS, result: "unknown" });
const prompt: SessionEvent = { type: "turn.started", isStop: false };
const told = (reminder: "check" | "require" | "stop"): SessionEvent => ({ type: "reminder.sent", reminder, text: "" });
const waived: SessionEvent = { type: "check.waived", reason: "no display" };
const waivedOne: SessionEvent = { type: "check.waived", reason: "no display", todo: 1 };
const agentEnded = (work?: Extract<SessionEvent, { type: "agent.ended" }>["work"]): SessionEvent => ({
  type: "agent.ended",
  agent: "a",
  work,
});
const task = (id: string, status: TodoStatus): SessionEvent => ({ type: "client-task.updated", id, status });
const created = (id: string): SessionEvent => ({ type: "client-task.created", id, subject: id });

interface Row {
  readonly name: string;
  readonly given: readonly Happening[];
  readonly rules?: TodoPolicy;
  readonly moment?: Moment;
  readonly is: "check" | undefined;
}

const NUDGES: Readonly<Record<string, readonly Row[]>> = {
  "four in a row": [
    { name: "three", given: [wrote("....."), edit, wrote("xxx..")], is: undefined },
    { name: "four", given: [wrote("....."), edit, wrote("xxxx.")], is: "check" },
    {
      name: "one after the other",
      given: [wrote("....."), edit, wrote("x...."), edit, wrote("xx..."), look, wrote("xxx.."), wrote("xxxx.")],
      is: "check",
    },
    {
      name: "two of them before a check",
      given: [wrote("....."), edit, wrote("xx..."), failed, edit, wrote("xxxx.")],
      is: undefined,
    },
    {
      name: "one was opened again",
      given: [wrote("....."), edit, wrote("xxx.."), wrote("xx.."), wrote("xxx.")],
      is: undefined,
    },
    { name: "dropped ones do not count", given: [wrote("....."), edit, wrote("xxx-.")], is: undefined },
    { name: "not those of a person", given: [wrote("....."), edit, wrote("xxxx.", "person")], is: undefined },
    { name: "nothing was changed", given: [wrote("....."), look, wrote("xxxx.")], is: undefined },
    { name: "code was changed only after them", given: [wrote("....."), wrote("xxxx."), edit], is: undefined },
  ],
  "the end of a list": [
    { name: "with code and no check", given: [wrote(">."), edit, wrote("xx")], is: "check" },
    { name: "of one todo", given: [wrote(">"), edit, wrote("x")], is: "check" },
    { name: "that is cleared with it", given: [wrote(">."), edit, wrote("xx")], rules: CLEARING, is: "check" },
    { name: "that was written only then", given: [edit, wrote("xx")], rules: CLEARING, is: "check" },
    { name: "the last one is dropped", given: [wrote(">."), edit, wrote("x."), wrote("x-")], is: "check" },
    { name: "all are dropped", given: [wrote(">."), edit, wrote("--")], is: undefined },
    { name: "something is open", given: [wrote(">."), edit, wrote("x>")], is: undefined },
    { name: "a person has closed the last", given: [wrote(">"), edit, wrote("x", "person")], is: undefined },
    { name: "an old list in new words", given: [wrote("x>"), edit, another("x>")], is: undefined },
    { name: "code in the same reply as the write", given: [wrote(">."), wrote("xx"), beside(CODE)], is: "check" },
    { name: "and the check, too", given: [wrote(">."), wrote("xx"), beside(CODE, TESTS)], is: undefined },
    { name: "code in a later reply", given: [wrote(">."), wrote("xx"), edit], is: undefined },
    {
      name: "an edit that changed nothing",
      given: [wrote(">"), round({ ...CODE, isUnchanged: true }), wrote("x")],
      is: undefined,
    },
    {
      name: "an edit that failed",
      given: [wrote(">"), round({ ...CODE, status: "failed" }), wrote("x")],
      is: undefined,
    },
    {
      name: "a command that changed code",
      given: [wrote(">"), round({ kind: "execute", isChange: true }), wrote("x")],
      is: "check",
    },
  ],
  "what a check has covered": [
    { name: "edit, check, done", given: [wrote(">."), edit, passed, wrote("xx")], is: undefined },
    {
      name: "edit, red check, done: that is contradicted, not unchecked",
      given: [wrote(">."), edit, failed, wrote("xx")],
      is: undefined,
    },
    { name: "its result is lost", given: [wrote(">."), edit, unclear, wrote("xx")], is: undefined },
    { name: "edit, check, edit, done", given: [wrote(">."), edit, passed, edit, wrote("xx")], is: "check" },
    { name: "edit, check, document, done", given: [wrote(">."), edit, passed, prose, wrote("xx")], is: undefined },
    { name: "in one reply, the check behind", given: [wrote(">."), round(CODE, TESTS), wrote("xx")], is: undefined },
    { name: "in one reply, the check before", given: [wrote(">."), round(TESTS, CODE), wrote("xx")], is: "check" },
    {
      name: "a check that was cancelled",
      given: [wrote(">."), edit, round({ ...TESTS, status: "cancelled" }), wrote("xx")],
      is: "check",
    },
    {
      name: "one that is not there",
      given: [wrote(">."), edit, round({ ...TESTS, trouble: "no-tool" }), wrote("xx")],
      is: "check",
    },
    { name: "a check right after the end", given: [wrote(">."), edit, wrote("xx"), passed], is: undefined },
  ],
  "where it stays silent": [
    { name: "only documents", given: [wrote("....."), prose, wrote("xxxx."), prose, wrote("xxxxx")], is: undefined },
    { name: "with the next prompt", given: [wrote(">"), edit, wrote("x"), prompt], moment: "prompt", is: undefined },
    { name: "after the next prompt", given: [wrote(">"), edit, wrote("x"), prompt, look], is: undefined },
    { name: "at a stop", given: [wrote(">"), edit, wrote("x")], moment: "stop", is: undefined },
    {
      name: "the person said stop",
      given: [{ ...prompt, isStop: true } as SessionEvent, wrote(">"), edit, wrote("x")],
      is: undefined,
    },
    {
      name: "sub-agents are at work",
      given: [wrote(">"), edit, { type: "agent.started", agent: "a" }, wrote("x")],
      is: undefined,
    },
  ],
  "said once": [
    { name: "for this end", given: [wrote(">"), edit, wrote("x"), told("check"), look, look], is: undefined },
    {
      name: "for this list",
      given: [wrote("....."), edit, wrote("xxxx."), told("check"), edit, wrote("xxxxx")],
      is: undefined,
    },
    {
      name: "what is added to it is the same list",
      given: [wrote(">"), edit, wrote("x"), told("check"), wrote("x>"), edit, wrote("xx")],
      is: undefined,
    },
    {
      name: "the next list",
      given: [wrote(">"), edit, wrote("x"), told("check"), another(">"), edit, another("x")],
      is: "check",
    },
    {
      name: "but not with nothing new",
      given: [wrote(">"), edit, wrote("x"), told("check"), another(">"), another("x")],
      is: undefined,
    },
    { name: "nor after it was refused", given: [wrote(">"), edit, wrote("x"), told("require"), look], is: undefined },
  ],
  "a waiver": [
    { name: "ends it", given: [wrote(">"), edit, waived, wrote("x")], is: undefined },
    { name: "also when it comes late", given: [wrote(">"), edit, wrote("x"), waived], is: undefined },
    { name: "for the whole list", given: [wrote(">."), edit, waived, edit, wrote("xx")], is: undefined },
    {
      name: "and not for the next",
      given: [wrote(">"), edit, waived, wrote("x"), another(">"), edit, another("x")],
      is: "check",
    },
    {
      name: "of one todo, for what was done so far",
      given: [wrote(">."), edit, waivedOne, wrote("xx")],
      is: undefined,
    },
    { name: "and not for more", given: [wrote(">."), edit, waivedOne, edit, wrote("xx")], is: "check" },
  ],
  "sub-agents": [
    {
      name: "one has changed code",
      given: [wrote(">"), agentEnded({ edits: 2, unproven: 2, hasRun: false, hasPassed: false }), wrote("x")],
      is: "check",
    },
    {
      name: "one has run the check",
      given: [wrote(">"), edit, agentEnded({ edits: 0, unproven: 0, hasRun: true, hasPassed: true }), wrote("x")],
      is: undefined,
    },
    {
      name: "and changed code behind it",
      given: [wrote(">"), edit, agentEnded({ edits: 1, unproven: 1, hasRun: true, hasPassed: true }), wrote("x")],
      is: "check",
    },
    { name: "one has done neither", given: [wrote(">"), edit, agentEnded(), wrote("x")], is: "check" },
  ],
  "tasks of the client": [
    { name: "the last is completed", given: [created("1"), edit, task("1", "completed")], is: "check" },
    { name: "one is open", given: [created("1"), created("2"), edit, task("1", "completed")], is: undefined },
    { name: "with a check", given: [created("1"), edit, passed, task("1", "completed")], is: undefined },
    {
      name: "told twice is one",
      given: [created("1"), created("2"), edit, ...[1, 2, 3, 4].map(() => task("1", "completed"))],
      is: undefined,
    },
    { name: "said once", given: [created("1"), edit, task("1", "completed"), told("check"), look], is: undefined },
  ],
};

const NUDGING = { ...REMINDER_SETTINGS, oneFocus: false, asksAtStop: false };

describe.each(Object.entries(NUDGES))("a remark about checks: %s", (_, rows) => {
  test.each(rows)("$name -> $is", ({ given, rules, moment = "reply", is }) => {
    const { session, list } = after(given, rules);
    const due = dueReminder(session, list, moment, NUDGING);
    expect(due === "batch" ? undefined : due).toBe(is);
  });
});

test.each([
  ["reminders are off", { isOn: false }],
  ["evidence is off", { asksForCheck: false }],
])("no remark: %s", (_, settings) => {
  const { session, list } = after([wrote(">"), edit, wrote("x")]);
  expect(dueReminder(session, list, "reply", NUDGING)).toBe("check");
  expect(dueReminder(session, list, "reply", { ...NUDGING, ...settings })).toBe(undefined);
});

test("the texts name what was seen, and what to do", () => {
  const ended = after([wrote(">"), edit, wrote("x")]);
  expect(reminderText("check", ended.session, ended.list)).toMatch(
    /the last todo is completed, .*tests, lint or build/,
  );
  const four = after([wrote("....."), edit, wrote("xxxx.")]);
  expect(reminderText("check", four.session, four.list)).toMatch(
    /4 todos were completed in a row.*cannot be checked here:/,
  );
  expect(reminderText("require", ended.session, ended.list)).toContain("none has run since code was last changed");
  const red = after([wrote(">"), edit, failed, wrote("x")]);
  expect(reminderText("require", red.session, red.list)).toContain("the last one has not passed");
});

interface RefusalRow {
  readonly name: string;
  readonly given: readonly Happening[];
  readonly moment?: Moment;
  readonly stop?: Stop;
  readonly is: boolean;
}

const DONE = [prompt, wrote(">."), edit, wrote("xx")];
const REFUSALS: readonly RefusalRow[] = [
  { name: "a list that ended with no check", given: DONE, is: true },
  { name: "a todo of it", given: [prompt, wrote(">."), edit, wrote("x.")], is: true },
  { name: "nothing was called done", given: [prompt, wrote(">."), edit], is: false },
  { name: "only documents", given: [prompt, wrote(">."), prose, wrote("xx")], is: false },
  { name: "a passing check", given: [...DONE, passed], is: false },
  { name: "a red one", given: [...DONE, failed], is: true },
  { name: "one whose result is lost", given: [...DONE, unclear], is: true },
  { name: "an edit behind it", given: [...DONE, passed, edit], is: true },
  { name: "an edit of the next todo", given: [prompt, wrote(">."), edit, passed, wrote("x>"), edit], is: false },
  { name: "a waiver", given: [...DONE, waived], is: false },
  { name: "once before", given: [...DONE, told("require")], stop: { isAgain: true }, is: true },
  { name: "twice before", given: [...DONE, told("require"), told("require")], stop: { isAgain: true }, is: false },
  {
    name: "twice, and more work",
    given: [...DONE, told("require"), failed, edit, told("require"), edit, wrote("xxx")],
    is: false,
  },
  {
    name: "twice, then a passing check, then more",
    given: [...DONE, told("require"), told("require"), passed, edit],
    is: true,
  },
  { name: "twice, then the person spoke", given: [...DONE, told("require"), told("require"), prompt, edit], is: true },
  {
    name: "let go",
    given: [...DONE, told("require"), told("require"), { type: "check.missed", refusals: 2 }, prompt, look],
    is: false,
  },
  { name: "a question to the agent later", given: [...DONE, prompt], is: false },
  { name: "nobody is there", given: DONE, stop: { isUnattended: true }, is: false },
  { name: "it asks the person", given: DONE, stop: { isAsking: true }, is: false },
  { name: "the person is awaited", given: [...DONE, { type: "person.awaited", for: "permission" }], is: false },
  { name: "the person said stop", given: [...DONE, { type: "turn.started", isStop: true }, edit], is: false },
  { name: "a sub-agent works", given: [...DONE, { type: "agent.started", agent: "a" }], is: false },
  { name: "another hook has kept it going", given: DONE, stop: { isAgain: true }, is: false },
  { name: "we have, about an open todo", given: [...DONE, told("stop")], stop: { isAgain: true }, is: true },
  { name: "a task, before any is done", given: [created("1"), edit], moment: "task", is: true },
  { name: "a task, with a check", given: [created("1"), edit, passed], moment: "task", is: false },
  { name: "a task without code", given: [created("1"), prose], moment: "task", is: false },
  {
    name: "a task, nobody is there",
    given: [created("1"), edit],
    moment: "task",
    stop: { isUnattended: true },
    is: false,
  },
  {
    name: "a task, twice before",
    given: [created("1"), edit, told("require"), told("require")],
    moment: "task",
    is: false,
  },
];

const REQUIRING = { ...NUDGING, requiresCheck: true };

describe("what a list that requires a check refuses", () => {
  test.each(REFUSALS)("$name -> $is", ({ given, moment = "stop", stop, is }) => {
    const { session, list } = after(given);
    expect(dueReminder(session, list, moment, REQUIRING, stop)).toBe(is ? "require" : undefined);
    // Also where reminders are off; and nothing, where no check is required.
    expect(dueReminder(session, list, moment, { ...REQUIRING, isOn: false }, stop)).toBe(is ? "require" : undefined);
    expect(dueReminder(session, list, moment, NUDGING, stop)).toBe(undefined);
  });
});

/** Anything that can happen, in any order; what is due is said. */
const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(edit, edit, prose, look, passed, failed, unclear, round(CODE, TESTS), beside(CODE)),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(
        fc.stringMatching(/^[.>x-]{0,6}$/),
        fc.constantFrom<Written["by"]>("agent", "agent", "person"),
        fc.constantFrom("todo", "other"),
      )
      .map(([marks, by, name]) => wrote(marks, by, name)),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      prompt,
      waived,
      waivedOne,
      created("1"),
      created("2"),
      task("1", "completed"),
      task("2", "completed"),
      task("1", "pending"),
      agentEnded({ edits: 1, unproven: 1, hasRun: true, hasPassed: false }),
    ),
  },
);

/** Lists that were begun: each has todos where there were none, or tasks where none was open. */
function isNewList({ session: before }: State, { session: now }: State, one: Happening): boolean {
  if ("type" in one)
    return one.type === "client-task.created" && !before.clientList?.tasks.some(({ status }) => status !== "completed");
  return (before.checks.isTold || before.checks.isWaived) && !now.checks.isTold && !now.checks.isWaived;
}

test("whatever happens: at most one remark for a list, never twice for one state, at most two refusals in a row", () => {
  const moments = fc.constantFrom<Moment>("reply", "reply", "stop", "task", "prompt");
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, moments), { maxLength: 60 }), fc.boolean(), (all, isClearing) => {
      let state: State = { session: NEW_SESSION, list: EMPTY_LIST };
      let [remarks, refusals, editsSince] = [0, 0, 1];
      for (const [one, moment] of all) {
        const before = state;
        state = next(state, one, isClearing ? CLEARING : KEEPING);
        if (isNewList(before, state, one)) remarks = 0;
        if (state.session.checks.edits > 0 && "type" in one && one.type !== "turn.started") editsSince += 1;
        const isPass =
          "type" in one && one.type === "reply.ended" && one.round?.some(({ result }) => result === "passed");
        if (isPass || one === prompt || one === waived || one === waivedOne) refusals = 0;
        const due = dueReminder(state.session, state.list, moment, REQUIRING);
        if (due === undefined) continue;
        state = { ...state, session: evolveSession(state.session, told(due as "check" | "require")) };
        if (due === "check") {
          remarks += 1;
          expect(editsSince).toBeGreaterThan(0);
          editsSince = 0;
        }
        if (due === "require") refusals += 1;
        expect(remarks).toBeLessThanOrEqual(1);
        expect(refusals).toBeLessThanOrEqual(2);
        // Nothing has happened: nothing more is said.
        expect(dueReminder(state.session, state.list, "reply", NUDGING)).not.toBe("check");
      }
      expect(isSession(JSON.parse(JSON.stringify(state.session)))).toBe(true);
    }),
    { numRuns: sized(150, 5000) },
  );
});

test("a session that an older version kept has no counts, and begins with none", () => {
  const { checks: _, waivers: __, ...old } = NEW_SESSION;
  expect(isSession(old)).toBe(true);
});

test("events of it are read field by field", () => {
  expect(readSessionEvent("evidence.changed", { policy: "always" })).toBe(undefined);
  expect(readSessionEvent("evidence.changed", { policy: "off" })).toMatchObject({ policy: "off" });
  expect(readSessionEvent("agent.ended", { agent: "a", work: { edits: -1 } })).toBe(undefined);
  expect(readSessionEvent("check.missed", { refusals: 2 })).toMatchObject({ refusals: 2 });
});

test("a stop may be refused only while refusals are left; that it was not is a fact of its own", () => {
  const { session } = after([...DONE, told("require"), told("require")]);
  expect(mayRefuse(session, "stop", { isAgain: true })).toBe(true);
  const missed = evolveSession(session, { type: "check.missed", refusals: 2 });
  expect([missed.checks.isMissed, mayRefuse(missed, "stop", {})]).toEqual([true, false]);
  expect(evolveSession(missed, passed).checks.isMissed).toBe(false);
});
