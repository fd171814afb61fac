import { describe, expect, test } from "vitest";
import { listWith, planWith, reportWith } from "../../test/readers/session-reports.js";
import { NOW, taskWith, worldWith } from "../../test/terminal/shown-worlds.js";
import { EMPTY_TIMELINE } from "../core/timeline/timeline.js";
import type { Effect } from "./effect.js";
import { drawFrame } from "./frame/draw-frame.js";
import { handleKey } from "./handle-key.js";
import type { Key, KeyName } from "./key-reader.js";
import { actionOf, BINDINGS, hintsFor, WHERES, type Where, whereIs } from "./keymap.js";
import { NOTHING_OPEN, type Place, type ViewState } from "./view-state.js";
import type { World } from "./world.js";

const SIZE = { columns: 120, rows: 20 };
const asks = (text: string, choices: readonly string[]) => ({ kind: "question", text, choices }) as const;
const plan = planWith({ id: "plan-1", hash: "now", session: "api" });
const waiting = reportWith(
  { id: "shop", folder: "/src/shop", list: listWith("a.", "b!", "c") },
  { state: "waiting", waitingFor: asks("Drop?", ["Yes", "No"]) },
);
const planning = reportWith({ id: "api", folder: "/src/api" }, { plan, startedAt: new Date(NOW).toISOString() });
const helper = reportWith({ id: "api/x1", parent: "api", list: listWith("look!") });
const done = reportWith({ id: "docs", list: listWith("a.", "b.") }, { state: "idle" });
const call = {
  agent: null,
  tool: "Bash",
  subject: null,
  at: NOW,
  end: null,
  status: "running",
  kind: "other",
} as const;
const quiet = { isList: false, isChange: false, files: [], added: 0, removed: 0, check: null, result: null };

const world: World = worldWith([waiting, planning, helper, done], {
  tasks: {
    list: "release",
    lists: ["other", "release"],
    tasks: [taskWith(1), taskWith(2), taskWith(3, { blockedBy: [1] }), taskWith(4, { status: "completed" })],
  },
  plans: [plan, planWith({ id: "plan-2", status: "approved" })],
  events: ["2", "1"].map((id) => ({ id, at: NOW, session: "docs", agent: "codex", project: "p", text: id })),
  timeline: { ...EMPTY_TIMELINE, calls: ["c1", "c2"].map((id) => ({ ...call, ...quiet, call: id })) },
});

const LETTERS = /^.$/u;
const keyOf = (name: string): Key =>
  LETTERS.test(name) ? { type: "text", text: name, isPasted: false } : { type: "key", name: name as KeyName };
const state = (fields: Partial<ViewState> = {}): ViewState => ({ ...NOTHING_OPEN, ...fields });
const press = (from: ViewState, ...names: readonly string[]) =>
  names.reduce<ReturnType<typeof handleKey>>((step, name) => handleKey(step.state, keyOf(name), world, SIZE), {
    state: from,
  });
const cursors = (fields: Partial<ViewState["cursors"]>) => ({ cursors: { ...NOTHING_OPEN.cursors, ...fields } });
const on = (place: Place, id: string) => ({ cursors: { [place]: id } });

const AT: Readonly<Record<Where, ViewState>> = {
  sessions: state(),
  session: state({ opened: "shop", ...cursors({ sessions: "shop" }) }),
  tasks: state({ tab: "tasks" }),
  plans: state({ tab: "plans" }),
  events: state({ tab: "events" }),
  page: state({ page: { title: "t", lines: ["a"], top: 0 } }),
};
const longPage = { title: "t", lines: Array.from({ length: 50 }, String), top: 0 };
const planPage = { title: "P", lines: ["# P"], top: 0, plan: "plan-1", hash: "read" };
const verb = (name: string, input: object): Effect => ({ type: "verb", name, input: { ...input } });
const onShop = { session: "shop" };

