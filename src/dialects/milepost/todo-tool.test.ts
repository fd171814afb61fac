import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { claude } from "../claude/claude.js";
import { speak } from "../speak.js";
import { milepost } from "./todo-tool.js";

const todo = (input: unknown, list: TodoList = EMPTY_LIST) =>
  speak(milepost, list, { tool: "todo", input: { value: input } });
const listAfter = (...inputs: unknown[]) =>
  inputs.reduce<TodoList>((list, input) => todo(input, list).list, EMPTY_LIST);
const states = (list: TodoList) => todosOf(list).map(({ number, status }) => `${number} ${status}`);

const plan = { add: ["Read code", "Fix bug", "Run tests"] };

interface Row {
  readonly name: string;
  readonly given?: readonly unknown[];
  readonly when: unknown;
  readonly then: string;
}

const HOW_TO_ADD = '{"add":["first todo","second todo"]} adds todos.';

const ANSWERS: readonly Row[] = [
  { name: "a plan", when: plan, then: "Added 1-3. 0/3 now #1 Read code" },
  { name: "done starts the next", given: [plan], when: { done: 1 }, then: "1/3 now #2 Fix bug" },
  {
    name: "done, and told to hold",
    given: [plan],
    when: { done: 1, start: -1 },
    then: "1/3 nothing in progress; next #2 Fix bug",
  },
  { name: "done, and told to start another", given: [plan], when: { done: 1, start: 3 }, then: "1/3 now #3 Run tests" },
  { name: "the last one", given: [plan, { done: [1, 2] }], when: { done: 3 }, then: "3/3 all done" },
  {
    name: "a second plan begins a new list",
    given: [{ add: ["a"] }, { done: 1 }],
    when: { add: ["b"] },
    then: "Added 2. 0/1 now #2 b",
  },
  {
    name: "adding while finishing the last goes on with the list",
    given: [{ add: ["a"] }],
    when: { done: 1, add: ["b"] },
    then: "Added 2. 1/2 now #2 b",
  },
  {
    name: "adding to a running list repeats no title",
    given: [plan],
    when: { add: ["Ship"] },
    then: "Added 4. 0/4 now #1",
  },
  {
    name: "a changed focus pauses the other",
    given: [plan],
    when: { start: 3 },
    then: "Paused 1. 0/3 now #3 Run tests",
  },
  {
    name: "everything paused",
    given: [plan],
    when: { start: -1 },
    then: "Paused 1. 0/3 nothing in progress; next #1 Read code",
  },
  { name: "drop", given: [plan], when: { drop: [2, 3] }, then: "Dropped 2-3. 0/1 now #1" },
  { name: "drop all", given: [plan], when: { drop: "all" }, then: `Dropped 1-3. Nothing is open; ${HOW_TO_ADD}` },
  { name: "a note goes to the focus", given: [plan], when: { note: "see log" }, then: "Noted on 1." },
  {
    name: "a note with done stays with what is done",
    given: [plan],
    when: { done: 1, note: "n" },
    then: "Noted on 1. 1/3 now #2 Fix bug",
  },
  {
    name: "a note for a later todo comes back with it",
    given: [plan, { note: "#2 line 41" }],
    when: { done: 1 },
    then: "1/3 now #2 Fix bug (note: line 41)",
  },
  { name: "order", given: [plan], when: { order: [3, 2] }, then: "Order set. 0/3 now #1" },
  {
    name: "start a todo that this call adds",
    given: [plan],
    when: { add: ["Ask"], start: "Ask" },
    then: "Added 4. Paused 1. 0/4 now #4 Ask",
  },
  {
    name: "show",
    given: [plan, { done: 1 }, { note: "#3 use CI" }],
    when: { show: true },
    then: "1/3 now #2 Fix bug\n[x] 1. Read code\n[>] 2. Fix bug\n[ ] 3. Run tests\n       use CI",
  },
  { name: "nothing asked shows the list", given: [{ add: ["a"] }], when: {}, then: "0/1 now #1 a\n[>] 1. a" },
  {
    name: "show from a number on",
    given: [plan],
    when: { show: 2 },
    then: "0/3 now #1 Read code\n[ ] 2. Fix bug\n[ ] 3. Run tests",
  },
  {
    name: "show from a number that is not there yet",
    given: [plan],
    when: { show: 9 },
    then: "0/3 now #1 Read code\nNothing is open from #9 on.",
  },
  { name: "an empty list says how to begin", when: {}, then: `Nothing is open; ${HOW_TO_ADD}` },
];

