import { describe, expect, test } from "vitest";
import { EMPTY_LIST, type TodoList, todosOf } from "../../core/todo/list.js";
import { claude } from "../claude/claude.js";
import type { Answer, ToolInput } from "../dialect.js";
import { milepost } from "../milepost/todo-tool.js";
import { speak } from "../speak.js";
import { hermes } from "./hermes.js";

interface Said {
  readonly list: TodoList;
  readonly answer: Answer;
}

const START: Said = { list: EMPTY_LIST, answer: { text: "", isError: false } };

function say({ list }: Said, input: unknown, tool = "todo_list"): Said {
  return speak(hermes, list, { tool, input: typeof input === "string" ? { text: input } : { value: input } });
}

const talk = (...inputs: readonly unknown[]): Said => inputs.reduce<Said>((said, input) => say(said, input), START);

type Item = string | { readonly [field: string]: unknown };

/**
 * `a!` is in progress, `a.` completed, `a-` cancelled, else pending; `a<p` has the parent p. The text is the id in
 * capitals.
 */
function item(entry: Item): unknown {
  if (typeof entry !== "string") return entry;
  const [, id = "", mark = "", parent] = /^(.*?)([!.-]?)(?:<(.*))?$/.exec(entry) ?? [];
  const status = { "!": "in_progress", ".": "completed", "-": "cancelled" }[mark] ?? "pending";
  return { id, content: id.toUpperCase(), status, ...(parent === undefined ? undefined : { parent }) };
}

const write = (...items: readonly Item[]) => ({ todos: items.map(item) });
const merge = (...items: readonly Item[]) => ({ ...write(...items), merge: true });

/** As `item` is told, and where the text is another one `a=Text`. */
function brief({ list }: Said): string {
  const rows = hermes.show(list) as readonly { id: string; content: string; status: string; parent?: string }[];
  const marks: Readonly<Record<string, string>> = { in_progress: "!", completed: ".", cancelled: "-" };
  return rows
    .map(({ id, content, status, parent }) => {
      const text = content === id.toUpperCase() ? "" : `=${content}`;
      return `${id}${text}${marks[status] ?? ""}${parent === undefined ? "" : `<${parent}`}`;
    })
    .join(" ");
}

