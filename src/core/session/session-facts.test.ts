import { describe, expect, test } from "vitest";
import { judgeList } from "../grounding/judged.js";
import { EMPTY_LIST, type TodoList, type TodoStatus, todosOf } from "../todo/list.js";
import { type Fact, NO_TOKENS, type Observation, type SeenTask } from "./observation.js";
import { evolveView, newView, type SessionView } from "./session-facts.js";
import type { Ask } from "./state/asked-text.js";

const at = (time: number | undefined, fact: Fact): Observation => ({ ...fact, session: "s", at: time });
const view = (...facts: readonly (Fact | Observation)[]) =>
  facts.reduce<SessionView>((one, fact) => evolveView(one, { session: "s", ...fact }), newView("s"));

const turn: Fact = { type: "turn.started" };
const undone: Fact = { type: "turn.undone" };
const ended = (isAsking = false): Fact => ({ type: "turn.ended", isAsking });
const seen = (fields: object): Fact => ({ type: "session.seen", agent: "", ...fields });
const title = (text: string, by: "agent" | "person" = "person"): Fact => ({ type: "title.given", title: text, by });
const start = (call: string, { isWork = true, isAsking = false } = {}): Fact => ({
  type: "call.started",
  call,
  tool: "Bash",
  isWork,
  isAsking,
});
const asked = (call: string, ask: Ask | null = { kind: "permission", text: "Bash: ls" }): Fact => ({
  ...{ type: "call.asked", call, ask },
});
const end = (call: string, status: "completed" | "failed" | "cancelled" = "completed"): Fact => ({
  type: "call.ended",
  call,
  status,
});
const ran = (call: string, status?: "completed" | "failed" | "cancelled") => [start(call), end(call, status)];

const STATUS: Readonly<Record<string, TodoStatus>> = { "!": "in_progress", ".": "completed", "-": "cancelled" };
let revision = 0;
/** `1a!`: number 1, text a, in progress; `.` completed, `-` cancelled, nothing pending. */
function list(...words: string[]): Fact {
  const todos = words.map((word) => {
    const [, number = "", text = "", mark = ""] = /^(\d+)(\w+)(\W?)$/.exec(word) ?? [];
    return { number: Number(number), text, status: STATUS[mark] ?? "pending", notes: [], evidence: [] };
  });
  const phases = todos.length === 0 ? [] : [{ name: "", todos }];
  const written: TodoList = { ...EMPTY_LIST, revision: ++revision, phases };
  return { type: "list.changed", list: written };
}
const task = (id: string, fields: Partial<SeenTask> = {}): Fact => ({
  type: "task.changed",
  task: { id, subject: `task ${id}`, status: "pending", blocks: [], blockedBy: [], ...fields },
});

