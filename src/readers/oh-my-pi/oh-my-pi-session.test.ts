import { describe, expect, test } from "vitest";
import {
  calls,
  chained,
  edit,
  factsOf,
  HEADER,
  message,
  phase,
  read,
  result,
  says,
  shown,
  task,
  to,
  user,
  viewOf,
  wrote,
} from "../../../test/readers/oh-my-pi-lines.js";
import type { JsonObject } from "../../core/json.js";
import { ohMyPiSession } from "./oh-my-pi-session.js";

describe("what is a list", () => {
  const A = wrote("a!");
  const cases: [name: string, entries: JsonObject[], list: string[]][] = [
    ["nothing", [user("hi")], []],
    ["a result", [wrote("a.", "b!", "c", "d-")], ["P: a., b!, c, d-"]],
    ["a finished list stays as it is", [wrote("a.", "b-")], ["P: a., b-"]],
    ["phases, also empty ones", [edit({ phases: [phase("E"), phase("P", "a")] })], ["E: ", "P: a"]],
    ["an edit by hand after a result", [A, edit({ phases: [phase("Q", "b!", "c!")] })], ["Q: b!, c!"]],
    ["a result after an edit", [edit({ phases: [phase("Q", "b")] }), A], ["P: a!"]],
    ["an edit that empties it", [A, edit({ phases: [] })], []],
    ["only phases that are empty", [A, edit({ phases: [phase("E")] })], ["E: "]],
    ["an edit without phases", [A, edit({})], ["P: a!"]],
    ["an edit whose phases are no list", [A, edit({ phases: { 0: phase("Q", "b") } })], ["P: a!"]],
    ["an edit without data", [A, edit(undefined)], ["P: a!"]],
    ["another custom entry", [A, { type: "custom", customType: "x", data: { phases: [] } }], ["P: a!"]],
    ["a message like an edit", [A, { ...edit({ phases: [] }), type: "custom_message" }], ["P: a!"]],
    ["a refused batch", [A, result("todo_write", { phases: [] }, { isError: true })], ["P: a!"]],
    ["a result that does not say whether it failed", [A, result("todo_write", { phases: [] })], []],
    ["a result without phases", [A, result("todo_write", {})], ["P: a!"]],
    ["a result without details", [A, result("todo_write", undefined)], ["P: a!"]],
    ["another tool", [A, result("read", { phases: [] })], ["P: a!"]],
    ["a tool of the newer name that nobody asked oh-my-pi for", [A, result("todo", { phases: [] })], ["P: a!"]],
    ["notes", [edit({ phases: [{ name: "P", tasks: [{ ...task("a"), notes: ["x", "y"] }] }] })], ["P: a ~ x ~ y"]],
    ["empty notes", [edit({ phases: [{ name: "P", id: 1, tasks: [{ ...task("a"), notes: [], id: 2 }] }] })], ["P: a"]],
    ["an empty text is a text", [edit({ phases: [{ name: "", tasks: [task("")] }] })], [": "]],
    ["a task that is none", [edit({ phases: [{ name: "P", tasks: [1, null, {}, task("a")] }] })], ["P: a"]],
    ["a phase that is none", [edit({ phases: [null, "x", phase("P", "a")] })], ["P: a"]],
    ["a phase without tasks", [edit({ phases: [{ name: "P" }, { tasks: [task("a")] }] })], ["P: ", ": a"]],
    [
      "a status we do not know",
      [edit({ phases: [{ name: "P", tasks: [{ content: "a", status: "odd" }] }] })],
      ["P: a ~ odd"],
    ],
    ["no status", [edit({ phases: [{ name: "P", tasks: [{ content: "a" }] }] })], ["P: a"]],
  ];
  test.each(cases)("%s", (_, entries, list) => expect(shown(read(...entries))).toEqual(list));
});