describe("what the model reads", () => {
  test("the text is what Python prints, the data the same", () => {
    const { answer } = talk({
      todos: [{ id: "é", content: 'a "b"\n', status: "in_progress", parent: "x" }, { id: 2 }],
    });
    expect(answer).toEqual({
      text: '{"todos": [{"id": "é", "content": "a \\"b\\"", "status": "in_progress"}, {"id": "2", "content": "(no description)", "status": "pending"}], "revision": 1, "summary": {"total": 2, "pending": 1, "in_progress": 1, "completed": 0, "cancelled": 0}}',
      isError: false,
      data: {
        todos: [
          { id: "é", content: 'a "b"', status: "in_progress" },
          { id: "2", content: "(no description)", status: "pending" },
        ],
        revision: 1,
        summary: { total: 2, pending: 1, in_progress: 1, completed: 0, cancelled: 0 },
      },
    });
  });

  const NO_ARGUMENTS =
    '{"error": "Invalid tool arguments", "message": "Tool arguments must be a valid JSON object; tool was not executed."}';
  const refusals: readonly (readonly [unknown, string])[] = [
    ["[]", NO_ARGUMENTS],
    ["", NO_ARGUMENTS],
    ["{", NO_ARGUMENTS],
    [7, NO_ARGUMENTS],
    [{ todos: "" }, '{"error": "todos must be a list of objects, got unparseable string"}'],
    [{ todos: "null" }, '{"error": "todos must be a list, got NoneType"}'],
    [{ todos: "1.0" }, '{"error": "todos must be a list, got float"}'],
    ['{"todos":1.0}', '{"error": "todos must be a list, got float"}'],
    [{ todos: 0 }, '{"error": "todos must be a list, got int"}'],
    [{ todos: false, merge: true }, '{"error": "todos must be a list, got bool"}'],
    [merge("a", [] as never), "Error executing tool 'todo_list': 'list' object has no attribute 'get'"],
    [{ todos: [null], merge: 1 }, "Error executing tool 'todo_list': 'NoneType' object has no attribute 'get'"],
    ['{"todos":[1.0],"merge":1}', "Error executing tool 'todo_list': 'float' object has no attribute 'get'"],
    [{ todos: "[".repeat(2000) }, '{"error": "todos must be a list of objects, got unparseable string"}'],
  ];
  test.each(refusals)("%j is refused", (input, text) => {
    expect(talk(input).answer).toMatchObject({ text, isError: true });
  });

  test("a text that Python could not make is an exception; what a merge did before it stays", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    const tooDeep =
      "Error executing tool 'todo_list': maximum recursion depth exceeded while getting the repr of an object";
    expect(talk(write({ id: deep })).answer).toEqual({ text: tooDeep, isError: true });
    expect(brief(talk(write("a"), write("b", { id: "c", content: deep })))).toBe("a");
    expect(brief(talk(write("a"), merge("b", { id: "a", content: "x", status: deep }, "c")))).toBe("a=x b");
    expect(brief(talk(write({ ...(item("a") as object), activeForm: deep })))).toBe("a");
  });

  test("the older name is answered, and not offered; others are unknown", () => {
    expect(brief(say(START, write("a"), "todo"))).toBe("a");
    expect(say(START, merge({}, null as never), "todo").answer.text).toMatch(/^Error executing tool 'todo': /);
    expect(say(START, {}, "Todo").answer).toMatchObject({ text: '{"error": "Unknown tool: Todo"}', isError: true });
    expect(hermes.tools.map(({ name, isRetired = false }) => [name, isRetired])).toEqual([
      ["todo_list", false],
      ["todo", true],
    ]);
  });
});

describe("a new item", () => {
  const rows: readonly (readonly [Item, string])[] = [
    [{ id: null, content: true, status: "PENDING " }, "None=True"],
    [{ id: "\u00a01\u001c", content: "\ufeff" }, "1=\ufeff"],
    [{ id: " ", content: "x" }, "?=x"],
    [{ id: 0, content: 0, status: "In_Progress" }, "0!"],
    [{ id: ["a"], content: { k: 1.5 } }, "['a']={'k': 1.5}"],
    [{ id: "a", content: "A", status: ["completed"] }, "a"],
    [{ id: "a", content: "A", parent: " a " }, "a"],
    [{ id: "a", content: "A", activeForm: "Doing", priority: "high" }, "a"],
    ["junk" as never, "junk"],
  ];
  test.each(rows)("%j", (entry, expected) => {
    expect(brief(talk(write(entry)))).toBe(expected);
  });

  test.each(["junk", 5, null, ["l"], true])("%j is no object, and is kept as a row", (entry) => {
    expect(brief(talk({ todos: [entry] }))).toBe("?=(invalid item)");
  });

  test("numbers keep their form where the raw text tells it", () => {
    expect(brief(talk('{"todos":[{"id":2.0,"content":1e2},{"id":2,"content":-0}]}'))).toBe("2.0=100.0 2=0");
  });

  test.each([
    ["x".repeat(4000), "x".repeat(4000)],
    ["x".repeat(4001), `${"x".repeat(3987)}… [truncated]`],
    ["😀".repeat(4000), "😀".repeat(4000)],
    [`${"😀".repeat(4000)}y`, `${"😀".repeat(3987)}… [truncated]`],
  ])("content is cut by code points", (content, kept) => {
    expect(brief(talk(write({ id: "a", content })))).toBe(`a=${kept}`);
    expect(brief(talk(write("a"), merge({ id: "a", content })))).toBe(`a=${kept}`);
  });
});