describe("what a key asks for", () => {
  const rows: readonly [string, ViewState, readonly string[], Effect | undefined][] = [
    [
      "space twice in the list of sessions: what the agent is on",
      AT.sessions,
      [" ", " "],
      verb("todo done", { todos: ["2"], all: false, ...onShop }),
    ],
    ["space once names it", AT.sessions, [" "], undefined],
    ["space, another key, space: named anew", AT.sessions, [" ", "k", " "], undefined],
    ["space where all is done", state(cursors({ sessions: "docs" })), [" "], undefined],
    [
      "space in a session: what is under the cursor",
      AT.session,
      ["down", " "],
      verb("todo done", { todos: ["3"], all: false, ...onShop }),
    ],
    ["start", AT.session, ["j", "s"], verb("todo start", { todos: ["3"], all: false, ...onShop })],
    ["drop", AT.session, ["k", "x"], verb("todo drop", { todos: ["1"], all: false, ...onShop })],
    [
      "a sub-agent's todo",
      state({ opened: "api/x1" }),
      [" "],
      verb("todo done", { todos: ["1"], all: false, session: "api", agent: "x1" }),
    ],
    ["undo", AT.session, ["u"], verb("todo undo", onShop)],
    ["add", AT.session, ["n", "日", "本", "enter"], verb("todo add", { text: ["日本"], first: false, ...onShop })],
    ["add nothing", AT.session, ["n", " ", "enter"], undefined],
    ["add, thought better of", AT.session, ["n", "a", "escape"], undefined],
    ["tell", AT.sessions, ["t", "h", "i", "enter"], verb("tell", { text: ["hi"], session: "shop", later: false })],
    [
      "tell a sub-agent: its session",
      state({ opened: "api/x1" }),
      ["t", "a", "enter"],
      verb("tell", { text: ["a"], session: "api", later: false }),
    ],
    [
      "a task is added to the list that is shown",
      AT.tasks,
      ["n", "a", "enter"],
      verb("task add", { subject: ["a"], list: "release" }),
    ],
    ["a task is claimed", AT.tasks, ["s"], verb("task claim", { task: "1", list: "release", yes: false })],
    ["a task is done", AT.tasks, ["down", " "], verb("task done", { task: "2", list: "release", yes: false })],
    [
      "a task that was closed is opened again",
      AT.tasks,
      [" ", "u"],
      verb("task reopen", { task: "1", list: "release" }),
    ],
    ["nothing was closed", AT.tasks, ["u"], undefined],
    [
      "a long plan is approved at its end",
      state({ page: { ...planPage, lines: Array(200).fill("x") }, opened: "api" }),
      ["a"],
      undefined,
    ],
    [
      "once it was read",
      state({ page: { ...planPage, lines: Array(200).fill("x") }, opened: "api" }),
      ["G", "a"],
      verb("plan approve", { plan: "plan-1", hash: "read", todos: false, tasks: false }),
    ],
    ["a task is cancelled", AT.tasks, ["right", "x"], verb("task cancel", { task: "3", list: "release", yes: false })],
    [
      "a task is read",
      AT.tasks,
      ["enter"],
      { type: "read", name: "task show", input: { task: "1", list: "release" }, title: "Task 1" },
    ],
    ["the first a shows the plan", state({ opened: "api" }), ["a"], { type: "plan", plan: "plan-1" }],
    [
      "the second approves just what was read",
      state({ page: planPage, opened: "api" }),
      ["a"],
      verb("plan approve", { plan: "plan-1", hash: "read", todos: false, tasks: false }),
    ],
    ["a where no plan waits", AT.session, ["a"], undefined],
    [
      "reject with a reason",
      AT.plans,
      ["r", "n", "o", "enter"],
      verb("plan reject", { plan: "plan-1", words: ["no"], withdraw: false }),
    ],
    [
      "reject without one",
      AT.plans,
      ["r", "enter"],
      verb("plan reject", { plan: "plan-1", words: [], withdraw: false }),
    ],
    ["a decided plan is not rejected", AT.plans, ["down", "r", "enter"], { type: "plan", plan: "plan-2" }],
    ["edit a list", AT.session, ["e"], { type: "edit", name: "todo edit", input: onShop }],
    ["edit a plan", AT.plans, ["e"], { type: "edit", name: "plan edit", input: { plan: "plan-1" } }],
    ["why", AT.session, ["w"], { type: "read", name: "todo why", input: { todo: "2", ...onShop }, title: "Todo 2: b" }],
    [
      "enter in a session is why",
      AT.session,
      ["enter"],
      { type: "read", name: "todo why", input: { todo: "2", ...onShop }, title: "Todo 2: b" },
    ],
    ["read the plan", state({ opened: "api" }), ["p"], { type: "plan", plan: "plan-1" }],
    ["no plan to read", AT.session, ["p"], undefined],
    ["diff of a todo", AT.session, ["d"], { type: "diff", session: "shop", of: 2 }],
    ["diff of the turn", AT.session, ["D"], { type: "diff", session: "shop", of: "turn" }],
    ["pin", AT.sessions, ["P"], { type: "pin", session: "shop" }],
    ["snooze", AT.sessions, ["z"], { type: "snooze", session: "shop" }],
    ["notices", AT.events, ["N"], { type: "notices" }],
    ["a choice by its number", AT.session, ["2"], { type: "answer", session: "shop", choice: 2, label: "No" }],
    [
      "a number that is no choice says what there is",
      AT.session,
      ["7"],
      { type: "answer", session: "shop", choice: 7, label: undefined },
    ],
    ["copy a plan", AT.plans, ["c"], { type: "copy", text: "# P", what: "The plan" }],
    ["redraw", AT.page, ["redraw"], { type: "redraw" }],
    ["suspend", AT.page, ["suspend"], { type: "suspend" }],
    ["quit", AT.page, ["q"], { type: "leave", print: [] }],
    ["quit from the help", state({ isHelp: true }), ["q"], { type: "leave", print: [] }],
    ["a key that closes the help does nothing else", state({ isHelp: true, opened: "shop" }), ["x"], undefined],
  ];
  test.each(rows)("%s", (_, from, keys, effect) => {
    expect(press(from, ...keys).effect).toEqual(effect);
  });

  test("enter on a call shows what is known of it", () => {
    const { state: shown, effect } = press(AT.session, "tab", "down", "enter");
    expect([effect, shown.page?.title, shown.page?.lines[0]]).toEqual([
      undefined,
      expect.stringMatching(/ call$/),
      expect.stringMatching(/^tool {6}/),
    ]);
  });

  test("the help moves with the arrows, and begins anew", () => {
    const moved = press(state({ isHelp: true }), "down", "down", "up");
    expect([moved.state.isHelp, moved.state.helpTop]).toEqual([true, 1]);
    expect(press(moved.state, "escape", "?").state.helpTop).toBe(0);
  });

  test("the way back into a session is printed, and copied", () => {
    const line = expect.stringContaining("claude --resume shop");
    expect(press(AT.session, "o").effect).toEqual({ type: "leave", print: [line] });
    expect(press(AT.session, "c").effect).toEqual({ type: "copy", text: line, what: "The resume command" });
  });
});

