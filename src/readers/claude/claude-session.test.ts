import { describe, expect, test } from "vitest";
import {
  answers,
  as,
  attachment,
  boundary,
  calls,
  chained,
  following,
  type Line,
  listOf,
  readOne,
  refuses,
  says,
  side,
  summarised,
  system,
  todos,
  user,
  wrote,
} from "../../../test/readers/claude-lines.js";
import type { SessionView } from "../../core/session/session-facts.js";
import { todosOf } from "../../core/todo/list.js";
import { Transcript } from "../transcript.js";

/** Two turns: `a! b` after the first, `a. b!` after the second. */
const [w1 = user(""), x1 = user("")] = wrote("a!", "b");
const [w2 = user(""), x2 = user("")] = wrote("a.", "b!");
const TWO_TURNS = [
  as("p1", user("first")),
  as("a1", attachment()),
  as("w1", w1),
  as("x1", x1),
  as("s1", says("Done.")),
  as("d1", system("turn_duration")),
  as("p2", user("second")),
  as("w2", w2),
  as("x2", x2),
  as("s2", says("Done.")),
];
const failed = (call: string, todos: unknown) => [calls(call, "TodoWrite", { todos }), refuses(call)];
const wroteAs = (todos: unknown, data?: unknown) => [
  calls("t", "TodoWrite", { todos }),
  answers("t", "Todos have been modified", data === undefined ? {} : { toolUseResult: data }),
];

describe("the list", () => {
  const cases: { name: string; lines: Line[]; list: string }[] = [
    { name: "none", lines: [user("go"), says("Hello.")], list: "" },
    { name: "the last one", lines: TWO_TURNS, list: "a. b!" },
    {
      name: "without an answer it is not written",
      lines: [...wrote("a"), calls("t", "TodoWrite", { todos: todos("b") })],
      list: "a",
    },
    { name: "a refused one changes nothing", lines: [...wrote("a"), ...failed("t", todos("b"))], list: "a" },
    {
      name: "an answer to another call changes nothing",
      lines: [...wrote("a"), calls("t", "TodoWrite", { todos: todos("b") }), answers("u")],
      list: "a",
    },
    {
      name: "what was kept beats what was asked for",
      lines: wroteAs(todos("a"), { newTodos: todos("b!") }),
      list: "b!",
    },
    { name: "without that it is what was asked for", lines: wroteAs(todos("a!")), list: "a!" },
    { name: "also where the tool returned a text", lines: wroteAs(todos("a!"), "fine"), list: "a!" },
    {
      name: "the older shape has ids",
      lines: wroteAs([{ id: "1", content: "a", status: "pending", priority: "high" }]),
      list: "a",
    },
    { name: "a list as text", lines: wroteAs(JSON.stringify(todos("a!", "b"))), list: "a! b" },
    { name: "a text that is no list", lines: [...wrote("a"), ...wroteAs("[{")], list: "a" },
    { name: "something else in its place", lines: [...wrote("a"), ...wroteAs({ length: 3 })], list: "a" },
    {
      name: "items that are none are left out",
      lines: wroteAs([null, 7, "x", {}, { content: "a" }, { content: "b", status: ["completed"] }, ...todos("c")]),
      list: "c",
    },
    { name: "all completed is over", lines: [...wrote("a!", "b"), ...wrote("a.", "b.")], list: "" },
    { name: "an empty one is over", lines: [...wrote("a!"), ...wrote()], list: "" },
    { name: "two in progress are two", lines: wrote("a!", "b!"), list: "a! b!" },
    {
      name: "a compaction does not take it away",
      lines: [...wrote("a!", "b"), boundary(), summarised(), user("go on")],
      list: "a! b",
    },
    {
      name: "nor one with attachments between",
      lines: [
        ...wrote("a!"),
        boundary(),
        attachment(),
        attachment(),
        summarised(),
        attachment(),
        user("go on"),
        says("Done."),
      ],
      list: "a!",
    },
    {
      name: "after a compaction the next one counts",
      lines: [...wrote("a!"), boundary(), summarised(), user("go on"), ...wrote("a.", "b!")],
      list: "a. b!",
    },
    {
      name: "a sub-agent's list is its own",
      lines: [...wrote("a!"), ...wrote("z!").map((one) => side(one, { agentId: "x1" }))],
      list: "a!",
    },
    {
      name: "back behind a progress line, which is a line of the conversation, too",
      lines: [
        user("one"),
        ...wrote("a!"),
        says("Done."),
        as("hook", { type: "progress", data: {} }),
        following("hook", user("two")),
        ...wrote("b!"),
        says("Done."),
        following("hook", user("two again")),
      ],
      list: "a!",
    },
    {
      name: "a line that is there twice is one line",
      lines: [as("w", w1), as("x", x1), ...wrote("c"), following(null, as("w", w1)), following("w", as("x", x1))],
      list: "c",
    },
  ];
  test.each(cases)("$name", ({ lines, list }) => expect(listOf(readOne(lines))).toBe(list));

  test("at each line it is what was written by then", () => {
    const lists = TWO_TURNS.map((_, at) => listOf(readOne(TWO_TURNS.slice(0, at + 1))));
    expect(lists).toEqual(["", "", "", "a! b", "a! b", "a! b", "a! b", "a! b", "a. b!", "a. b!"]);
  });

  test("todos that stay keep their numbers", () => {
    const numbers = todosOf(readOne([...wrote("a!", "b"), ...wrote("a.", "new", "b!")]).list);
    expect(numbers.map(({ number, text }) => `${number} ${text}`)).toEqual(["1 a", "3 new", "2 b"]);
  });
});