describe("the list after", () => {
  const rows: readonly (readonly [name: string, after: string, ...calls: unknown[]])[] = [
    ["a read changes nothing", "a", write("a"), {}, { todos: null, merge: true }],
    ["an empty list clears", "", write("a"), write()],
    ["an empty merge does not", "a", write("a"), merge()],
    ["a list as a text", "a b", { todos: JSON.stringify([item("a"), item("b")]) }],
    ["of one id the last stays, where it is", "b a.", write("a", "b", "a.")],
    ["ids are compared as texts", "1=y", write({ id: 1, content: "x" }, { id: " 1", content: "y" })],
    ["without an id all are one", "?=y", write({ content: "x" }, { id: "?", content: "z" }, { id: "", content: "y" })],
    ["what is no object never collides", "?=(invalid item) ?=(invalid item)", { todos: [1, 2] }],
    ["unless somebody has its key", "__invalid_0=x", { todos: ["a", { id: "__invalid_0", content: "x" }] }],
    ["what is worked on comes first", "c! a b", write("a", "b", "c!")],
    ["but stays behind what is over", "x. y- c! a", write("x.", "y-", "a", "c!")],
    ["only the first of them moves", "b! a c d!", write("a", "b!", "c", "d!")],
    ["with a parent nothing moves", "a b!<a", write("a", "b!<a")],
    ["not even with one that is not there", "a b!", write("a<x", "b!")],
    ["parents may come later", "c<p p", write("c<p", "p")],
    ["a circle is opened at its first item", "a b<a c<b", write("a<c", "b<a", "c<b")],
    ["who points into a circle loses its parent too", "x a b<a", write("x<a", "a<b", "b<a")],
    ["falsy parents are none", "a b", write("a", { id: "b", content: "B", parent: 0 })],
    ["merge changes what it tells", "a. b", write("a", "b"), merge({ id: "a", status: " COMPLETED" })],
    ["merge takes no status it does not know", "a.", write("a."), merge({ id: "a", status: "done" })],
    ["merge appends", "a b", write("a"), merge("b")],
    ["and orders", "b! a", write("a"), merge("b!")],
    ["merge skips what has no id", "a", write("a"), merge({ content: "x" }, { id: " " })],
    ["merge knows the id of those without one", "?=y", write({ content: "x" }), merge({ id: "?", content: "y" })],
    ["falsy content is none", "a", write("a"), merge({ id: "a", content: [], status: {} })],
    ["blank content empties", "a=", write("a"), merge({ id: "a", content: " " })],
    ["other values become texts", "a=[0]", write("a"), merge({ id: "a", content: [0] })],
    ["merge sets a parent", "a b<a", write("a", "b"), merge({ id: "b", parent: "a" })],
    ["and takes it away", "a b", write("a", "b<a"), merge({ id: "b", parent: null })],
    ["and leaves it", "a b.<a", write("a", "b<a"), merge({ id: "b", status: "completed" })],
    ["nobody is their own parent", "a b<a", write("a", "b<a"), merge({ id: "a", parent: "a" })],
    [
      "entries of one id do not add up",
      "a.",
      write("a"),
      merge({ id: "a", content: "x" }, { id: "a", status: "completed" }),
    ],
    ["merge makes those of one id one", "?=(invalid item) b", { todos: [1, 2] }, merge("b")],
    [
      "in the first place, with the last one's words",
      "?=x b c",
      { todos: [1, item("b"), { content: "x" }] },
      merge("c"),
    ],
    ["a merge that breaks off keeps what it did", "a. c", write("a"), merge("a.", "c", 1 as never, "d")],
    ["and does not order it", "a b!", write("a"), merge("b!", 1 as never)],
    ["the next one does", "b! a", write("a"), merge("b!", 1 as never), merge({ id: "a", status: "pending" })],
    ["any true value merges", "a b", write("a"), { ...write("b"), merge: "false" }],
    ["any false one replaces", "b", write("a"), { ...write("b"), merge: [] }],
  ];
  test.each(rows)("%s: %s", (_name, after, ...calls) => {
    const said = talk(...calls);
    expect(brief(said)).toBe(after);
  });

  test("257 are too many; what is worked on is not the one that goes", () => {
    const many = Array.from({ length: 257 }, (_, at) => `n${at}${at === 256 ? "!" : ""}`);
    const { list } = talk(write(...many));
    expect(todosOf(list)).toHaveLength(256);
    expect(todosOf(list)[0]).toMatchObject({ key: "n256", status: "in_progress" });
  });
});