describe("where a key leads", () => {
  const rows: readonly [string, ViewState, readonly string[], object][] = [
    ["down and up", AT.sessions, ["down", "j", "up"], on("sessions", "api")],
    ["the wheel", AT.sessions, ["wheel-down", "wheel-down", "wheel-up"], on("sessions", "api")],
    ["to the end, and no further", AT.sessions, ["G", "j"], on("sessions", "docs")],
    ["to the beginning, and no further", state(cursors({ sessions: "docs" })), ["g", "k"], on("sessions", "shop")],
    ["a page", AT.sessions, ["page-down"], on("sessions", "docs")],
    ["a page back", state(cursors({ sessions: "docs" })), ["page-up"], on("sessions", "shop")],
    ["open", AT.sessions, ["enter"], { opened: "shop" }],
    ["open to the right, back to the left", AT.sessions, ["l", "h"], { opened: undefined, tab: "sessions" }],
    ["open the session of an event", AT.events, ["enter"], { tab: "sessions", opened: "docs" }],
    ["back", AT.session, ["escape"], { opened: undefined }],
    [
      "back from a session although a filter is set",
      state({ opened: "shop", filter: "a" }),
      ["escape"],
      { opened: undefined, filter: "a" },
    ],
    ["back takes a filter away", state({ filter: "a" }), ["escape"], { filter: "" }],
    [
      "back from a page to where it was opened",
      state({ page: longPage, opened: "shop" }),
      ["backspace"],
      { page: undefined, opened: "shop" },
    ],
    ["back from another view", AT.tasks, ["escape"], { tab: "sessions" }],
    ["tab is the other pane of a session", AT.session, ["tab"], { pane: "calls" }],
    ["the cursor of the calls", AT.session, ["tab", "down"], on("calls", "c1")],
    ["tab is the tree of tasks", AT.tasks, ["tab"], { isTree: true }],
    ["tab is the next view", AT.plans, ["tab"], { tab: "events" }],
    ["and the first after the last", AT.events, ["tab"], { tab: "sessions" }],
    ["back-tab is the view before", AT.plans, ["back-tab"], { tab: "tasks" }],
    ["and the last before the first", AT.sessions, ["back-tab"], { tab: "events" }],
    ["numbers are views", AT.sessions, ["3"], { tab: "plans" }],
    ["also from a page", AT.page, ["4"], { tab: "events", page: undefined }],
    ["a number beyond them is nothing", AT.sessions, ["9"], { tab: "sessions" }],
    ["columns of the board", AT.tasks, ["l", "l"], on("tasks", "4")],
    ["and back", state({ tab: "tasks", ...cursors({ tasks: "4" }) }), ["h", "h"], on("tasks", "1")],
    ["the next task list", AT.tasks, ["]"], { taskList: "other" }],
    ["the one before", AT.tasks, ["["], { taskList: "other" }],
    ["plans", AT.plans, ["j"], on("plans", "plan-2")],
    ["events", AT.events, ["j"], on("events", "1")],
    ["a text moves", state({ page: longPage }), ["j", "j", "k"], { page: { ...longPage, top: 1 } }],
    ["a text to its end", state({ page: longPage }), ["G"], { page: { ...longPage, top: 33 } }],
    ["the next way to draw a list", AT.session, ["v"], { listStyle: 1 }],
    ["and the first after the last", state({ opened: "shop", listStyle: 3 }), ["v"], { listStyle: 0 }],
    ["help, and back", AT.sessions, ["?", "escape"], { isHelp: false }],
    ["a filter holds while it is typed", AT.sessions, ["/", "d", "o"], { filter: "do" }],
    ["and stays", AT.sessions, ["/", "d", "enter"], { filter: "d", prompt: undefined }],
    ["esc while it is typed takes it away", AT.sessions, ["/", "d", "escape"], { filter: "", prompt: undefined }],
    ["a whole letter goes", AT.sessions, ["/", "👍", "日", "backspace"], { filter: "👍" }],
    ["a word goes", AT.sessions, ["/", "a", " ", "b", "delete-word"], { filter: "a " }],
    ["the line goes", AT.sessions, ["/", "a", "b", "clear-line"], { filter: "" }],
    [
      "interrupt closes a line, and does not quit",
      AT.sessions,
      ["/", "a", "interrupt"],
      { filter: "", prompt: undefined },
    ],
    [
      "the next key takes a message away",
      state({ message: { text: "a", isError: true, at: 0 } }),
      ["j"],
      { message: undefined },
    ],
  ];
  test.each(rows)("%s", (_, from, keys, to) => {
    const step = press(from, ...keys);
    expect(step.effect).toBeUndefined();
    expect(step.state).toMatchObject(to);
  });
});