describe("every fact", () => {
  const tokens = { ...NO_TOKENS, input: 5, total: 5 };
  const plan = { key: "k", text: "P", status: "proposed" } as const;
  const rejected = { ...plan, status: "rejected", reason: "No" } as const;
  const cases: { name: string; facts: readonly (Fact | Observation)[]; then: Partial<SessionView> }[] = [
    { name: "nothing yet", facts: [], then: { phase: "new", turns: 0, cost: null, parent: null, list: EMPTY_LIST } },
    {
      name: "who it is",
      facts: [seen({ agent: "codex", parent: "p", folder: "/f", branch: "b", version: "1", model: "m" })],
      then: { agent: "codex", parent: "p", folder: "/f", branch: "b", version: "1", model: "m" },
    },
    {
      name: "what is not told stays",
      facts: [seen({ agent: "codex", folder: "/f" }), seen({ model: "m", folder: "" })],
      then: { agent: "codex", folder: "/f", model: "m", parent: null },
    },
    { name: "a turn begins", facts: [turn], then: { phase: "working", turns: 1 } },
    { name: "a turn ends", facts: [turn, ended()], then: { phase: "resting", turns: 1 } },
    { name: "a turn ends with a question", facts: [turn, ended(true)], then: { phase: "asking" } },
    {
      name: "the agent has closed it, in the middle of a call",
      facts: [turn, start("a"), { type: "wake.set", until: 9 }, { type: "session.left" }],
      then: { phase: "left", shown: { reason: "session-ended", since: 0 }, open: [], wake: null, turns: 1 },
    },
    { name: "and it is opened again", facts: [turn, { type: "session.left" }, turn], then: { phase: "working" } },
    { name: "a turn was none", facts: [turn, ended(), turn, undone], then: { turns: 1 } },
    { name: "there is never less than no turn", facts: [undone], then: { turns: 0 } },
    { name: "a plan", facts: [{ type: "plan.changed", plan }], then: { plan, plans: [{ ...plan, at: 0 }] } },
    {
      name: "a plan is decided, and another follows",
      facts: [
        { type: "plan.changed", plan },
        { type: "plan.changed", plan: rejected },
        { type: "plan.changed", plan: { ...plan, key: "l" } },
      ],
      then: {
        plan: { ...plan, key: "l" },
        plans: [
          { ...rejected, at: 0, decidedAt: 0 },
          { ...plan, key: "l", at: 0 },
        ],
      },
    },
    {
      name: "a plan is taken back",
      facts: [
        { type: "plan.changed", plan },
        { type: "plan.changed", plan: null },
      ],
      then: { plan: null, plans: [] },
    },
    {
      name: "a compaction",
      facts: [{ type: "context.compacted" }, { type: "context.compacted" }],
      then: { compactions: 2 },
    },
    {
      name: "tokens are totals",
      facts: [
        { type: "tokens.used", tokens },
        { type: "tokens.used", tokens },
      ],
      then: { tokens },
    },
    {
      name: "the context is that of the last reply that told of it",
      facts: [
        { type: "tokens.used", tokens, context: { used: 9, window: 100 } },
        { type: "tokens.used", tokens, context: { used: 5, window: null } },
        { type: "tokens.used", tokens },
      ],
      then: { context: { used: 5, window: null } },
    },
    {
      name: "the pull request that was named last",
      facts: [1, 2].map((number) => {
        const url = `https://x.example/pull/${number}`;
        return { type: "pull-request.named", pullRequest: { number, url, repository: null } };
      }),
      then: { pullRequest: { number: 2, url: "https://x.example/pull/2", repository: null } },
    },
    {
      name: "money is a total",
      facts: [
        { type: "money.spent", dollars: 1 },
        { type: "money.spent", dollars: 0.5 },
      ],
      then: { cost: 0.5 },
    },
    { name: "a call", facts: [turn, start("c")], then: { phase: "working", calls: { total: 1, failed: 0 } } },
    { name: "a call that failed", facts: ran("c", "failed"), then: { calls: { total: 1, failed: 1 }, open: [] } },
    {
      name: "a call that was stopped has not failed",
      facts: ran("c", "cancelled"),
      then: { calls: { total: 1, failed: 0 } },
    },
    {
      name: "an end without a beginning",
      facts: [turn, ended(), end("c", "failed")],
      then: { calls: { total: 0, failed: 0 }, phase: "resting" },
    },
    { name: "a call that asks", facts: [turn, start("q", { isAsking: true })], then: { phase: "asking" } },
    {
      name: "it goes on asking while others end",
      facts: [turn, start("q", { isAsking: true }), ...ran("c")],
      then: { phase: "asking" },
    },
    { name: "an answer", facts: [turn, start("q", { isAsking: true }), end("q")], then: { phase: "working" } },
    {
      name: "a call that runs waits for a permission",
      facts: [turn, start("c"), asked("c")],
      then: { phase: "asking", shown: { reason: "permission", since: 0 }, calls: { total: 1, failed: 0 } },
    },
    {
      name: "and goes on",
      facts: [turn, start("c"), asked("c"), asked("c", null)],
      then: { phase: "working", open: [{ call: "c", isAsking: false, tool: "Bash", at: 0 }] },
    },
    { name: "a permission for a call of nobody", facts: [turn, asked("c")], then: { phase: "working", open: [] } },
    {
      name: "what a turn left open is not open in the next",
      facts: [turn, start("c"), turn],
      then: { open: [], phase: "working" },
    },
    { name: "nor after its end", facts: [turn, start("c"), ended()], then: { open: [] } },
    {
      name: "the first and the last time",
      facts: [at(50, turn), at(20, turn), at(undefined, turn), at(40, turn)],
      then: { startedAt: 20, at: 50 },
    },
    { name: "no time at all", facts: [turn], then: { startedAt: 0, at: 0 } },
  ];
  test.each(cases)("$name", ({ facts, then }) => expect(view(...facts)).toMatchObject(then));

  test("calls that are never answered do not pile up", () => {
    const many = Array.from({ length: 1000 }, (_, number) => start(`c${number}`));
    const one = view(turn, ...many);
    expect([one.open.length <= 201, one.calls.total]).toEqual([true, 1000]);
  });
});