const WHAT_WAS_SO_ALREADY: readonly Row[] = [
  {
    name: "open todos are not added twice",
    given: [plan],
    when: { add: ["Fix bug", "Ship"] },
    then: "Already on the list: 2. Added 4. 0/4 now #1",
  },
  {
    name: "a plan that is added again does not reopen what is done",
    given: [plan, { done: 1 }],
    when: plan,
    then: "Already on the list: 2-3. Already done: 1. 1/3 now #2 Fix bug",
  },
  {
    name: "alone, the text of a finished todo is new work",
    given: [plan, { done: 1 }],
    when: { add: ["Read code"] },
    then: "Added 4. 1/4 now #2",
  },
  { name: "done twice", given: [plan, { done: 1 }], when: { done: 1 }, then: "Already done: 1. 1/3 now #2 Fix bug" },
  {
    name: "late evidence is kept",
    given: [plan, { done: 1 }],
    when: { done: 1, evidence: "log" },
    then: "Already done: 1. Evidence kept with 1. 1/3 now #2",
  },
  {
    name: "a dropped todo is not finished by the way",
    given: [plan, { drop: [2] }],
    when: { done: "1-3" },
    then: "Dropped before: 2. 2/2 all done",
  },
  {
    name: "a finished todo is not dropped",
    given: [plan, { done: 1 }],
    when: { drop: [1] },
    then: "Already done: 1. 1/3 now #2 Fix bug",
  },
  {
    name: "dropped twice",
    given: [plan, { drop: [3] }],
    when: { drop: [3] },
    then: "Dropped before: 3. 0/2 now #1 Read code",
  },
  {
    name: "a finished todo is taken up again, and the answer says so",
    given: [plan, { done: 1 }],
    when: { start: 1 },
    then: "Paused 2. Reopened 1. 0/3 now #1 Read code",
  },
  {
    name: "a dropped todo is taken up again, and the answer says so",
    given: [plan, { drop: [3] }],
    when: { start: 3 },
    then: "Paused 1. Reopened 3. 0/3 now #3 Run tests",
  },
];