describe("newer versions and pi's extension", () => {
  const asked = (input: JsonObject, details: unknown, fields: JsonObject = {}) => [
    calls("c", "todo", input),
    result("todo", details, fields),
  ];
  const one = { phases: [phase("P", "a!")] };
  const device = (input: JsonObject, xdev: unknown) => [
    calls("c", "write", { path: "xd://todo", content: JSON.stringify(input) }),
    result("write", { xdev }),
  ];
  const blocked = { phases: [{ name: "P", tasks: [{ content: "a", status: "blocked", blocker: "no key" }] }] };
  const todos = [
    { id: 1, text: "a", done: true },
    { id: 2, text: "b", done: false },
  ];
  const cases: [name: string, entries: JsonObject[], list: string[]][] = [
    ["one op a call", asked({ op: "init" }, one), ["P: a!"]],
    ["ops", asked({ ops: [] }, one), ["P: a!"]],
    ["an op that is not said", asked({ items: ["a"] }, one), ["P: a!"]],
    ["a result that says its op", [result("todo", { op: "init", ...one })], ["P: a!"]],
    ["a failed call", asked({ op: "init" }, one, { isError: true }), []],
    ["a call of something else", asked({ action: "list" }, one), []],
    ["its tool behind a device", device({ op: "init" }, { tool: "todo", inner: { op: "init", ...one } }), ["P: a!"]],
    ["a device of another tool", device({ op: "init" }, { tool: "other", inner: one }), []],
    ["a device that says nothing", device({ op: "init" }, null), []],
    ["after the older tool", [wrote("x"), ...asked({ op: "init" }, one)], ["P: a!"]],
    ["blocked", asked({ op: "block" }, blocked), ["P: a ~ blocked: no key"]],
    ["pi's extension", asked({ action: "list" }, { action: "list", todos }), [": a., b"]],
    ["pi's extension, cleared", [...asked({}, { todos }), ...asked({}, { todos: [] })], []],
    ["todos of another shape", asked({}, { todos: [{ content: "a" }] }), []],
  ];
  test.each(cases)("%s", (_, entries, list) => expect(shown(read(...entries))).toEqual(list));
});

describe("what else is told", () => {
  const seen = (records: readonly JsonObject[], folder?: string) => {
    const { agent, parent, folder: place, model, title, titleBy } = viewOf(records, folder);
    return { agent, parent, place, model, title, titleBy };
  };
  const NOBODY: ReturnType<typeof seen> = {
    agent: "oh-my-pi",
    parent: null,
    place: "/app",
    model: "",
    title: "",
    titleBy: "nobody",
  };
  const change = (fields: JsonObject): JsonObject => ({ type: "model_change", id: "m1", parentId: null, ...fields });
  const cases: [name: string, records: JsonObject[], who: Partial<typeof NOBODY>, folder?: string][] = [
    ["a header", [HEADER], {}],
    ["its title", [{ ...HEADER, title: "T" }], { title: "T", titleBy: "agent" }],
    [
      "the line before it",
      [
        { type: "title", title: "T", pad: "  " },
        { ...HEADER, title: "old" },
      ],
      { title: "T", titleBy: "agent" },
    ],
    [
      "another title later",
      [
        { ...HEADER, title: "T" },
        { type: "title_change", title: "U" },
      ],
      { title: "U", titleBy: "agent" },
    ],
    ["a name", [HEADER, { type: "session_info", name: "N" }], { title: "N", titleBy: "agent" }],
    ["the first words of a person", [HEADER, user("Do it\nnow"), user("x")], { title: "Do it now", titleBy: "person" }],
    ["oh-my-pi's model", [HEADER, change({ model: "anthropic/claude" })], { model: "claude" }],
    ["a model of a model router", [HEADER, change({ model: "router/meta/llama" })], { model: "meta/llama" }],
    ["a model for side jobs", [HEADER, change({ model: "a/b", role: "smol" })], {}],
    ["pi's model", [HEADER, change({ provider: "anthropic", modelId: "claude" })], { agent: "pi", model: "claude" }],
    ["the first version's", [{ ...HEADER, provider: "p", modelId: "m" }], { agent: "pi", model: "m" }],
    ["the model of a reply", [HEADER, says("x", { model: "gpt" })], { model: "gpt" }],
    ["a sub-agent's folder", [HEADER], { parent: "s0" }, "2026-06-01T10-00-00-000Z_s0"],
    [
      "its task",
      [HEADER, user("Complete assignment thoroughly:\n\nLook at it", { attribution: "agent" })],
      { parent: "s0", title: "Look at it", titleBy: "agent" },
      "2026-06-01T10-00-00-000Z_s0",
    ],
    ["a project's folder", [HEADER], {}, "--home-dev-app--"],
    ["a fork is a session of its own", [{ ...HEADER, parentSession: "/x/2026-06-01T10-00-00-000Z_s0.jsonl" }], {}],
    ["a second header", [HEADER, { ...HEADER, id: "s2", cwd: "/other" }], {}],
  ];
  test.each(cases)("%s", (_, records, who, folder) => expect(seen(records, folder)).toEqual({ ...NOBODY, ...who }));

  test("nothing is told before the header, nor of a header whose id cannot be one", () => {
    expect(factsOf([user("x"), wrote("a")])).toEqual([]);
    expect(factsOf([{ ...HEADER, id: "../x" }, user("x")])).toEqual([]);
  });

  const recognised: [name: string, record: JsonObject, isOurs: boolean][] = [
    ["a header", HEADER, true],
    ["one of the first version", { type: "session", id: "s1", cwd: "/app" }, true],
    ["no folder, but a time", { ...HEADER, cwd: undefined }, true],
    ["neither folder nor time", { type: "session", id: "s1" }, false],
    ["no id", { ...HEADER, id: 1 }, false],
    ["an entry", user("x"), false],
    ["OpenClaw's", { ...HEADER, version: 4 }, false],
    ["the line before the header", { type: "title", v: 1, title: "T", pad: "" }, false],
  ];
  test.each(recognised)("recognised: %s", (_, record, isOurs) => expect(ohMyPiSession.recognises(record)).toBe(isOurs));
});

