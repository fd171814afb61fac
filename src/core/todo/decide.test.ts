import { describe, expect, test } from "vitest";
import type { NewTodo, TodoCommand, TodoEdit, TodoError } from "./command.js";
import { decide } from "./decide.js";
import { evolveAll } from "./evolve.js";
import { EMPTY_LIST, type TodoList, type TodoStatus, todosOf } from "./list.js";
import { type TodoPolicy, WHOLE_LIST } from "./policy.js";

const PLAIN = WHOLE_LIST;
const NO_LIMITS = PLAIN.limits;

const edit = (...edits: TodoEdit[]): TodoCommand => ({ type: "edit", edits });
const add = (...texts: string[]): TodoEdit => ({ type: "add", todos: texts.map((text) => ({ text })) });
const move = (number: number, to: TodoStatus): TodoEdit => ({ type: "move", target: { number }, to });
const start = (number: number) => move(number, "in_progress");
const done = (number: number) => move(number, "completed");
const drop = (number: number) => move(number, "cancelled");
const replace = (...todos: NewTodo[]): TodoCommand => ({ type: "replace", phases: [{ name: "", todos }] });
const todo = (text: string, status: TodoStatus = "pending"): NewTodo => ({ text, status });

const MARKS: Readonly<Record<TodoStatus, string>> = { pending: " ", in_progress: ">", completed: "x", cancelled: "-" };

/** A list in one line: `1[x]a 2[>]b`. */
const show = (list: TodoList) =>
  todosOf(list)
    .map(({ number, status, text }) => `${number}[${MARKS[status]}]${text}`)
    .join(" ");

interface Row {
  readonly name: string;
  readonly policy?: Partial<TodoPolicy>;
  readonly given?: readonly TodoCommand[];
  readonly when: TodoCommand;
  readonly then: string | { readonly refused: TodoError["code"] };
}