const SPELLINGS: readonly Row[] = [
  { name: "a number as text", given: [plan], when: { done: "1" }, then: "1/3 now #2 Fix bug" },
  { name: "a number sign", given: [plan], when: { done: "#1" }, then: "1/3 now #2 Fix bug" },
  { name: "a range", given: [plan], when: { done: "1-2" }, then: "2/3 now #3 Run tests" },
  { name: "a comma list", given: [plan], when: { done: "1, 2" }, then: "2/3 now #3 Run tests" },
  { name: "a JSON string of numbers", given: [plan], when: { done: "[1,2]" }, then: "2/3 now #3 Run tests" },
  { name: "words of the list", given: [plan], when: { done: ["Read code"] }, then: "1/3 now #2 Fix bug" },
  { name: "words as an answer prints them", given: [plan], when: { done: "#1 Read code" }, then: "1/3 now #2 Fix bug" },
  { name: "words as the list prints them", given: [plan], when: { done: "1. Read code" }, then: "1/3 now #2 Fix bug" },
  {
    name: "words with the bracket that an answer shows",
    given: [{ add: ["Fix List<String>", "b"] }],
    when: { done: "Fix List‹String>" },
    then: "1/2 now #2 b",
  },
  {
    name: "of two equal texts the open one is meant",
    given: [{ add: ["t", "t", "u"] }, { done: 1 }],
    when: { done: "t" },
    then: "2/3 now #3 u",
  },
  { name: "true means the focus", given: [plan], when: { done: true }, then: "1/3 now #2 Fix bug" },
  { name: "a JSON string of texts", when: { add: '["a","b"]' }, then: "Added 1-2. 0/2 now #1 a" },
  { name: "one text", when: { add: "a" }, then: "Added 1. 0/1 now #1 a" },
  { name: "a pasted list", when: { add: "- [ ] a\n2. b\n\n* c\n- [x] d" }, then: "Added 1-4. 0/4 now #1 a" },
  { name: "a note for another todo", given: [plan], when: { note: "#3 use CI" }, then: "Noted on 3." },
  {
    name: "start a pasted todo by its pasted words",
    when: { add: ["1. Foo", "2. Bar"], start: "2. Bar" },
    then: "Added 1-2. 0/2 now #2 Bar",
  },
  {
    name: "a note for another todo, as an object",
    given: [plan],
    when: { note: { 3: "use CI" } },
    then: "Noted on 3.",
  },
  {
    name: "a note that only mentions a number",
    given: [plan],
    when: { note: "#1234 is the issue about this" },
    then: "Noted on 1.",
  },
  {
    name: "every field filled in",
    when: { add: ["a"], done: 0, evidence: "", start: 0, note: "", drop: [], order: null, show: false },
    then: "Added 1. 0/1 now #1 a",
  },
  { name: "the arguments as a JSON string", given: [plan], when: '{"done":1}', then: "1/3 now #2 Fix bug" },
  { name: "show as text", given: [{ add: ["a"] }], when: { show: "true" }, then: "0/1 now #1 a\n[>] 1. a" },
];

const OPEN = 'Nothing was changed. Open: #1 "Read code" (now); #2 "Fix bug"; #3 "Run tests".';