describe("somebody goes back", () => {
  const back = (to: string | null) => [...TWO_TURNS, following(to, user("again"))];
  const reply = { id: "m", stop_reason: "tool_use" };
  const [u1 = user(""), r1 = user("")] = wrote("a.", "b.", "c!");
  /** A list, then a reply with three calls at once; their results come in another order. */
  const atOnce = [
    as("p1", user("go")),
    ...wrote("a!", "b", "c").map((one, at) => as(`o${at}`, one)),
    as("c1", calls("c1", "Bash", { command: "sleep 1" }, reply)),
    as("c2", { ...u1, message: { ...(u1.message as object), id: "m" } }),
    following("c2", as("r2", r1)),
    following("r2", as("c3", calls("c3", "Bash", { command: "ls" }, reply))),
    following("c3", as("r3", answers("c3"))),
    following("c1", as("r1", answers("c1"))),
    as("n", says("Next.")),
  ];

  const cases: { name: string; lines: Line[]; list: string; turns: number }[] = [
    { name: "nobody does", lines: TWO_TURNS, list: "a. b!", turns: 2 },
    { name: "before the second prompt, by the client's remark", lines: back("d1"), list: "a! b", turns: 3 },
    { name: "before the second prompt, by the reply", lines: back("s1"), list: "a! b", turns: 3 },
    { name: "to the second prompt", lines: back("p2"), list: "a! b", turns: 3 },
    { name: "into the second turn", lines: back("w2"), list: "a. b!", turns: 3 },
    { name: "to the first list", lines: back("x1"), list: "a! b", turns: 3 },
    { name: "to the attachment before it", lines: back("a1"), list: "", turns: 3 },
    { name: "to the very beginning", lines: back(null), list: "", turns: 3 },
    { name: "and writes another list", lines: [...back("d1"), ...wrote("a!", "z")], list: "a! z", turns: 3 },
    {
      name: "and forward again",
      lines: [...back("d1"), ...wrote("z!"), following("s2", user("no, there"))],
      list: "a. b!",
      turns: 4,
    },
    {
      name: "twice",
      lines: [...back("d1"), says("Well."), following("p1", user("from the start"))],
      list: "",
      turns: 4,
    },
    { name: "calls at once", lines: atOnce, list: "a. b. c!", turns: 1 },
    {
      name: "to the first of the calls at once",
      lines: [...atOnce, following("c1", user("back"))],
      list: "a. b. c!",
      turns: 2,
    },
    {
      name: "to the last of the calls at once",
      lines: [...atOnce, following("c3", user("back"))],
      list: "a. b. c!",
      turns: 2,
    },
    { name: "before the calls at once", lines: [...atOnce, following("o1", user("back"))], list: "a! b c", turns: 2 },
    {
      name: "before a compaction",
      lines: [...TWO_TURNS, boundary(), summarised(), user("third"), ...wrote("z!"), following("d1", user("back"))],
      list: "a! b",
      turns: 4,
    },
  ];
  test.each(cases)("$name", ({ lines, list, turns }) => {
    const view = readOne(lines);
    expect([listOf(view), view.turns]).toEqual([list, turns]);
  });

  test("what ran has run: calls, tokens and tasks do not go back", () => {
    const created = [calls("k", "TaskCreate", { subject: "t" }), answers("k", "Task #1 created successfully: t")];
    const lines = [...TWO_TURNS, ...created, says("Done.", { usage: { input_tokens: 5 } })];
    const [before, now] = [readOne(lines), readOne([...lines, following("p1", user("again"))])];
    expect([now.calls, now.tokens, now.tasks.length]).toEqual([before.calls, before.tokens, 1]);
  });

  test("two processes write by turns: the last line says which branch holds", () => {
    const [wA = user(""), xA = user("")] = wrote("left!");
    const [wB = user(""), xB = user("")] = wrote("right!");
    const lines = [
      ...TWO_TURNS,
      following("s2", as("pA", user("left"))),
      following("pA", as("wA", wA)),
      following("d1", as("pB", user("right"))),
      following("wA", as("xA", xA)),
      following("pB", as("wB", wB)),
      following("wB", as("xB", xB)),
    ];
    const ends = (last: string) => [...lines, following(last, says("Done."))];
    expect([listOf(readOne(lines)), listOf(readOne(ends("xA"))), listOf(readOne(ends("xB")))]).toEqual([
      "right!",
      "left!",
      "right!",
    ]);
    expect(readOne(lines).turns).toBe(4);
  });

  test("two processes write replies with several calls by turns", () => {
    const [wA = user(""), xA = user("")] = wrote("left!");
    const inA = { id: "mA", stop_reason: "tool_use" };
    const lines = [
      ...TWO_TURNS,
      following("s2", as("wA", { ...wA, message: { ...(wA.message as object), id: "mA" } })),
      following("d1", as("other", says("Meanwhile."))),
      following("wA", as("bA", calls("bA", "Bash", { command: "ls" }, inA))),
      following("wA", as("xA", xA)),
      following("bA", as("yA", answers("bA"))),
      following("yA", says("Done.")),
    ];
    expect(listOf(readOne(lines))).toBe("left!");
  });
});