const three = edit(add("a", "b", "c"));

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  numbers: [
    { name: "count up from 1", when: three, then: "1[ ]a 2[ ]b 3[ ]c" },
    {
      name: "are not given again after a removal",
      given: [three, edit({ type: "remove", target: { number: 3 } })],
      when: edit(add("d")),
      then: "1[ ]a 2[ ]b 4[ ]d",
    },
    {
      name: "are not given again after a clear",
      given: [three, edit({ type: "clear" })],
      when: edit(add("d")),
      then: "4[ ]d",
    },
    {
      name: "follow a todo through a rewrite",
      given: [three],
      when: replace(todo("c"), todo("new"), todo("a", "completed")),
      then: "3[ ]c 4[ ]new 1[x]a",
    },
    {
      name: "follow a todo whose words mostly stay",
      given: [edit(add("run tests", "ship it"))],
      when: replace(todo("run all tests"), todo("ship it")),
      then: "1[ ]run all tests 2[ ]ship it",
    },
    {
      name: "do not follow into another text",
      given: [edit(add("run tests", "ship it"))],
      when: replace(todo("write docs"), todo("ship it")),
      then: "3[ ]write docs 2[ ]ship it",
    },
    {
      name: "tell equal texts apart by order",
      given: [edit(add("test", "fix", "test"))],
      when: replace(todo("test", "completed"), todo("fix"), todo("test")),
      then: "1[x]test 2[ ]fix 3[ ]test",
    },
    {
      name: "follow the dialect's own key before the text",
      given: [replace({ text: "a", key: "k1" }, { text: "b", key: "k2" })],
      when: replace({ text: "b", key: "k1" }, { text: "a", key: "k2" }),
      then: "1[ ]b 2[ ]a",
    },
    {
      name: "tell equal keys apart by order",
      given: [replace({ text: "a", key: "k" }, { text: "b", key: "k" })],
      when: replace({ text: "a", key: "k", status: "completed" }, { text: "b", key: "k" }),
      then: "1[x]a 2[ ]b",
    },
  ],
  focus: [
    {
      name: "allow keeps two",
      policy: { focus: "allow" },
      given: [three, edit(start(1))],
      when: edit(start(2)),
      then: "1[>]a 2[>]b 3[ ]c",
    },
    {
      name: "reject refuses the second",
      policy: { focus: "reject" },
      given: [three, edit(start(1))],
      when: edit(start(2)),
      then: { refused: "another-in-progress" },
    },
    {
      name: "reject lets finish and start in one write",
      policy: { focus: "reject" },
      given: [three, edit(start(1))],
      when: edit(done(1), start(2)),
      then: "1[x]a 2[>]b 3[ ]c",
    },
    {
      name: "reject refuses a rewrite with two",
      policy: { focus: "reject" },
      when: replace(todo("a", "in_progress"), todo("b", "in_progress")),
      then: { refused: "another-in-progress" },
    },
    {
      name: "reject-new refuses the second",
      policy: { focus: "reject-new" },
      given: [three, edit(start(1))],
      when: edit(start(2)),
      then: { refused: "another-in-progress" },
    },
    {
      name: "reject-new refuses a rewrite with two",
      policy: { focus: "reject-new" },
      given: [replace(todo("a", "in_progress"))],
      when: replace(todo("a", "in_progress"), todo("b", "in_progress")),
      then: { refused: "another-in-progress" },
    },
    {
      name: "demote gives way to the newest start",
      policy: { focus: "demote" },
      given: [three, edit(start(2))],
      when: edit(start(1)),
      then: "1[>]a 2[ ]b 3[ ]c",
    },
    {
      name: "demote keeps the todo that is started again",
      policy: { focus: "demote" },
      given: [three, edit(start(2))],
      when: edit(start(2)),
      then: "1[ ]a 2[>]b 3[ ]c",
    },
    {
      name: "demote gives way at once, not at the end of the write",
      policy: { focus: "demote", promote: "always" },
      given: [replace(todo("c"), todo("a", "in_progress"), todo("b"))],
      when: edit(start(3), done(3)),
      then: "1[>]c 2[ ]a 3[x]b",
    },
    {
      name: "demote keeps the first of a rewrite, whatever was there before",
      policy: { focus: "demote" },
      given: [replace(todo("a"), todo("b"))],
      when: replace(todo("a", "in_progress"), todo("b", "in_progress")),
      then: "1[>]a 2[ ]b",
    },
    {
      name: "demote keeps the first of a rewrite",
      policy: { focus: "demote" },
      when: replace(todo("a", "in_progress"), todo("b", "in_progress")),
      then: "1[>]a 2[ ]b",
    },
  ],
  promotion: [
    { name: "never starts nothing", given: [three, edit(start(1))], when: edit(done(1)), then: "1[x]a 2[ ]b 3[ ]c" },
    {
      name: "on-close starts the first of a new list",
      policy: { promote: "on-close" },
      when: three,
      then: "1[>]a 2[ ]b 3[ ]c",
    },
    {
      name: "on-close starts the next after a completion",
      policy: { promote: "on-close" },
      given: [three],
      when: edit(done(1)),
      then: "1[x]a 2[>]b 3[ ]c",
    },
    {
      name: "on-close starts the next after a drop",
      policy: { promote: "on-close" },
      given: [three],
      when: edit(drop(1)),
      then: "1[-]a 2[>]b 3[ ]c",
    },
    {
      name: "on-close starts the next after a removal",
      policy: { promote: "on-close" },
      given: [three],
      when: edit({ type: "remove", target: { number: 1 } }),
      then: "2[>]b 3[ ]c",
    },
    {
      name: "on-close leaves the chosen one",
      policy: { promote: "on-close" },
      given: [three],
      when: edit(done(1), start(3)),
      then: "1[x]a 2[ ]b 3[>]c",
    },
    {
      name: "on-close holds when told to",
      policy: { promote: "on-close" },
      given: [three],
      when: { type: "edit", edits: [done(1)], advance: false },
      then: "1[x]a 2[ ]b 3[ ]c",
    },
    {
      name: "on-close does not wake a list that was put on hold",
      policy: { promote: "on-close" },
      given: [three, { type: "edit", edits: [move(1, "pending")], advance: false }],
      when: edit(add("d")),
      then: "1[ ]a 2[ ]b 3[ ]c 4[ ]d",
    },
    {
      name: "always starts one after any write",
      policy: { promote: "always" },
      given: [],
      when: replace(todo("a"), todo("b")),
      then: "1[>]a 2[ ]b",
    },
    {
      name: "always goes back to an earlier pending one",
      policy: { promote: "always" },
      given: [replace(todo("a"), todo("b", "in_progress"))],
      when: edit(done(2)),
      then: "1[>]a 2[x]b",
    },
  ],
  clearing: [
    { name: "never keeps a finished list", given: [edit(add("a"))], when: edit(done(1)), then: "1[x]a" },
    {
      name: "now empties a finished list",
      policy: { clearWhenDone: "now" },
      given: [edit(add("a"))],
      when: edit(done(1)),
      then: "",
    },
    {
      name: "now empties a list written as finished",
      policy: { clearWhenDone: "now" },
      when: replace(todo("a", "completed")),
      then: "",
    },
    {
      name: "on-add keeps it for people to see",
      policy: { clearWhenDone: "on-add" },
      given: [edit(add("a"))],
      when: edit(done(1)),
      then: "1[x]a",
    },
    {
      name: "on-add begins a new list",
      policy: { clearWhenDone: "on-add" },
      given: [edit(add("a")), edit(done(1))],
      when: edit(add("b")),
      then: "2[ ]b",
    },
    {
      name: "on-add goes on with an open list",
      policy: { clearWhenDone: "on-add" },
      given: [edit(add("a", "b")), edit(done(1))],
      when: edit(add("c")),
      then: "1[x]a 2[ ]b 3[ ]c",
    },
  ],
  batches: [
    {
      name: "atomic refuses the whole",
      given: [three],
      when: edit(done(1), done(9)),
      then: { refused: "unknown-todo" },
    },
    {
      name: "partial applies what can be",
      policy: { batch: "partial" },
      given: [three],
      when: edit(done(9), done(1)),
      then: "1[x]a 2[ ]b 3[ ]c",
    },
    {
      name: "partial adds up to the todo that is refused, and opens the phase",
      policy: { batch: "partial", duplicates: "refuse" },
      given: [edit(add("a"))],
      when: edit({ type: "add", phase: "P", todos: [todo("b"), todo("a"), todo("c")] }),
      then: "1[ ]a 2[ ]b",
    },
    {
      name: "a rewrite is an edit like others",
      given: [three],
      when: edit({ type: "replace", phases: [{ name: "P", todos: [todo("c"), todo("d")] }] }, done(3)),
      then: "3[x]c 4[ ]d",
    },
    { name: "an edit sees the one before it", when: edit(add("a"), done(1)), then: "1[x]a" },
    {
      name: "a text names the first todo that has it",
      given: [edit(add("x", "x"))],
      when: edit({ type: "move", target: { text: "x" }, to: "completed" }),
      then: "1[x]x 2[ ]x",
    },
  ],
  targets: [
    {
      name: "a phase means all its todos, and the first phase of that name",
      given: [
        {
          type: "replace",
          phases: [
            { name: "P", todos: [todo("a"), todo("b", "cancelled")] },
            { name: "Q", todos: [todo("c")] },
            { name: "P", todos: [todo("d")] },
          ],
        },
      ],
      when: edit({ type: "move", target: { phase: "P" }, to: "completed" }),
      then: "1[x]a 2[x]b 3[ ]c 4[ ]d",
    },
    {
      name: "an unknown phase is refused",
      given: [three],
      when: edit({ type: "remove", target: { phase: "P" } }),
      then: { refused: "unknown-phase" },
    },
    {
      name: "all means all",
      given: [three],
      when: edit({ type: "move", target: { all: true }, to: "cancelled" }),
      then: "1[-]a 2[-]b 3[-]c",
    },
    {
      name: "all of nothing is no mistake",
      when: edit({ type: "move", target: { all: true }, to: "completed" }),
      then: "",
    },
  ],
  duplicates: [
    {
      name: "allow keeps both",
      given: [three],
      when: edit(add("a")),
      then: "1[ ]a 2[ ]b 3[ ]c 4[ ]a",
    },
    {
      name: "refuse looks at closed todos too",
      policy: { duplicates: "refuse" },
      given: [three, edit(done(1))],
      when: edit(add("a")),
      then: { refused: "duplicate-todo" },
    },
    {
      name: "refuse looks at the added ones among themselves",
      policy: { duplicates: "refuse" },
      when: edit(add("a", "a")),
      then: { refused: "duplicate-todo" },
    },
    {
      name: "refuse lets a rewrite repeat a text",
      policy: { duplicates: "refuse" },
      when: replace(todo("a"), todo("a")),
      then: "1[ ]a 2[ ]a",
    },
  ],
  limits: [
    { name: "todos", policy: { limits: { ...NO_LIMITS, todos: 2 } }, when: three, then: { refused: "too-many-todos" } },
    {
      name: "todos are counted before texts are read",
      policy: { limits: { ...NO_LIMITS, todos: 1, emptyText: "refuse" } },
      when: replace(todo(""), todo("b")),
      then: { refused: "too-many-todos" },
    },
    {
      name: "todos, but a long list may shrink",
      policy: { limits: { ...NO_LIMITS, todos: 0 } },
      when: replace(),
      then: "",
    },
    {
      name: "characters are code points",
      policy: { limits: { ...NO_LIMITS, codePoints: 2 } },
      when: edit(add("😀😀")),
      then: "1[ ]😀😀",
    },
    {
      name: "characters, one too many",
      policy: { limits: { ...NO_LIMITS, codePoints: 2 } },
      when: edit(add("abc")),
      then: { refused: "text-too-long" },
    },
    { name: "bytes are UTF-8", policy: { limits: { ...NO_LIMITS, bytes: 4 } }, when: edit(add("😀")), then: "1[ ]😀" },
    {
      name: "bytes, one too many",
      policy: { limits: { ...NO_LIMITS, bytes: 3 } },
      when: replace(todo("éé")),
      then: { refused: "text-too-long" },
    },
    {
      name: "empty text refused",
      policy: { limits: { ...NO_LIMITS, emptyText: "refuse" } },
      when: edit(add(" \n")),
      then: { refused: "empty-text" },
    },
    {
      name: "empty active form refused",
      policy: { limits: { ...NO_LIMITS, emptyText: "refuse" } },
      when: replace({ text: "a", activeForm: "" }),
      then: { refused: "empty-text" },
    },
    { name: "empty text allowed", when: edit(add("")), then: "1[ ]" },
    {
      name: "notes",
      policy: { limits: { ...NO_LIMITS, notes: 1 } },
      given: [three],
      when: edit(
        { type: "note", target: { number: 1 }, text: "n" },
        { type: "note", target: { number: 1 }, text: "m" },
      ),
      then: { refused: "too-many-notes" },
    },
  ],
  order: [
    {
      name: "named ones first",
      given: [three],
      when: edit({ type: "order", targets: [{ number: 3 }, { number: 1 }] }),
      then: "3[ ]c 1[ ]a 2[ ]b",
    },
    {
      name: "naming one twice counts once",
      given: [three],
      when: edit({ type: "order", targets: [{ number: 2 }, { number: 2 }] }),
      then: "2[ ]b 1[ ]a 3[ ]c",
    },
    {
      name: "an unknown one refuses",
      given: [three],
      when: edit({ type: "order", targets: [{ number: 9 }] }),
      then: { refused: "unknown-todo" },
    },
  ],
  parents: [
    {
      name: "itself refused",
      given: [three],
      when: edit({ type: "detail", target: { number: 1 }, details: { parent: 1 } }),
      then: { refused: "bad-parent" },
    },
    {
      name: "a circle refused",
      given: [three, edit({ type: "detail", target: { number: 1 }, details: { parent: 2 } })],
      when: edit({ type: "detail", target: { number: 2 }, details: { parent: 1 } }),
      then: { refused: "bad-parent" },
    },
    {
      name: "unknown refused",
      given: [three],
      when: edit({ type: "add", todos: [{ text: "d", parent: { number: 9 } }] }),
      then: { refused: "unknown-todo" },
    },
    {
      name: "a key names the parent that was there, not the new todo itself",
      given: [edit({ type: "add", todos: [{ text: "a", key: "k" }] })],
      when: edit({ type: "add", todos: [{ text: "b", key: "k", parent: { key: "k" } }] }),
      then: "1[ ]a 2[ ]b",
    },
    {
      name: "by key in a rewrite, unknown refused",
      when: replace({ text: "a", key: "k", parent: { key: "none" } }),
      then: { refused: "unknown-todo" },
    },
  ],
};