describe("texts", () => {
  const text = (words: string, isPasted: boolean): Key => ({ type: "text", text: words, isPasted });
  test("what is pasted where nothing is typed does nothing", () => {
    expect(handleKey(AT.session, text("xqa\nx", true), world, SIZE)).toEqual({ state: AT.session });
  });
  test("what is pasted into a line is one line", () => {
    const from = press(AT.session, "n").state;
    expect(handleKey(from, text("a\r\n\tb", true), world, SIZE).state.prompt?.text).toBe("a b");
  });
  test("letters that come at once: those behind the key that opened a line are in it", () => {
    expect(handleKey(AT.session, text("jntxq", false), world, SIZE)).toMatchObject({
      state: { prompt: { kind: "add", text: "txq" }, cursors: { todos: "3" } },
    });
  });
  test("letters that come at once: none behind a key that does something is a second one", () => {
    expect(handleKey(AT.session, text("xx", false), world, SIZE).effect).toMatchObject({ name: "todo drop" });
  });
});

describe("the table of keys", () => {
  const bound = BINDINGS.flatMap(({ keys, where, action }) =>
    keys.flatMap((key) => where.map((place) => [key, place, action] as const)),
  );
  test.each(WHERES)("%s is where its state is", (where) => expect(whereIs(AT[where])).toBe(where));
  test("no key has two meanings in one place", () => {
    expect(bound.filter(([key, where, action]) => actionOf(key, where) !== action)).toEqual([]);
  });
  test("no key throws anywhere, whatever is there", () => {
    const nothing = worldWith([]);
    for (const [key, where] of bound)
      for (const one of [world, nothing]) expect(() => handleKey(AT[where], keyOf(key), one, SIZE)).not.toThrow();
  });
  test("every key of the table does something in some place where it is bound", () => {
    const from = (where: Where) =>
      where === "page"
        ? [state({ page: { ...longPage, top: 5 } }), state({ page: planPage, opened: "api" })]
        : [AT[where], { ...AT[where], filter: "a" }, press(AT[where], "G").state, press(AT[where], "l").state];
    const isHeard = (key: string, where: Where) =>
      from(where).some((one) => {
        const step = press(one, key);
        return step.effect !== undefined || JSON.stringify(step.state) !== JSON.stringify(one);
      });
    expect(bound.filter(([key, where]) => !isHeard(key, where))).toEqual([]);
  });
  test("every hint is a key of the help, and the help has them all", () => {
    const help = drawFrame(
      { world, state: state({ isHelp: true }), start: 0 },
      { columns: 160, rows: 70 },
      { hasColor: false },
    );
    for (const { about } of BINDINGS) expect(help.rows.join("\n")).toContain(about);
    for (const where of WHERES)
      for (const hint of hintsFor(AT[where], true).flat()) {
        const [key = ""] = hint.split(" ");
        const names: Readonly<Record<string, string>> = { "↵": "enter", esc: "escape", space: " " };
        // Numbers are no actions: what they mean depends on what is asked.
        if (key !== "1-4") expect(actionOf(names[key] ?? key, where), `${hint} in ${where}`).toBeDefined();
      }
  });
});