describe("the revision", () => {
  const rows: readonly (readonly [revision: number, ...calls: unknown[]])[] = [
    [0, {}, write(), merge()],
    [1, write("a"), {}, write("a"), merge("a"), { todos: "nope" }],
    [2, write("a", "b"), write("b", "a")],
    [2, write("a"), write()],
    [1, write("a"), merge("a.", 1 as never)],
    [1, write("a"), merge("a.", 1 as never), write("a.")],
    [2, { todos: [1, 2] }, merge()],
    [1, write("a", "b<a"), merge({ id: "a", parent: "b" })],
    [1, { todos: [1, { content: "x" }, item("b<?")] }, { todos: [1, { content: "x" }, item("b<?")] }],
  ];
  test.each(rows)("is %i", (revision, ...calls) => {
    const { list, answer } = say(talk(...calls), {});
    expect(list.revision).toBe(revision);
    expect(answer.data).toMatchObject({ revision });
  });
});

describe("the digest", () => {
  const HEADER = "[Your active task list was preserved across context compression]";
  const rows: readonly (readonly [unknown, string])[] = [
    [write("a.", "b!", "c", "d-"), "\n- [>] b. B (in_progress)\n- [ ] c. C (pending)"],
    [
      write("p.", "q-<p", "r!<q", "s.<p"),
      "\n- [x] p. P (completed)\n  - [~] q. Q (cancelled)\n    - [>] r. R (in_progress)",
    ],
    [write("c<p", "x", "p"), "\n- [ ] x. X (pending)\n- [ ] p. P (pending)\n  - [ ] c. C (pending)"],
    [
      { todos: [1, { content: "x", status: "completed" }, item("b<?")] },
      "\n- [ ] ?. (invalid item) (pending)\n  - [ ] b. B (pending)\n- [x] ?. x (completed)\n  - [ ] b. B (pending)",
    ],
  ];
  test.each(rows)("of %j", (call, text) => {
    expect(hermes.digest?.(talk(call).list)).toBe(HEADER + text);
  });

  test("a merge that breaks off keeps what it did, also where a parent cannot be", () => {
    const start = talk(write({ id: "1", content: "A" }, { id: "2", content: "B" }));
    for (const parent of ["1", "2", "zz"]) {
      const entries = [
        { id: "1", parent },
        { id: "2", parent: "1", status: "completed" },
        { id: "3", content: "C" },
        7,
      ];
      const said = say(start, { merge: true, todos: entries });
      expect(said.answer.text).toBe("Error executing tool 'todo_list': 'int' object has no attribute 'get'");
      expect(brief(said)).toMatch(/^1=A 2=B\.(?:<1)? 3=C$/);
      expect(said.list.revision).toBe(start.list.revision);
    }
  });

  test("numbers are Python's where the text is known", () => {
    const source = '{"todos":[{"id":2.0,"content":1e2},{"id":12345678901234567890}]}';
    const said = speak(hermes, EMPTY_LIST, { tool: "todo_list", input: { value: JSON.parse(source), source } });
    expect(brief(said)).toBe("2.0=100.0 12345678901234567890=(no description)");
  });

  test("nothing open, no digest", () => {
    expect(hermes.digest?.(EMPTY_LIST)).toBeUndefined();
    expect(hermes.digest?.(talk(write("a.", "b-")).list)).toBeUndefined();
  });
});

