import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sized } from "../../../test/sizes.js";
import { digestOf } from "../../core/session/digest-text.js";
import { EMPTY_LIST, TODO_STATUSES, type TodoList, todosOf } from "../../core/todo/list.js";
import { statusText } from "../../core/todo/progress.js";
import { claude } from "../claude/claude.js";
import type { ToolCall } from "../dialect.js";
import { speak } from "../speak.js";
import { milepost } from "./todo-tool.js";

const todo = (input: unknown, list: TodoList = EMPTY_LIST, mode: ToolCall["mode"] = "default") =>
  speak(milepost, list, { tool: "todo", input: { value: input }, mode });
const listAfter = (...inputs: unknown[]) =>
  inputs.reduce<TodoList>((list, input) => todo(input, list).list, EMPTY_LIST);
const MARKS = { pending: " ", in_progress: ">", completed: "x", cancelled: "~" };
const rows = (list: TodoList) =>
  todosOf(list).map(({ number, text, status, activeForm }) =>
    [`${number} [${MARKS[status]}] ${text}`, ...(activeForm === undefined ? [] : [activeForm])].join(" | "),
  );

const plan = { add: ["Read code", "Fix bug", "Run tests"] };
const tests = { text: "Run tests", activeForm: "Running tests" };

interface Row {
  readonly name: string;
  readonly given?: readonly unknown[];
  readonly when: unknown;
  readonly answer: string;
  readonly list: readonly string[];
}