for (const [rule, rows] of Object.entries(ROWS)) {
  describe(rule, () => {
    test.each(rows)("$name", ({ policy, given = [], when, then }) => {
      const rules = { ...PLAIN, ...policy };
      const before = given.reduce((list, command) => apply(list, command, rules), EMPTY_LIST);
      const decision = decide(before, when, rules);
      if (typeof then !== "string") return expect(decision.ok ? "allowed" : decision.error.code).toBe(then.refused);
      return expect(decision.ok ? show(evolveAll(before, decision.value.events)) : decision.error).toBe(then);
    });
  });
}

function apply(list: TodoList, command: TodoCommand, policy: TodoPolicy): TodoList {
  const decision = decide(list, command, policy);
  if (!decision.ok) throw new Error(decision.error.message);
  return evolveAll(list, decision.value.events);
}

describe("what a write records", () => {
  const link = (text: string, key: string, parent: string | null): NewTodo => ({
    text,
    key,
    parent: parent === null ? null : { key: parent },
  });
  const parents = (list: TodoList) => todosOf(list).map(({ text, parent }) => [text, parent]);

  test("a rewrite may turn a tree upside down, and may take parents away", () => {
    const list = apply(EMPTY_LIST, replace(link("a", "a", null), link("b", "b", "a")), PLAIN);
    expect(parents(list)).toEqual([
      ["a", undefined],
      ["b", 1],
    ]);
    const turned = apply(list, replace(link("a", "a", "b"), link("b", "b", null)), PLAIN);
    expect(parents(turned)).toEqual([
      ["a", 2],
      ["b", undefined],
    ]);
    expect(parents(apply(turned, replace(todo("a"), todo("b")), PLAIN))).toEqual([
      ["a", 2],
      ["b", undefined],
    ]);
  });

  test("null takes a detail away, absent leaves it", () => {
    const full: NewTodo = { text: "a", activeForm: "A", priority: "high", key: "k" };
    const list = apply(EMPTY_LIST, replace(full), PLAIN);
    expect(apply(list, replace({ text: "a" }), PLAIN)).toEqual(list);
    expect(todosOf(apply(list, replace({ text: "a", priority: "low" }), PLAIN))[0]).toMatchObject({ priority: "low" });
    const bare = apply(list, replace({ text: "a", activeForm: null, priority: null, key: null }), PLAIN);
    expect(todosOf(bare)).toEqual([{ number: 1, text: "a", status: "pending", notes: [], evidence: [] }]);
  });

  test("a finished todo is not reworded into another one: its evidence stays with it", () => {
    const proof: TodoEdit = { type: "move", target: { number: 1 }, to: "completed", evidence: { text: "12 passed" } };
    const list = apply(EMPTY_LIST, edit(add("write tests for the login page"), proof), PLAIN);
    const next = apply(list, replace(todo("write tests for the logout page", "completed")), PLAIN);
    expect(todosOf(next)).toMatchObject([{ number: 2, evidence: [] }]);
  });

  test("the same evidence is kept once, and no more than the limit", () => {
    const prove = (text: string): TodoEdit => ({
      type: "move",
      target: { number: 1 },
      to: "completed",
      evidence: { text },
    });
    const limited = { ...PLAIN, limits: { ...NO_LIMITS, notes: 1 } };
    const list = apply(EMPTY_LIST, edit(add("a"), prove("x"), prove("x")), limited);
    expect(todosOf(list)[0]?.evidence).toEqual([{ text: "x" }]);
    expect(decide(list, edit(prove("y")), limited)).toMatchObject({ ok: false, error: { code: "too-many-notes" } });
  });

  test("a list over the limit, written by a dialect without one, may still change and shrink", () => {
    const list = apply(EMPTY_LIST, three, PLAIN);
    const limited = { ...PLAIN, limits: { ...NO_LIMITS, todos: 2 } };
    expect(show(apply(list, edit(done(1)), limited))).toBe("1[x]a 2[ ]b 3[ ]c");
    expect(show(apply(list, edit({ type: "remove", target: { number: 1 } }), limited))).toBe("2[ ]b 3[ ]c");
    expect(decide(list, edit(add("d")), limited)).toMatchObject({ ok: false, error: { code: "too-many-todos" } });
  });

  test("where finished lists make way, finished todos make room, the oldest first", () => {
    const rules: TodoPolicy = { ...PLAIN, clearWhenDone: "on-add", limits: { ...NO_LIMITS, todos: 3 } };
    const list = apply(apply(EMPTY_LIST, three, rules), edit(done(1), done(2)), rules);
    expect(show(apply(list, edit(add("d")), rules))).toBe("2[x]b 3[ ]c 4[ ]d");
    expect(decide(list, edit(add("d", "e", "f")), rules)).toMatchObject({ ok: false, error: { actual: 4, limit: 3 } });
  });

  test("a phase may be opened for later", () => {
    const list = apply(EMPTY_LIST, edit({ type: "add", todos: [], phase: "Ship" }), PLAIN);
    expect(list.phases).toEqual([{ name: "Ship", todos: [] }]);
  });

  test("a refused edit of a partial batch is named by its place", () => {
    const decision = decide(EMPTY_LIST, edit(add("a"), done(9), done(1)), { ...PLAIN, batch: "partial" });
    expect(decision).toMatchObject({ ok: true, value: { refused: [{ code: "unknown-todo", edit: 1 }] } });
  });

  test("a status change carries where it came from, and the write's revision", () => {
    const list = apply(EMPTY_LIST, three, PLAIN);
    const decision = decide(list, edit(start(2)), PLAIN);
    expect(decision).toEqual({
      ok: true,
      value: {
        refused: [],
        events: [{ type: "todo.moved", number: 2, from: "pending", to: "in_progress", revision: 2 }],
      },
    });
  });

  test("a rewrite that changes nothing records nothing", () => {
    const list = apply(EMPTY_LIST, replace(todo("a"), todo("b", "in_progress")), PLAIN);
    expect(decide(list, replace(todo("a"), todo("b", "in_progress")), PLAIN)).toEqual({
      ok: true,
      value: { events: [], refused: [] },
    });
  });

  test("notes and evidence outlive a rewrite by a dialect that has neither", () => {
    const proof = { text: "tests pass", call: "c1" };
    const noted = edit(
      add("a"),
      { type: "note", target: { number: 1 }, text: "see log" },
      { type: "move", target: { number: 1 }, to: "completed", evidence: proof },
    );
    const list = apply(apply(EMPTY_LIST, noted, PLAIN), replace(todo("a", "completed"), todo("b")), PLAIN);
    expect(todosOf(list)[0]).toMatchObject({ notes: ["see log"], evidence: [proof] });
  });

  test("a rewrite that tells notes replaces them; number, evidence and the rest stay", () => {
    const list = apply(
      EMPTY_LIST,
      edit(add("a"), { type: "note", target: { number: 1 }, text: "old" }, {
        ...done(1),
        evidence: { text: "ran" },
      } as TodoEdit),
      PLAIN,
    );
    const next = apply(list, replace({ text: "a", status: "completed", notes: ["new"] }), PLAIN);
    expect(todosOf(next)).toEqual([
      { number: 1, text: "a", status: "completed", notes: ["new"], evidence: [{ text: "ran" }] },
    ]);
    expect(todosOf(apply(next, replace({ text: "a", notes: [] }), PLAIN))[0]?.notes).toEqual([]);
  });

  test("a rewrite that tells a number continues that todo, whatever its text", () => {
    const list = apply(EMPTY_LIST, three, PLAIN);
    const next = apply(list, replace({ text: "quite another", number: 2 }, todo("b")), PLAIN);
    expect(show(next)).toBe("2[ ]quite another 4[ ]b");
  });

  test("a removed phase's todos leave the phase behind", () => {
    const list = apply(EMPTY_LIST, edit({ type: "add", phase: "P", todos: [todo("a")] }), PLAIN);
    const next = apply(list, edit({ type: "remove", target: { phase: "P" } }), PLAIN);
    expect(next.phases).toEqual([{ name: "P", todos: [] }]);
  });

  test("a call that broke off is no whole write: its revision is the one before", () => {
    const list = apply(EMPTY_LIST, three, PLAIN);
    const next = apply(list, { type: "replace", isBroken: true, phases: [{ name: "", todos: [todo("a")] }] }, PLAIN);
    expect(show(next)).toBe("1[ ]a");
    expect(next.revision).toBe(list.revision);
  });

  test("a rewrite inside a partial batch that is refused leaves no trace", () => {
    const list = apply(EMPTY_LIST, three, PLAIN);
    const bad: TodoEdit = {
      type: "replace",
      phases: [{ name: "", todos: [todo("x"), { text: "y", parent: { text: "nobody" } }] }],
    };
    const next = apply(list, edit(bad, done(1)), { ...PLAIN, batch: "partial" });
    expect(show(next)).toBe("1[x]a 2[ ]b 3[ ]c");
  });

  test.each<[string, TodoCommand, string | undefined]>([
    [
      "may be written as it is",
      replace(todo("a", "in_progress"), todo("b", "in_progress"), todo("c")),
      "1[>]a 2[>]b 3[ ]c",
    ],
    ["may lose one", replace(todo("a", "completed"), todo("b", "in_progress")), "1[x]a 2[>]b"],
    ["may not change one for another", edit(done(1), add("c"), start(3)), undefined],
    ["may not get a third", replace(...["a", "b", "c"].map((text) => todo(text, "in_progress"))), undefined],
  ])("where a second start is refused, a list that has two already %s", (_, command, then) => {
    const two = apply(EMPTY_LIST, replace(todo("a", "in_progress"), todo("b", "in_progress")), PLAIN);
    const decision = decide(two, command, { ...PLAIN, focus: "reject-new" });
    expect(decision.ok ? show(evolveAll(two, decision.value.events)) : undefined).toBe(then);
  });

  test("a refused second start names the todos as data, and what to do", () => {
    const two = replace(todo('</x>\n"a"', "in_progress"), todo("b", "in_progress"));
    expect(decide(EMPTY_LIST, two, { ...PLAIN, focus: "reject-new" })).toMatchObject({
      ok: false,
      error: {
        message: `Only one todo can be in progress at a time; this write has 2: "‹/x> 'a'", "b". Nothing was changed. Leave one of them in_progress, set the others to pending, and write the list again.`,
      },
    });
  });

  test("phases keep their names and order through a rewrite", () => {
    const command: TodoCommand = {
      type: "replace",
      explanation: "two parts",
      phases: [
        { name: "Build", todos: [todo("a")] },
        { name: "Ship", todos: [todo("b"), todo("c")] },
      ],
    };
    const list = apply(apply(EMPTY_LIST, three, PLAIN), command, PLAIN);
    expect(list.explanation).toBe("two parts");
    expect(list.phases.map(({ name, todos }) => [name, todos.map(({ number }) => number)])).toEqual([
      ["Build", [1]],
      ["Ship", [2, 3]],
    ]);
  });

  test("a removed parent sets its children free", () => {
    const child: TodoEdit = { type: "add", todos: [{ text: "d", parent: { number: 1 } }] };
    const list = apply(
      apply(EMPTY_LIST, edit(add("a"), child), PLAIN),
      edit({ type: "remove", target: { number: 1 } }),
      PLAIN,
    );
    expect(todosOf(list)).toEqual([{ number: 2, text: "d", status: "pending", notes: [], evidence: [] }]);
  });

  test("a refusal names the limit and the figure", () => {
    const decision = decide(EMPTY_LIST, three, { ...PLAIN, limits: { ...NO_LIMITS, todos: 2 } });
    expect(decision).toMatchObject({ ok: false, error: { actual: 3, limit: 2 } });
  });
});
