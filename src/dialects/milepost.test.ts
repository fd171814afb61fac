import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../core/todo/list.js";
import { milepost } from "./milepost.js";
import { speak } from "./speak.js";

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

const ANSWERS: readonly Row[] = [
  { name: "a plan", when: plan, then: "Added 1-3. 0/3 now #1 Read code" },
  { name: "done starts the next", given: [plan], when: { done: 1 }, then: "1/3 now #2 Fix bug" },
  {
    name: "done, and told to hold",
    given: [plan],
    when: { done: 1, start: 0 },
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
    name: "what is open already is not added twice",
    given: [plan],
    when: { add: ["Fix bug", "Ship"] },
    then: "Already on the list: 2. Added 4. 0/4 now #1",
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
    when: { start: 0 },
    then: "Paused 1. 0/3 nothing in progress; next #1 Read code",
  },
  { name: "drop", given: [plan], when: { drop: [2, 3] }, then: "Dropped 2-3. 0/1 now #1" },
  {
    name: "drop all",
    given: [plan],
    when: { drop: "all" },
    then: 'Dropped 1-3. The list is empty; {"add":["first todo","second todo"]} begins one.',
  },
  { name: "a note goes to the focus", given: [plan], when: { note: "see log" }, then: "Noted on 1." },
  {
    name: "a note with done stays with what is done",
    given: [plan],
    when: { done: 1, note: "n" },
    then: "Noted on 1. 1/3 now #2 Fix bug",
  },
  {
    name: "a note for a later todo comes back with it",
    given: [plan, { note: { 2: "line 41" } }],
    when: { done: 1 },
    then: "1/3 now #2 Fix bug (note: line 41)",
  },
  { name: "order", given: [plan], when: { order: [3, 2] }, then: "Order set. 0/3 now #1" },
  {
    name: "done twice is no error and repairs the picture",
    given: [plan, { done: 1 }],
    when: { done: 1 },
    then: "Already done: 1. 1/3 now #2 Fix bug",
  },
  {
    name: "a finished todo can be taken up again",
    given: [plan, { done: 1 }],
    when: { start: 1 },
    then: "Paused 2. 0/3 now #1 Read code",
  },
  {
    name: "show",
    given: [plan, { done: 1 }],
    when: { show: true },
    then: "1/3 now #2 Fix bug\n[x] 1. Read code\n[>] 2. Fix bug\n[ ] 3. Run tests",
  },
  { name: "nothing asked shows the list", given: [{ add: ["a"] }], when: {}, then: "0/1 now #1 a\n[>] 1. a" },
  {
    name: "an empty list says how to begin",
    when: {},
    then: 'The list is empty; {"add":["first todo","second todo"]} begins one.',
  },
  {
    name: "start a todo that this call adds",
    given: [plan],
    when: { add: ["Ask"], start: "Ask" },
    then: "Added 4. Paused 1. 0/4 now #4 Ask",
  },
];

const SPELLINGS: readonly Row[] = [
  { name: "a number as text", given: [plan], when: { done: "1" }, then: "1/3 now #2 Fix bug" },
  { name: "a number sign", given: [plan], when: { done: "#1" }, then: "1/3 now #2 Fix bug" },
  { name: "a range", given: [plan], when: { done: "1-2" }, then: "2/3 now #3 Run tests" },
  { name: "a comma list", given: [plan], when: { done: "1, 2" }, then: "2/3 now #3 Run tests" },
  { name: "a JSON string of numbers", given: [plan], when: { done: "[1,2]" }, then: "2/3 now #3 Run tests" },
  { name: "numbers in words of the list", given: [plan], when: { done: ["Read code"] }, then: "1/3 now #2 Fix bug" },
  { name: "true means the focus", given: [plan], when: { done: true }, then: "1/3 now #2 Fix bug" },
  { name: "a JSON string of texts", when: { add: '["a","b"]' }, then: "Added 1-2. 0/2 now #1 a" },
  { name: "one text", when: { add: "a" }, then: "Added 1. 0/1 now #1 a" },
  { name: "a pasted list", when: { add: "- [ ] a\n2. b\n\n* c" }, then: "Added 1-3. 0/3 now #1 a" },
  {
    name: "null means absent",
    when: { add: ["a"], done: null, note: null, show: null },
    then: "Added 1. 0/1 now #1 a",
  },
];