describe("the title", () => {
  const cases: { name: string; facts: Fact[]; then: string }[] = [
    { name: "the first prompt", facts: [turn, title("one"), turn, title("two")], then: "one" },
    { name: "the agent's is better", facts: [title("one"), title("named", "agent")], then: "named" },
    { name: "also when it comes first", facts: [title("named", "agent"), title("one")], then: "named" },
    { name: "the agent's last word counts", facts: [title("a", "agent"), title("b", "agent")], then: "b" },
    { name: "an empty one is none", facts: [title("a", "agent"), title("", "agent")], then: "a" },
    {
      name: "a prompt that was taken back is none",
      facts: [turn, title("oops"), undone, turn, title("go")],
      then: "go",
    },
    {
      name: "a later one that was taken back changes nothing",
      facts: [turn, title("one"), turn, title("oops"), undone],
      then: "one",
    },
    {
      name: "taking back a prompt leaves the agent's",
      facts: [turn, title("oops"), title("named", "agent"), undone],
      then: "named",
    },
  ];
  test.each(cases)("$name", ({ facts, then }) => expect(view(...facts).title).toBe(then));
});

describe("tasks", () => {
  const cases: { name: string; facts: (Fact | Observation)[]; then: object[] }[] = [
    { name: "one is made", facts: [at(5, task("1"))], then: [{ id: "1", status: "pending", at: 5 }] },
    {
      name: "one changes, in its place",
      facts: [task("1"), task("2"), at(7, task("1", { status: "completed" }))],
      then: [{ id: "1", status: "completed", at: 7 }, { id: "2" }],
    },
    { name: "without a time it is the last one known", facts: [at(9, turn), task("1")], then: [{ id: "1", at: 9 }] },
    {
      name: "one is deleted",
      facts: [task("1"), task("2"), at(7, { type: "task.deleted", id: "1" })],
      then: [{ id: "1", isDeleted: true, at: 7 }, { id: "2" }],
    },
    {
      name: "one that another made is deleted",
      facts: [at(7, { type: "task.deleted", id: "9" })],
      then: [{ id: "9", subject: "", isDeleted: true, at: 7 }],
    },
    {
      name: "one is made again",
      facts: [task("1"), { type: "task.deleted", id: "1" }, task("1")],
      then: [{ id: "1", subject: "task 1" }],
    },
  ];
  test.each(cases)("$name", ({ facts, then }) => {
    const { tasks } = view(...facts);
    expect(tasks).toMatchObject(then);
    expect(tasks).toHaveLength(then.length);
    expect(tasks.filter(({ isDeleted }) => isDeleted)).toHaveLength(then.filter((one) => "isDeleted" in one).length);
  });
});