const TAKEN: readonly Row[] = [
  {
    name: "an active form is kept, and the answer is as without it",
    when: { add: [tests] },
    answer: "Added 1. 0/1 now #1 Run tests",
    list: ["1 [>] Run tests | Running tests"],
  },
  {
    name: "content is text, active_form is activeForm",
    when: { add: [{ content: "Run tests", active_form: "Running tests" }] },
    answer: "Added 1. 0/1 now #1 Run tests",
    list: ["1 [>] Run tests | Running tests"],
  },
  {
    name: "objects and texts may be mixed",
    when: { add: ["Read code", tests, { text: "- [ ] Ship" }] },
    answer: "Added 1-3. 0/3 now #1 Read code",
    list: ["1 [>] Read code", "2 [ ] Run tests | Running tests", "3 [ ] Ship"],
  },
  {
    name: "a JSON string of objects",
    when: { add: JSON.stringify(["Read code", tests]) },
    answer: "Added 1-2. 0/2 now #1 Read code",
    list: ["1 [>] Read code", "2 [ ] Run tests | Running tests"],
  },
  {
    name: "one object, and a JSON string of one",
    given: [{ add: { text: "Read code" } }],
    when: { add: JSON.stringify(tests) },
    answer: "Added 2. 0/2 now #1",
    list: ["1 [>] Read code", "2 [ ] Run tests | Running tests"],
  },
  {
    name: "every field of an item filled in",
    when: { add: [{ text: "Read code", content: "", status: null, activeForm: "" }] },
    answer: "Added 1. 0/1 now #1 Read code",
    list: ["1 [>] Read code"],
  },
  {
    name: "a whole list with its statuses",
    when: {
      add: [
        { content: "Read code", status: "completed", activeForm: "Reading code" },
        { content: "Fix bug", status: "pending", activeForm: "Fixing bug" },
        { content: "Run tests", status: "in_progress", activeForm: "Running tests" },
        { content: "Ask Ann", status: "cancelled", activeForm: "Asking Ann" },
      ],
    },
    answer: "Added 1-4. Dropped 4. 1/3 now #3 Run tests",
    list: [
      "1 [x] Read code | Reading code",
      "2 [ ] Fix bug | Fixing bug",
      "3 [>] Run tests | Running tests",
      "4 [~] Ask Ann | Asking Ann",
    ],
  },
  {
    name: "a list that is sent as finished is finished",
    when: {
      add: [
        { text: "a", status: "done" },
        { text: "b", status: "done" },
      ],
    },
    answer: "Added 1-2. 2/2 all done",
    list: ["1 [x] a", "2 [x] b"],
  },
  {
    name: "a new todo in progress pauses the other",
    given: [plan],
    when: { add: [{ text: "Ask", status: "in_progress" }] },
    answer: "Added 4. Paused 1. 0/4 now #4 Ask",
    list: ["1 [ ] Read code", "2 [ ] Fix bug", "3 [ ] Run tests", "4 [>] Ask"],
  },
  {
    name: "sent again with an active form, a todo takes it",
    given: [plan],
    when: { add: [tests] },
    answer: "Already on the list: 3. Active form kept with 3. 0/3 now #1",
    list: ["1 [>] Read code", "2 [ ] Fix bug", "3 [ ] Run tests | Running tests"],
  },
  {
    name: "another active form takes its place",
    given: [plan, { add: [tests] }],
    when: { add: [{ ...tests, activeForm: "Testing" }] },
    answer: "Already on the list: 3. Active form kept with 3. 0/3 now #1",
    list: ["1 [>] Read code", "2 [ ] Fix bug", "3 [ ] Run tests | Testing"],
  },
  {
    name: "the same active form again changes nothing",
    given: [plan, { add: [tests] }],
    when: { add: [tests] },
    answer: "Already on the list: 3. 0/3 now #1 Read code",
    list: ["1 [>] Read code", "2 [ ] Fix bug", "3 [ ] Run tests | Running tests"],
  },
  {
    name: "sent again without it, a todo keeps it",
    given: [{ add: [tests] }],
    when: { add: ["Run tests"] },
    answer: "Already on the list: 1. 0/1 now #1 Run tests",
    list: ["1 [>] Run tests | Running tests"],
  },
  {
    name: "statuses of todos on the list count as done, drop and start do",
    given: [plan],
    when: {
      add: [
        { text: "Read code", status: "completed" },
        { text: "Fix bug", status: "cancelled" },
        { text: "Run tests", status: "in_progress" },
      ],
    },
    answer: "Already on the list: 1-3. Dropped 2. 1/2 now #3 Run tests",
    list: ["1 [x] Read code", "2 [~] Fix bug", "3 [>] Run tests"],
  },
  {
    name: "a finished list that is sent again is not added again",
    given: [{ add: ["a", "b"] }, { done: [1, 2] }],
    when: {
      add: [
        { text: "a", status: "completed" },
        { text: "b", status: "completed" },
      ],
    },
    answer: "Already done: 1-2. 2/2 all done",
    list: ["1 [x] a", "2 [x] b"],
  },
  {
    name: "an active form for what is done, beside new work, which begins a new list",
    given: [{ add: ["a"] }, { done: 1 }],
    when: { add: [{ text: "a", status: "completed", activeForm: "Doing a" }, "b"] },
    answer: "Already done: 1. Added 2. Active form kept with 1. 0/1 now #2 b",
    list: ["2 [>] b"],
  },
  {
    name: "what is done is taken up again, and the answer says so",
    given: [plan, { done: 1 }],
    when: { add: ["Fix bug", { text: "Read code", status: "in_progress" }] },
    answer: "Already on the list: 2. Paused 2. Reopened 1. 0/3 now #1 Read code",
    list: ["1 [>] Read code", "2 [ ] Fix bug", "3 [ ] Run tests"],
  },
  {
    name: "of two equal texts the open one is meant",
    given: [{ add: ["t", "t", "u"] }, { done: 1 }],
    when: { add: [{ text: "t", activeForm: "T" }] },
    answer: "Already on the list: 2. Already done: 1. Active form kept with 2. 1/3 now #2",
    list: ["1 [x] t", "2 [>] t | T", "3 [ ] u"],
  },
  {
    name: "evidence goes with what is sent as completed",
    given: [plan],
    when: { add: [{ text: "Read code", status: "completed" }], evidence: "212 tests pass" },
    answer: "Already on the list: 1. 1/3 now #2 Fix bug",
    list: ["1 [x] Read code", "2 [>] Fix bug", "3 [ ] Run tests"],
  },
  {
    name: "start may name the one that is sent in progress",
    given: [plan],
    when: { add: [{ text: "Ask", status: "in_progress" }], start: "Ask" },
    answer: "Added 4. Paused 1. 0/4 now #4 Ask",
    list: ["1 [ ] Read code", "2 [ ] Fix bug", "3 [ ] Run tests", "4 [>] Ask"],
  },
];

const FOCUS = '{"add":[{"text":"first todo","status":"in_progress"},"second todo"]}';
const ITEM = '{"add":[{"text":"Run tests","activeForm":"Running tests"}]}';
const OPEN = 'Open: #1 "Read code" (now); #2 "Fix bug"; #3 "Run tests".';