const OPEN = "Nothing was changed. Open: #1 Read code (now); #2 Fix bug; #3 Run tests.";

const REFUSALS: readonly Row[] = [
  { name: "an unknown number", given: [plan], when: { done: 9 }, then: `There is no todo 9. ${OPEN}` },
  {
    name: "a number of an earlier list",
    given: [{ add: ["a"] }, { done: 1 }, { add: ["b"] }],
    when: { done: 1 },
    then: "Todo 1 is no longer on the list. Nothing was changed. Open: #2 b (now).",
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
    then: 'There is no todo 1. Nothing was changed. Nothing is open; {"add":["first todo","second todo"]} adds todos.',
  },
  {
    name: "the whole list, as other tools take it",
    given: [plan],
    when: { todos: [{ content: "a", status: "pending" }] },
    then: `This tool has no field "todos". It takes changes, not the whole list: add, done, evidence, start, note, drop, order, show. For example {"add":["first todo","second todo"]}, later {"done":1}. ${OPEN}`,
  },
  {
    name: "words instead of numbers",
    given: [plan],
    when: { done: "the first" },
    then: `"done" takes the numbers of todos, such as 3 or [3,4]. ${OPEN}`,
  },
  {
    name: "two at a time",
    given: [plan],
    when: { start: [1, 2] },
    then: `"start" takes one number: only one todo is in progress at a time. ${OPEN}`,
  },
  {
    name: "objects instead of texts",
    given: [plan],
    when: { add: [{ content: "a" }] },
    then: `"add" takes texts that are not empty, as in {"add":["first todo","second todo"]}. ${OPEN}`,
  },
  {
    name: "an empty text",
    given: [plan],
    when: { add: ["a", " "] },
    then: `"add" takes texts that are not empty, as in {"add":["first todo","second todo"]}. ${OPEN}`,
  },
  {
    name: "evidence for nothing",
    given: [plan],
    when: { evidence: "x" },
    then: `"evidence" goes with "done", as in {"done":3,"evidence":"npm test passes"}. ${OPEN}`,
  },
  {
    name: "a note without a place",
    given: [plan, { start: 0 }],
    when: { note: "x" },
    then: 'Nothing is in progress; say which todo: {"note":"#3 text"}. Nothing was changed. Open: #1 Read code; #2 Fix bug; #3 Run tests.',
  },
  {
    name: "no object at all",
    given: [plan],
    when: [1],
    then: `The arguments must be one JSON object, such as {"done":1}. ${OPEN}`,
  },
];

describe("answers", () => {
  test.each(ANSWERS)("$name", ({ given = [], when, then }) => {
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

  test("holding with start 0 does not reopen what the same call finished", () => {
    expect(states(listAfter(plan, { done: 1, start: 0 }))).toEqual(["1 completed", "2 pending", "3 pending"]);
  });

  test("texts are one line, well-formed and without control characters", () => {
    const list = listAfter({ add: ["a\n b\u0000c\ud800"] });
    expect(todosOf(list).map(({ text }) => text)).toEqual(["a b␀c\ufffd"]);
  });

  test("numbers go on counting through lists and clears", () => {
    expect(states(listAfter({ add: ["a", "b"] }, { drop: "all" }, { add: ["c"] }))).toEqual(["3 in_progress"]);
  });

  test("a list that is shown stays within its budget and can be read on", () => {
    const list = listAfter({ add: Array.from({ length: 500 }, (_, n) => `todo ${n} ${"x".repeat(3000)}`) });
    const first = todo({}, list).answer.text;
    expect(first.length).toBeLessThan(7000);
    const rest = /(\d+) more open; \{"show":(\d+)\} goes on there\.$/.exec(first);
    expect(Number(rest?.[1])).toBe(500 - Number(rest?.[2]) + 1);
    expect(todo({ show: Number(rest?.[2]) }, list).answer.text).toContain(`\n${rest?.[2]}. todo `);
  });
});