const REFUSALS: readonly Row[] = [
  { name: "an unknown number", given: [plan], when: { done: 9 }, then: `There is no todo 9. ${OPEN}` },
  {
    name: "a number of an earlier list",
    given: [{ add: ["a"] }, { done: 1 }, { add: ["b"] }],
    when: { done: 1 },
    then: 'Todo 1 is no longer on the list. Nothing was changed. Open: #2 "b" (now).',
  },
  {
    name: "one bad number refuses the whole call",
    given: [plan],
    when: { done: [1, 9], add: ["x"] },
    then: `There is no todo 9. ${OPEN}`,
  },
  {
    name: "a number before there is a list",
    when: { done: 1 },
    then: `There is no todo 1. Nothing was changed. Nothing is open; ${HOW_TO_ADD}`,
  },
  {
    name: "words that name nothing",
    given: [plan],
    when: { done: "the first" },
    then: `No todo is called "the first"; use its number. ${OPEN}`,
  },
  {
    name: "done and dropped",
    given: [plan],
    when: { done: 1, drop: [1] },
    then: `"done" and "drop" both name 1; choose one. ${OPEN}`,
  },
  {
    name: "done and started",
    given: [plan],
    when: { done: 1, start: 1 },
    then: `"done" and "start" both name 1; choose one. ${OPEN}`,
  },
  {
    name: "dropped and started",
    given: [plan],
    when: { drop: [2], start: 2 },
    then: `"drop" and "start" both name 2; choose one. ${OPEN}`,
  },
  {
    name: "a note without a place",
    given: [plan, { start: -1 }],
    when: { note: "x" },
    then: 'Nothing is in progress; say which todo is meant, as in {"note":"#3 text"}. Nothing was changed. Open: #1 "Read code"; #2 "Fix bug"; #3 "Run tests".',
  },
  {
    name: "the whole list, as other tools take it",
    given: [plan],
    when: { todos: [{ content: "a", status: "pending" }] },
    then: 'There is no field "todos", only add, done, evidence, start, note, drop, order, show. Send only what changes, not the whole list: {"add":["first todo","second todo"]}, later {"done":1}. Nothing was changed.',
  },
  {
    name: "a field for rewording",
    given: [plan],
    when: { rename: { 3: "x" } },
    then: 'There is no field "rename", only add, done, evidence, start, note, drop, order, show. To reword a todo, drop it and add it anew: {"drop":[3],"add":["new text"]}. Nothing was changed.',
  },
  {
    name: "a wrong type for numbers",
    given: [plan],
    when: { done: { n: 1 } },
    then: '"done" takes the numbers of todos, such as 3 or [3,4]. Nothing was changed.',
  },
  {
    name: "one note for several",
    given: [plan],
    when: { note: { "1-3": "x" } },
    then: '"note" takes one todo per call. Nothing was changed.',
  },
  {
    name: "a range the wrong way round",
    given: [plan],
    when: { done: "3-1" },
    then: '"done" takes the numbers of todos, such as 3 or [3,4]. Nothing was changed.',
  },
  {
    name: "two at a time",
    given: [plan],
    when: { start: [1, 2] },
    then: '"start" takes one number: only one todo is in progress at a time. Nothing was changed.',
  },
  {
    name: "numbers instead of texts",
    given: [plan],
    when: { add: ["a", 1] },
    then: '"add" takes texts, as in {"add":["first todo","second todo"]}. Nothing was changed.',
  },
  {
    name: "an empty text",
    given: [plan],
    when: { add: ["a", " "] },
    then: '"add" has an empty text; say in a few words what to do, as in {"add":["first todo","second todo"]}. Nothing was changed.',
  },
  {
    name: "evidence for nothing",
    given: [plan],
    when: { evidence: "x" },
    then: '"evidence" goes with "done", as in {"done":3,"evidence":"npm test passes"}. Nothing was changed.',
  },
  {
    name: "no object at all",
    given: [plan],
    when: [1],
    then: 'The arguments must be one JSON object, such as {"done":1}. Nothing was changed.',
  },
];

describe("answers", () => {
  test.each(ANSWERS)("$name", ({ given = [], when, then }) => {
    expect(todo(when, listAfter(...given)).answer).toMatchObject({ text: then, isError: false });
  });
});

describe("what was so already is said, not done again", () => {
  test.each(WHAT_WAS_SO_ALREADY)("$name", ({ given = [], when, then }) => {
    expect(todo(when, listAfter(...given)).answer).toMatchObject({ text: then, isError: false });
  });
});

describe("spellings that models use", () => {
  test.each(SPELLINGS)("$name", ({ given = [], when, then }) => {
    expect(todo(when, listAfter(...given)).answer).toMatchObject({ text: then, isError: false });
  });
});