const REFUSED: readonly (readonly [name: string, when: unknown, answer: string])[] = [
  [
    "two in progress",
    { add: [{ text: "a", status: "in_progress" }, "b", { text: "c", status: "in-progress" }] },
    `"add" has 2 todos in progress; mark only the one that you work on now: ${FOCUS}. Nothing was changed.`,
  ],
  [
    "two in progress that are on the list",
    {
      add: [
        { text: "Read code", status: "in_progress" },
        { text: "Fix bug", status: "in_progress" },
      ],
    },
    `"add" has 2 todos in progress; mark only the one that you work on now: ${FOCUS}. Nothing was changed.`,
  ],
  [
    "one in progress, and another one started",
    { add: [{ text: "a", status: "in_progress" }], start: 2 },
    `"add" has a todo in progress and "start" says otherwise; send one of them: {"add":["first todo","second todo"],"start":"second todo"}. Nothing was changed. ${OPEN}`,
  ],
  [
    "one in progress, and nothing to be worked on",
    { add: [{ text: "a", status: "in_progress" }], start: -1 },
    `"add" has a todo in progress and "start" says otherwise; send one of them: {"add":["first todo","second todo"],"start":"second todo"}. Nothing was changed. ${OPEN}`,
  ],
  [
    "in progress and done",
    { add: [{ text: "Fix bug", status: "in_progress" }], done: 2 },
    `"done" and "add" both name 2; choose one. Nothing was changed. ${OPEN}`,
  ],
  [
    "a field that no todo has",
    { add: [{ ...tests, id: "1" }] },
    `A todo in "add" has no field "id", only text, status and activeForm, as in ${ITEM}. Nothing was changed.`,
  ],
  [
    "a key that is none",
    { add: JSON.parse('[{"text":"a","__proto__":{"status":"completed"}}]') },
    `A todo in "add" has no field "__proto__", only text, status and activeForm, as in ${ITEM}. Nothing was changed.`,
  ],
  [
    "two texts for one todo",
    { add: [{ text: "a", content: "b" }] },
    `"text" and "content" of a todo are the same field; send one of them, as in ${ITEM}. Nothing was changed.`,
  ],
  [
    "no text",
    { add: [{ activeForm: "Running tests" }] },
    '"add" has an empty text; say in a few words what to do, as in {"add":["first todo","second todo"]}. Nothing was changed.',
  ],
  ["a text that is none", { add: [{ text: 7 }] }, '"text" takes a short text. Nothing was changed.'],
  [
    "an active form that is none",
    { add: [{ text: "a", activeForm: ["b"] }] },
    '"activeForm" takes a short text. Nothing was changed.',
  ],
  [
    "a status that nobody knows",
    { add: [{ text: "a", status: "blocked" }] },
    `"status" of a todo is pending, in_progress, completed, cancelled, or left out: ${FOCUS}. Nothing was changed.`,
  ],
  [
    "a status from the prototype",
    { add: [{ text: "a", status: "constructor" }] },
    `"status" of a todo is pending, in_progress, completed, cancelled, or left out: ${FOCUS}. Nothing was changed.`,
  ],
  [
    "an active form outside of a todo",
    { add: ["a"], activeForm: "b" },
    `There is no field "activeForm", only add, done, evidence, start, note, drop, order, show. It belongs to a todo in "add", new or on the list: ${ITEM}. Nothing was changed.`,
  ],
];