describe("turns and calls", () => {
  const answered = (fields: JsonObject = {}) =>
    result("bash", undefined, { content: [{ type: "text", text: "out" }], ...fields });
  const exit = { type: "custom", customType: "session_exit", data: { reason: "dispose", kind: "normal" } };
  const cases: [name: string, entries: JsonObject[], expected: string][] = [
    ["a person's words", [user("x")], "working 1 0/0"],
    ["words as a plain text", [message("user", { content: "x" })], "working 1 0/0"],
    ["words of the agent's own", [user("x", { attribution: "agent" })], "new 0 0/0"],
    ["words that nobody said", [user("x", { synthetic: true })], "new 0 0/0"],
    ["a command that a person ran", [message("bashExecution", { command: "ls" })], "new 0 0/0"],
    ["a reminder", [message("developer", { content: "x" })], "new 0 0/0"],
    ["an answer", [user("x"), says("y")], "resting 1 0/0"],
    ["an answer that is cut off", [user("x"), says("y", { stopReason: "length" })], "resting 1 0/0"],
    ["a question", [user("x"), says("y?")], "asking 1 0/0"],
    ["a question that was aborted", [user("x"), says("y?", { stopReason: "aborted" })], "resting 1 0/0"],
    ["a call", [user("x"), calls("c", "bash")], "working 1 1/0"],
    ["the same call twice", [user("x"), calls("c", "bash"), calls("c", "bash")], "working 1 1/0"],
    ["a call that ended", [user("x"), calls("c", "bash"), answered()], "working 1 1/0"],
    ["a call that failed", [user("x"), calls("c", "bash"), answered({ isError: true })], "working 1 1/1"],
    ["a result that nobody waits for", [user("x"), answered({ isError: true })], "working 1 0/0"],
    ["calls of an aborted reply", [user("x"), calls("c", "bash", {}, { stopReason: "aborted" })], "resting 1 0/0"],
    ["calls of a reply with an error", [user("x"), calls("c", "bash", {}, { stopReason: "error" })], "resting 1 0/0"],
    ["a call that asks", [user("x"), calls("c", "ask")], "asking 1 1/0"],
    ["the end of the session", [user("x"), says("y?"), exit], "left 1 0/0"],
    ["a session that goes on", [user("x"), says("y?"), exit, user("z")], "working 2 0/0"],
  ];
  test.each(cases)("%s", (_, entries, expected) => {
    const { phase: now, turns, calls: made } = read(...entries);
    expect(`${now} ${turns} ${made.total}/${made.failed}`).toBe(expected);
  });

  const byAgent = (text: string) => user(text, { attribution: "agent" });
  const yields = [calls("y", "yield"), result("yield", {}, { toolCallId: "y" })];
  test.each<[name: string, entries: JsonObject[], expected: string]>([
    ["has a task", [byAgent("Look.")], "working 1"],
    ["is told to hurry", [byAgent("Look."), calls("c", "bash"), byAgent("[budget notice] Wrap up.")], "working 1"],
    ["hands in its work", [byAgent("Look."), ...yields], "resting 1"],
    ["has another task", [byAgent("Look."), ...yields, byAgent("And there.")], "working 2"],
    ["is woken", [byAgent("Look."), exit, byAgent("And there.")], "working 2"],
    ["is spoken to by a person", [byAgent("Look."), user("Stop.", { attribution: "user" })], "working 2"],
    ["is reminded", [byAgent("Look."), user("Yield.", { attribution: "agent", synthetic: true })], "working 1"],
  ])("a sub-agent %s", (_, entries, expected) => {
    const { phase: now, turns } = viewOf([HEADER, ...chained(entries)], "2026-06-01T10-00-00-000Z_s0");
    expect(`${now} ${turns}`).toBe(expected);
  });

  const aborted = (text: string, details: unknown = {}) => answered({ isError: true, ...inText(text), details });
  const inText = (text: string) => ({ content: [{ type: "text", text }] });
  test.each<[name: string, end: JsonObject, status: string]>([
    ["stopped by a person", aborted("Command aborted"), "cancelled"],
    ["stopped behind its output", aborted("some\n\nCommand aborted"), "cancelled"],
    ["stopped, as oh-my-pi notes it", aborted("some\n\n[Command aborted]"), "cancelled"],
    ["another tool's", aborted("Operation aborted"), "cancelled"],
    ["that never ran", aborted("Skipped due to queued user message.", { __synthetic: true }), "cancelled"],
    ["that only speaks of it", aborted("Command aborted\n\nCommand exited with code 1"), "failed"],
  ])("a call %s", (_, end, status) => {
    const facts = factsOf([HEADER, ...chained([user("x"), calls("c", "bash"), end])]);
    expect(facts.find(({ type }) => type === "call.ended")).toMatchObject({ status });
  });

  const tools: [name: string, tool: string, input: JsonObject, expected: object][] = [
    [
      "a command",
      "bash",
      { command: "npm test" },
      { tool: "bash", subject: "npm test", isWork: true, isAsking: false },
    ],
    ["a list", "todo_write", {}, { tool: "todo_write", isWork: false }],
    ["a list of newer versions", "todo", { op: "view" }, { tool: "todo", isWork: false }],
    ["a question", "ask", {}, { tool: "ask", isWork: false, isAsking: true }],
    ["a server's tool", "mcp__notes_read", {}, { tool: "read", server: "notes", isWork: true }],
    ["our own", "mcp__milepost_todo", {}, { tool: "todo", server: "milepost", isWork: false }],
  ];
  const written = (path: unknown, content: unknown): readonly [string, JsonObject] => ["write", { path, content }];
  const behind: typeof tools = [
    [
      "a server's tool behind a device",
      ...written("xd://mcp__notes_read", '{"path":"a.md"}'),
      { tool: "read", server: "notes", subject: "a.md", isWork: true },
    ],
    [
      "our own behind a device",
      ...written("xd://mcp__milepost_todo", '{"done":1}'),
      { tool: "todo", server: "milepost", isWork: false },
    ],
    ["one that asks behind a device", ...written("xd://ask", "{}"), { tool: "ask", isAsking: true }],
    ["a device, written to with no JSON", ...written("xd://bash", "ls"), { tool: "bash", isWork: true }],
    ["a device, written to with nothing", ...written("xd://bash", undefined), { tool: "bash" }],
    ["a file", ...written("xd:/x", "{}"), { tool: "write", subject: "xd:/x" }],
    ["a path that is none", ...written(1, "{}"), { tool: "write" }],
    ["a device that is read", "read", { path: "xd://mcp__milepost_todo" }, { tool: "read", isWork: true }],
  ];
  test.each([...tools, ...behind])("the call of %s", (_, tool, input, expected) => {
    const started = factsOf([HEADER, ...chained([calls("c", tool, input)])]).find(
      ({ type }) => type === "call.started",
    );
    expect(started).toMatchObject(expected);
  });

  test("a failed call says what went wrong, in one line", () => {
    const failed = answered({ isError: true, content: [{ type: "text", text: "no\nway" }] });
    const facts = factsOf([HEADER, ...chained([calls("c", "bash"), failed])]);
    expect(facts.at(-1)).toMatchObject({ type: "call.ended", call: "c", status: "failed", problem: "no way" });
  });

  test("tokens and money are added up, also of what was gone back on", () => {
    const usage = { input: 10, output: 2, cacheRead: 5, cacheWrite: 1, totalTokens: 18, cost: { total: 0.5 } };
    const { totalTokens: _, cost: __, ...bare } = usage;
    const { tokens, cost } = read(says("x", { usage }), to(null, says("y", { usage: bare })), {
      type: "model_usage",
      usage,
    });
    expect(tokens).toEqual({ input: 30, output: 6, cacheRead: 15, cacheWrite: 3, reasoning: 0, total: 54 });
    expect(cost).toBe(1);
  });

  test("a price that is not known is none", () => {
    expect(read(says("x", { usage: { input: 1, cost: { total: 0 } } })).cost).toBeNull();
  });

  test("a compaction is counted", () => {
    expect(read(user("x"), { type: "compaction", summary: "s" }).compactions).toBe(1);
  });

  test("what a person said is not kept", () => {
    const reader = ohMyPiSession.open("f.jsonl");
    for (const record of [HEADER, ...chained([user("a secret")])]) reader.read(record);
    expect(JSON.stringify(reader.save())).not.toContain("secret");
  });
});