describe("refusals repair the picture and change nothing", () => {
  test.each(REFUSALS)("$name", ({ given = [], when, then }) => {
    const list = listAfter(...given);
    const spoken = todo(when, list);
    expect(spoken.answer).toEqual({ text: then, isError: true });
    expect(spoken.list).toBe(list);
  });

  test("a long list is named in part", () => {
    const { answer } = todo(
      { done: 999 },
      listAfter({ add: Array.from({ length: 500 }, (_, n) => `todo ${n} ${"x".repeat(3000)}`) }),
    );
    expect(answer.text).toMatch(/; and 490 more\.$/);
    expect(answer.text.length).toBeLessThan(1000);
  });

  test("a title cannot pass for another todo", () => {
    const { answer } = todo({ done: 9 }, listAfter({ add: ['x; #2 "Deploy" (now)'] }));
    expect(answer.text).toMatch(/Open: #1 "x; #2 'Deploy' \(now\)" \(now\)\.$/);
  });

  test("a call for another tool names the one there is", () => {
    const { answer } = speak(milepost, EMPTY_LIST, { tool: "TodoWrite", input: { value: {} } });
    expect(answer.text).toMatch(/^The only tool is "todo"\./);
  });

  test("arguments that are not JSON", () => {
    const { answer } = speak(milepost, EMPTY_LIST, { tool: "todo", input: { text: '{"done":' } });
    expect(answer.text).toMatch(/^The arguments must be one JSON object/);
  });
});

describe("state", () => {
  test("evidence is kept with what it proves", () => {
    const list = listAfter(plan, { done: [1, 2], evidence: "212 tests pass" });
    expect(todosOf(list).map(({ evidence }) => evidence)).toEqual([
      [{ text: "212 tests pass" }],
      [{ text: "212 tests pass" }],
      [],
    ]);
  });

  test("holding does not reopen what the same call finished", () => {
    expect(states(listAfter(plan, { done: 1, start: -1 }))).toEqual(["1 completed", "2 pending", "3 pending"]);
  });

  test("a read changes nothing, also where another dialect left two in progress", () => {
    const todos = ["a", "b"].map((content) => ({ content, status: "in_progress", activeForm: content }));
    const { list } = speak(claude, EMPTY_LIST, { tool: "TodoWrite", input: { value: { todos } } });
    expect(todo({}, list).list).toBe(list);
    expect(todo({ show: true }, list).answer.text).toBe("0/2 now #1 a\n[>] 1. a\n[>] 2. b");
  });

  test("texts are one line, well-formed and without control characters", () => {
    const list = listAfter({ add: ["a\n b\u0000c\ud800"] });
    expect(todosOf(list).map(({ text }) => text)).toEqual(["a b␀c\ufffd"]);
  });

  test("numbers go on counting through lists and clears", () => {
    expect(states(listAfter({ add: ["a", "b"] }, { drop: "all" }, { add: ["c"] }))).toEqual(["3 in_progress"]);
  });

  test("reading on comes to an end, also in a list whose numbers do not rise", () => {
    const numbers = Array.from({ length: 300 }, (_, index) => index + 1);
    const texts = numbers.map((n) => `todo ${n} ${"x".repeat(180)}`);
    const list = listAfter({ add: texts }, { order: [...numbers].reverse() });
    const seen: number[] = [];
    for (let from: number | true | undefined = true; from !== undefined && seen.length <= 300; ) {
      const text: string = todo({ show: from }, list).answer.text;
      for (const [, number] of text.matchAll(/^\[[ >]\] (\d+)\. /gm)) seen.push(Number(number));
      const next: string | undefined = /\{"show":(\d+)\} goes on there\.$/.exec(text)?.[1];
      from = next === undefined ? undefined : Number(next);
    }
    expect(seen).toEqual([...numbers].reverse());
  });

  test("notes are limited, and the answer says so; the newest are shown", () => {
    const list = listAfter(plan, ...Array.from({ length: 100 }, (_, n) => ({ note: `note ${n} ${"x".repeat(900)}` })));
    expect(todo({}, list).answer.text).toMatch(/\n {7}\(95 older notes\)\n {7}note 95 x/);
    expect(todo({}, list).answer.text).toMatch(/\n\[ \] 3\. Run tests$/);
    expect(todo({ note: "one more" }, list).answer.text).toMatch(/^A todo has at most 100 notes/);
  });

  test("a list that is shown stays within its budget and can be read on", () => {
    const list = listAfter({ add: Array.from({ length: 500 }, (_, n) => `todo ${n} ${"x".repeat(3000)}`) });
    const first = todo({}, list).answer.text;
    expect(first.length).toBeLessThan(7000);
    const rest = /(\d+) more open; \{"show":(\d+)\} goes on there\.$/.exec(first);
    expect(Number(rest?.[1])).toBe(500 - Number(rest?.[2]) + 1);
    expect(todo({ show: Number(rest?.[2]) }, list).answer.text).toContain(`\n[ ] ${rest?.[2]}. todo `);
  });
});