describe("todos as objects", () => {
  test.each(TAKEN)("$name", ({ given = [], when, answer, list }) => {
    const spoken = todo(when, listAfter(...given));
    expect(spoken.answer).toMatchObject({ text: answer, isError: false });
    expect(rows(spoken.list)).toEqual(list);
  });

  test.each(REFUSED)("refused: %s", (_, when, answer) => {
    const list = listAfter(plan);
    const spoken = todo(when, list);
    expect(spoken.answer).toEqual({ text: answer, isError: true });
    expect(spoken.list).toBe(list);
  });

  test("what a refusal shows can be sent as it is", () => {
    const shown = new Set(
      REFUSED.flatMap(([, , answer]) => answer.match(/\{"add":\[.*?\](?:,"start":"[^"]*")?\}/g) ?? []),
    );
    expect(shown.size).toBe(4);
    for (const example of shown) expect(todo(JSON.parse(example), listAfter(plan)).answer.isError, example).toBe(false);
  });

  test.each([
    ["pending", ["pending", "Pending", "todo", "open", "not_started", "not started"]],
    ["in_progress", ["in_progress", "inProgress", "in-progress", "In Progress", "active", "started", "doing", "now"]],
    ["completed", ["completed", "COMPLETED", "complete", "done", "finished", "closed"]],
    ["cancelled", ["cancelled", "canceled", "dropped", "abandoned"]],
  ] as const)("%s in the words of agents", (status, words) => {
    for (const word of words) {
      const list = listAfter({ add: ["first"] }, { add: [{ text: "second", status: word }] });
      expect(todosOf(list)[1]?.status, word).toBe(status);
    }
  });

  test("in plan mode a todo is neither begun nor done by its status", () => {
    for (const status of ["in_progress", "completed"])
      expect(todo({ add: [{ text: "a", status }] }, EMPTY_LIST, "plan").answer.text).toMatch(/^In plan mode/);
    expect(rows(todo({ add: [tests] }, EMPTY_LIST, "plan").list)).toEqual(["1 [ ] Run tests | Running tests"]);
  });
});

describe("what the active form is for", () => {
  test("a person's status line says what is being done", () => {
    expect(statusText(listAfter({ add: [tests] }))).toBe("0/1 ▸ Running tests");
    expect(statusText(listAfter({ add: ["Run tests"] }))).toBe("0/1 ▸ Run tests");
  });

  test("neither answers nor digest spend a token on it", () => {
    const [plain, formed] = [listAfter({ add: ["Run tests", "Ship"] }), listAfter({ add: [tests, "Ship"] })];
    for (const input of [{}, { show: true }, { done: 1 }, { done: 9 }])
      expect(todo(input, formed).answer.text).toBe(todo(input, plain).answer.text);
    expect(digestOf(formed, "Todos.")).toEqual(digestOf(plain, "Todos."));
  });

  test("it is one line, and has the limits of a text", () => {
    expect(rows(listAfter({ add: [{ text: "a", activeForm: " b\n c\u0000 " }] }))).toEqual(["1 [>] a | b c␀"]);
    const { answer } = todo({ add: [{ text: "a", activeForm: "x".repeat(4001) }] });
    expect(answer).toMatchObject({ isError: true, text: expect.stringMatching(/4,?000/) });
  });

  test("a list that Claude Code's tool wrote keeps its forms, and ours are read there", () => {
    const shown = claude.show(listAfter({ add: [tests] }));
    expect(shown).toEqual([{ content: "Run tests", status: "in_progress", activeForm: "Running tests" }]);
    const { list } = speak(claude, EMPTY_LIST, { tool: "TodoWrite", input: { value: { todos: shown } } });
    expect(rows(todo({ add: ["Ship"] }, list).list)).toEqual(["1 [>] Run tests | Running tests", "2 [ ] Ship"]);
  });
});

test("any list of objects: at most one in progress is taken as it was sent, and sent again it changes nothing", () => {
  const item = fc.record(
    {
      text: fc.stringMatching(/^[a-z]{1,8}$/),
      status: fc.constantFrom(...TODO_STATUSES),
      activeForm: fc.stringMatching(/^[A-Z]{1,8}$/),
    },
    { requiredKeys: ["text", "activeForm"] },
  );
  fc.assert(
    fc.property(fc.uniqueArray(item, { minLength: 1, maxLength: 8, selector: ({ text }) => text }), (add) => {
      const { answer, list } = todo({ add });
      const started = add.filter(({ status }) => status === "in_progress").length;
      expect(answer.isError).toBe(started > 1);
      if (started > 1) {
        expect(list).toBe(EMPTY_LIST);
        return;
      }
      const begun = started === 0 && add.findIndex(({ status = "pending" }) => status === "pending");
      expect(todosOf(list).map(({ text, status, activeForm }) => ({ text, status, activeForm }))).toEqual(
        add.map(({ status = "pending", ...rest }, at) => ({ ...rest, status: at === begun ? "in_progress" : status })),
      );
      expect(todo({ add }, list).list).toBe(list);
    }),
    { numRuns: sized(200, 5000) },
  );
});