describe("verdicts", () => {
  const cases: { name: string; facts: Fact[]; then: string }[] = [
    { name: "what is not completed has none", facts: [list("1a!", "2b", "3c-"), ...ran("c")], then: "null null null" },
    {
      name: "something ran while it was in progress",
      facts: [list("1a!"), ...ran("c"), list("1a.", "2b!")],
      then: "worked null",
    },
    { name: "nothing ran", facts: [list("1a!"), list("1a.", "2b!")], then: "unbacked null" },
    {
      name: "the last call failed",
      facts: [list("1a!"), ...ran("c"), ...ran("d", "failed"), list("1a.", "2b!")],
      then: "worked null",
    },
    {
      name: "a call failed, the last did not",
      facts: [list("1a!"), ...ran("c", "failed"), ...ran("d"), list("1a.", "2b!")],
      then: "worked null",
    },
    {
      name: "a call that was stopped is no failure",
      facts: [list("1a!"), ...ran("c", "cancelled"), list("1a.", "2b!")],
      then: "worked null",
    },
    {
      name: "keeping the list is no work",
      facts: [list("1a!"), start("c", { isWork: false }), end("c"), list("1a.", "2b!")],
      then: "unbacked null",
    },
    {
      name: "a call belongs to what was in progress when it started",
      facts: [list("1a!", "2b"), start("c"), list("1a.", "2b!"), end("c", "failed"), list("1a.", "2b.", "3c")],
      then: "worked unbacked null",
    },
    {
      name: "with nothing in progress it is the first that is open",
      facts: [list("1a", "2b"), ...ran("c"), list("1a.", "2b.", "3c!")],
      then: "worked unbacked null",
    },
    {
      name: "with two in progress it is for both",
      facts: [list("1a!", "2b!"), ...ran("c"), list("1a.", "2b.", "3c")],
      then: "worked worked null",
    },
    {
      name: "each on its own",
      facts: [list("1a!", "2b"), ...ran("c"), list("1a.", "2b!"), ...ran("d", "failed"), list("1a.", "2b.", "3c")],
      then: "worked worked null",
    },
    {
      name: "work before the list counts for what is written down as done",
      facts: [...ran("c"), list("1a.", "2b!")],
      then: "worked null",
    },
    { name: "also when it failed", facts: [...ran("c", "failed"), list("1a.", "2b!")], then: "worked null" },
    { name: "nothing before the list", facts: [list("1a.", "2b!")], then: "unbacked null" },
    {
      name: "work before the list is not for what is done later",
      facts: [...ran("c"), list("1a!"), list("1a.", "2b!")],
      then: "unbacked null",
    },
    {
      name: "work between two lists counts for the second",
      facts: [list("1a!"), list(), ...ran("c"), list("2b.", "3c!")],
      then: "worked null",
    },
    {
      name: "work of a todo that is gone is gone",
      facts: [list("1a!"), ...ran("c"), list("2b!"), list("2b.", "3c")],
      then: "unbacked null",
    },
    {
      name: "a call without an end is no work yet",
      facts: [list("1a!"), start("c"), list("1a.", "2b!")],
      then: "unbacked null",
    },
    {
      name: "the next turn does not forget",
      facts: [list("1a!"), ...ran("c"), ended(), turn, list("1a.", "2b!")],
      then: "worked null",
    },
  ];
  test.each(cases)("$name", ({ facts, then }) => {
    const one = view(turn, ...facts);
    const judge = judgeList(one.list, one.work);
    const verdicts = todosOf(one.list).map((todo) => judge?.(todo).judgement?.verdict ?? null);
    expect(verdicts.map(String).join(" ")).toBe(then);
  });
});

describe("a write to the list that failed", () => {
  const write = (call: string, tool = "todo_write"): Fact => ({
    ...{ type: "call.started", call, tool, isWork: false, isAsking: false },
  });
  const failed = (call: string, problem?: string): Fact => ({ type: "call.ended", call, status: "failed", problem });
  test.each<[string, Fact[], string | undefined]>([
    ["is kept with its answer", [write("a"), failed("a", "why")], "why"],
    ["is kept without one", [write("a"), failed("a")], ""],
    [
      "of each agent's tool",
      [write("a", "TodoWrite"), failed("a", "x"), write("b", "update_plan"), failed("b", "y")],
      "y",
    ],
    ["is over with a write that succeeds", [write("a"), failed("a", "why"), write("b"), end("b")], undefined],
    ["is over when the list changes otherwise", [write("a"), failed("a", "why"), list("1a")], undefined],
    ["is not over with one that never ran", [write("a"), failed("a", "why"), write("b"), end("b", "cancelled")], "why"],
    ["is not over with other work", [write("a"), failed("a", "why"), ...ran("b")], "why"],
    ["is no call of another tool", [...ran("a", "failed"), write("b", "TaskUpdate"), failed("b", "x")], undefined],
  ])("%s", (_name, facts, refusal) => {
    expect(view(turn, ...facts).refusal).toBe(refusal);
  });
});