describe("going on with what was saved", () => {
  const bytes = (lines: readonly Line[]) => Buffer.from(lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const push = (lines: readonly Line[], before?: Transcript) => {
    const saved = before?.save();
    const transcript = new Transcript({ file: "s1.jsonl", saved: saved && JSON.parse(JSON.stringify(saved)) });
    transcript.push(bytes(lines).subarray(transcript.end));
    return transcript;
  };
  const many = Array.from({ length: 60 }, (_, at) => says(`Line ${at}.`));
  const view = (transcript: Transcript) => transcript.views.get("s1");

  const cases: { name: string; to: string | null; isLost: boolean; list: string }[] = [
    { name: "beyond what was kept", to: "d1", isLost: true, list: "a! b" },
    { name: "to the very beginning", to: null, isLost: false, list: "" },
    { name: "to a line that was kept", to: "near", isLost: false, list: "a. b!" },
  ];
  test.each(cases)("back $name", ({ to, isLost, list }) => {
    const known = [...TWO_TURNS, ...many, as("near", user("third")), says("Done.")];
    const all = chained([...known, following(to, user("back"))]);
    const resumed = push(all, push(all.slice(0, known.length)));
    expect(resumed.isLost).toBe(isLost);
    const whole = push(all);
    expect([whole.isLost, listOf(view(whole) as SessionView)]).toEqual([false, list]);
    if (!isLost) expect(view(resumed)).toEqual(view(whole));
  });

  test("after every line, the same as at once", () => {
    const all = chained([
      ...TWO_TURNS,
      following("d1", user("again")),
      ...wrote("z!"),
      following("s2", user("no, there")),
    ]);
    let transcript: Transcript | undefined;
    for (let end = 1; end <= all.length; end += 1) {
      transcript = push(all.slice(0, end), transcript);
      const whole = push(all.slice(0, end));
      if (!transcript.isLost) expect(view(transcript)).toEqual(view(whole));
    }
    expect(transcript?.isLost).toBe(false);
  });
});