describe("a list that others write too", () => {
  const asClaude = (said: Said, ...contents: readonly string[]): Said => {
    const todos = contents.map((content) => ({ content, status: "pending", activeForm: `${content}ing` }));
    return speak(claude, said.list, { tool: "TodoWrite", input: { value: { todos } } });
  };
  const asMilepost = (said: Said, input: ToolInput): Said => speak(milepost, said.list, { tool: "todo", input });

  test("a todo without a key goes by its number, and a look gives it none", () => {
    const said = asClaude(START, "Test", "Ship");
    expect(brief(said)).toBe("#1=Test #2=Ship");
    expect(say(said, write({ id: "#1", content: "Test" }, { id: "#2", content: "Ship" })).list).toBe(said.list);
    expect(say(said, merge()).list).toBe(said.list);
    expect(todosOf(say(said, merge({ id: "#2", status: "completed" })).list)[1]).toEqual({
      ...{ number: 2, text: "Ship", status: "completed", activeForm: "Shiping", notes: [], evidence: [] },
    });
  });

  test("an id that was shown stays that todo's, whoever goes", () => {
    const said = asClaude(talk(write({ id: "2", content: "A" })), "A", "B");
    expect(brief(said)).toBe("2=A #2=B");
    const left = asClaude(said, "B");
    expect(brief(left)).toBe("#2=B");
    expect(brief(say(left, merge({ id: "#2", status: "completed" })))).toBe("#2=B.");
  });

  test("unless it is somebody's key", () => {
    expect(brief(asClaude(talk(write({ id: "#2", content: "A" })), "A", "B"))).toBe("#2=A ##2=B");
  });

  test("a key that another todo has is nobody's", () => {
    const old = [1, 2].map((at) => ({ id: "x", content: `T${at}`, status: "pending" }));
    const said = speak(claude, EMPTY_LIST, { tool: "TodoWrite", input: { value: { todos: old } } });
    expect(brief(said)).toBe("x=T1 #2=T2");
    expect(say(said, merge()).list).toBe(said.list);
    expect(brief(say(said, merge({ id: "#2", content: "N" }, { id: "x", status: "completed" })))).toBe("x=T1. #2=N");
  });

  test("numbers, notes and evidence stay with the same id", () => {
    const noted = asMilepost(talk(write("a", "b")), { value: { done: 1, evidence: "it ran", note: "n" } });
    const [a] = todosOf(say(noted, write("b", "a.")).list).filter(({ key }) => key === "a");
    expect(a).toMatchObject({ number: 1, evidence: [{ text: "it ran" }] });
  });

  const phased: TodoList = {
    ...talk(write("a", "b", "c", "d")).list,
    explanation: "why",
    phases: [
      { name: "One", todos: todosOf(talk(write("a", "b", "c", "d")).list).slice(0, 2) },
      { name: "Later", todos: [] },
      { name: "Two", todos: todosOf(talk(write("a", "b", "c", "d")).list).slice(2) },
    ],
  };
  const namesIn = ({ list }: Said) =>
    list.phases.map(({ name, todos }) => `${name}: ${todos.map(({ key }) => key).join(" ")}`.trim());

  test.each([
    ["as they were", write("a", "b", "c", "d"), ["One: a b", "Later:", "Two: c d"]],
    [
      "new ones where the one before them is",
      write("n", "a", "b", "m", "c", "d", "o"),
      ["One: n a b m", "Later:", "Two: c d o"],
    ],
    ["what moves forward goes over", merge("c!"), ["One: c a b", "Later:", "Two: d"]],
    ["what moves back does, too", write("b", "c", "d", "a"), ["One: b", "Later:", "Two: c d a"]],
    ["a phase without its todos is over", write("c", "d"), ["Later:", "Two: c d"]],
    ["with none of them all are", write("x", "y"), [": x y"]],
  ] as const)("todos keep their phases: %s", (_name, call, expected) => {
    const said = say({ ...START, list: phased }, call);
    expect(namesIn(said)).toEqual(expected);
    expect(said.list.explanation).toBe("why");
  });

  test("an unchanged list is not written", () => {
    expect(say({ ...START, list: phased }, write("a", "b", "c", "d")).list).toBe(phased);
    const empty: TodoList = { ...EMPTY_LIST, revision: 3, phases: [{ name: "Later", todos: [] }] };
    expect(say({ ...START, list: empty }, write()).list).toBe(empty);
  });
});
